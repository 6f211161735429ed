"""Rank rows by the words of a query, at a cost that does not grow with the vault.

To rank a row costs far more than to know that it matches, and in a large vault a common word alone
matches tens of thousands. Where at most ``RANKED`` rows match, all of them are ranked. Where more
do, the rarest words decide which: what has none of them is left out, and among the others the
common words count as ever. Of a word that is too common even alone, the latest rows are ranked.
"""

import re
from collections.abc import Callable, Sequence

from app.store.connection import Connection

Found = list[tuple[int, float]]
Allowed = Callable[[Sequence[int]], set[int]]

RANKED = 5_000
AT_FIRST = 4
COUNTED = 10 * RANKED

_WORD = re.compile(r'"[^"]*"')


def best(connection: Connection, index: str, match: str, allowed: Allowed, limit: int) -> Found:
    """Return rows that match with their bm25 (lower is better), best first.

    Args:
        connection: Where to look.
        index: The full-text index.
        match: An FTS5 query; only one of words joined by OR can be narrowed to rarer words.
        allowed: Returns which of some rows may be found.
        limit: At most so many.
    """
    queries = _narrowed(connection, index, match)
    since = [_since(connection, index, query) for query in queries]
    ranked = AT_FIRST * limit
    while True:
        rows: dict[int, float] = {}
        full = False
        for query, first in zip(queries, since, strict=True):
            some = _ranked(connection, index, query, first, ranked)
            full = full or len(some) == ranked
            for pk, rank in some:
                rows[pk] = min(rank, rows.get(pk, 0.0))
        let_through = allowed(list(rows))
        found = [(pk, rank) for pk, rank in rows.items() if pk in let_through]
        if len(found) >= limit or not full:
            return sorted(found, key=lambda row: (row[1], row[0]))[:limit]
        ranked *= 8


def _narrowed(connection: Connection, index: str, match: str) -> list[str]:
    """Return the queries whose finds together stand for those of ``match``.

    What has rare and common words is ranked by all of them, what has rare ones only by those; so
    both have the very rank that the whole query would give them.
    """
    words = match.split(" OR ")
    if len(words) < 2 or not all(map(_WORD.fullmatch, words)):
        return [match]
    if _since(connection, index, match) is None:
        return [match]
    counts = {word: _count(connection, index, word) for word in words}
    rare, total = list[str](), 0
    for word in sorted((word for word in counts if counts[word]), key=counts.__getitem__):
        total += counts[word]
        if rare and total > RANKED:
            break
        rare.append(word)
    either = " OR ".join(rare)
    common = [word for word in words if word not in rare and counts[word]]
    return [either, f"({either}) AND ({' OR '.join(common)})"] if common else [either]


def _since(connection: Connection, index: str, query: str) -> int | None:
    """Return the first of the latest rows that may be ranked; None where all that match may."""
    row = connection.execute(
        f"SELECT rowid FROM {index} WHERE {index} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?",
        (query, RANKED),
    ).fetchone()
    return None if row is None else int(row[0]) + 1


def _count(connection: Connection, index: str, word: str) -> int:
    """Return in how many rows a word stands; counting stops at ``COUNTED``."""
    query = f"SELECT count(*) FROM (SELECT 1 FROM {index} WHERE {index} MATCH ? LIMIT ?)"
    return int(connection.execute(query, (word, COUNTED)).fetchone()[0])


def _ranked(connection: Connection, index: str, query: str, first: int | None, limit: int) -> Found:
    since = "" if first is None else " AND rowid >= ?"
    values = [query, *([] if first is None else [first]), limit]
    found = connection.execute(
        f"SELECT rowid, rank FROM {index} WHERE {index} MATCH ?{since}"
        " ORDER BY rank, rowid LIMIT ?",
        values,
    )
    return [(row[0], row[1]) for row in found]
