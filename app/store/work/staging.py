"""Keep the rows of a file that is being brought in on disk until they are needed.

A file may hold more rows than fit into memory, in any order, and each may belong to any other. They
wait in a database of their own, among the temporary files of the profile, under a key that is kept
nowhere.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.store.vault.connection import Connection, connect, plain_errors
from app.store.vault.scratch import room

_CACHE_KB = 32_768
_SCHEMA = (
    "CREATE TABLE waiting (pk INTEGER PRIMARY KEY, kind TEXT, owner BLOB, data BLOB)",
    "CREATE INDEX waiting_owner ON waiting (kind, owner)",
    "CREATE TABLE met (kind TEXT, name BLOB, PRIMARY KEY (kind, name)) WITHOUT ROWID",
    "CREATE TABLE names (old BLOB PRIMARY KEY, new TEXT, home BLOB) WITHOUT ROWID",
)


@contextmanager
def staging(home: Path) -> Iterator["Staging"]:
    """Lend an empty place for rows, and leave nothing of it after the block.

    Args:
        home: The profile's folder.
    """
    with room(home) as folder:
        key, path = os.urandom(32), folder / "staging.db"
        opened = connect(path, key, cache_kb=_CACHE_KB, read_only=False, wal=False)
        with closing(opened) as connection, plain_errors():
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            for statement in _SCHEMA:
                connection.execute(statement)
            yield Staging(connection)


class Staging:
    """Rows that wait, each with its kind and whom it belongs to."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, kind: str, owner: str, data: bytes) -> None:
        """Let a row wait."""
        self._connection.execute(
            "INSERT INTO waiting (kind, owner, data) VALUES (?, ?, ?)", (kind, _key(owner), data)
        )

    def count(self, kind: str) -> int:
        """Return how many rows of a kind wait."""
        sql = "SELECT count(*) FROM waiting WHERE kind = ?"
        return int(self._connection.execute(sql, (kind,)).fetchone()[0])

    def all(self, kind: str) -> Iterator[bytes]:
        """Yield the rows of a kind, in the order they came."""
        sql = "SELECT data FROM waiting NOT INDEXED WHERE kind = ? ORDER BY pk"
        for row in self._connection.execute(sql, (kind,)):
            yield row[0]

    def of(self, kind: str, owner: str) -> Iterator[bytes]:
        """Yield the rows of a kind that belong to an owner, in the order they came."""
        sql = "SELECT data FROM waiting WHERE kind = ? AND owner = ? ORDER BY pk"
        for row in self._connection.execute(sql, (kind, _key(owner))):
            yield row[0]

    def is_new(self, kind: str, name: str) -> bool:
        """Return whether a name of a kind is met for the first time, and keep that it was."""
        sql = "INSERT OR IGNORE INTO met VALUES (?, ?)"
        return bool(self._connection.execute(sql, (kind, _key(name))).rowcount)

    def rename(self, old: str, new: str, home: str) -> None:
        """Keep what something is called from now on, and in what it lies."""
        sql = "INSERT OR REPLACE INTO names VALUES (?, ?, ?)"
        self._connection.execute(sql, (_key(old), new, _key(home)))

    def renamed(self, old: str, home: str | None = None) -> str | None:
        """Return what something is called now; where ``home`` is given, only if it lies there."""
        found = self._connection.execute("SELECT new, home FROM names WHERE old = ?", (_key(old),))
        row = found.fetchone()
        if row is None or (home is not None and row[1] != _key(home)):
            return None
        return str(row[0])


def _key(name: str) -> bytes:
    """Return what stands for a name, however long a stranger made it."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
