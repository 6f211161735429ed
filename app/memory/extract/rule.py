"""The shape of one line in the tables of what people say about themselves.

In a pattern ``live~`` stands for "live" and "lives", ``{BE}`` for the forms of "to be", and adverbs
("really", "still") are allowed where English allows them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TypedDict, Unpack

from app.domain.memory import MemoryType
from app.memory.extract.dates import Tense
from app.memory.extract.subjects import Kind, Subject

Found = re.Match[str]
Read = Callable[[Found, Subject], tuple[str, object] | None]

ADVERBS = (
    "really|still|already|absolutely|genuinely|truly|officially|finally|recently|just|quite|very|"
    "so|totally|mainly|mostly|primarily|originally|both|all|pretty|rather|especially|"
    "particularly|usually|normally|typically|always|generally|sometimes|often|occasionally|only|"
    "even|actually|now|currently|definitely|deeply|severely|mildly|slightly|happily|newly|"
    "secretly|regularly|once"
)
_MACROS = {
    "{BE}": rf"(?:am|are|is)(?: (?:{ADVERBS}))*",
    "{WAS}": rf"(?:was|were)(?: (?:{ADVERBS}))*",
    "{BEEN}": rf"(?:have|has) (?:(?:{ADVERBS}) )*been",
    "{HAD}": rf"(?:(?:have|has) (?:(?:{ADVERBS}) )*)?",
    "{NOT}": r"(?:do|does) not",
    "{ANY}": r" ?any ?(?:more|longer)",
    "{COUNT}": r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|no|several|many|some)",
    "{MONTHLY}": r"(?:mg|mcg|µg|g|ml|iu|units?|drops?|tablets?|pills?)",
}


class Options(TypedDict, total=False):
    """What a rule may have beside its pattern; see ``Rule``."""

    read: Read
    category: str
    tense: Tense
    type: MemoryType
    must_be_dated: bool
    accepts: Callable[[Found], bool]
    template: str
    closes: bool
    implies: str
    noun: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of statement.

    Attributes:
        pattern: What is said of the subject.
        kinds: Subjects it may be said of.
        tense: Which way its dates point.
        read: How key and value are found, for facts with one value.
        must_be_dated: Whether it is worth keeping only with a date.
        accepts: A last look at the match.
        template: Memory text to use instead of the clause itself; ``{subject}``, ``{is}``,
            ``{has}`` and groups of the pattern are filled in.
        closes: Whether it says that the value of its key is so no more.
        implies: The text of a second fact that follows and takes the key, as a template.
        noun: What the thing spoken of must be, as a pattern.
    """

    pattern: str
    kinds: frozenset[Kind]
    type: MemoryType
    tense: Tense
    category: str = "fact"
    read: Read | None = None
    must_be_dated: bool = False
    accepts: Callable[[Found], bool] | None = None
    template: str = ""
    closes: bool = False
    implies: str = ""
    noun: str = ""

    def match(self, predicate: str) -> Found | None:
        """Return the match if this is said of the subject, and said seriously."""
        found = _compiled(self.pattern).match(predicate)
        return found if found and (self.accepts is None or self.accepts(found)) else None

    def is_about(self, subject: Subject) -> bool:
        """Return whether it may be said of this subject."""
        if subject.kind not in self.kinds:
            return False
        return not self.noun or bool(re.fullmatch(self.noun, subject.noun, re.IGNORECASE))


SELF = frozenset({Kind.SELF})
PEOPLE = frozenset({Kind.SELF, Kind.PERSON})
LIVING = frozenset({Kind.SELF, Kind.PERSON, Kind.PET})
OTHERS = frozenset({Kind.PERSON, Kind.PET})
THINGS = frozenset({Kind.THING})


def fact(pattern: str, kinds: frozenset[Kind] = PEOPLE, **more: Unpack[Options]) -> Rule:
    """Return a rule for something that holds until further notice."""
    return _rule(pattern, kinds, MemoryType.SEMANTIC, Tense.HABIT, more)


def event(pattern: str, kinds: frozenset[Kind] = PEOPLE, **more: Unpack[Options]) -> Rule:
    """Return a rule for something that happened."""
    return _rule(pattern, kinds, MemoryType.EPISODIC, Tense.PAST, more)


def plan(pattern: str, kinds: frozenset[Kind] = PEOPLE, **more: Unpack[Options]) -> Rule:
    """Return a rule for something that is going to happen."""
    return _rule(pattern, kinds, MemoryType.EPISODIC, Tense.FUTURE, more)


def keyed(key: str, group: str = "value") -> Read:
    """Return a reader that takes the group of a match as the value of ``key``."""
    return lambda found, subject: (key, found[group].strip(" ,"))


def through(key: str, parse: Callable[[str], str | None], group: str = "value") -> Read:
    """Return a reader that takes what ``parse`` makes of the group, or no key at all."""

    def read(found: Found, subject: Subject) -> tuple[str, object] | None:
        value = parse(found[group])
        return (key, value) if value else None

    return read


def third_person(verb: str) -> str:
    """Return the form of a verb after "she"."""
    if verb == "have":
        return "has"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|ch|sh|o)$", verb) else "s")


def _rule(
    pattern: str, kinds: frozenset[Kind], kind: MemoryType, tense: Tense, options: Options
) -> Rule:
    return replace(Rule(pattern, kinds, kind, tense), **options)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed: all of them take a third of a second."""
    for macro, written in _MACROS.items():
        pattern = pattern.replace(macro, written)
    pattern = re.sub(r"([a-z]+)~", lambda m: f"(?:{m[1]}|{third_person(m[1])})", pattern)
    return re.compile(rf"(?:(?:{ADVERBS}) )*(?:{pattern})$", re.IGNORECASE)
