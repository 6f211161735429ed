"""Read the times of a query, and look up when an event in it happened ("before my trip").

An event is looked up by its words among memories, then messages, whose words it must all share. Its
time only makes a range more likely, and none where the finds do not agree on it.
"""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo

from app.domain.language.question import only_asks
from app.domain.memory import Trust
from app.domain.recall import Hit, HitKind, Query
from app.errors import AppError, Cancelled
from app.memory.text import query
from app.memory.when.moment import day_told
from app.memory.when.reading import read
from app.memory.when.spans import Range, Side, TimeSpan, Timing, day_in
from app.store.index.match import quoted
from app.store.journal.calendar import is_day
from app.store.search import WordSearch

LOOKED_AT = 8
AGREEING = timedelta(days=60)
_LINKS = re.compile(r" (?:to|with|for|at|of|from|about) ")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Times:
    """Reads the times of a query.

    Attributes:
        trusts: Which memories may say when something happened.
        messages: Whether messages may as well.
        zone: Where the person is; None for the time zone of this computer.
    """

    search: WordSearch
    trusts: frozenset[Trust]
    messages: bool = True
    zone: tzinfo | None = None

    def __call__(self, asked: Query) -> Timing:
        """Return the times that a query asks for, each with its range."""
        timing = read(asked.text, asked.now, self.zone)
        if not any(span.anchor for span in timing.spans):
            return timing
        spans = tuple(self._placed(span, asked) if span.anchor else span for span in timing.spans)
        return replace(timing, spans=tuple(span for span in spans if span is not None))

    def _placed(self, span: TimeSpan, asked: Query) -> TimeSpan | None:
        try:
            day = self._day(span.anchor, asked)
        except Cancelled:
            raise
        except AppError as error:
            _log.info("an event was not looked up: %s", type(error).__name__)
            return None
        if day is None:
            return None
        if span.side is Side.BEFORE:
            return replace(span, range=Range(None, day_in(day, self.zone, asked.now)))
        after = day_in(day + timedelta(days=1), self.zone, asked.now)
        return replace(span, range=Range(after, None))

    def _day(self, words: str, asked: Query) -> date | None:
        """Return the day of an event; None where it is unknown or the finds disagree."""
        for match in _matches(words):
            for hits in self._finds(match, asked):
                days = [day for hit in hits if (day := self._happened(hit)) is not None]
                if days:
                    agreed = max(days) - min(days) <= AGREEING
                    return min(days) if agreed else None
        return None

    def _finds(self, match: str, asked: Query) -> Iterator[Sequence[Hit]]:
        """Yield what has all the words: memories, then messages."""
        pks = self.search.memories(match, asked.scope, self.trusts, asked.now, LOOKED_AT)
        found = self.search.hydrate([pk for pk, _ in pks])
        yield [hit for hit in found.values() if hit.occurred_at is not None]
        if self.messages:
            scope, seen = asked.scope, asked.exclude_message_ids
            pks = self.search.messages(match, scope, LOOKED_AT, seen)
            found = self.search.hydrate([], [pk for pk, _ in pks])
            yield [hit for hit in found.values() if not only_asks(hit.text)]

    def _happened(self, hit: Hit) -> date | None:
        if hit.kind is HitKind.MEMORY:
            at = hit.occurred_at
            if at is None:
                return None
            return at.date() if is_day(at) else at.astimezone(self.zone).date()
        said = hit.at.astimezone(self.zone)
        return day_told(hit.text, said) or said.date()


def _matches(words: str) -> Iterator[str]:
    """Yield FTS5 queries for all the words, then for those before "to", "with" and the like."""
    every = query.words(words)
    head = query.words(_LINKS.split(words, maxsplit=1)[0])
    for some in dict.fromkeys((tuple(every), tuple(head))):
        if some:
            yield " ".join(map(quoted, some))
