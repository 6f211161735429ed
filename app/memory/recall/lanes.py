"""The ways of finding: memories and past messages, each by its words and by its meaning."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.domain.memory import MemoryFilter, Status, Trust
from app.domain.recall import HitKind
from app.memory.recall.fuse import Found
from app.memory.recall.pipeline import Cue
from app.memory.recall.query import is_overview, match
from app.memory.recall.space import Space
from app.store.memories import Memories
from app.store.search import Search

FTS, VECTOR = "fts", "vector"
MESSAGE_FTS, MESSAGE_VECTOR = "message_fts", "message_vector"
OVERVIEW = "overview"
BEHIND = (
    "Some of what is remembered has not been read by the new meaning model yet and is found by its"
    " words only; Loci finishes that in the background while its window is open."
)


@dataclass(frozen=True, slots=True)
class MemoryWords:
    """Memories that share words with the question."""

    search_rows: Search
    trusts: frozenset[Trust]
    name: str = FTS

    def search(self, cue: Cue, limit: int) -> Sequence[Found]:
        """Return memories by bm25; none where the question has no content word."""
        if not (words := match(cue.topic)):
            return ()
        query = cue.query
        found = self.search_rows.memories(words, query.scope, self.trusts, query.now, limit)
        return [Found(HitKind.MEMORY, pk) for pk, _ in found]


@dataclass(frozen=True, slots=True)
class MessageWords:
    """Past messages that share words with the question."""

    search_rows: Search
    name: str = MESSAGE_FTS

    def search(self, cue: Cue, limit: int) -> Sequence[Found]:
        """Return messages by bm25; none where the question has no content word."""
        if not (words := match(cue.topic)):
            return ()
        query = cue.query
        found = self.search_rows.messages(words, query.scope, limit, query.exclude_message_ids)
        return [Found(HitKind.MESSAGE, pk) for pk, _ in found]


@dataclass(frozen=True, slots=True)
class Meaning:
    """Memories or past messages that are near to the question in meaning."""

    kind: HitKind
    space: Space
    trusts: frozenset[Trust]
    name: str

    def search(self, cue: Cue, limit: int) -> Sequence[Found]:
        """Return rows by cosine.

        Raises:
            ModelError: The embedder did not answer.
        """
        embedder_pk = self.space.pk
        if self.space.vectors.behind(self.kind.value, embedder_pk):
            cue.notes.append(BEHIND)
        found = self.space.vectors.nearest(
            self.kind.value,
            cue.vector,
            limit,
            embedder_pk=embedder_pk,
            scope=cue.query.scope,
            now=cue.query.now,
            trusts=self.trusts,
            exclude=cue.query.exclude_message_ids,
        )
        return [Found(self.kind, pk, cosine) for pk, cosine in found]


@dataclass(frozen=True, slots=True)
class Overview:
    """What is known of the person at all, where the question is just that."""

    memories: Memories
    trusts: frozenset[Trust]
    name: str = OVERVIEW

    def search(self, cue: Cue, limit: int) -> Sequence[Found]:
        """Return pinned memories, then the newest; none for any other question."""
        if not is_overview(cue.text):
            return ()
        wanted = MemoryFilter(trusts=self.trusts, statuses=frozenset({Status.ACTIVE}))
        scope, now = cue.query.scope, cue.query.now
        pinned = self.memories.list(replace(wanted, pinned=True), 0, limit, scope)
        others = self.memories.list(replace(wanted, pinned=False), 0, limit, scope)
        living = [m for m in (*pinned, *others) if m.expires_at is None or m.expires_at > now]
        return [Found(HitKind.MEMORY, memory.pk) for memory in living[:limit]]
