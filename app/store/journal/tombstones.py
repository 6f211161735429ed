"""Remember what was erased or rejected without keeping it, so that it does not come back.

A text leaves keyed fingerprints, which say nothing without the vault's own secret: one of its
wording, and one of what it says, where that is given. What a text says is worked out by whoever
knows words (``app.memory.text.novelty.canonical``); here it is only a key. A message leaves the
spans that no job may learn from again, and a conversation that it was erased.

What was erased is gone for everybody; what was rejected, for the agent alone that it was told to.
"""

import hashlib
import hmac
import os
from collections.abc import Iterable

from app.domain.ids import to_ms
from app.domain.language.text import normalise
from app.store.vault.connection import Connection
from app.store.vault.file import Vault
from app.store.vault.meta import Meta

_SECRET = "tombstone_secret"
_TEXT, _SPAN, _TALK, _REJECTED = "text", "span", "conversation", "rejected"


class Tombstones:
    """What was erased from a vault, and what the person did not want in it."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._meta = Meta(vault)

    def add(
        self,
        text: str,
        message_id: str | None = None,
        span: tuple[int, int] | None = None,
        *,
        content: str = "",
    ) -> None:
        """Mark a text as erased, and where in a message it stood.

        Args:
            text: The text.
            message_id: The message that it was taken out of.
            span: Where it stood there.
            content: What it says, in whatever words; empty where that is not known.
        """
        with self._vault.write() as connection:
            secret = self._secret()
            for mark in _marks(secret, _TEXT, text, content):
                self._insert(connection, mark, _TEXT)
            if message_id is not None and span is not None:
                mark = _mark(secret, f"span\0{message_id}\0{span[0]}\0{span[1]}")
                self._insert(connection, mark, _SPAN, message_id, span)

    def has(self, text: str, content: str = "") -> bool:
        """Say whether this was erased, whatever its case, spacing or closing punctuation.

        Args:
            text: The text.
            content: What it says; where it is given, other words that say the same count too.
        """
        return self._has(_TEXT, text, content)

    def reject(self, text: str, agent_pk: int, content: str = "") -> None:
        """Mark a text as one that the person did not want an agent to remember."""
        with self._vault.write() as connection:
            for mark in _marks(self._secret(), _rejected(agent_pk), text, content):
                self._insert(connection, mark, _REJECTED)

    def has_rejected(self, text: str, agent_pk: int, content: str = "") -> bool:
        """Say whether this was rejected from an agent; ``content`` as in ``has``."""
        return self._has(_rejected(agent_pk), text, content)

    def allow(self, text: str, agent_pk: int, content: str = "") -> None:
        """Take back that a text was rejected, as undoing the rejection does."""
        if (secret := self._meta.get(_SECRET)) is None:
            return
        with self._vault.write() as connection:
            connection.executemany(
                "DELETE FROM tombstones WHERE hmac = ?",
                [(mark,) for mark in _marks(secret, _rejected(agent_pk), text, content)],
            )

    def add_conversation(self, conversation_id: str) -> None:
        """Mark a conversation as erased, so that no import brings it back."""
        with self._vault.write() as connection:
            self._insert(connection, _mark(self._secret(), f"{_TALK}\0{conversation_id}"), _TALK)

    def has_conversation(self, conversation_id: str) -> bool:
        """Say whether this conversation was erased."""
        secret = self._meta.get(_SECRET)
        return secret is not None and self._any([_mark(secret, f"{_TALK}\0{conversation_id}")])

    def spans(self, message_id: str) -> list[tuple[int, int]]:
        """Return the spans of a message that no job may learn from, in order."""
        found = self._vault.rows(
            "SELECT span_start, span_end FROM tombstones WHERE message_id = ?"
            " ORDER BY span_start, span_end",
            (message_id,),
        )
        return [(row[0], row[1]) for row in found]

    def _secret(self) -> bytes:
        return self._meta.once(_SECRET, lambda: os.urandom(32))

    def _has(self, kind: str, text: str, content: str) -> bool:
        secret = self._meta.get(_SECRET)
        return secret is not None and self._any(_marks(secret, kind, text, content))

    def _any(self, marks: Iterable[bytes]) -> bool:
        with self._vault.read() as connection:
            return any(
                connection.execute("SELECT 1 FROM tombstones WHERE hmac = ?", (mark,)).fetchone()
                for mark in marks
            )

    def _insert(
        self,
        connection: Connection,
        mark: bytes,
        kind: str,
        message_id: str | None = None,
        span: tuple[int, int] | None = None,
    ) -> None:
        start, end = span or (None, None)
        connection.execute(
            "INSERT INTO tombstones (hmac, kind, message_id, span_start, span_end, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (mark, kind, message_id, start, end, to_ms(self._vault.clock())),
        )


def _rejected(agent_pk: int) -> str:
    """Return what marks are known by; those of the first agent are older than there being more."""
    return _REJECTED if agent_pk == 1 else f"{_REJECTED} {agent_pk}"


def _marks(secret: bytes, kind: str, text: str, content: str) -> list[bytes]:
    """Return the fingerprints of a text's wording and, where it is known, of what it says."""
    marks = [_mark(secret, f"{kind}\0{normalise(text)}")]
    return [*marks, _mark(secret, f"{kind} content\0{content}")] if content else marks


def _mark(secret: bytes, message: str) -> bytes:
    return hmac.new(secret, message.encode(), hashlib.sha256).digest()
