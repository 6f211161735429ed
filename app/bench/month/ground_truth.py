"""What is true of the person of the simulated month by now, and what must not be remembered."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from app.bench.extract import carries
from app.bench.month.script import MonthFact, MonthMessage, TranscriptPair
from app.domain.language.text import normalise
from app.domain.memory import Memory, Origin, Status

LISTED = " · "
# A text with one of these says that something is over, which is no false fact.
_OVER = (
    "no longer",
    "not ",
    "n't",
    "any more",
    "stopped",
    "used to",
    "quit",
    "sold",
    "finished",
    "until ",
)


class Why(StrEnum):
    """Why something must not be remembered."""

    OVER = "it is over"
    FORGOTTEN = "it was forgotten"
    ERASED = "it was erased"
    NEVER = "it was never said, or never meant"


@dataclass(frozen=True, slots=True)
class Wrong:
    """What must not be remembered, why, and since when."""

    fact: MonthFact
    why: Why
    since: datetime


@dataclass(slots=True)
class Truth:
    """What holds by now.

    Attributes:
        current: What has to be known.
        wrong: What must not be.
        said_at: When each fact was said last.
    """

    current: dict[str, MonthFact] = field(default_factory=dict)
    wrong: dict[str, Wrong] = field(default_factory=dict)
    said_at: dict[str, datetime] = field(default_factory=dict)

    def tell(self, line: MonthMessage | TranscriptPair, at: datetime) -> None:
        """Take in what a line says."""
        for fact in line.facts:
            if fact.id not in self.wrong:
                self.current[fact.id] = fact
        for fact in line.never:
            self.wrong.setdefault(fact.id, Wrong(fact, Why.NEVER, at))
        for ended in line.ends if isinstance(line, MonthMessage) else ():
            self.end(ended, Why.OVER, at)
        self.say_again(line, at)

    def say_again(self, line: MonthMessage | TranscriptPair, at: datetime) -> None:
        """Take in that what a line says was said at that time."""
        for fact in line.facts:
            self.said_at[fact.id] = max(at, self.said_at.get(fact.id, at))

    def end(self, fact_id: str, why: Why, at: datetime) -> None:
        """Take in that a fact must not be remembered any more."""
        fact = self.current.pop(fact_id, None)
        if fact is not None:
            over = (*fact.unless, *_OVER) if why is Why.OVER else fact.unless
            self.wrong[fact_id] = Wrong(replace(fact, unless=over), why, at)

    def is_wrong(self, memory: Memory) -> bool:
        """Return whether a memory says what must not be remembered."""
        return any(says(memory, wrong.fact) for wrong in self.wrong.values())

    def is_true(self, memory: Memory) -> bool:
        """Return whether a memory says something that has to be known."""
        return any(says(memory, fact) for fact in self.current.values())


def says(memory: Memory, fact: MonthFact) -> bool:
    """Return whether a memory says a fact; one that lists several, whether one of them does."""
    parts = (replace(memory, text=part) for part in memory.text.split(LISTED))
    return any(carries(part, fact.words) and not _excused(part.text, fact) for part in parts)


def tells(text: str, fact: MonthFact) -> bool:
    """Return whether a text says a fact."""
    said = normalise(text)
    options = ((word,) if isinstance(word, str) else word for word in fact.words)
    carried = all(any(normalise(one) in said for one in words) for words in options)
    return carried and not _excused(text, fact)


def is_history(memory: Memory, since: datetime) -> bool:
    """Return whether a memory tells with its dates what was known before something was over."""
    return memory.origin is Origin.DREAM and memory.created_at <= since


def in_use(memories: Iterable[Memory]) -> list[Memory]:
    """Return the memories that take part in recall."""
    return [memory for memory in memories if memory.status is Status.ACTIVE]


def _excused(text: str, fact: MonthFact) -> bool:
    said = text.casefold()
    return any(word.casefold() in said for word in fact.unless)
