"""The ways of finding: memories and past messages, each by its words and by its meaning."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from app.domain.memory import MemoryFilter, Status, Trust
from app.domain.recall import HitKind
from app.memory.recall.fuse import LaneRow
from app.memory.recall.pipeline import Lane, QueryContext
from app.memory.recall.space import Space
from app.memory.text.query import is_overview
from app.memory.text.scripts import match, pieces
from app.store.index.trigrams import Sightings, TrigramIndex
from app.store.memories import Memories
from app.store.search import WordSearch

FTS, VECTOR = "fts", "vector"
MESSAGE_FTS, MESSAGE_VECTOR = "message_fts", "message_vector"
OVERVIEW = "overview"
SMOOTHING = 60
BEHIND = (
    "Some of what is remembered has not been indexed by meaning yet and is found by its words only;"
    " Loci finishes that in the background while its window is open."
)


@dataclass(frozen=True, slots=True)
class MemoryWords:
    """Memories that share words with the question."""

    search_rows: WordSearch
    letters: TrigramIndex
    trusts: frozenset[Trust]
    name: str = FTS

    def search(self, context: QueryContext, limit: int) -> Sequence[LaneRow]:
        """Return memories by bm25; none where the question has no content word."""
        query, found = context.query, []
        if words := match(context.topic):
            found = self.search_rows.memories(words, query.scope, self.trusts, query.now, limit)
        pks = [pk for pk, _ in found]
        if within := pieces(context.topic):
            seen = self.letters.memories(within, query.scope, self.trusts, query.now, limit)
            pks = _with_sightings(context, pks, seen)
        return [LaneRow(HitKind.MEMORY, pk) for pk in pks[:limit]]


@dataclass(frozen=True, slots=True)
class MessageWords:
    """Past messages that share words with the question."""

    search_rows: WordSearch
    letters: TrigramIndex
    name: str = MESSAGE_FTS

    def search(self, context: QueryContext, limit: int) -> Sequence[LaneRow]:
        """Return messages by bm25; none where the question has no content word."""
        query, found = context.query, []
        if words := match(context.topic):
            found = self.search_rows.messages(words, query.scope, limit, query.exclude_message_ids)
        pks = [pk for pk, _ in found]
        if within := pieces(context.topic):
            seen = self.letters.messages(within, query.scope, limit, query.exclude_message_ids)
            pks = _with_sightings(context, pks, seen)
        return [LaneRow(HitKind.MESSAGE, pk) for pk in pks[:limit]]


def _with_sightings(context: QueryContext, by_words: Sequence[int], seen: Sightings) -> list[int]:
    """Return rows found by words and by letters, best ranks first; note how common letters are."""
    counts: Counter[str] = context.once("letters", Counter)
    counts.update(seen.counts)
    ranks: dict[int, float] = {}
    for found in (seen.found, by_words):
        for rank, pk in enumerate(found):
            ranks[pk] = ranks.get(pk, 0.0) + 1 / (SMOOTHING + rank)
    return sorted(ranks, key=lambda pk: -ranks[pk])


@dataclass(frozen=True, slots=True)
class Meaning:
    """Memories or past messages that are near to the question in meaning."""

    kind: HitKind
    space: Space
    trusts: frozenset[Trust]
    name: str

    def search(self, context: QueryContext, limit: int) -> Sequence[LaneRow]:
        """Return rows by cosine.

        Raises:
            ModelError: The embedder did not answer.
        """
        embedder_pk = self.space.pk
        if self.space.vectors.behind(self.kind.value, embedder_pk, context.query.scope):
            context.notes.append(BEHIND)
        found = self.space.vectors.nearest(
            self.kind.value,
            context.vector,
            limit,
            embedder_pk=embedder_pk,
            scope=context.query.scope,
            now=context.query.now,
            trusts=self.trusts,
            exclude=context.query.exclude_message_ids,
        )
        return [LaneRow(self.kind, pk, cosine) for pk, cosine in found]


@dataclass(frozen=True, slots=True)
class WithClaims:
    """A lane, and what files claimed, each at most every other row.

    However much such a file holds, it crowds out nothing that the person said.

    Attributes:
        said: Finds what the person said.
        claimed: Finds the same way what files claimed.
    """

    said: Lane
    claimed: Lane
    search_rows: WordSearch

    @property
    def name(self) -> str:
        """The lane's name."""
        return self.said.name

    def search(self, context: QueryContext, limit: int) -> Sequence[LaneRow]:
        """Return rows of both in turn; where nothing is claimed, those of the lane alone."""
        said = self.said.search(context, limit)
        if not self.search_rows.has(Trust.CLAIMED, context.query.scope):
            return said
        claimed = self.claimed.search(context, limit)
        pairs = zip_longest(said, claimed)
        return [one for pair in pairs for one in pair if one is not None][:limit]


@dataclass(frozen=True, slots=True)
class Overview:
    """What is known of the person at all, where the question is just that."""

    memories: Memories
    trusts: frozenset[Trust]
    name: str = OVERVIEW

    def search(self, context: QueryContext, limit: int) -> Sequence[LaneRow]:
        """Return pinned memories, then the newest; none for any other question."""
        if not is_overview(context.text):
            return ()
        wanted = MemoryFilter(trusts=self.trusts, statuses=frozenset({Status.ACTIVE}))
        scope, now = context.query.scope, context.query.now
        pinned = self.memories.list(scope, replace(wanted, pinned=True), 0, limit)
        others = self.memories.list(scope, replace(wanted, pinned=False), 0, limit)
        living = [m for m in (*pinned, *others) if m.expires_at is None or m.expires_at > now]
        return [LaneRow(HitKind.MEMORY, memory.pk) for memory in living[:limit]]
