"""Questions with a time: what is of that time comes first, and is found though nothing else tells.

A find's own time is when it happened, where a memory knows that, else when it was said. A message
may tell of another day than its own ("yesterday I …"): it is of both, as far as the first date in
its text says so. A question for what was said ("What did I tell you last March?") asks for when it
was said alone. Nothing is dropped here: where all finds lie outside, they keep their order. Only
where a time is all that was asked for, what is of another time is less relevant as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo

from app.domain.memory import Trust
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, HitKind, changed
from app.errors import AppError, Cancelled
from app.memory.recall.fuse import LaneRow
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.relevance import likeness_to
from app.memory.recall.score import by_score
from app.memory.recall.space import Space
from app.memory.text import query
from app.memory.when.moment import day_told
from app.memory.when.spans import Bearing, Range, TimeSpan
from app.store.journal.calendar import Calendar, TimeRange, is_day


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


TIME = "time"
READ = 1500
MOST_RANGES = 4
ASKED_FOR = 0.6
_DAY = timedelta(days=1)
_MONTH = 30 * _DAY
_ALL_OF_IT = _vocabulary(
    """
    happen happened say said tell told talk talked discuss discussed chat mention mentioned
    write wrote written go went gone up done make made plan planned plans think thought learn
    learned learnt thing things anything something everything stuff day know remember
    summarise summarize summary remind show list find new life going ask asked messages
    conversation conversations us note noted notes
    """
)


@dataclass(frozen=True, slots=True)
class TimeLane:
    """Memories and messages of the time that a question asks for, nearest in meaning first.

    Attributes:
        weighed: How many rows of each kind are weighed, latest first.
    """

    calendar: Calendar
    space: Space
    trusts: frozenset[Trust]
    messages: bool = True
    weighed: int = 600
    name: str = TIME

    def search(self, context: QueryContext, limit: int) -> Sequence[LaneRow]:
        """Return rows of that time; none where the question asks for no time."""
        found: list[LaneRow] = []
        for wanted in context.timing.restricting[:MOST_RANGES]:
            stretch = TimeRange(wanted.start, wanted.end, wanted.first_day, wanted.last_day)
            found += [LaneRow(HitKind.MEMORY, pk) for pk in self._memories(context, stretch)]
            found += [LaneRow(HitKind.MESSAGE, pk) for pk in self._messages(context, stretch)]
        return self._by_meaning(context, found)[:limit]

    def _memories(self, context: QueryContext, stretch: TimeRange) -> list[int]:
        asked = context.query
        seen = (stretch, asked.scope, self.trusts, asked.now, self.weighed)
        if context.timing.of_saying:
            return self.calendar.learnt(*seen)
        return [*self.calendar.happened(*seen), *self.calendar.learnt(*seen, timeless=True)]

    def _messages(self, context: QueryContext, stretch: TimeRange) -> list[int]:
        if not self.messages:
            return []
        asked = context.query
        return self.calendar.said(stretch, asked.scope, self.weighed, asked.exclude_message_ids)

    def _by_meaning(self, context: QueryContext, found: Sequence[LaneRow]) -> list[LaneRow]:
        if not found:
            return []
        try:
            likeness = {
                (kind, pk): cosine
                for kind in HitKind
                for pk, cosine in likeness_to(
                    context, self.space, kind, [one.pk for one in found if one.kind is kind]
                ).items()
            }
        except Cancelled:
            raise
        except AppError:
            return list(found)  # the vector lanes have noted it already
        measured = [replace(one, cosine=likeness.get(one.key)) for one in found]
        return sorted(measured, key=lambda one: -(one.cosine or 0.0))


@dataclass(frozen=True, slots=True)
class TimeStage:
    """Moves finds by how far they lie from the time a question asks for.

    Attributes:
        inside: What a score within the time asked for is multiplied by.
        outside: The same far outside.
        favour: The same within a time that is only hinted at; nothing is lowered for that.
        zone: Where the person is; None for the time zone of this computer.
    """

    inside: float = 1.4
    outside: float = 0.5
    favour: float = 1.1
    zone: tzinfo | None = None
    name: str = "in_time"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, best first; where the question has no time, as they are."""
        spans = [span for span in context.timing.spans if span.range is not None]
        if not spans:
            return list(hits)
        for_all = asks_for_all(context)
        return by_score(self._moved(hit, context, spans, for_all) for hit in hits)

    def _moved(
        self, hit: Hit, context: QueryContext, spans: Sequence[TimeSpan], for_all: bool
    ) -> Hit:
        factor, reasons = 1.0, []
        for bearing in Bearing:
            weighed = [
                (self._factor(bearing, span.range, gap), gap, span.range)
                for span in spans
                if span.range is not None and span.bearing is bearing
                for gap in [self._gap(hit, span.range, context.timing.of_saying)]
            ]
            if not weighed:
                continue
            best, gap, nearest = max(weighed, key=lambda one: one[0])
            factor *= best
            reasons.append(_place(gap, nearest, best))
            if for_all and bearing is Bearing.RESTRICT:
                hit = _less_asked_for(hit, best) if gap else _asked_for(hit)
        moved = hit.scored(hit.score * factor, reasons[0])
        return changed(
            moved,
            factors={**hit.factors, TIME: factor},
            reasons=(*moved.reasons, *reasons[1:]),
        )

    def _factor(self, bearing: Bearing, wanted: Range, gap: timedelta) -> float:
        if bearing is Bearing.RESTRICT:
            if not gap:
                return self.inside
            reach = max(_DAY, (wanted.length or _MONTH) / 4)
            return self.outside + (1 - self.outside) * _halved(gap / reach)
        reach = max(7 * _DAY, wanted.length or _MONTH)
        return 1 + (self.favour - 1) * _halved(gap / reach)

    def _gap(self, hit: Hit, wanted: Range, of_saying: bool) -> timedelta:
        """Return how far a hit lies outside a range."""
        said = wanted.gap(hit.at)
        if of_saying:
            return said
        if hit.kind is HitKind.MEMORY:
            if hit.occurred_at is None:
                return said
            day = is_day(hit.occurred_at)
            return wanted.day_gap(hit.occurred_at.date()) if day else wanted.gap(hit.occurred_at)
        told = day_told(hit.text[:READ], hit.at.astimezone(self.zone)) if said else None
        return min(said, wanted.day_gap(told)) if told else said


def asks_for_all(context: QueryContext) -> bool:
    """Return whether a question asks for nothing but a time: "What did I do on 3 May?"."""
    if not context.timing.restricting:
        return False
    return all(word in _ALL_OF_IT for word in query.words(context.timing.rest))


def _asked_for(hit: Hit) -> Hit:
    """Return a hit that answers by its time alone; the order among such hits stays."""
    relevance = None if hit.relevance is None else max(hit.relevance, ASKED_FOR)
    score = ASKED_FOR + (1 - ASKED_FOR) * min(1.0, hit.score)
    raised = hit.scored(max(hit.score, score), Reason(ReasonKind.TIME_ALONE))
    return changed(raised, relevance=relevance)


def _less_asked_for(hit: Hit, factor: float) -> Hit:
    """Return a hit of another time where nothing but a time was asked for."""
    return changed(hit, relevance=None if hit.relevance is None else hit.relevance * factor)


def _halved(times: float) -> float:
    left: float = 0.5 ** min(times, 1000.0)
    return left


def _place(gap: timedelta, wanted: Range, factor: float) -> Reason:
    if not gap:
        return Reason(ReasonKind.IN_TIME, numbers=(factor,), text=str(wanted))
    days = max(1, round(gap / _DAY))
    return Reason(ReasonKind.DAYS_OFF, numbers=(days, factor), text=str(wanted))
