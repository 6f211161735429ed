"""Find times in a sentence: where they stand, how they relate, and which period they mean.

Names and verbs are not times: a bare "May" or "Sunday" counts only behind "in", "on" or "since",
and never before another capitalised word.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from app.memory.when import periods
from app.memory.when.forms import FORMS, TimeForm
from app.memory.when.meanings import Present, Tense, around
from app.memory.when.periods import DAY, Period
from app.memory.when.spans import Bearing, Side
from app.memory.when.words import MONTH, SEASON, WEEKDAY, WEEKDAYS, YEAR


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time in a sentence, or an event whose time is to be looked up."""

    start: int
    end: int
    bearing: Bearing
    period: Period | None = None
    anchor: str = ""
    side: Side = Side.BEFORE


@dataclass(frozen=True, slots=True)
class _Expression:
    """What one expression means, and where it ends."""

    end: int
    period: Period
    form: TimeForm
    words: str

    @property
    def length(self) -> timedelta | None:
        """How long it is, where it has both sides."""
        if self.period.start is None or self.period.end is None:
            return None
        return self.period.end - self.period.start

    @property
    def names_year(self) -> bool:
        """Whether it says which year."""
        return bool(re.search(YEAR + r"|\byear\b", self.words))


_HINT = re.compile(
    rf"\b(?:{MONTH}|{WEEKDAY}|{SEASON}|{YEAR}s?|\d{{1,2}}[./-]\d|mon|tues?|weds?|thur?s?|fri|sat|sun"
    r"|to(?:day|morrow|night)|yesterday|ago|last|next|past|this|previous|coming|recent(?:ly)?|lately"
    r"|of late|these days|other day|back|since|before|after|until|till|prior|following|between"
    r"|the \d|'?\d0s|\w+ties|weekend|christmas|halloween|new year|valentine)",
    re.IGNORECASE,
)
_START = re.compile(r"(?<![\w'’-])\w")
_REST_OF_WORD = re.compile(r"[\w'’-]+")
_BEHIND = re.compile(
    r"(?:back )?(?P<word>in|on|during|over|throughout|around|at|for)(?: about| around)? ",
    re.IGNORECASE,
)
_PAIRS = (
    (re.compile("between ", re.IGNORECASE), re.compile(" and ", re.IGNORECASE)),
    (re.compile("from ", re.IGNORECASE), re.compile(" (?:to|until|till|through) ", re.IGNORECASE)),
)
_NUMBER = re.compile(r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?= )", re.IGNORECASE)
_RELATION = re.compile(
    r"(?P<word>ever since|since|before|prior to|earlier than|after|following|later than|until|till"
    r"|up to|by) (?P<the>the )?(?=\S)",
    re.IGNORECASE,
)
_BEFORE, _UNTIL = ("before", "prior to", "earlier than"), ("until", "till", "up to", "by")
_SINCE = ("since", "ever since")
_EVENTFUL = (*_BEFORE[:2], *_SINCE, "after")
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_OFFSET = re.compile(
    rf"(?:(?:on|in|during) )?(?P<the>the )?(?:(?P<count>\d{{1,3}}|an?|{'|'.join(_SMALL)}) )?"
    rf"(?P<unit>day|week|weekend|month|year|night|{WEEKDAY})s? (?P<side>before|after) ",
    re.IGNORECASE,
)
_PARTS = {"beginning": "early", "start": "early", "middle": "mid", "end": "late"}
_PART = re.compile(
    r"(?:the )?(?:(?P<adjective>early|mid|late)(?: in)?[ -](?:the )?"
    r"|(?P<noun>beginning|start|middle|end|first half|second half|first week|last week)"
    r" (?:of|in) (?=\S))",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r" (?!I\b)[A-Z]")
_STEPPED = re.compile(r"(?:last|next|previous|past|this|coming)\b", re.IGNORECASE)
_OWNED = re.compile(r"(?:\b(?:my|your|his|her|our|their|its|a|every|each)|['’]s) $", re.IGNORECASE)
_VERBLIKE = re.compile(r"(?:last|this|next|coming) (?:may|march)$")
_CLOSING = re.compile(r" ?(?:$|[?!.,;:)\"]| (?:and|or|with|about|i|we|my|when|that)\b)")
_NAMELIKE = re.compile(r"(?:april|may|june|august|jan|sun)\W*$", re.IGNORECASE)
_PHRASAL = re.compile(
    r"\b(?:look|looks|looked|looking|name|named|call|called|takes?|took|ask|asks|asked|asking|come"
    r"|comes|run|runs|chase|chases) $",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(?P<words>(?:(?:the|my|our|his|her|their) |(?-i:[A-Z])[\w-]+['’]s )"
    r"(?!(?:same|last|next|first|way|fact|time|rest|other)\b)[^\W\d_][\w'’-]*"
    r"(?: (?!(?:did|do|does|was|were|is|are|i|and|or|but|when|that|who|which|has|have|had|he|she"
    r"|they|we|you|what|before|after|since|until|in|on|during)\b)[\w'’-]+){0,5})",
    re.IGNORECASE,
)
_CUT = re.compile(r"\b(?:\d{1,2}(?:st|nd|rd|th)?(?P<of> of)?|(?P<half>half)) $", re.IGNORECASE)
_BY_MONTH = re.compile(MONTH, re.IGNORECASE)
_MEASURES = re.compile(
    r" (?:words?|steps|characters?|pieces|dollars?|euros?|pounds?|m|km|kg|g|metres?|meters?|miles"
    r"|people|days|hours|minutes|times|copies|lines|rows|pages|points)\b",
    re.IGNORECASE,
)
_ALSO = re.compile(r",? (?:and|or) (?:(?:in|on) )?", re.IGNORECASE)
_TOUCHING = re.compile(r"[\s,]*(?:on|in)?\s*$", re.IGNORECASE)


def times(sentence: str, at: Present) -> list[TimeMention]:
    """Return the times in a sentence in the order they stand."""
    found: list[TimeMention] = []
    place = 0 if _HINT.search(sentence) else len(sentence)
    while begin := _START.search(sentence, place):
        if one := _time(sentence, begin.start(), at):
            found.append(one)
            if another := _another(sentence, found[-1], at):
                found.append(another)
            place = found[-1].end
        else:
            word = _REST_OF_WORD.match(sentence, begin.start())
            place = word.end() if word else begin.end()
    return _agreed(sentence, found)


def _time(text: str, place: int, at: Present) -> TimeMention | None:
    for read in (_pair, _offset, _related, _plain):
        found = read(text, place, at)
        if found is not None and (found.period is None or found.period.is_ordered):
            return found
    return None


def _another(text: str, one: TimeMention, at: Present) -> TimeMention | None:
    """Read what follows "in March": "and April", "or in May"."""
    link = _ALSO.match(text, one.end)
    of = _expression(text, link.end(), at) if link and one.period else None
    if of is None or not _CLOSING.match(text, of.end):
        return None
    return TimeMention(one.end, of.end, one.bearing, of.period)


def _pair(text: str, place: int, at: Present) -> TimeMention | None:
    """Read "between X and Y" and "from X to Y"."""
    for opening, middle in _PAIRS:
        if not (lead := opening.match(text, place)):
            continue
        first = _expression(text, lead.end(), at)
        number = _NUMBER.match(text, lead.end())
        link = middle.match(text, first.end if first else number.end() if number else place)
        second = _expression(text, link.end(), at) if link else None
        if second is None:
            continue
        period = _spanned(first, second) if first else _from_day(number, second)
        if period is not None:
            return TimeMention(place, second.end, Bearing.RESTRICT, period)
    return None


def _from_day(number: re.Match[str] | None, second: _Expression) -> Period | None:
    """Return "3" to "9 June": the first takes its month from the second."""
    last = second.period.start
    if number is None or last is None or not 0 < int(number["day"]) < last.day:
        return None
    return Period(periods.midnight(last.date().replace(day=int(number["day"]))), second.period.end)


def _spanned(first: _Expression, second: _Expression) -> Period | None:
    """Return from the first to the second; what says no year takes that of the second."""
    start, end = first.period.start, second.period.end
    if start is None or end is None:
        return None
    if second.names_year and not first.names_year:
        start = start.replace(year=(end - timedelta(microseconds=1)).year)
    if start >= end and first.length is not None:
        weekly = first.length <= 2 * DAY and start - end < 7 * DAY and bool(first.form.behind)
        start = start - 7 * DAY if weekly else periods.back(start, 1, "year")
    return Period(start, end) if start < end else None


def _offset(text: str, place: int, at: Present) -> TimeMention | None:
    """Read "two weeks before X", "the Sunday before X", "the day after X"."""
    lead = _OFFSET.match(text, place)
    if not lead or not (lead["count"] or lead["the"]):
        return None
    of = _expression(text, lead.end(), at)
    if of is None or of.period.start is None or of.period.end is None:
        return None
    word, before = (lead["count"] or "one").lower(), lead["side"].lower() == "before"
    count = int(word) if word.isdigit() else _SMALL.index(word) if word in _SMALL else 1
    sign = 1 if before else -1
    origin = of.period.start if before else of.period.end - DAY
    unit = lead["unit"].lower()
    if count == 1:
        period = _next_to(origin, unit, before)
    else:
        period = around(periods.back(origin, sign * count, unit), count, unit, origin)
    return TimeMention(place, of.end, Bearing.RESTRICT, period)


def _next_to(origin: datetime, unit: str, before: bool) -> Period:
    """Return the one day, week, month, year, night or weekday before or after a day."""
    day = origin.date()
    if unit in WEEKDAYS:
        ahead = (WEEKDAYS.index(unit) - day.weekday()) % 7 or 7
        back = (day.weekday() - WEEKDAYS.index(unit)) % 7 or 7
        return periods.days(day - back * DAY if before else day + ahead * DAY)
    if unit == "weekend":
        return periods.weekend(day, -1 if before else int(day.weekday() >= 5))
    if unit == "night":
        return periods.part_of_day(day - DAY if before else day + DAY, "night")
    if before:
        return Period(periods.back(origin, 1, unit), origin)
    return Period(origin + DAY, periods.back(origin + DAY, -1, unit))


def _related(text: str, place: int, at: Present) -> TimeMention | None:
    """Read "since X", "before X", "after X", "until X", where X is a time or an event."""
    lead = _RELATION.match(text, place)
    if not lead:
        return None
    word, begin = lead["word"].lower(), lead.end("word") + 1
    of = _expression(text, begin, at) or _expression(text, lead.end(), at)
    if of is None or (word == "by" and of.form.behind):
        return _event(text, place, begin, word, at)
    bearing = Bearing.FAVOUR if of.form.vague else Bearing.RESTRICT
    if of.form.behind and _NAMELIKE.search(of.words):
        if _PHRASAL.search(text[:place]):
            return None
        bearing = Bearing.FAVOUR
    start, end = of.period.start, of.period.end
    if word in _BEFORE:
        return None if start is None else TimeMention(place, of.end, bearing, Period(None, start))
    if word in _UNTIL:
        return None if end is None else TimeMention(place, of.end, bearing, Period(None, end))
    first = start if word in _SINCE else end
    return None if first is None else TimeMention(place, of.end, bearing, Period(first, None))


def _event(text: str, place: int, begin: int, word: str, at: Present) -> TimeMention | None:
    event = _EVENT.match(text, begin)
    if not event or word not in _EVENTFUL or at.tense is not Tense.PAST:
        return None
    if _PHRASAL.search(text[:place]):
        return None
    side = Side.BEFORE if word in _BEFORE else Side.AFTER
    return TimeMention(place, event.end(), Bearing.FAVOUR, anchor=event["words"], side=side)


def _plain(text: str, place: int, at: Present) -> TimeMention | None:
    """Read "in X", "on X" and the like, and what is a time by itself."""
    of = _expression(text, place, at)
    if of is not None and not of.form.behind:
        return _founded(text, place, place, of)
    if lead := _BEHIND.match(text, place):
        of = _expression(text, lead.end(), at)
        if of and (not of.form.behind or lead["word"].lower() in of.form.behind):
            return _founded(text, place, lead.end(), of)
    return None


def _founded(text: str, place: int, begin: int, of: _Expression) -> TimeMention | None:
    stepped = _STEPPED.match(text, begin)
    titled = text[begin].isupper() and bool(text[:place].strip())  # "The Last Summer"
    if stepped and (titled or _OWNED.search(text[:begin])):
        return None
    if _VERBLIKE.search(of.words) and not _CLOSING.match(text, of.end):
        return None
    cut = _CUT.search(text[:begin])
    if cut and (cut["half"] or cut["of"] or _BY_MONTH.match(of.words)):  # not "42 yesterday"
        return None
    if of.words.endswith("March") and text.startswith(" on ", of.end):
        return None
    bearing = Bearing.FAVOUR if of.form.vague else Bearing.RESTRICT
    return TimeMention(place, of.end, bearing, of.period)


def _expression(text: str, place: int, at: Present) -> _Expression | None:
    """Return the longest expression of a time that begins here."""
    if lead := _PART.match(text, place):
        name = (lead["adjective"] or lead["noun"]).lower()
        whole = _longest(text, lead.end(), at)
        if whole is not None and (whole.length or DAY) > 2 * DAY:
            period = periods.part(whole.period, _PARTS.get(name, name))
            return replace(whole, period=period, words=text[place : whole.end])
    return _longest(text, place, at)


def _longest(text: str, place: int, at: Present) -> _Expression | None:
    best: _Expression | None = None
    for form in FORMS:
        said = form.pattern.match(text, place)
        if said is None or (best is not None and said.end() <= best.end):
            continue
        try:
            period = form.meaning(said, at)
        except (ValueError, OverflowError):  # no such day, or none that a calendar reaches
            continue
        if period is not None and not (form.behind and _is_name(text, said)):
            best = _Expression(said.end(), period, form, said[0])
    if best and text[best.end : best.end + 2] in ("'s", "’s"):
        best = replace(best, end=best.end + 2)
    return best


def _is_name(text: str, said: re.Match[str]) -> bool:
    """Return whether what looks like a bare time goes on as a name or a measure."""
    if text[said.end() : said.end() + 1] in ("'", "’"):
        return True
    if said[0][-1].isdigit():
        return bool(_MEASURES.match(text, said.end()))
    return bool(_CAPITAL.match(text, said.end()))


def _agreed(text: str, found: list[TimeMention]) -> list[TimeMention]:
    """Let two times agree: "since March" with "before May"; "last Friday" with "3 May 2024"."""
    agreed = list(found)
    for place, (one, other) in enumerate(pairwise(found)):
        if one.period is None or other.period is None:
            continue
        common = _common(one.period, other.period)
        if common is None and _TOUCHING.match(text[one.end : other.start]):
            dated = [bool(re.search(YEAR, text[f.start : f.end])) for f in (one, other)]
            if dated[0] != dated[1]:
                common = one.period if dated[0] else other.period
        if common is not None:
            agreed[place] = replace(agreed[place], period=common)
            agreed[place + 1] = replace(agreed[place + 1], period=common)
    return agreed


def _common(one: Period, other: Period) -> Period | None:
    """Return what lies in both, where one has no end and the other no beginning."""
    if one.start is None:
        one, other = other, one
    if one.end is None and other.start is None and one.start and other.end:
        both = Period(one.start, other.end)
        return both if both.is_ordered else None
    return None
