"""Find the rows of a whole vault that hold words, and how many do: whoever said them, to whom.

What recall may see is of no account here, because an erasure must know every row. The full-text
indexes tell, so that a large vault is not read.
"""

import re
from collections.abc import Sequence

from app.store.dialect import holds, listed
from app.store.index.match import quoted
from app.store.index.occurrences import Occurrence, found_message
from app.store.vault.connection import Connection
from app.store.vault.file import Vault
from app.store.vault.rows import dumps, near, words

_PIECE = re.compile(r"[^\W_]+")
_MESSAGES = (
    "SELECT x.id, x.text, x.role, x.created_at, c.title FROM messages AS x"
    " JOIN conversations AS c ON c.pk = x.conversation_pk"
)


def phrase(words: str) -> str:
    """Return the FTS5 query for words that stand together; empty where there are none."""
    pieces = _PIECE.findall(words)
    return quoted(*pieces) if pieces else ""


class RowsHolding:
    """Searches every message and memory of a vault for words."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def rows(self) -> int:
        """Return how many messages and memories there are."""
        with self._vault.search() as connection:
            return sum(
                int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
                for table in ("messages", "memories")
            )

    def count(self, query: str, most: int) -> int:
        """Return how many rows match an FTS5 query; counting stops at ``most`` of each kind."""
        with self._vault.search() as connection:
            return sum(len(_pks(connection, kind, query, most)) for kind in ("message", "memory"))

    def messages(self, query: str, most: int) -> list[Occurrence]:
        """Return the messages that match an FTS5 query, the newest ``most``."""
        with self._vault.search() as connection:
            return _messages(connection, "x.pk", _pks(connection, "message", query, most))

    def within(self, letters: str, most: int) -> list[Occurrence]:
        """Return the messages and memories that hold letters anywhere, the newest of each kind.

        The full-text indexes know no words in scripts that have no spaces between them.
        """
        with self._vault.search() as connection:
            pks = [
                [
                    row[0]
                    for row in connection.execute(
                        f"SELECT pk FROM {table} WHERE {holds('text', '?')}"
                        " ORDER BY pk DESC LIMIT ?",
                        (letters, most),
                    ).fetchall()
                ]
                for table in ("messages", "memories")
            ]
            return [*_messages(connection, "x.pk", pks[0]), *_memories(connection, pks[1])]

    def messages_of_rows(self, pks: Sequence[int]) -> list[Occurrence]:
        """Return the messages of some rows, in their order."""
        with self._vault.search() as connection:
            return [found for pk in pks for found in _messages(connection, "x.pk", [pk])]

    def messages_by_id(self, ids: Sequence[str]) -> list[Occurrence]:
        """Return the messages with some ids that are still there."""
        with self._vault.search() as connection:
            return _messages(connection, "x.id", ids)

    def memories(self, query: str, most: int) -> list[Occurrence]:
        """Return the memories of any status that match an FTS5 query, the newest ``most``."""
        with self._vault.search() as connection:
            return _memories(connection, _pks(connection, "memory", query, most))


def _pks(connection: Connection, kind: str, query: str, most: int) -> list[int]:
    index = "messages_fts" if kind == "message" else "memories_fts"
    found = connection.execute(
        f"SELECT rowid FROM {index} WHERE {index} MATCH ? ORDER BY rowid DESC LIMIT ?",
        (query, most),
    )
    return [row[0] for row in found.fetchall()]


def _memories(connection: Connection, pks: Sequence[int]) -> list[Occurrence]:
    found = connection.execute(
        f"SELECT id, text, created_at FROM memories WHERE pk IN {listed()} ORDER BY pk",
        (dumps(list(pks)),),
    ).fetchall()
    return [Occurrence(r["id"], words(r["text"]), "", near(r["created_at"])) for r in found]


def _messages(connection: Connection, column: str, keys: Sequence[int | str]) -> list[Occurrence]:
    found = connection.execute(
        f"{_MESSAGES} WHERE {column} IN {listed()} ORDER BY x.pk",
        (dumps(list(keys)),),
    ).fetchall()
    return [found_message(r) for r in found]
