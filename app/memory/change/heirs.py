"""Find what holds now in the place of what once answered a question.

"Paul has her every weekend in January" took the place of "My ex, Paul, has Esme every second
weekend" and names Esme no more. So a question about her finds the older words, as a memory or in
the message in which they were said, and by them what stands in their place.
"""

from collections.abc import Iterator, Sequence

from app.domain.conversation import Role
from app.domain.memory import Memory, Status
from app.domain.recall import Hit, HitKind, changed
from app.memory.text.parts import parts
from app.store.store import Store

MOST_STEPS = 20  # from what was replaced to what holds


class Heirs:
    """Follows what was replaced to what took its place."""

    def __init__(self, store: Store) -> None:
        self._memories = store.memories
        self._contradictions = store.contradictions
        self._search = store.words

    def of(self, hits: Sequence[Hit]) -> list[tuple[Hit, Hit]]:
        """Return what was found of what gave way, each with what holds in its place now."""
        pairs = [
            (old, heir, hit) for hit in hits for old in self._old(hit) if (heir := self._heir(old))
        ]
        found = self._search.hydrate([one.pk for old, heir, _ in pairs for one in (old, heir)])
        made: dict[str, tuple[Hit, Hit]] = {}
        for old, heir, hit in pairs:
            before, now = (found.get((HitKind.MEMORY, one.pk)) for one in (old, heir))
            if before is not None and now is not None:
                before = changed(before, relevance=hit.relevance)
                made.setdefault(old.id, (before, changed(now, relevance=hit.relevance)))
        return list(made.values())

    def rival(self, hit: Hit) -> Hit | None:
        """Return the newest memory that contradicts an older one, while the person is asked.

        None where the older one says several things, since it is contradicted in one of them.
        """
        if hit.memory is None or not hit.memory.conflicted or len(parts(hit.text)) > 1:
            return None
        against = [
            pair.newer
            for pair in self._contradictions.named(hit.memory.pk)
            if pair.older.pk == hit.memory.pk
            and pair.newer.status is Status.ACTIVE
            and pair.newer.trust.rank >= hit.memory.trust.rank
        ]
        newest = max(against, key=lambda one: (one.created_at, one.pk), default=None)
        if newest is None:
            return None
        found = self._search.hydrate([newest.pk]).get((HitKind.MEMORY, newest.pk))
        return found and changed(found, relevance=hit.relevance)

    def _old(self, hit: Hit) -> Iterator[Memory]:
        """Return the memories that gave way of a find, or of what a found message said."""
        if hit.replaced and hit.memory is not None:
            yield hit.memory
        elif hit.kind is HitKind.MESSAGE and hit.role is Role.USER:
            rest = self._memories.resting_on(hit.id)
            yield from (memory for memory in rest if memory.status is Status.SUPERSEDED)

    def _heir(self, old: Memory) -> Memory | None:
        """Return the memory in use that took the place of one, step by step."""
        heir: Memory | None = old
        for _ in range(MOST_STEPS):
            if heir is None or heir.superseded_by is None:
                return None
            heir = next(iter(self._memories.by_ids([heir.superseded_by])), None)
            if heir is not None and heir.status is Status.ACTIVE:
                return heir
        return None
