"""Turn relative dates into absolute ones, so that a memory still says when, years later.

A small grammar of the common English forms: "yesterday", "two weeks ago", "next Friday", "in May",
"last summer", "on the 14th". Forms it does not know stay as they were said.
"""

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from app.memory.extract.vocabulary import MONTHS, WEEKDAYS

_NUMBERS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1, "a couple of": 2}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
# These already say how the date relates to the rest; any other preposition is replaced.
_KEPT = ("since", "until", "till", "by", "from", "before", "after", "for", "of", "around")


class Tense(StrEnum):
    """Which way an expression such as "on Monday" points."""

    PAST = "past"
    FUTURE = "future"
    HABIT = "habit"


@dataclass(frozen=True, slots=True)
class Dated:
    """A text whose dates are absolute.

    Attributes:
        first: The first day meant by the first date in it, or None where there is no date.
    """

    text: str
    first: date | None


@dataclass(frozen=True, slots=True)
class _When:
    """What one expression means: its usual preposition, its wording, and its first day."""

    preposition: str
    words: str
    first: date


_Meaning = Callable[[re.Match[str], date, Tense], _When | None]


def resolve(text: str, today: date, tense: Tense) -> Dated:
    """Return ``text``, said on ``today``, with absolute dates."""
    first: list[date] = []
    done, rest = "", _SPAN.sub(lambda found: _since(found, today, first), text)
    while rest:
        hits = [(hit, meaning) for form, meaning in _FORMS if (hit := form.search(rest))]
        if not hits:
            break
        hit, meaning = min(hits, key=lambda pair: (pair[0].start(), -pair[0].end()))
        when = meaning(hit, today, tense)
        words = hit.group()
        if when is not None:
            first.append(when.first)
            said = (hit["prep"] or "").lower()
            words = f"{said if said in _KEPT else when.preposition} {when.words}"
        done, rest = done + rest[: hit.start()] + words, rest[hit.end() :]
    return Dated(done + rest, first[0] if first else None)

def day_words(day: date) -> str:
    """Return a day as it is written in memories, such as "7 May 2026"."""
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def month_words(day: date) -> str:
    """Return a month as it is written in memories, such as "May 2026"."""
    return f"{calendar.month_name[day.month]} {day.year}"


def birthday_words(text: str) -> str | None:
    """Return a day of the year, with its year if it has one: "14 March", "3 June 1988"."""
    found = _BIRTHDAY.search(text)
    if found is None:
        return None
    parts = found.groupdict()
    month = _month(parts["month1"] or parts["month2"])
    day = f"{int(parts['day1'] or parts['day2'])} {calendar.month_name[month]}"
    year = parts["year1"] or parts["year2"]
    return f"{day} {year}" if year else day


def _month(word: str) -> int:
    return next(i for i, name in enumerate(MONTHS, 1) if name.startswith(word.lower()[:3]))


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _months_on(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def _on(day: date, part: str | None = None) -> _When:
    words = day_words(day)
    return _When("on", f"the {part.lower()} of {words}" if part else words, day)


def _week(day: date) -> _When:
    monday = day - timedelta(days=day.weekday())
    return _When("in", f"the week of {day_words(monday)}", monday)


def _in_month(day: date) -> _When:
    return _When("in", month_words(day), day.replace(day=1))


def _in_year(year: int) -> _When:
    return _When("in", str(year), date(year, 1, 1))


def _distance(found: re.Match[str], today: date, sign: int, group: str) -> _When:
    count = sign * min(_count(found[f"{group}_n"]), 1500)
    unit = found[f"{group}_unit"].lower()
    if unit == "day":
        return _on(today + timedelta(days=count))
    if unit == "week":
        day = today + timedelta(weeks=count)
        return _When("around", day_words(day), day)
    if unit == "month":
        return _in_month(_months_on(today, count))
    return _in_year(max(1, today.year + count))


def _ago(found: re.Match[str], today: date, past: bool) -> _When | None:
    return _distance(found, today, -1, "ago")


def _ahead(found: re.Match[str], today: date, past: bool) -> _When | None:
    return None if past else _distance(found, today, 1, "ahead")


def _near(found: re.Match[str], today: date, past: bool) -> _When | None:
    word = found["near_word"].lower()
    if word == "tonight":
        return _on(today, "evening")
    if word == "last night":
        return _on(today - timedelta(days=1), "night")
    if word.startswith("this"):
        return _on(today, word.split()[1])
    days = {"today": 0, "yesterday": -1, "tomorrow": 1}
    days |= {"day before yesterday": -2, "day after tomorrow": 2}
    return _on(today + timedelta(days=days[word]), found["near_part"])


def _relative(found: re.Match[str], today: date, past: bool) -> _When | None:
    step = {"last": -1, "this": 0, "next": 1, "coming": 1}[found["relative_word"].lower()]
    unit = found["relative_unit"].lower()
    if unit == "week":
        return _week(today + timedelta(weeks=step))
    if unit == "month":
        return _in_month(_months_on(today, step))
    if unit == "year":
        return _in_year(today.year + step)
    saturday = today - timedelta(days=today.weekday()) + timedelta(days=5, weeks=step)
    if found["relative_word"].lower() == "coming":
        saturday -= timedelta(weeks=1)
    return _When("on", f"the weekend of {day_words(saturday)}", saturday)


def _season(found: re.Match[str], today: date, past: bool) -> _When | None:
    word, season = (found["season_word"] or "").lower(), found["season_name"].lower()
    start = _SEASONS[season]
    year = today.year if start <= today.month else today.year - 1  # the latest one begun
    under_way = (today.month - start) % 12 < 3
    if word == "next" or (not past and not word and not under_way):
        year += 1
    elif word == "last" and under_way:
        year -= 1
    elif word == "this" and not under_way and not past:
        year += 1
    name = f"{season} {year}" + (f"–{(year + 1) % 100:02d}" if season == "winter" else "")
    return _When("in", name, date(year, start, 1))


def _weekday(found: re.Match[str], today: date, past: bool) -> _When | None:
    word = (found["weekday_word"] or "").lower()
    target = WEEKDAYS.index(found["weekday_name"].lower())
    ahead = (target - today.weekday()) % 7
    if word == "last" or (past and word not in ("next", "coming")):
        day = today - timedelta(days=(today.weekday() - target) % 7 or 7)
    elif word == "next":
        day = today - timedelta(days=today.weekday()) + timedelta(days=7 + target)
    else:
        day = today + timedelta(days=ahead or 7)
    return _on(day, found["weekday_part"])


def _calendar_day(found: re.Match[str], today: date, past: bool) -> _When | None:
    for n in ("1", "2"):
        if found[f"cal_day{n}"]:
            number, month = int(found[f"cal_day{n}"]), _month(found[f"cal_month{n}"])
            year = found[f"cal_year{n}"]
            return _day_of(number, month, int(year) if year else None, today, past)
    return None


def _day_of(number: int, month: int, year: int | None, today: date, past: bool) -> _When | None:
    try:
        day = date(year or today.year, month, number)
        if year is None and past and day > today:
            day = day.replace(year=day.year - 1)
        elif year is None and not past and day < today:
            day = day.replace(year=day.year + 1)
    except ValueError:
        return None
    return _on(day)


def _day_only(found: re.Match[str], today: date, past: bool) -> _When | None:
    number = int(found["nth_day"])
    month = today.replace(day=1)
    if past and number > today.day:
        month = _months_on(today, -1)
    elif not past and number < today.day:
        month = _months_on(today, 1)
    try:
        return _on(month.replace(day=number))
    except ValueError:
        return None


def _named_month(found: re.Match[str], today: date, past: bool) -> _When | None:
    month, year = _month(found["named_month"]), found["named_year"]
    word = (found["named_word"] or "").lower()
    if year:
        first = date(int(year), month, 1)
    elif word in ("last", "this past") or (past and word != "next"):
        same = word == "last" and month == today.month
        first = date(today.year - (1 if month > today.month or same else 0), month, 1)
    else:
        same = word == "next" and month == today.month
        first = date(today.year + (1 if month < today.month or same else 0), month, 1)
    part = found["named_part"]
    return _When("in", f"{part.lower()} {month_words(first)}" if part else month_words(first), first)


def _bare_year(found: re.Match[str], today: date, past: bool) -> _When | None:
    return _in_year(int(found["year_only"]))



def _since(found: re.Match[str], today: date, first: list[date]) -> str:
    """Say "have lived here for three years" as a beginning, which stays true."""
    when = _distance(found, today, -1)
    first.append(when.first)
    return f"{found['before']}since {when.words}"


_MONTH = r"(?P<month>" + "|".join(f"{m}|{m[:3]}\\b\\.?" for m in MONTHS) + r"|sept\b\.?)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_COUNT = r"(?P<count>\d+|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_PART = r"(?: (?P<part>morning|afternoon|evening|night))?"
_WEEKDAY = r"(?P<weekday>" + "|".join(WEEKDAYS) + ")"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_LEAD = r"(?<![\w-])(?:(?P<prep>on|in|at|over|during|" + "|".join(_KEPT) + r") )?(?:the )?"
_MUST = _LEAD.replace(") )?", ") )", 1)
_WORD = r"(?P<word>last|next|this|coming|this past|this coming)"
_END = r"(?![\w-])"

_FORMS: tuple[tuple[re.Pattern[str], _Meaning], ...] = tuple(
    (re.compile(form + _END, re.IGNORECASE), meaning)
    for form, meaning in (
        (_LEAD + _COUNT + " " + _UNIT + " ago", _ago),
        (_LEAD.replace("on|in|", "on|") + "in " + _COUNT + " " + _UNIT + "(?:'s? time)?", _ahead),
        (
            _LEAD + r"(?P<word>today|yesterday|tomorrow|tonight|last night|day before yesterday|"
            r"day after tomorrow|this (?:morning|afternoon|evening))" + _PART,
            _near,
        ),
        (_LEAD + _WORD + " (?P<unit>week|month|year|weekend)", _relative),
        (_MUST + r"(?P<word>)(?P<unit>weekend)", _relative),
        (_LEAD + _WORD + " (?P<season>spring|summer|autumn|fall|winter)", _season),
        (_MUST + r"(?P<word>)(?P<season>spring|summer|autumn|winter)(?! of)(?: (?P<year>\d{4}))?", _season),
        (_LEAD + _WORD + " " + _WEEKDAY + _PART, _weekday),
        (_MUST + r"(?P<word>)" + _WEEKDAY + _PART, _weekday),
        (
            _LEAD + f"(?:{_WEEKDAY},? )?(?:the )?" + _DAY + " (?:of )?" + _MONTH + f"(?:,? {_YEAR})?",
            _calendar_day,
        ),
        (_LEAD + f"(?:{_WEEKDAY},? )?" + _MONTH + " (?:the )?" + _DAY + f"(?:,? {_YEAR})?", _calendar_day),
        (_LEAD + _YEAR + r"-(?P<month>\d\d)-(?P<day>\d\d)", _calendar_day),
        (r"(?<![\w-])(?P<prep>on|by|until|since|before|after) the (?P<day>[0-3]?\d)(?:st|nd|rd|th)(?! of)", _day_only),
        (
            _MUST + r"(?:(?P<part>early|late|mid)[ -])?(?P<word>)" + _MONTH + f"(?: (?:of )?{_YEAR})?",
            _named_month,
        ),
        (_LEAD + _WORD + r" (?P<part>)" + _MONTH + r"(?P<year>)", _named_month),
        (_MUST + _YEAR, _bare_year),
    )
)
_SPAN = re.compile(
    r"(?P<before>\b(?:have|has) (?:[\w'-]+ ){1,9}?)for (?:the (?:last|past) )?"
    + _COUNT + " (?P<unit>month|year)s?" + _END,
    re.IGNORECASE,
)
_BIRTHDAY = (
    re.compile(_DAY + " (?:of )?" + _MONTH + f"(?:,? {_YEAR})?" + _END, re.IGNORECASE),
    re.compile(_MONTH + " (?:the )?" + _DAY + f"(?:,? {_YEAR})?" + _END, re.IGNORECASE),
)
