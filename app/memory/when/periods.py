"""Stretches of local time: days, weeks, months, seasons, years, and parts of them.

A period is half-open and without a time zone: it is what the calendar on the wall says. A side
that is not bounded is None.
"""

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from app.memory.when.words import SEASONS

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """From ``start`` until just before ``end``.

    Attributes:
        likely: What is most likely meant by words that are not exact, such as "two weeks ago".
    """

    start: datetime | None
    end: datetime | None
    likely: datetime | None = field(default=None, compare=False)

    @property
    def first_day(self) -> date | None:
        """The first day that is meant."""
        first = self.likely or self.start
        return None if first is None else first.date()

    @property
    def is_ordered(self) -> bool:
        """Whether there is any time in it."""
        return self.start is None or self.end is None or self.start < self.end


def midnight(day: date) -> datetime:
    """Return the moment a day begins."""
    return datetime.combine(day, time())


def months_on(day: date, months: int) -> date:
    """Return the first day of the month so many months after that of ``day``; not before year 1."""
    index = day.year * 12 + day.month - 1 + months
    return date(max(index // 12, 1), index % 12 + 1, 1)


def days(first: date, count: int = 1) -> Period:
    """Return so many whole days."""
    return Period(midnight(first), midnight(first + count * DAY))


def hours(day: date, first: int, last: int) -> Period:
    """Return from one hour of a day to another, which may be past midnight."""
    begin = midnight(day)
    return Period(begin + timedelta(hours=first), begin + timedelta(hours=last))


def part_of_day(day: date, part: str) -> Period:
    """Return the morning, afternoon, evening or night that follows the evening."""
    first, last = {
        "morning": (5, 12),
        "afternoon": (12, 18),
        "evening": (17, 24),
        "night": (18, 30),
    }[part]
    return hours(day, first, last)


def month(year: int, number: int) -> Period:
    """Return a calendar month."""
    first = date(year, number, 1)
    return Period(midnight(first), midnight(months_on(first, 1)))


def year(number: int, count: int = 1) -> Period:
    """Return calendar years."""
    return Period(datetime(number, 1, 1), datetime(number + count, 1, 1))


def season(name: str, number: int) -> Period:
    """Return the season that begins in a year; winter lasts into the next."""
    first = date(number, SEASONS[name], 1)
    return Period(midnight(first), midnight(months_on(first, 3)))


def week(day: date, step: int = 0) -> Period:
    """Return the week, Monday to Sunday, so many weeks after the one of ``day``."""
    return days(day - day.weekday() * DAY + 7 * step * DAY, 7)


def weekend(day: date, step: int = 0) -> Period:
    """Return Friday evening to Sunday of a week."""
    monday = day - day.weekday() * DAY + 7 * step * DAY
    return hours(monday + 4 * DAY, 17, 72)


def part(whole: Period, name: str) -> Period:
    """Return the early, middle or late third, or a half, of a period; a week of a month."""
    if whole.start is None or whole.end is None:
        return whole
    if name.endswith("week"):
        seven = 7 * DAY
        if name.startswith("first"):
            return Period(whole.start, min(whole.start + seven, whole.end))
        return Period(max(whole.end - seven, whole.start), whole.end)
    length = whole.end - whole.start
    first, last = {
        "early": (0.0, 0.4),
        "mid": (0.25, 0.75),
        "late": (0.6, 1.0),
        "first half": (0.0, 0.5),
        "second half": (0.5, 1.0),
    }[name]
    return Period(whole.start + length * first, whole.start + length * last)


def back(moment: datetime, count: int, unit: str) -> datetime:
    """Return the moment so many units earlier; negative counts lie ahead.

    Raises:
        OverflowError, ValueError: No calendar reaches so far.
    """
    if unit in ("month", "year", "decade"):
        first = months_on(moment.date(), -count * {"month": 1, "year": 12, "decade": 120}[unit])
        last = (months_on(first, 1) - DAY).day
        return moment.replace(year=first.year, month=first.month, day=min(moment.day, last))
    seconds = {"minute": 60, "hour": 3600, "day": 86400, "week": 604800, "fortnight": 1209600}
    return moment - timedelta(seconds=count * seconds[unit])
