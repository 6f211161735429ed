"""Rank rows by the words of a query, at a cost that does not grow with the vault.

To rank a row costs far more than to know that it matches, and in a large vault a common word alone
matches tens of thousands. Where at most ``RANKED`` rows match, all of them are ranked. Where more
do, the rarest words decide which: what has none of them is left out, and among the others the
common words count as ever. Of a word that is too common even alone, the latest rows are ranked.

Only rows that may be found are counted and ranked. What else stands in the index is passed over,
so that it never takes their place.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from app.store.vault.connection import Connection

Found = list[tuple[int, float]]

RANKED = 5_000

_WORD = re.compile(r'"(?:[^"]|"")*"')


@dataclass(frozen=True, slots=True)
class Index:
    """A full-text index; a row of it is called ``f``, and what it is of as in ``recallable``.

    Attributes:
        rows: SQL that joins the rows.
    """

    name: str
    rows: str

    @property
    def newest(self) -> str:
        """SQL that puts the rows that came last first, as the index has them."""
        return "f.rowid DESC"

    @property
    def matching(self) -> str:
        """SQL for the rows that match; CROSS JOIN keeps the order, so that no table is read."""
        return f"{self.name} AS f CROSS JOIN {self.rows} WHERE {self.name} MATCH ?"


MEMORIES = Index("memories_fts", "memories AS m ON m.pk = f.rowid")
MESSAGES = Index(
    "messages_fts",
    "messages AS x ON x.pk = f.rowid CROSS JOIN conversations AS c ON c.pk = x.conversation_pk",
)


@dataclass(frozen=True, slots=True)
class WordIndex:
    """The rows of an index that may be found.

    Attributes:
        condition, values: Which those are.
        unseen: How many others there are at most; None where that is not known. Where they are few,
            most counts need no look at the rows.
    """

    connection: Connection
    index: Index
    condition: str
    values: Sequence[object]
    unseen: int | None = None

    def best(self, match: str, limit: int) -> Found:
        """Return rows that match with their bm25 (lower is better), best first.

        Args:
            match: An FTS5 query; only one of words joined by OR can be narrowed to rarer words.
            limit: At most so many.
        """
        rows: dict[int, float] = {}
        for query, first in self._narrowed(match):
            for pk, rank in self._ranked(query, first, limit):
                rows[pk] = min(rank, rows.get(pk, 0.0))
        return sorted(rows.items(), key=lambda row: (row[1], row[0]))[:limit]

    def _narrowed(self, match: str) -> list[tuple[str, int]]:
        """Return queries, each with the first row to be ranked, that together stand for one.

        What has rare and common words is ranked by all of them, what has rare ones only by those;
        so both have the very rank that the whole query would give them.
        """
        if self._are_few(match):
            return [(match, 0)]
        words = match.split(" OR ")
        if not all(map(_WORD.fullmatch, words)):
            return [(match, self._since(match))]
        rare, common, cut = self._by_rarity(list(dict.fromkeys(words)))
        either = " OR ".join(rare)
        queries = [either, f"({either}) AND ({' OR '.join(common)})"][: 1 + bool(common)]
        return [(query, self._since(query) if cut else 0) for query in queries]

    def _by_rarity(self, words: Sequence[str]) -> tuple[list[str], list[str], bool]:
        """Return the rarest words, all others, and whether the rarest are in too many rows as well.

        The rarest stand together in at most ``RANKED`` rows. Where every word stands in more, it is
        the one whose latest rows reach furthest back.
        """
        bounds = {word: self._bounds(word) for word in words}
        heard = sorted((word for word in words if bounds[word][1]), key=lambda w: bounds[w][1])
        if all(bounds[word][0] > RANKED for word in heard):
            heard.sort(key=self._since)
            return heard[:1], heard[1:], True
        most = list(accumulate(bounds[word][1] for word in heard))
        rare = heard[: bisect_right(most, RANKED)]
        common = heard[len(rare) :]
        if self.unseen and not _certain([bounds[w] for w in rare], [bounds[w] for w in common]):
            return replace(self, unseen=None)._by_rarity(words)
        return rare, common, False

    def _are_few(self, query: str) -> bool:
        """Say whether all that match may be ranked."""
        most = self._count(query, RANKED + (self.unseen or 0) + 1)
        if most <= RANKED:
            return True
        if self.unseen is not None and most - self.unseen > RANKED:
            return False
        return not self._since(query)

    def _bounds(self, word: str) -> tuple[int, int]:
        """Return how many rows have a word, at least and at most; counted only so far."""
        if self.unseen is None:
            count, _ = self._latest(word, RANKED + 1)
            return count, count
        most = self._count(word, RANKED + self.unseen + 1)
        return max(0, most - self.unseen), most

    def _count(self, query: str, limit: int) -> int:
        """Return how many rows of the whole index match; none of them is read."""
        name = self.index.name
        found = self.connection.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM {name} WHERE {name} MATCH ? LIMIT ?)",
            (query, limit),
        )
        return int(found.fetchone()[0])

    def _latest(self, query: str, limit: int) -> tuple[int, int]:
        """Return how many rows match, ``limit`` at most, and the first of the latest so many."""
        count, first = self.connection.execute(
            f"SELECT count(*), min(pk) FROM (SELECT f.rowid AS pk FROM {self.index.matching}"
            f" AND {self.condition} ORDER BY f.rowid DESC LIMIT ?)",
            [query, *self.values, limit],
        ).fetchone()
        return count, first or 0

    def _since(self, query: str) -> int:
        """Return the first of the latest rows that may be ranked; 0 where all that match may."""
        count, first = self._latest(query, RANKED + 1)
        return first + 1 if count > RANKED else 0

    def _ranked(self, query: str, first: int, limit: int) -> Found:
        since = " AND f.rowid >= ?" if first else ""
        found = self.connection.execute(
            f"SELECT f.rowid, f.rank FROM {self.index.matching}{since} AND {self.condition}"
            " ORDER BY f.rank LIMIT ?",
            [query, *([first] if first else []), *self.values, limit],
        )
        return [(row[0], row[1]) for row in found]


def _certain(rare: Sequence[tuple[int, int]], common: Sequence[tuple[int, int]]) -> bool:
    """Say whether words are told apart rightly, wherever between their bounds the counts lie."""
    if not any(least for least, _ in rare):
        return False
    if not common:
        return True
    next_least = min(least for least, _ in common)
    apart = all(most <= next_least for _, most in rare)
    return apart and sum(least for least, _ in rare) + next_least > RANKED
