"""The vault's own secrets and facts: a handful of named values."""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.store.vault import facts
from app.store.vault.file import Vault

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE, _SOUGHT = 12, b"loci sought"


class Meta:
    """Named values of a vault, such as the key that signs its exports."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def get(self, key: str) -> bytes | None:
        """Return a value; None where there is none, or something else made it no bytes."""
        with self._vault.read() as connection:
            return facts.data(facts.value_of(connection, key))

    def once(self, key: str, make: Callable[[], bytes]) -> bytes:
        """Return a value, made and kept at the first ask."""
        found = self.get(key)
        if found is not None:
            return found
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE"
                " SET value = excluded.value WHERE typeof(value) <> 'blob'",
                (key, make()),
            )
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return bytes(row["value"])

    def first(self, key: str) -> bool:
        """Note that something happened; return whether it had never happened before."""
        if self.get(key) is not None:
            return False
        with self._vault.write() as connection:
            added = connection.execute(
                "INSERT INTO meta (key, value) VALUES (?, x'') ON CONFLICT DO NOTHING", (key,)
            )
            return bool(added.rowcount)


class Erasures:
    """Counts erasures: they leave no row behind by which another process could notice them."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def add(self) -> None:
        """Note, within the erasing transaction, that there was one more."""
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES ('erasures', 1)"
                f" ON CONFLICT DO UPDATE SET value = iif({facts.COUNTED}, value + 1, 1)"
            )

    def seek(self, texts: Sequence[bytes]) -> None:
        """Keep what is to be searched for once the vault is rewritten, with what is kept already.

        It is encrypted by itself: what is searched for must not lie in the pages that are searched.
        """
        known = (*(self.sought() or ()), *texts)
        said = json.dumps([text.hex() for text in dict.fromkeys(known)]).encode()
        nonce = os.urandom(_NONCE)
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES ('erasure_sought', ?)"
                " ON CONFLICT DO UPDATE SET value = excluded.value",
                (nonce + self._cipher().encrypt(nonce, said, None),),
            )

    def sought(self) -> list[bytes] | None:
        """Return what is to be searched for; None where that is not known."""
        from cryptography.exceptions import InvalidTag

        with self._vault.read() as connection:
            kept = facts.data(facts.value_of(connection, "erasure_sought"))
        if kept is None:
            return None
        try:
            said = self._cipher().decrypt(kept[:_NONCE], kept[_NONCE:], None)
        except (InvalidTag, ValueError):
            return None
        return [bytes.fromhex(text) for text in json.loads(said)]

    def found(self) -> None:
        """Keep no more what was searched for."""
        with self._vault.write() as connection:
            connection.execute("DELETE FROM meta WHERE key = 'erasure_sought'")

    def _cipher(self) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(hashlib.blake2b(key=self._vault.key, digest_size=32, person=_SOUGHT).digest())

    def tell(self, sentence: str) -> None:
        """Keep a sentence on one that was finished later, until it is told."""
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES ('erasure_finished', ?)"
                " ON CONFLICT DO UPDATE SET value = excluded.value",
                (sentence.encode(),),
            )

    def told(self) -> list[str]:
        """Return what is to be told of one that was finished later, once."""
        with self._vault.read() as connection:
            said = facts.text(facts.value_of(connection, "erasure_finished"))
        if said is None:
            return []
        with self._vault.write() as connection:
            connection.execute("DELETE FROM meta WHERE key = 'erasure_finished'")
        return [said]

    def count(self) -> int:
        """Return how many there were."""
        with self._vault.read() as connection:
            return facts.count(facts.value_of(connection, "erasures")) or 0


class Exports:
    """Where exports were written, so that an erasure can name them."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def add(self, path: str, at: int) -> int:
        """Note that an export is written at ``at`` (milliseconds since 1970); return its row."""
        path = os.fsencode(path).decode(errors="replace")  # a name may be no text
        sql = "INSERT INTO exports (path, created_at) VALUES (?, ?) RETURNING pk"
        with self._vault.write() as connection:
            return int(connection.execute(sql, (path, at)).fetchall()[0][0])

    def drop(self, pk: int) -> None:
        """Forget an export that was not written after all."""
        with self._vault.write() as connection:
            connection.execute("DELETE FROM exports WHERE pk = ?", (pk,))

    def paths(self) -> list[str]:
        """Return every path an export was written to, newest first."""
        rows = self._vault.rows("SELECT DISTINCT path FROM exports ORDER BY pk DESC")
        return [row["path"] for row in rows]
