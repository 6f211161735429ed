"""How common words are in a vault: what makes one shared word mean more than another."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.memory import Scope, Trust
from app.store import recallable
from app.store.connection import Connection
from app.store.vault import Vault

COUNTED = 5000
HEARD_AMONG = 20_000


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many rows each word stands.

    Attributes:
        rows: How many rows there are, about.
        of: Rows by word; counting stops at ``COUNTED``.
    """

    rows: int
    of: dict[str, int]


class Frequency:
    """Counts words in the full-text indexes, which also reduce them to their stems."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def of(self, words: Sequence[str]) -> Frequencies:
        """Return how common each word is; the words hold letters and digits only."""
        with self._vault.search() as connection:
            rows = sum(
                connection.execute(f"SELECT coalesce(max(pk), 0) FROM {table}").fetchone()[0]
                for table in ("memories", "messages")
            )
            return Frequencies(rows, {word: _count(connection, word) for word in words})

    def unheard(
        self,
        words: Sequence[str],
        scope: Scope,
        trusts: Collection[Trust],
        now: datetime,
        exclude: Collection[str] = (),
    ) -> list[str]:
        """Return the words that stand in nothing that may be recalled.

        Of a word that stands in very many rows, the latest are asked.
        """
        kept, values = recallable.memories(scope, trusts, now)
        said, more = recallable.messages(scope, exclude)
        query = (
            f"SELECT EXISTS (SELECT 1 FROM ({_latest('memories_fts')}) AS f"
            f" CROSS JOIN memories AS m ON m.pk = f.rowid WHERE {kept})"
            f" OR EXISTS (SELECT 1 FROM ({_latest('messages_fts')}) AS f"
            " CROSS JOIN messages AS x ON x.pk = f.rowid"
            f" JOIN conversations AS c ON c.pk = x.conversation_pk WHERE {said})"
        )
        with self._vault.search() as connection:
            return [
                word
                for word in words
                if not connection.execute(
                    query, [f'"{word}"', *values, f'"{word}"', *more]
                ).fetchone()[0]
            ]


def _latest(index: str) -> str:
    return (
        f"SELECT rowid FROM {index} WHERE {index} MATCH ? ORDER BY rowid DESC LIMIT {HEARD_AMONG}"
    )


def _count(connection: Connection, word: str) -> int:
    """Count rows with a word in the index alone, without reading them."""
    return sum(
        connection.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM {index} WHERE {index} MATCH ? LIMIT ?)",
            (f'"{word}"', COUNTED),
        ).fetchone()[0]
        for index in ("memories_fts", "messages_fts")
    )
