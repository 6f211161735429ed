"""Tell which occasion a statement gives a day, and whether it was moved there from another.

"The bank appointment was moved to 6 July" is about "Your appointment at the bank is on 3 July":
their words are the same but for those that hold others together. Everything here is words alone;
one without a whole date is compared with nothing.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from app.domain.memory import Memory
from app.memory import agreement
from app.memory.extract.vocabulary import listed
from app.memory.when.words import MONTHS, month_number

# Further apart, they are two: people see a dentist twice a year.
NEARBY, MOVED_BY = timedelta(days=60), timedelta(days=150)
_WHAT = r"(?P<what>[^\W\d_][\w' -]{1,50}?)"
_DAY = r"(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]+) (?P<year>\d{4})\b(?P<rest>.*)$"
_SHIFTED = (
    r"(?:moved|postponed|rescheduled|brought forward|pushed back|put back|put off|delayed|shifted|"
    r"changed)"
)
_MOVED = (
    re.compile(
        rf"^(?:Your|The) {_WHAT} (?:was|is|has been|have been|were|are|got)(?: now)? {_SHIFTED} "
        rf"(?:to|until|till) {_DAY}"
    ),
    re.compile(rf"^(?:Your|The) {_WHAT} (?:is|are|takes place) now (?:on )?{_DAY}"),
    re.compile(
        rf"^(?P<who>[^\W\d_][\w'. -]{{1,40}}?) (?:has |have )?{_SHIFTED} (?:your|the) {_WHAT} "
        rf"(?:to|until|till) {_DAY}"
    ),
)
_SET = (
    re.compile(rf"^(?:Your|The) {_WHAT} (?:is|are|takes place|was set for) (?:on )?{_DAY}"),
    re.compile(rf"^You (?:have|have got) (?:an?|the|your) {_WHAT} on {_DAY}"),
)
NEXT = frozenset({"next", "new"})
MEETING = frozenset(
    listed("appointment, meeting, interview, exam, operation, surgery, hearing, viewing, party")
)
_HOUR = re.compile(
    r"[,;]? ?(?:(?:at|from) \d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|o'clock|h))?"
    r"(?: (?:to|until|till) \d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|h))?)?"
    r"|in the (?:morning|afternoon|evening))?\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Occasion:
    """What takes place on a day.

    Attributes:
        words: What it is called, in stems.
        moved: Whether it was to be on another day.
        only_when: Whether no more is said of it than when.
    """

    words: frozenset[str]
    day: date
    moved: bool
    only_when: bool


def occasion(text: str) -> Occasion | None:
    """Return the occasion whose day a statement is about, or None where it is about no such."""
    said = text.strip()
    for form in (*_MOVED, *_SET):
        found = form.match(said)
        day = _day(found) if found else None
        if found and day:
            who = found.groupdict().get("who") or ""
            words = agreement.said(f"{who} {found['what']}").words - NEXT
            only_when = bool(_HOUR.fullmatch(found["rest"]))
            return Occasion(words, day, form in _MOVED, only_when) if words else None
    return None


def other_day(one: str, other: str) -> bool:
    """Return whether two statements give one occasion different days.

    What was moved may be called by some of its words: "the interview" is that at the bank.
    """
    first, second = occasion(one), occasion(other)
    if first is None or second is None or first.day == second.day:
        return False
    apart = abs(first.day - second.day)
    if first.words == second.words:
        moved = first.moved or second.moved
        return (moved and apart < MOVED_BY) or (bool(MEETING & first.words) and apart < NEARBY)
    short, long = sorted((first, second), key=lambda said: len(said.words))
    return short.moved and short.words < long.words and apart < NEARBY


def moved_from(new: str, memories: Iterable[Memory]) -> list[Memory]:
    """Return the memories that give no more than the day an occasion was moved away from."""
    said = occasion(new)
    if said is None or not said.moved:
        return []
    known = ((memory, occasion(memory.text)) for memory in memories)
    return [
        memory
        for memory, old in known
        if old and old.words == said.words and old.only_when and other_day(new, memory.text)
    ]


def _day(found: re.Match[str]) -> date | None:
    if found["month"].lower() not in MONTHS:
        return None
    with suppress(ValueError):  # the 31st of June
        return date(int(found["year"]), month_number(found["month"]), int(found["day"]))
    return None
