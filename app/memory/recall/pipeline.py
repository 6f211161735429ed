"""Recall as a list of small steps: lanes find, fusion merges, stages refine.

Only lanes, the fetching of rows and the measuring of relevance touch the vault or a model; every
other stage is pure. What fails with a sentence is skipped and noted: recall degrades, it never
breaks a conversation.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any, Protocol, TypeVar

from app.domain.reason import Reason, ReasonKind
from app.domain.recall import ROWS, Hit, HitKind, Query, Recall, TraceStep, changed
from app.domain.trace import lane_name
from app.errors import AppError, Cancelled
from app.memory.recall.fuse import Fused, LaneRow, Ranked
from app.memory.when.spans import Timing, undated
from app.providers.base import Vector

TRACED = 15
NO_WEIGHT = "Nothing was looked for by “{}”: how much that counts is missing in the settings."

T = TypeVar("T")
Hits = Mapping[tuple[HitKind, int], Hit]
Adding = Callable[["Trace", "QueryContext", Sequence[Fused]], list[Fused]]
_log = logging.getLogger(__name__)


def timeless(query: Query) -> Timing:
    """Read no time in a query."""
    return undated(query.text)


def as_asked(trace: "Trace", query: Query) -> Query:
    """Read a query as it stands."""
    return query


def alone(trace: "Trace", context: "QueryContext", fused: "Sequence[Fused]") -> list[Fused]:
    """Find nothing beyond what was found."""
    return list(fused)


class QueryContext:
    """A query on its way through one recall; its vector is computed once, when first needed.

    Args:
        query: What is being looked for.
        embed: Returns the vector of a text; raises ModelError where it cannot.
        times: Returns the times that the query asks for.

    Attributes:
        compared: The rows that were compared with the question word by word.
        notes: Sentences on what was searched only in part.
    """

    def __init__(
        self,
        query: Query,
        embed: Callable[[str], Vector],
        times: Callable[[Query], Timing] = timeless,
    ) -> None:
        self.query = query
        self._embed = embed
        self._times = times
        self._known: dict[str, Any] = {}
        self.compared: set[tuple[HitKind, int]] = set()
        self.notes: list[str] = []

    @property
    def text(self) -> str:
        """The question."""
        return self.query.text

    def once(self, name: str, work: Callable[[], T]) -> T:
        """Return what ``work`` returned when it was first asked for by this name."""
        if name not in self._known:
            self._known[name] = work()
        found: T = self._known[name]
        return found

    @cached_property
    def timing(self) -> Timing:
        """The times it asks for."""
        return self._times(self.query)

    @property
    def topic(self) -> str:
        """The question without the words that ask for a time."""
        return self.timing.rest

    @cached_property
    def _embedded(self) -> Vector | AppError:
        try:
            return self._embed(self.query.text)
        except AppError as error:
            return error

    @property
    def vector(self) -> Vector:
        """Shape (dims,).

        Raises:
            ModelError: The embedder did not answer.
        """
        if isinstance(self._embedded, AppError):
            raise self._embedded
        return self._embedded


class Lane(Protocol):
    """One way of finding; returns rows best first."""

    @property
    def name(self) -> str:
        """Short name, shown in the trace and looked up among the weights."""

    def search(self, context: QueryContext, limit: int) -> Sequence[LaneRow]:
        """Return at most ``limit`` rows, best first."""


class Fuse(Protocol):
    """Merges the lists of several lanes into one."""

    def weighs(self, lane: str) -> bool:
        """Return whether it is known what a place in a lane is worth."""

    def __call__(self, ranked: Ranked) -> list[Fused]:
        """Return one entry per distinct row, best first."""


class Fetch(Protocol):
    """Turns rows into hits."""

    def __call__(self, fused: Sequence[Fused]) -> Hits:
        """Return what is still there."""


class RecallStage(Protocol):
    """Re-scores, re-orders or drops."""

    @property
    def name(self) -> str:
        """Short name, shown in the trace."""

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return every hit, best first; those with ``dropped`` set go no further."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Lanes, a fusion, and stages, run in order.

    Attributes:
        per_lane: How many rows each lane is asked for.
        limit: How many of the fused rows go on.
        min_score: What a fused row must score to go on; asked once, of the fused list.
        times: Returns the times that a query asks for.
        people: Returns a query with the names of whom it speaks of.
        spread: Adds to the fused rows what is linked to the best of them.
        before: Adds to them what they took the place of.
    """

    embed: Callable[[str], Vector]
    lanes: Sequence[Lane]
    fuse: Fuse
    fetch: Fetch
    stages: Sequence[RecallStage]
    per_lane: int
    limit: int
    min_score: float = 0.0
    times: Callable[[Query], Timing] = timeless
    people: "Callable[[Trace, Query], Query]" = as_asked
    spread: "Adding" = alone
    before: "Adding" = alone

    def run(self, query: Query) -> Recall:
        """Return what is known about a query, best first, and how it was found."""
        started, trace = perf_counter(), Trace()
        context = QueryContext(self.people(trace, query), self.embed, self.times)
        ranked = [(lane.name, self._searched(trace, lane, context)) for lane in self.lanes]
        fused = self._merged(trace, ranked)
        for adding in (self.spread, self.before):
            fused = adding(trace, context, fused)
        hits = trace.step(ROWS, len(fused), lambda: self._fetched(fused))
        dropped: list[Hit] = []
        for stage in self.stages:
            after = trace.stage(stage, context, hits)
            dropped += [hit for hit in after if hit.dropped]
            hits = [hit for hit in after if not hit.dropped]
        dropped.sort(key=lambda hit: -hit.score)
        return Recall(
            tuple(hits),
            tuple(dropped[:TRACED]),
            tuple(trace.steps),
            tuple(dict.fromkeys([*trace.degraded, *context.notes])),
            _milliseconds(started),
        )

    def _searched(self, trace: "Trace", lane: Lane, context: QueryContext) -> list[LaneRow]:
        if not self.per_lane or not trace.weighs(self.fuse, lane.name):
            return []
        return trace.step(lane.name, 0, lambda: list(lane.search(context, self.per_lane)))

    def _merged(self, trace: "Trace", ranked: Ranked) -> list[Fused]:
        """Return the rows that go on; how many do not is noted in the trace."""
        cut: list[str] = []

        def merged() -> list[Fused]:
            fused = self.fuse(ranked)
            strong = [one for one in fused if one.score >= self.min_score]
            if weak := len(fused) - len(strong):
                cut.append(f"{weak:,} below the lowest score, {self.min_score:g}")
            if more := max(0, len(strong) - self.limit):
                cut.append(f"{more:,} beyond the best {self.limit:,}, which alone are weighed")
            return strong[: self.limit]

        fused = trace.step("fusion", sum(len(found) for _, found in ranked), merged)
        if cut:
            trace.note(f"Left out: {' and '.join(cut)}.")
        return fused

    def _fetched(self, fused: Sequence[Fused]) -> list[Hit]:
        rows = self.fetch(fused) if fused else {}
        return [_begun(rows[one.key], one) for one in fused if one.key in rows]


class Trace:
    """What each step of one recall did."""

    def __init__(self) -> None:
        self.steps: list[TraceStep] = []
        self.degraded: list[str] = []

    def step(
        self, name: str, before: int, work: Callable[[], list[T]], instead: Sequence[T] = ()
    ) -> list[T]:
        """Run one step; where it fails with a sentence, note that and return ``instead``."""
        started, note = perf_counter(), ""
        try:
            result = work()
        except Cancelled:
            raise
        except AppError as error:
            _log.info("recall went on without %s: %s", name, type(error).__name__)
            result, note = list(instead), str(error)
            self.degraded.append(note)
        self.steps.append(TraceStep(name, before, len(result), _milliseconds(started), note))
        return result

    def weighs(self, fuse: Fuse, lane: str) -> bool:
        """Return whether a lane can be merged with others; where not, note that it is left out."""
        if known := fuse.weighs(lane):
            return known
        _log.info("recall went on without the lane %s, which has no weight", lane)
        note = NO_WEIGHT.format(lane_name(lane))
        self.degraded.append(note)
        self.steps.append(TraceStep(lane, 0, 0, 0.0, note))
        return False

    def note(self, said: str) -> None:
        """Say more about the last step; unlike a failure, that degrades nothing."""
        self.steps[-1] = replace(self.steps[-1], note=said)

    def stage(self, stage: RecallStage, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Run one stage over the hits; where it fails, they go on as they are."""
        result = self.step(stage.name, len(hits), lambda: stage(context, hits), hits)
        kept = sum(not hit.dropped for hit in result)
        self.steps[-1] = replace(self.steps[-1], after=kept)
        return result


def _begun(hit: Hit, fused: Fused) -> Hit:
    """Return a hit as fusion leaves it: where it was found, and its first score."""
    places = (Reason(ReasonKind.PLACE, lane, (rank,)) for lane, rank in fused.lanes.items())
    return changed(
        hit,
        lanes=dict(fused.lanes),
        base=fused.score,
        score=fused.score,
        reasons=(*places, *fused.reasons, Reason(ReasonKind.FUSED, numbers=(fused.score,))),
    )


def _milliseconds(started: float) -> float:
    return (perf_counter() - started) * 1000
