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

from app.memory.when import words
from app.memory.when.periods import months_on
from app.memory.when.words import END, NUMBERS, ORDINAL, SEASONS, WEEKDAYS, any_of, month_number

_NUMBERS = NUMBERS | {"a": 1, "an": 1, "a couple of": 2}
# After these a date needs no "on" or "in".
_LED = re.compile(
    r"\b(?:to|till|until|from|by|before|after|for|of|between|than|through|in)\s*$", re.IGNORECASE
)
# These say how the date relates to the rest, and stay; "on", "in", "at" follow from the date.
_KEPT = ("since", "until", "till", "by", "from", "before", "after", "for", "of", "around", "to")


class Tense(StrEnum):
    """Which way an expression such as "on Monday" points; in a habit it points nowhere."""

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


_Said = re.Match[str]
_Meaning = Callable[[_Said, date, Tense], _When | None]


def resolve(text: str, today: date, tense: Tense) -> Dated:
    """Return ``text``, said on ``today``, with absolute dates."""
    if not _ANY_DATE.search(text):
        return Dated(text, None)
    first: list[date] = []
    done, rest = "", _SPAN.sub(lambda said: _since(said, today, first), text)
    while hits := [(hit, meaning) for form, meaning in _FORMS if (hit := form.search(rest))]:
        hit, meaning = min(hits, key=lambda pair: (pair[0].start(), -pair[0].end()))
        said, words = (hit["prep"] or "").lower(), hit.group()
        when = meaning(hit, today, Tense.PAST if said == "since" else tense)
        if when is not None:
            first.append(when.first)
            lead = said if said in _KEPT else when.preposition
            if said == "in" and re.match(r"in (?:last|next|this) ", words, re.IGNORECASE):
                lead = f"in {when.preposition}"  # of the verb: "moved in last weekend"
            led = not said and _LED.search(done + rest[: hit.start()])
            words = when.words if led else f"{lead} {when.words}"
        done, rest = done + rest[: hit.start()] + words, rest[hit.end() :]
    return Dated(done + rest, first[0] if first else None)


def day_words(day: date) -> str:
    """Return a day as it is written in memories, such as "7 May 2026"."""
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def month_words(day: date) -> str:
    """Return a month as it is written in memories, such as "May 2026"."""
    return f"{calendar.month_name[day.month]} {day.year}"


def _on(day: date, part: str | None = None) -> _When:
    words = day_words(day)
    return _When("on", f"the {part.lower()} of {words}" if part else words, day)


def _in_month(day: date) -> _When:
    return _When("in", month_words(day), day.replace(day=1))


def _in_year(year: int) -> _When:
    return _When("in", str(year), date(max(year, 1), 1, 1))


def _distance(said: _Said, today: date, sign: int) -> _When:
    word, unit = said["count"].lower(), said["unit"].lower()
    count = sign * min(int(word) if word.isdigit() else _NUMBERS[word], 1500)
    if unit == "day":
        return _on(today + timedelta(days=count))
    if unit == "week":
        day = today + timedelta(weeks=count)
        return _When("around", day_words(day), day)
    if unit == "month":
        return _in_month(months_on(today, count))
    return _in_year(today.year + count)


def _ago(said: _Said, today: date, tense: Tense) -> _When | None:
    return _distance(said, today, -1)


def _ahead(said: _Said, today: date, tense: Tense) -> _When | None:
    return _distance(said, today, 1) if tense is Tense.FUTURE else None


def _near(said: _Said, today: date, tense: Tense) -> _When | None:
    word = " ".join(said["word"].lower().split())
    if word == "tonight":
        return _on(today, "evening")
    if word == "last night":
        return _on(today - timedelta(days=1), "night")
    if word.startswith("this"):
        return _on(today, word.split()[1])
    days = {"today": 0, "yesterday": -1, "tomorrow": 1}
    days |= {"day before yesterday": -2, "day after tomorrow": 2}
    return _on(today + timedelta(days=days[word]), said["part"])


_STEPS = {"last": -1, "this past": -1, "this": 0, "this coming": 0, "coming": 0, "next": 1}


def _relative(said: _Said, today: date, tense: Tense) -> _When | None:
    word, unit = said["word"].lower(), said["unit"].lower()
    if not word and tense is Tense.HABIT:
        return None
    step = _STEPS[word] if word else (-1 if tense is Tense.PAST else 0)
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    if unit == "weekend":
        saturday = monday + timedelta(days=5)
        return _When("on", f"the weekend of {day_words(saturday)}", saturday)
    if unit == "week":
        return _When("in", f"the week of {day_words(monday)}", monday)
    if unit == "month":
        return _in_month(months_on(today, step))
    return _in_year(today.year + step)


def _season(said: _Said, today: date, tense: Tense) -> _When | None:
    word, season = said["word"].lower(), said["season"].lower()
    if not word and tense is Tense.HABIT:
        return None
    start = SEASONS[season]
    year = today.year if start <= today.month else today.year - 1  # the latest that has begun
    under_way = (today.month - start) % 12 < 3
    if word.startswith("last") and under_way:
        year -= 1
    elif word == "next" or (tense is not Tense.PAST and word != "last" and not under_way):
        year += 1
    name = f"{season} {year}" + (f"–{(year + 1) % 100:02d}" if season == "winter" else "")
    return _When("in", name, date(year, start, 1))


def _weekday(said: _Said, today: date, tense: Tense) -> _When | None:
    word = said["word"].lower()
    if not word and tense is Tense.HABIT:
        return None
    target = WEEKDAYS.index(said["weekday"].lower())
    if word in ("last", "this past") or (not word and tense is Tense.PAST):
        day = today - timedelta(days=(today.weekday() - target) % 7 or 7)
    elif word == "next":
        day = today + timedelta(days=7 + target - today.weekday())
    else:
        day = today + timedelta(days=(target - today.weekday()) % 7 or 7)
    return _on(day, said["part"])


def _calendar_day(said: _Said, today: date, tense: Tense) -> _When | None:
    month = said["month"]
    number = int(month) if month.isdigit() else month_number(month)
    return _day_of(int(said["day"]), number, said["year"], today, tense)


def _day_range(said: _Said, today: date, tense: Tense) -> _When | None:
    """Say "4 to 15 August" from its first day to its last."""
    number = month_number(said["month"])
    last = _day_of(int(said["last"]), number, said["year"], today, tense)
    if last is None:
        return None
    try:
        first = last.first.replace(day=int(said["day"]))
    except ValueError:
        return None
    return _When("from", f"{first.day} to {last.words}", first)


def _in_year_of(said: _Said, today: date, tense: Tense) -> _When | None:
    """Say "5 June next year" with the year it means."""
    year = today.year + _STEPS[said["word"].lower()]
    return _day_of(int(said["day"]), month_number(said["month"]), str(year), today, tense)


def _day_of(day: int, month: int, year: str | None, today: date, tense: Tense) -> _When | None:
    try:
        if year:
            return _on(date(int(year), month, day))
        if tense is Tense.HABIT:
            return None
        found = date(today.year, month, day)
        if tense is Tense.PAST and found > today:
            found = found.replace(year=found.year - 1)
        elif tense is Tense.FUTURE and found < today:
            found = found.replace(year=found.year + 1)
        return _on(found)
    except ValueError:
        return None


def _day_only(said: _Said, today: date, tense: Tense) -> _When | None:
    number, month = int(said["day"]), today.replace(day=1)
    if tense is Tense.HABIT:
        return None
    if tense is Tense.PAST and number > today.day:
        month = months_on(today, -1)
    elif tense is Tense.FUTURE and number < today.day:
        month = months_on(today, 1)
    try:
        return _on(month.replace(day=number))
    except ValueError:
        return None


def _named_month(said: _Said, today: date, tense: Tense) -> _When | None:
    month, word = month_number(said["month"]), said["word"].lower()
    if not said["year"] and not word and tense is Tense.HABIT:
        return None
    if said["year"]:
        first = date(int(said["year"]), month, 1)
    elif word in ("last", "this past") or (tense is Tense.PAST and word != "next"):
        same = word == "last" and month == today.month
        first = date(today.year - (month > today.month or same), month, 1)
    else:
        same = word == "next" and month == today.month
        first = date(today.year + (month < today.month or same), month, 1)
    words = month_words(first)
    return _When("in", f"{said['part'].lower()} {words}" if said["part"] else words, first)


def _bare_year(said: _Said, today: date, tense: Tense) -> _When | None:
    return _in_year(int(said["year"]))


def _since(said: _Said, today: date, first: list[date]) -> str:
    """Say "have lived here for three years" as a beginning, which stays true."""
    when = _distance(said, today, -1)
    first.append(when.first)
    return f"{said['before']}since {when.words}"


_MONTH = f"(?P<month>{words.MONTH})"
_DAY = f"(?P<day>{words.DAY}){ORDINAL}?"
_COUNT = rf"(?P<count>\d+|{any_of(_NUMBERS)})"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_PART = r"(?: (?P<part>morning|afternoon|evening|night))?"
_WEEKDAY = f"(?P<weekday>{words.WEEKDAY})"
_ANY_DAY = f"(?:(?:{words.WEEKDAY}),? )?"
_SEASON = f"(?P<season>{words.SEASON})"
_NO_TUMBLE = rf"(?! (?:from|off|down|when|in (?:{words.MONTH})\b))"  # "the fall in February"
_YEAR = f"(?P<year>{words.YEAR})"
_PREP = r"(?<![\w-])(?P<prep>on|in|at|over|during|" + "|".join(_KEPT[:-1]) + ") (?:the )?"
_LEAD = f"(?:{_PREP}|" + r"(?<![\w-])(?:the )?)"
_STEP = r"(?P<word>last|next|this past|this coming|this|coming) "
_NO_STEP = "(?P<word>)"
_NEAR = (
    r"(?P<word>today|yesterday|tomorrow|tonight|last night|day before yesterday|"
    r"day after tomorrow|this (?:morning|afternoon|evening))"
)

# No form is without one of these.
_ANY_DATE = re.compile(
    rf"\d|\b(?:{words.WEEKDAY}|{words.MONTH}|{words.SEASON}|today|yesterday|tomorrow|tonight|ago|"
    rf"last|next|this|coming|"
    rf"weekend|morning|afternoon|evening|night|(?:{any_of(_NUMBERS)}) (?:days?|weeks?|months?|"
    rf"years?))\b",
    re.IGNORECASE,
)
_FORMS: tuple[tuple[re.Pattern[str], _Meaning], ...] = tuple(
    (re.compile(form + END, re.IGNORECASE), meaning)
    for form, meaning in (
        (_LEAD + _COUNT + " " + _UNIT + " ago", _ago),
        (r"(?<![\w-])(?P<prep>in) " + _COUNT + " " + _UNIT + "(?:'s?)?(?: time)?", _ahead),
        (_LEAD + _NEAR + _PART, _near),
        (_LEAD + _STEP + r"(?P<unit>week|month|year|weekend)(?! (?:of|in) )", _relative),
        (_PREP + _NO_STEP + "(?P<unit>weekend)(?! of)", _relative),
        (_LEAD + _STEP + _SEASON, _season),
        (_PREP + _NO_STEP + _SEASON + r"(?! (?:of |in )?\d{4})" + _NO_TUMBLE, _season),
        (_LEAD + _STEP + _WEEKDAY + _PART + r"(?! (?:of|in) (?:the|every|each) )", _weekday),
        (
            _PREP
            + _NO_STEP
            + _WEEKDAY
            + _PART
            + r"(?!,? (?:the )?\d| (?:mornings|afternoons|evenings|nights)\b)",
            _weekday,
        ),
        (
            _LEAD
            + _DAY
            + "(?: ?- ?| ?– ?| to | till | until | and )(?:the )?(?P<last>"
            + words.DAY
            + f"){ORDINAL}? (?:of )?"
            + _MONTH
            + f"(?:,? {_YEAR})?",
            _day_range,
        ),
        (
            r"(?<=[a-z\d] )(?<!every )(?<!each )(?<!most )(?<!other )(?<!black )(?<!good "
            r")(?<!and )(?<!any )"
            r"(?<!or )(?<!of )(?<!the )(?<!a )(?<!my )(?<!casual )(?<!alternate "
            r")(?<!single )(?P<prep>)(?P<word>)"
            + _WEEKDAY
            + _PART
            + rf"(?! and (?:{words.WEEKDAY}))"
            + r"(?=$|[,.;]| (?:and|so|but|at|from|till|until|because|with|in|\d))",
            _weekday,
        ),
        (
            _LEAD
            + _ANY_DAY
            + "(?:the )?"
            + _DAY
            + " (?:of )?"
            + _MONTH
            + ",? (?:of )?(?P<word>next|this|last) year",
            _in_year_of,
        ),
        (
            _LEAD + _ANY_DAY + "(?:the )?" + _DAY + " (?:of )?" + _MONTH + f"(?:,? {_YEAR})?",
            _calendar_day,
        ),
        (
            _LEAD + _ANY_DAY + _MONTH + " (?:the )?" + _DAY + r"(?![:\d])" + f"(?:,? {_YEAR})?",
            _calendar_day,
        ),
        (_LEAD + _YEAR + r"-(?P<month>\d\d)-(?P<day>\d\d)", _calendar_day),
        (
            r"(?<=[a-z] )(?P<prep>to) the (?P<day>[0-3]?\d)(?:st|nd|rd|th)(?=$|[,.;]| (?:at|and|"
            r"but|so|because|of)\b)",
            _day_only,
        ),
        (
            rf"(?:{_PREP}|(?=(?:{words.WEEKDAY}) ))(?:(?:{words.WEEKDAY}),? (?:the )?)?"
            r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)(?! (?!(?:of all|with|in|at|and|for|so|but|"
            r"because|or|to|from|till|until)\b)[a-z])",
            _day_only,
        ),
        (
            _PREP
            + "(?:(?P<part>early|late|mid)[ -])?"
            + _NO_STEP
            + _MONTH
            + f"(?:,? (?:of )?{_YEAR})?",
            _named_month,
        ),
        (_LEAD + _STEP + "(?P<part>)" + _MONTH + "(?P<year>)", _named_month),
        (_PREP + _YEAR, _bare_year),
    )
)
_SPAN = re.compile(
    r"(?P<before>\b(?:have|has) (?:[\w'-]+ ){1,9}?)for (?:the (?:last|past) )?"
    f"{_COUNT} (?P<unit>month|year)s?{END}",
    re.IGNORECASE,
)
