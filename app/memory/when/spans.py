"""What a question says about time: the words that say it, and the range they mean."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from app.memory.when.periods import DAY, Period, months_on
from app.memory.when.words import day_words, month_words


class Bearing(StrEnum):
    """Whether a time is asked for, or only made more likely."""

    RESTRICT = "restrict"
    FAVOUR = "favour"


class Side(StrEnum):
    """Where the time asked for lies from an event."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Range:
    """From ``start`` until just before ``end``, in the time zone of the person.

    Attributes:
        start, end: Aware; None where the range has no such side.
    """

    start: datetime | None
    end: datetime | None

    def gap(self, moment: datetime) -> timedelta:
        """Return how far a moment lies outside; nothing within."""
        if self.start is not None and moment < self.start:
            return self.start - moment
        if self.end is not None and moment >= self.end:
            return moment - self.end + timedelta(microseconds=1)
        return timedelta()

    def day_gap(self, day: date) -> timedelta:
        """Return how far a day lies outside the days that the range touches."""
        if self.first_day is not None and day < self.first_day:
            return self.first_day - day
        if self.last_day is not None and day > self.last_day:
            return day - self.last_day
        return timedelta()

    @property
    def first_day(self) -> date | None:
        """The first day it touches, as its calendar says."""
        return None if self.start is None else self.start.date()

    @property
    def last_day(self) -> date | None:
        """The last day it touches, as its calendar says."""
        return None if self.end is None else (self.end - timedelta(microseconds=1)).date()

    @property
    def length(self) -> timedelta | None:
        """How long it is, where it has both sides."""
        if self.start is None or self.end is None:
            return None
        return self.end.astimezone(UTC) - self.start.astimezone(UTC)

    def __str__(self) -> str:
        first, last = self.first_day, self.last_day
        if first is None or last is None:
            if last is not None:
                return f"until {day_words(last)}"
            return "any time" if first is None else f"since {day_words(first)}"
        if first == last:
            return day_words(first)
        if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
            return str(first.year) if first.year == last.year else f"{first.year}–{last.year}"
        if first.day == 1 and last + DAY == months_on(first, 1):
            return month_words(first)
        return f"{day_words(first)} – {day_words(last)}"


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Words of a question that say a time.

    Attributes:
        text: The words, from ``start`` until just before ``end`` in the question.
        range: The time they mean; None where it depends on when something happened.
        anchor: The words for what happened, where ``range`` is None.
        side: Where the time lies from the anchor.
    """

    text: str
    start: int
    end: int
    bearing: Bearing
    range: Range | None = None
    anchor: str = ""
    side: Side = Side.BEFORE


@dataclass(frozen=True, slots=True)
class Timing:
    """A question, its times, and what else it says.

    Attributes:
        rest: The question without the words that ask for a time; the question itself where none do.
        of_saying: Whether the time asked for is that of having said it, not of what happened.
    """

    spans: tuple[TimeSpan, ...]
    rest: str
    of_saying: bool = False

    @property
    def restricting(self) -> tuple[Range, ...]:
        """The ranges asked for."""
        return tuple(
            span.range
            for span in self.spans
            if span.range is not None and span.bearing is Bearing.RESTRICT
        )


def undated(text: str) -> Timing:
    """Return what a question says that names no time."""
    return Timing((), text)


def local(period: Period, zone: tzinfo | None, now: datetime) -> Range:
    """Return a period as a range in a time zone; in this computer's where that is None."""
    return Range(_local(period.start, zone, now), _local(period.end, zone, now))


def _local(wall: datetime | None, zone: tzinfo | None, now: datetime) -> datetime | None:
    if wall is None:
        return None
    if zone is not None:
        return wall.replace(tzinfo=zone)
    try:
        return wall.astimezone()
    except (OSError, OverflowError, ValueError):  # before what the system's zone knows
        return wall.replace(tzinfo=now.astimezone().tzinfo)


def day_in(day: date, zone: tzinfo | None, now: datetime) -> datetime:
    """Return when a day begins in a time zone; in this computer's where that is None."""
    begin = _local(datetime.combine(day, time()), zone, now)
    assert begin is not None
    return begin
