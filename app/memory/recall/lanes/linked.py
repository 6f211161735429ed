"""Find on from what was found: what shares its names, its days or its causes, and what is pinned.

These lanes run after the lanes of the question were merged and start from the best of that, one
step far. Their lists are merged with it as lists of their own; where none of them finds anything,
the merged list stays as it was.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, tanh
from typing import Protocol

from app.domain.ids import to_ms
from app.domain.memory import Trust
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, HitKind
from app.memory.recall.fuse import Fused, LaneRow, ReciprocalRank
from app.memory.recall.pipeline import Fetch, QueryContext, Trace
from app.store.links import Linked, Links, LinkScope

BASE, ENTITY, TEMPORAL, CAUSAL, PINNED = "base", "entity", "temporal", "causal", "pinned"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A row near to the finds.

    Attributes:
        score: How near, from 0 to 1.
        reason: Why, for the trace; it names nothing that an erasure would have to find.
    """

    kind: HitKind
    pk: int
    score: float
    reason: Reason


class SpreadLane(Protocol):
    """One way from finds to others; returns rows best first, none of the seeds among them."""

    @property
    def name(self) -> str:
        """Short name, shown in the trace and looked up among the weights."""

    def search(self, context: QueryContext, seeds: Sequence[Hit]) -> list[Neighbour]:
        """Return what is near to the seeds."""


@dataclass(frozen=True, slots=True)
class SharedNames:
    """Memories and messages that mention what the seeds mention."""

    links: Links
    trusts: frozenset[Trust]
    messages: bool
    limit: int
    name: str = ENTITY

    def search(self, context: QueryContext, seeds: Sequence[Hit]) -> list[Neighbour]:
        """Return rows by how many names they share; what is named everywhere hardly counts."""
        from app.memory.text.names import mentioned

        asked = _asked(context, self.trusts)
        memories, messages = _pks(seeds, HitKind.MEMORY), _pks(seeds, HitKind.MESSAGE)
        spoken = [
            name for hit in seeds if hit.kind is HitKind.MESSAGE for name in mentioned(hit.text)
        ]
        things = self.links.named(memories, spoken, asked)
        found = [
            (one, HitKind.MEMORY)
            for one in self.links.memories(things, asked, memories, self.limit)
        ]
        if self.messages:
            found += [
                (one, HitKind.MESSAGE)
                for one in self.links.messages(things, asked, messages, self.limit)
            ]
        found.sort(key=lambda pair: (-round(pair[0].weight, 9), -pair[0].at, pair[0].id))
        return [_sharing(kind, one) for one, kind in found[: self.limit]]


@dataclass(frozen=True, slots=True)
class SameDays:
    """Memories of what happened within some days of what the seeds tell of."""

    links: Links
    trusts: frozenset[Trust]
    window: int
    limit: int
    name: str = TEMPORAL

    def search(self, context: QueryContext, seeds: Sequence[Hit]) -> list[Neighbour]:
        """Return rows by their distance in time; none where no seed knows when it happened."""
        days = [to_ms(hit.occurred_at) for hit in seeds if hit.occurred_at is not None]
        if not days:
            return []
        asked = _asked(context, self.trusts)
        pks = _pks(seeds, HitKind.MEMORY)
        return [
            self._near(one) for one in self.links.around(days, self.window, asked, pks, self.limit)
        ]

    def _near(self, one: Linked) -> Neighbour:
        score = exp(-one.weight / self.window) if self.window else 1.0
        why = Reason(ReasonKind.DAYS_APART, numbers=(one.weight, score))
        return Neighbour(HitKind.MEMORY, one.pk, score, why)


@dataclass(frozen=True, slots=True)
class CausesAndEffects:
    """Memories that brought about what the seeds tell of, or came of it."""

    links: Links
    trusts: frozenset[Trust]
    limit: int
    name: str = CAUSAL

    def search(self, context: QueryContext, seeds: Sequence[Hit]) -> list[Neighbour]:
        """Return rows by how sure the link is."""
        pks = _pks(seeds, HitKind.MEMORY)
        return [
            _linked(ReasonKind.CAUSE, HitKind.MEMORY, one.pk, one.weight)
            for one in self.links.caused(_asked(context, self.trusts), pks, self.limit)
        ]


@dataclass(frozen=True, slots=True)
class Pinned:
    """What the person pinned, whatever the question."""

    links: Links
    trusts: frozenset[Trust]
    limit: int
    name: str = PINNED

    def search(self, context: QueryContext, seeds: Sequence[Hit]) -> list[Neighbour]:
        """Return pinned memories, newest first."""
        pks = _pks(seeds, HitKind.MEMORY)
        return [
            _linked(ReasonKind.PINNED, HitKind.MEMORY, one.pk, one.weight)
            for one in self.links.pinned(_asked(context, self.trusts), pks, self.limit)
        ]


@dataclass(frozen=True, slots=True)
class Spread:
    """Runs the lanes from the best finds and merges what they find with the rest.

    Attributes:
        seeds: How many of the best finds the lanes start from.
        fuse: Merges the lists; it knows the weight of each lane and of the finds.
    """

    lanes: Sequence[SpreadLane]
    seeds: int
    fetch: Fetch
    fuse: ReciprocalRank

    def __call__(self, trace: Trace, context: QueryContext, fused: Sequence[Fused]) -> list[Fused]:
        """Return the finds with what is near to them; the very same where nothing is."""
        if not self.lanes:
            return list(fused)
        best = fused[: self.seeds]
        hits = self.fetch(best) if best else {}
        seeds = [hits[one.key] for one in best if one.key in hits]
        extra = [
            (lane.name, found)
            for lane in self.lanes
            if trace.weighs(self.fuse, lane.name)
            and (found := trace.step(lane.name, len(seeds), _searching(lane, context, seeds)))
        ]
        if not extra:
            return list(fused)
        return trace.step("spread", len(fused), lambda: self._merged(fused, extra), fused)

    def _merged(
        self, fused: Sequence[Fused], extra: Sequence[tuple[str, Sequence[Neighbour]]]
    ) -> list[Fused]:
        before = {one.key: one for one in fused}
        lists = [(BASE, [LaneRow(one.kind, one.pk, one.cosine) for one in fused])]
        lists += [(name, [LaneRow(near.kind, near.pk) for near in found]) for name, found in extra]
        why: dict[tuple[HitKind, int], list[Reason]] = {}
        for _, found in extra:
            for near in found:
                why.setdefault((near.kind, near.pk), []).append(near.reason)
        return [
            _joined(one, before.get(one.key), tuple(why.get(one.key, ())))
            for one in self.fuse(lists)
        ]


def _searching(
    lane: SpreadLane, context: QueryContext, seeds: Sequence[Hit]
) -> Callable[[], list[Neighbour]]:
    return lambda: lane.search(context, seeds)


def _joined(one: Fused, before: Fused | None, reasons: tuple[Reason, ...]) -> Fused:
    """Return a merged row with the places it had before instead of the one in their list."""
    lanes = {name: rank for name, rank in one.lanes.items() if name != BASE}
    earlier = before.lanes if before else {}
    return Fused(one.kind, one.pk, one.score, {**earlier, **lanes}, one.cosine, reasons)


def _sharing(kind: HitKind, one: Linked) -> Neighbour:
    return _linked(ReasonKind.SHARED_NAMES, kind, one.pk, tanh(0.5 * one.weight))


def _linked(why: ReasonKind, kind: HitKind, pk: int, score: float) -> Neighbour:
    return Neighbour(kind, pk, score, Reason(why, numbers=(score,)))


def _asked(context: QueryContext, trusts: frozenset[Trust]) -> LinkScope:
    query = context.query
    return LinkScope(query.scope, trusts, query.now, query.exclude_message_ids)


def _pks(seeds: Sequence[Hit], kind: HitKind) -> list[int]:
    return [hit.pk for hit in seeds if hit.kind is kind]
