"""Tell whether a clause that no table knows says something of a life that lasts.

The tables read what is common, with keys and categories. Everything else is judged by its grammar:
a habit, a standing activity, something with a date. What is of the moment, of the task at hand, or
points at something that is not in the clause, is not kept.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from app.domain.memory import MemoryType
from app.memory.extract import marks
from app.memory.extract.being import OWN_DAY, copula, of_the_house, possession
from app.memory.extract.dates import Dated, Tense, resolve
from app.memory.extract.doing import (
    ALONE,
    MOVES,
    able,
    duty,
    future,
    passive,
    past,
    perfect,
    present,
    progressive,
)
from app.memory.extract.doubt import is_shop_talk
from app.memory.extract.predicate import Aspect, Predicate, read_predicate
from app.memory.extract.subjects import Kind, Subject
from app.memory.extract.told import FIRST, Told, is_ahead


class Worth(StrEnum):
    """What to do with a clause."""

    KEEP = "keep"
    POINTS = "points"  # worth keeping with what it points at
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Judged:
    """A clause with what it is worth.

    Attributes:
        dated: Its text with absolute dates.
    """

    worth: Worth
    dated: Dated
    type: MemoryType = MemoryType.SEMANTIC
    category: str = "fact"


def judged(subject: Subject, predicate: str, today: date) -> Judged:
    """Return whether a clause is worth keeping by itself.

    Args:
        subject: Who or what it is about.
        predicate: What is said, contractions written out.
        today: What relative dates count from.
    """
    said = f"{subject.text} {predicate}"
    mine = subject.kind is Kind.SELF
    read = read_predicate(predicate, first_person=mine)
    if read is None or is_shop_talk(said):
        return Judged(Worth.NOTHING, Dated(said, None))
    weekly = (
        read.aspect is Aspect.COPULA
        and not _ON_THE.search(predicate)
        and (OWN_DAY.search(subject.noun) or _EVERY_YEAR.search(subject.noun))
    )
    ahead = _AHEAD.search(predicate) is not None
    dated = resolve(said, today, Tense.HABIT if weekly else _tense(read, ahead=ahead))
    days = (dated.first - today).days if dated.first else None
    if days is not None and days <= 0 and dated.first == today.replace(day=1) and is_ahead(read):
        days = 1  # some time this month
    worth = _worth(Told(subject, read, days))
    if worth is Worth.KEEP and marks.POINTS_BACK.search(FIRST.split(read.rest)[0]):
        worth = Worth.POINTS
    happens = read.aspect in (Aspect.PAST, Aspect.FUTURE, Aspect.PROGRESSIVE, Aspect.DUTY)
    episodic = dated.first is not None and happens
    return Judged(
        worth,
        dated,
        MemoryType.EPISODIC if episodic else MemoryType.SEMANTIC,
        _category(read, episodic=episodic),
    )


_ON_THE = re.compile(r"\bon the \d")
_EVERY_YEAR = re.compile(r"(?<!wedding )\b(?:anniversary|name ?day|birthday)$")


# What was done then is about a day that lies ahead: tickets for the 11th, moved to the 6th.
_AHEAD = re.compile(
    r"\b(?:tickets?|seats?|flights?|(?:room|table|slot|hotel|place)s?)\b.* (?:for|on) |"
    r"^(?:was|were|has been|have been|got) (?:moved|postponed|rescheduled|shifted|pushed|delayed|"
    r"brought forward|put off|changed|booked|scheduled|invited)\b.* (?:to|for|until|till|on) |"
    r"^invited (?:me|us)\b.* (?:to|for) "
)


def _tense(read: Predicate, *, ahead: bool = False) -> Tense:
    if ahead:
        return Tense.FUTURE
    if read.aspect is Aspect.PERFECT and read.verb in (
        "ask",
        "agree",
        "invite",
        "book",
        "decide",
        "arrange",
    ):
        return Tense.FUTURE
    if read.aspect is Aspect.PERFECT and re.search(r"\b(?:until|till)\b", read.rest):
        return Tense.FUTURE
    if (
        read.aspect is Aspect.PAST
        and read.verb in MOVES
        and re.search(r"\b(?:to|for|until|till) ", read.rest)
    ):
        return Tense.FUTURE
    if read.aspect in (Aspect.PAST, Aspect.WAS, Aspect.WAS_DOING, Aspect.PERFECT):
        return Tense.PAST
    habit = read.aspect in (Aspect.PRESENT, Aspect.COPULA, Aspect.PASSIVE)
    often = marks.OFTEN.search(f"{read.adverbs} {read.rest}")
    return Tense.HABIT if habit and often else Tense.FUTURE


def _category(read: Predicate, *, episodic: bool) -> str:
    if episodic:
        return "event" if read.aspect is Aspect.PAST else "plan"
    return "habit" if read.aspect is Aspect.PRESENT else "fact"


def _worth(told: Told) -> Worth:
    judge = _JUDGES.get(told.read.aspect)
    alone = told.read.aspect is Aspect.PROGRESSIVE or told.verb in ALONE
    if judge is None or not (alone or told.around.strip()):
        return Worth.NOTHING
    if told.is_of(Kind.HOUSEHOLD) and not of_the_house(told):
        return Worth.NOTHING
    return Worth.KEEP if judge(told) else Worth.NOTHING


_JUDGES: dict[Aspect, Callable[[Told], bool]] = {
    Aspect.PRESENT: present,
    Aspect.PAST: past,
    Aspect.WAS: past,
    Aspect.PROGRESSIVE: progressive,
    Aspect.FUTURE: future,
    Aspect.PERFECT: perfect,
    Aspect.ABLE: able,
    Aspect.DUTY: duty,
    Aspect.COPULA: copula,
    Aspect.POSSESSION: possession,
    Aspect.PASSIVE: passive,
}
