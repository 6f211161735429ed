"""Write a stretch of a message so that it can stand alone, in the person's own words.

Nothing is reworded: what stands for a name is replaced by the name in brackets, a day that counts
from the day it was said gets the date in brackets, and a short answer follows its question.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise

from app.domain.language.reading import StatementKind
from app.memory.reading.marks import MarkedSpan
from app.memory.reading.naming import Insertion, NamedMessage, named
from app.memory.reading.tense import follows_past
from app.memory.reading.tense import tense as tensed
from app.memory.reading.words import words
from app.memory.when.grammar import times
from app.memory.when.meanings import Present, Tense
from app.memory.when.periods import DAY, Period, midnight
from app.memory.when.periods import days as days_of
from app.memory.when.spans import Bearing
from app.providers.reading import Tags

SHORT_ANSWER = 14  # words
SHORTEST_TOLD = 3  # words
BESIDE = 25  # characters
MONTH = 31  # days
AT_HAND, LONG_AGO = timedelta(days=100), timedelta(days=240)
_WORD = re.compile(r"[^\W\d_]+")
_SPOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LAST_QUESTION = re.compile(r"[^.!?\n]*\?(?=[^?]*$)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SMALL_I = re.compile(r"(?<![\w'’./-])i(?=$|[\s,;!?]|['’](?:m|ve|ll|d)\b)")
_AND = re.compile(r"\s*(?:,|&|/|\b(?:and|und|y|et|en)\b)\s*(?:on\s+)?", re.IGNORECASE)
_MAY_END = frozenset(("so", "though", "then"))  # "people always think so."
_ENDS = re.compile(r"\s*(?:[.!?…]|$)")
_LEAD = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)?)[\s,]+")
_BEHIND = re.compile(r"[\s,:]+(?=\S)")
_WHOLE_WAYS = ("that", ":", "dass", "que", "dat")
_NUMBERED = re.compile(r"(?:on )?the (\d{1,2})(?:st|nd|rd|th)", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_SAYING = re.compile(
    r"\s(?:that|saying)\s+(?=(?:i|we|he|she|it|they|my|our|the)\b|i['’])|:\s+|,\s+(?=(?:he|she|they)\b)"
    r"|\s(?:that|saying)\s+(?=(?-i:[^\W\d_a-z]))",
    re.IGNORECASE,
)
_TO = re.compile(
    r"(?:^|\bto)\s+(?P<who>(?:(?i:my|our|their|his|her)\s[^\W\d_]|[^\W\d_a-z][^\W\d_]).*?)"
    r"(?=\s(?:in|on|at|from|about|for|an?)\b|['’]s\b|[,;:]|$)"
)
_HELPING = frozenset(("help", "me"))
_SENTENCE = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)[.!?…](?=\s|$)|\n")


def trimmed(text: str, one: MarkedSpan) -> tuple[int, int]:
    """Return a stretch without what it need not begin or end with."""
    start, end = one.start, one.end
    start = told_from(text, start, end)
    while match := re.match(r"[\s,;:.!?…)\]–—-]*([^\W\d_]+)[\s,]+(?=\S)", text[start:end]):
        lead = match[1].lower()
        joins = lead in words().joining - words().listing  # "since Monday" begins no clause
        if lead not in words().leads or (joins and not _says(text, start + match.end())):
            break
        start += match.end()
    while start < end and not (text[start].isalnum() or text[start] in "“\"'‘(£$€#@+"):
        start += 1
    while True:
        while end > start and text[end - 1] in " .,;:-–—\n\t":
            end -= 1
        last = re.search(r"(?<=\s)([^\W\d_]+)$", text[start:end])
        ends = last is not None and last[1].lower() in _MAY_END and _ENDS.match(text, end)
        if ends or last is None or last[1].lower() not in words().joining:
            return start, end
        end = start + last.start()


def told_from(text: str, start: int, end: int) -> int:
    """Return where what is to be remembered begins: behind "could you please note that"."""
    at = start
    while (lead := _LEAD.match(text, at, end)) and lead[1].lower() in _asking_for():
        at = lead.end()
    said = text[at:end].lower()
    for way in words().remembering:
        behind = _BEHIND.match(text, at + len(way), end)
        if not said.startswith(way) or not (behind or way.endswith(":")):
            continue
        then = behind.end() if behind else at + len(way)
        first = _SPOKEN.match(text, then, end)
        asked = first is not None and first[0].lower() in words().no_matter
        if way.endswith(_WHOLE_WAYS) or _says(text, then) or (at > start and not asked):
            return then
    return start


def behind_work(text: str, start: int, end: int) -> tuple[int, str]:
    """Return where a request to write to somebody begins to tell what to write, and to whom.

    Behind "write to my boss Petra that", with "my boss Petra"; the start itself and nothing where
    no writing to anybody is asked for.
    """
    at = start
    while (lead := _LEAD.match(text, at, end)) and lead[1].lower() in _asking_for() | _HELPING:
        at = lead.end()
    first = _SPOKEN.match(text, at, end)
    stop = _SENTENCE.search(text, at, end)
    saying = _SAYING.search(text, at, stop.start() if stop else end)
    if first is None or first[0].lower() not in words().writing or saying is None:
        return start, ""
    to = _TO.search(text[first.end() : saying.start()])
    if to is None or len(text[saying.end() : end].split()) < SHORTEST_TOLD:
        return start, ""
    return saying.end(), to["who"]


@cache
def _asking_for() -> frozenset[str]:
    """Return what may stand before an order to remember."""
    return words().polite | {"you", "u", "kannst", "könntest", "du", "dir"}


def _says(text: str, at: int) -> bool:
    """Return whether a clause with its subject begins at a place."""
    first = _SPOKEN.match(text, at)
    return first is not None and first[0].lower() in words().subjects | words().my


def written(
    said: NamedMessage, tags: Tags, one: MarkedSpan, kind: StatementKind, *, first: bool
) -> tuple[str, datetime | None]:
    """Return a stretch as a statement that stands alone, and the first day it names.

    Args:
        said: The message.
        tags: What the reader says of it.
        one: The stretch.
        kind: What it is about.
        first: Whether it is the first that the message states.
    """
    start, end = trimmed(said.text, one)
    start, to = behind_work(said.text, start, end)
    changes = list(named(said, tags, one, start))
    dated, day = _dated(said, start, end, kind)
    changes = [*changes, *dated]
    text, at = "", start
    for change in sorted(changes, key=lambda c: (c.start, c.end)):
        if change.start >= at:
            text += said.text[at : change.start] + change.text
            at = change.end
    text = _SPACES.sub(" ", text + said.text[at:end]).strip()
    text = _SMALL_I.sub("I", text)
    text = f"{f'[To {to}] ' if to else ''}{text[:1].upper()}{text[1:]}"
    before = question(said.asked) if first else ""
    answers = before and start <= _first_sentence(said.text)
    if answers and len(said.text[start : _first_sentence(said.text)].split()) <= SHORT_ANSWER:
        text = f"{before} {text}"
    return text, day


def with_dates(text: str, at: datetime, kind: StatementKind) -> str:
    """Return a text with the date behind each day that counts from the day it was said."""
    added, _ = _dated(NamedMessage(text, at), 0, len(text), kind)
    for one in sorted(added, key=lambda one: -one.start):
        text = text[: one.start] + one.text + text[one.start :]
    return text


def with_names(said: NamedMessage, tags: Tags, start: int, end: int) -> str:
    """Return a stretch of a message with the name in brackets of whom it speaks of first."""
    first = next(named(said, tags, MarkedSpan(start, end, 1.0, ()), start), None)
    if first is None:
        return said.text[start:end]
    return said.text[start : first.start] + first.text + said.text[first.end : end]


def question(asked: str) -> str:
    """Return the last question of what was said; empty where it asks nothing."""
    found = _LAST_QUESTION.search(asked)
    return found[0].strip() if found else ""


def _first_sentence(text: str) -> int:
    found = re.search(r"[.!?\n]", text)
    return found.start() if found else len(text)


def _dated(
    said: NamedMessage, start: int, end: int, kind: StatementKind
) -> tuple[list[Insertion], datetime | None]:
    """Return the dates to add, and the first day that is named."""
    text, now = said.text[start:end], said.at.replace(tzinfo=None)
    read = {tense: list(times(text, Present(now, tense))) for tense in _tenses(kind)}
    by_place = {t: {(one.start, one.end): one for one in found} for t, found in read.items()}
    added, first = [], None
    last: Period | None = None
    habits = _weekdays(text, [(one.start, one.end) for one in read[next(iter(read))]])
    for one in read[next(iter(read))]:
        place = (one.start, one.end)
        if place in habits:
            continue
        if ahead := by_place.get(Tense.FUTURE, {}).get(place):
            if _of_other_years(text, *place):
                continue  # "born on 3 December", "on 19 March, four years ago"
            tense = tensed(text, kind, *place)
            if tense is Tense.HABIT:
                continue  # "my birthday is in May"
            if tense is None:
                tense = Tense.FUTURE if _nearer(ahead.period, one.period, now) else Tense.PAST
            long = _is_long(one.period)
            past = tense is Tense.PAST and follows_past(text, place[0], long=long)
            if _is_at_hand(ahead.period, one.period, now) and not past:
                tense = Tense.FUTURE
            one = by_place[tense].get(place, one)
        vague = one.bearing is Bearing.FAVOUR and (one.period is None or one.period.likely is None)
        if vague or one.period is None or one.period.start is None:
            continue
        period = _of_its_month(text[slice(*place)], one.period, last, now)
        first, last = first or period.first_day, period
        date = _date(period)
        if date and not _YEAR.search(text[one.start : one.end]):
            added.append(Insertion(start + one.end, start + one.end, f" [{date}]"))
    return added, midnight(first).replace(tzinfo=said.at.tzinfo) if first else None


def _of_its_month(said: str, period: Period, last: Period | None, now: datetime) -> Period:
    """Return a day ahead that its number alone names as the next one after the day named before.

    "My flight leaves on 28 March and I return on the 2nd."
    """
    number = _NUMBERED.fullmatch(said) if period.start and period.start >= now else None
    if number is None or last is None or last.start is None or last.end is None:
        return period
    if last.end - last.start > MONTH * DAY:
        return period
    days = (last.end.date() + n * DAY for n in range(MONTH))
    return next((days_of(day) for day in days if day.day == int(number[1])), period)


def _tenses(kind: StatementKind) -> tuple[Tense, ...]:
    """Return the ways in which the days of a statement may look."""
    habit = kind in (StatementKind.TASTE, StatementKind.RULE)
    return (Tense.HABIT,) if habit else (Tense.PAST, Tense.FUTURE)


def _nearer(one: Period | None, other: Period | None, now: datetime) -> bool:
    """Return whether a period begins nearer to the present than another."""
    if one is None or other is None or one.start is None or other.start is None:
        return False
    return abs(one.start - now) < abs(other.start - now)


def _weekdays(text: str, places: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the days of a habit among times: "on Tuesday and Thursday" is every week."""
    found: set[tuple[int, int]] = set()
    for one, other in pairwise(places):
        named = not any(letter.isdigit() for letter in text[one[0] : other[1]])
        joint = _AND.match(text, one[1])
        if named and joint is not None and other[0] <= joint.end() < other[1]:
            found |= {one, other}
    return found


def _of_other_years(text: str, start: int, end: int) -> bool:
    """Return whether words beside a day say that it is of another year than the last or next."""
    beside = _WORD.findall(text[max(0, start - BESIDE) : end + BESIDE])
    return not words().other_years.isdisjoint(word.lower() for word in beside)


def _is_at_hand(ahead: Period | None, back: Period | None, now: datetime) -> bool:
    """Return whether a day named without its year is near, where the last was long ago.

    Whoever means the one of last year says so: "she has been given days from 8 July".
    """
    if ahead is None or back is None or ahead.start is None or back.start is None:
        return False
    return ahead.start - now <= AT_HAND and now - back.start >= LONG_AGO


def _is_long(period: Period | None) -> bool:
    """Return whether a period is more than a day."""
    if period is None or period.start is None or period.end is None:
        return False
    return period.end - period.start > DAY


def _date(period: Period) -> str:
    """Return a period as a date: a day, a month or a year; nothing for any other stretch."""
    if period.start is None or period.end is None:
        return ""
    length = period.end - period.start
    if length <= DAY:
        return f"{period.start.day} {period.start:%B %Y}"
    if period.start.day == 1 and length.days in range(28, 32):
        return f"{period.start:%B %Y}"
    return f"{period.start:%Y}" if length.days in (365, 366) else ""
