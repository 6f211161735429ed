"""Remember what was erased without keeping it, so that it does not come back.

A text leaves a keyed fingerprint, which says nothing without the vault's own secret; a message
leaves the spans that no job may learn from again.
"""

import hashlib
import hmac
import os

from app.domain.ids import to_ms
from app.domain.text import normalise
from app.store.connection import Connection
from app.store.meta import Meta
from app.store.vault import Vault

_SECRET = "tombstone_secret"


class Tombstones:
    """What was erased from a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._meta = Meta(vault)

    def add(
        self, text: str, message_id: str | None = None, span: tuple[int, int] | None = None
    ) -> None:
        """Mark a text as erased, and where in a message it stood."""
        with self._vault.write() as connection:
            secret = self._meta.once(_SECRET, lambda: os.urandom(32))
            self._insert(connection, _text_mark(secret, text), "text", None, None)
            if message_id is not None and span is not None:
                mark = _mark(secret, f"span\0{message_id}\0{span[0]}\0{span[1]}")
                self._insert(connection, mark, "span", message_id, span)

    def has(self, text: str) -> bool:
        """Say whether this text was erased, whatever its case, spacing or closing punctuation."""
        secret = self._meta.get(_SECRET)
        if secret is None:
            return False
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT 1 FROM tombstones WHERE hmac = ?", (_text_mark(secret, text),)
            ).fetchone()
        return found is not None

    def spans(self, message_id: str) -> list[tuple[int, int]]:
        """Return the spans of a message that no job may learn from, in order."""
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT span_start, span_end FROM tombstones WHERE message_id = ?"
                " ORDER BY span_start, span_end",
                (message_id,),
            ).fetchall()
        return [(row[0], row[1]) for row in found]

    def _insert(
        self,
        connection: Connection,
        mark: bytes,
        kind: str,
        message_id: str | None,
        span: tuple[int, int] | None,
    ) -> None:
        start, end = span or (None, None)
        connection.execute(
            "INSERT INTO tombstones (hmac, kind, message_id, span_start, span_end, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (mark, kind, message_id, start, end, to_ms(self._vault.clock())),
        )


def _text_mark(secret: bytes, text: str) -> bytes:
    return _mark(secret, f"text\0{normalise(text)}")


def _mark(secret: bytes, message: str) -> bytes:
    return hmac.new(secret, message.encode(), hashlib.sha256).digest()
