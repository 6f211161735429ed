"""How common words are among what somebody may see: what makes one shared word mean more.

What other agents said counts for nothing here. Where nobody else is in the vault, the full-text
index alone tells, and no row is read.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.memory import Scope, Trust
from app.store.dialect import listed
from app.store.index import recallable
from app.store.index.match import quoted
from app.store.index.words import MEMORIES, MESSAGES, Index
from app.store.vault.connection import Connection
from app.store.vault.file import Vault
from app.store.vault.rows import dumps

COUNTED = 5_000
MOST_ROWS = 20_000

_OTHERS = {
    MEMORIES: "SELECT EXISTS (SELECT 1 FROM memories WHERE scope < 0) OR EXISTS (SELECT 1 FROM"
    " memories WHERE scope > 0 AND scope < ?1) OR EXISTS (SELECT 1 FROM memories WHERE scope > ?1)",
    MESSAGES: "SELECT EXISTS (SELECT 1 FROM messages WHERE agent_pk < ?1)"
    " OR EXISTS (SELECT 1 FROM messages WHERE agent_pk > ?1)",
}


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many rows each word stands.

    Attributes:
        rows: How many rows there are; counting stops at ``MOST_ROWS`` of each kind.
        of: Rows by word; counting stops at ``COUNTED`` of each kind.
    """

    rows: int
    of: dict[str, int]


class Frequency:
    """Counts words in the full-text indexes, which also reduce them to their stems."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def rows(self, scope: Scope) -> int:
        """Return how many rows an agent may see; counting stops at ``MOST_ROWS`` of each kind."""
        with self._vault.search() as connection:
            return sum(one.size() for one in _both(connection, scope))

    def of(self, words: Sequence[str], scope: Scope) -> dict[str, int]:
        """Return in how many of these rows each word stands.

        Args:
            words: Also pieces of a text that are signs alone; those stand in no row.
            scope: Who asks.

        Returns:
            Rows by word; counting stops at ``COUNTED`` of each kind.
        """
        with self._vault.search() as connection:
            both = _both(connection, scope)
            return {word: sum(one.count(quoted(word)) for one in both) for word in words}

    def unheard(
        self,
        words: Sequence[str],
        scope: Scope,
        trusts: Collection[Trust],
        now: datetime,
        exclude: Collection[str] = (),
    ) -> list[str]:
        """Return the words that stand in nothing that may be recalled."""
        kept, values = recallable.memories(scope, trusts, now)
        said, more = recallable.messages(scope, exclude)
        query = (
            f"SELECT EXISTS (SELECT 1 FROM {MEMORIES.matching} AND {kept})"
            f" OR EXISTS (SELECT 1 FROM {MESSAGES.matching} AND {said})"
        )
        with self._vault.search() as connection:
            return [
                word
                for word in words
                if not connection.execute(
                    query, [quoted(word), *values, quoted(word), *more]
                ).fetchone()[0]
            ]


@dataclass(frozen=True, slots=True)
class Population:
    """The rows of an index that an agent may see, whatever became of them.

    Attributes:
        alone: Whether there are no others.
    """

    connection: Connection
    index: Index
    scope: Scope
    alone: bool

    @classmethod
    def of(cls, connection: Connection, index: Index, scope: Scope) -> "Population":
        """Return what an agent may see."""
        (others,) = connection.execute(_OTHERS[index], (scope.agent_pk,)).fetchone()
        return cls(connection, index, scope, not others)

    def size(self) -> int:
        """Return how many rows there are; counting stops at ``MOST_ROWS``."""
        condition, values = self._visible
        if self.index is MEMORIES and self.scope.group_pks:  # lets the index of scopes find them
            condition += f" AND m.scope IN {listed()}"
            values = [*values, dumps(recallable.scopes(self.scope))]
        table = "memories AS m" if self.index is MEMORIES else "messages AS x"
        return self._counted(f"{table} WHERE {condition}", values, MOST_ROWS)

    def count(self, query: str) -> int:
        """Return how many match; counting stops at ``COUNTED``."""
        if self.alone:
            name = self.index.name
            return self._counted(f"{name} WHERE {name} MATCH ?", [query], COUNTED)
        condition, values = self._visible
        return self._counted(f"{self.index.matching} AND {condition}", [query, *values], COUNTED)

    @property
    def _visible(self) -> recallable.Clause:
        if self.index is MEMORIES:
            return recallable.visible(self.scope)
        return "x.agent_pk = ?", [self.scope.agent_pk]

    def _counted(self, rows: str, values: Sequence[object], most: int) -> int:
        found = self.connection.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT ?)", [*values, most]
        )
        return int(found.fetchone()[0])


def _both(connection: Connection, scope: Scope) -> list[Population]:
    return [Population.of(connection, index, scope) for index in (MEMORIES, MESSAGES)]
