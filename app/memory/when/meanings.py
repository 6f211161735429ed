"""What an expression of time means on a given day: each function reads one form of words.

A function returns None where its words mean no time, as "in March" does in a habit.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from app.memory.when import parsed, periods
from app.memory.when.periods import DAY, Period
from app.memory.when.words import NUMBERS, SEASONS, WEEKDAYS, month_number


class Tense(StrEnum):
    """Which way a question or statement looks; one about habits looks nowhere."""

    PAST = "past"
    FUTURE = "future"
    HABIT = "habit"


@dataclass(frozen=True, slots=True)
class Present:
    """When something is said, on the wall of the person who says it, and which way it looks."""

    now: datetime
    tense: Tense

    @property
    def today(self) -> date:
        """The day."""
        return self.now.date()


Said = re.Match[str]

COUNTS = NUMBERS | {
    "a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a few": 3, "few": 3, "several": 4,
}  # fmt: skip
_UNITS = {
    "mins": "minute", "min": "minute", "hrs": "hour", "hr": "hour", "wks": "week", "wk": "week",
    "mos": "month", "yrs": "year", "yr": "year",
}  # fmt: skip
_STEPS = {"last": -1, "previous": -1, "this past": -1, "this": 0, "this coming": 0, "coming": 0,
          "next": 1}  # fmt: skip
DECADES = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
            "seventies": 70, "eighties": 80, "nineties": 90}  # fmt: skip
FEASTS = {"christmas": (12, 18, 14), "halloween": (10, 29, 4), "new year's eve": (12, 31, 2),
           "new year's day": (1, 1, 2), "new year": (12, 30, 5),
           "valentine's day": (2, 13, 3)}  # fmt: skip


def _step(word: str) -> int:
    return _STEPS[word.lower()]


def _count(word: str) -> int:
    return min(int(word) if word.isdigit() else COUNTS[word.lower()], 9999)


def unit(word: str) -> str:
    """Return the unit of time that a word or abbreviation names."""
    low = word.lower()
    return _UNITS.get(low, low.removesuffix("s"))


def ago(said: Said, at: Present) -> Period | None:
    """Read "three weeks ago"."""
    count, of = _count(said["count"]), unit(said["unit"])
    then = periods.back(at.now, count, of)
    vague = (said["vague"] or "").lower()
    if vague in ("more than", "over", "at least"):
        return Period(None, then)
    if vague in ("less than", "under"):
        return Period(then, at.now)
    return around(then, count, of, at.now)


def around(then: datetime, count: int, of: str, now: datetime) -> Period:
    """Return what people mean by so many units ago: the more there are, the less exactly.

    Memories keep the first day of a month or year that was said like this, so that is within.
    """
    if of in ("minute", "hour"):
        slack = max((now - then) * 0.3, timedelta(minutes=10))
        return Period(then - slack, then + slack, then)
    wide = {"day": 0.15, "week": 1.0, "fortnight": 2.0, "month": 4.5, "year": 30.0, "decade": 300.0}
    slack = timedelta(days=int(wide[of] * max(count, 3 if of != "day" else 0)))
    first, last = periods.midnight((then - slack).date()), (then + slack).date()
    if of == "month":
        first = min(first, datetime(then.year, then.month, 1))
    elif of == "year" and count > 1:
        first = min(first, datetime(then.year, 1, 1))
    return Period(first, periods.midnight(last + DAY), then)


def sum_ago(said: Said, at: Present) -> Period | None:
    """Read "1 year and 2 months ago"."""
    then = parsed.moment(said[0], at.now)
    if then is None or then > at.now:
        return None
    slack = max((at.now - then) * 0.08, timedelta(hours=1))
    return Period(then - slack, then + slack, then)


def near(said: Said, at: Present) -> Period | None:
    """Read "yesterday evening", "tonight"."""
    word, today = " ".join(said["word"].lower().split()), at.today
    if word == "tonight":
        return periods.hours(today, 17, 29)
    if word == "last night":
        return periods.part_of_day(today - DAY, "night")
    if word.startswith("this "):
        return periods.part_of_day(today, word.split()[1])
    if word == "earlier today":
        return Period(periods.midnight(today), at.now)
    steps = {"today": 0, "yesterday": -1, "tomorrow": 1}
    steps |= {"day before yesterday": -2, "day after tomorrow": 2}
    day = today + steps[word] * DAY
    return periods.part_of_day(day, said["part"].lower()) if said["part"] else periods.days(day)


def stepped(said: Said, at: Present) -> Period | None:
    """Read "last week", "this year"."""
    return _unit(at, said["unit"].lower(), _step(said["step"]))


def _unit(at: Present, of: str, step: int) -> Period:
    if of == "week":
        return periods.week(at.today, step)
    if of == "weekend":
        return periods.weekend(at.today, step)
    if of == "month":
        first = periods.months_on(at.today, step)
        return periods.month(first.year, first.month)
    if of == "decade":
        return periods.year(at.today.year // 10 * 10 + 10 * step, 10)
    return periods.year(at.today.year + step)


def weekend(said: Said, at: Present) -> Period | None:
    """Read "the weekend"."""
    if at.tense is Tense.HABIT:
        return None
    return periods.weekend(at.today, -1 if at.tense is Tense.PAST and at.today.weekday() < 5 else 0)


def before_last(said: Said, at: Present) -> Period | None:
    """Read "the week before last"."""
    return _unit(at, said["unit"].lower(), -2)


def so_far(said: Said, at: Present) -> Period | None:
    """Read "earlier this year"."""
    return Period(_unit(at, said["unit"].lower(), 0).start, at.now)


def rolling(said: Said, at: Present) -> Period | None:
    """Read "the last three months": up to now."""
    of = unit(said["unit"])
    if not said["count"] and of in ("minute", "hour"):  # "at the last minute"
        return None
    then = periods.back(at.now, _count(said["count"]) if said["count"] else 1, of)
    return Period(periods.midnight(then.date()) if then < at.now - DAY else then, at.now)


def recent(said: Said, at: Present) -> Period | None:
    """Read "recently", "the other day"."""
    word = said["word"].lower() if "word" in said.re.groupindex else ""
    back = {"other day": 14, "weeks": 42, "months": 150, "years": 1500}.get(word, 45)
    return Period(periods.midnight(at.today - back * DAY), at.now)


def season(said: Said, at: Present) -> Period | None:
    """Read "last summer", "winter 2023"."""
    name, groups = said["season"].lower(), said.groupdict()
    number = _year(groups.get("year"), at)
    if number is not None:
        return periods.season(name, number)
    word = (groups.get("step") or "").lower()
    if not word and at.tense is Tense.HABIT:
        return None
    start, today = SEASONS[name], at.today
    number = today.year if start <= today.month else today.year - 1  # the latest that has begun
    under_way = (today.month - start) % 12 < 3
    if _STEPS.get(word) == -1:
        number -= under_way
    elif word == "next" or (not under_way and (word or at.tense is Tense.FUTURE)):
        number += 1
    return periods.season(name, number)


def _year(word: str | None, at: Present) -> int | None:
    """Return the year meant by "2023", "'23", "last year" or "this year"."""
    if not word:
        return None
    if word[0] in "'’":
        return _century(int(word[1:]), at)
    return int(word) if word.isdigit() else at.today.year + _step(word.split()[0])


def _century(number: int, at: Present) -> int:
    """Return the latest year that has begun and ends in these two digits."""
    return number + (1900 if number > at.today.year % 100 else 2000)


def weekday(said: Said, at: Present) -> Period | None:
    """Read "last Tuesday", "Tuesday last week"."""
    groups = said.groupdict()
    word, of = (groups.get("step") or "").lower(), (groups.get("of") or "").lower()
    target = next(i for i, w in enumerate(WEEKDAYS) if w.startswith(said["weekday"].lower()[:3]))
    if not word and not of and at.tense is Tense.HABIT:
        return None
    monday = at.today - at.today.weekday() * DAY
    if of or word in ("this", "next"):
        day = monday + (7 * _step(of or word) + target) * DAY
    elif _STEPS.get(word) == -1 or (not word and at.tense is Tense.PAST):
        day = at.today - ((at.today.weekday() - target) % 7 or 7) * DAY
    else:
        day = at.today + ((target - at.today.weekday()) % 7 or 7) * DAY
    return periods.part_of_day(day, said["part"].lower()) if said["part"] else periods.days(day)


def calendar_day(said: Said, at: Present) -> Period | None:
    """Read "9 June 2023", "June 9th"."""
    month, day = month_number(said["month"]), int(said["day"])
    number = _year(said["year"], at)
    if number is not None:
        return periods.days(date(number, month, day))
    if at.tense is Tense.HABIT:
        return None
    found = date(at.today.year, month, day)
    if at.tense is Tense.PAST and found > at.today:
        found = found.replace(year=found.year - 1)
    elif at.tense is Tense.FUTURE and found < at.today:
        found = found.replace(year=found.year + 1)
    return periods.days(found)


def iso(said: Said, at: Present) -> Period | None:
    """Read "2023-06-09"."""
    return periods.days(date.fromisoformat(said[0]))


def numeric(said: Said, at: Present) -> Period | None:
    """Read "25/12/2023"."""
    found = parsed.day(said[0], at.now)
    return periods.days(found.date()) if found else None


def day_only(said: Said, at: Present) -> Period | None:
    """Read "the 14th", "the 14th of last month"."""
    number, word = int(said["day"]), (said["step"] or "").lower()
    if not word and at.tense is Tense.HABIT:
        return None
    step = _step(word) if word else 0
    if not word and at.tense is Tense.PAST and number > at.today.day:
        step = -1
    elif not word and at.tense is Tense.FUTURE and number < at.today.day:
        step = 1
    return periods.days(periods.months_on(at.today, step).replace(day=number))


def month(said: Said, at: Present) -> Period | None:
    """Read "last March", "March 2024"."""
    month, groups, today = month_number(said["month"]), said.groupdict(), at.today
    number = _year(groups.get("year"), at)
    if number is not None:
        return periods.month(number, month)
    word = (groups.get("step") or "").lower()
    if not word and at.tense is Tense.HABIT:
        return None
    step = _STEPS.get(word, -1 if at.tense is Tense.PAST else 1)
    if word == "this":
        number = today.year
    elif step < 0:
        number = today.year - (month > today.month or (bool(word) and month == today.month))
    else:
        number = today.year + (month < today.month or (word == "next" and month == today.month))
    return periods.month(number, month)


def whole_year(said: Said, at: Present) -> Period | None:
    """Read "2023"."""
    return periods.year(int(said["year"]))


def decade(said: Said, at: Present) -> Period | None:
    """Read "the nineties", "the 2010s"."""
    name = said["decade"].lower()
    number = DECADES[name] if name in DECADES else int(re.sub(r"\D", "", name))
    if number < 100:
        number = _century(number, at)
    return periods.year(number, 10) if number % 10 == 0 else None


def feast(said: Said, at: Present) -> Period | None:
    """Read "last Christmas"."""
    month, day, length = FEASTS[said["feast"].lower().replace("’", "'")]
    groups = said.groupdict()
    number = _year(groups.get("year"), at)
    if number is None:
        if at.tense is Tense.HABIT and not groups.get("step"):
            return None
        number = at.today.year
        if at.tense is Tense.FUTURE:
            number += date(number, month, day) + length * DAY <= at.today
        else:
            number -= date(number, month, day) > at.today
    return periods.days(date(number, month, day), length)
