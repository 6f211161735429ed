"""What Loci answers without a language model, and what became of a message."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.domain.changes import Changes
from app.domain.memory import Memory
from app.domain.recall import Hit


class Outcome(StrEnum):
    """What became of a statement."""

    REMEMBERED = "remembered"
    UPDATED = "updated"
    KNOWN = "known"
    WAITS = "waits"
    SET_ASIDE = "set_aside"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Became:
    """What became of one statement.

    Attributes:
        text: The memory's words; empty where none holds it.
        was: The words of what it replaced.
        why: Why it was refused or waits, in a sentence.
    """

    outcome: Outcome
    text: str = ""
    was: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something that answers a question.

    Attributes:
        text: The person's words, or a memory's.
        hit: What it was found in.
        sure: How likely it answers, from 0 to 1.
        typed: Whether they are the person's own words; else they were pasted or brought in.
    """

    text: str
    hit: Hit
    sure: float
    typed: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in Markdown with what it rests on.

    Attributes:
        hits: What it quotes, numbered from 1 in this order.
        changes: What was changed because of the message.
        heard: Whether the message was read, so that nothing is left to learn from it.
    """

    text: str
    hits: Sequence[Hit] = ()
    changes: Changes = field(default_factory=Changes)
    heard: bool = True


@dataclass(frozen=True, slots=True)
class Meant:
    """The memories that an order means.

    Attributes:
        clear: Those that are meant beyond doubt.
        doubtful: Those that may be meant.
    """

    clear: Sequence[Memory] = ()
    doubtful: Sequence[Memory] = ()
