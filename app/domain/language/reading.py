"""What a message does and states, as the reader understands it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Act(StrEnum):
    """What the person does with a message; the order is that of the reader's outputs."""

    TELL = "tell"
    ASK = "ask"
    KNOW = "know"
    WORK = "work"
    CHAT = "chat"
    REMEMBER = "remember"
    FORGET = "forget"
    DELETE_ABOUT = "delete_about"
    CORRECT = "correct"
    UNDO = "undo"
    INSTRUCT = "instruct"
    STOP_INSTRUCT = "stop_instruct"
    ASK_KNOWN = "ask_known"


class StatementKind(StrEnum):
    """What a statement is about; the order is that of the reader's outputs."""

    FACT = "fact"
    EVENT = "event"
    PLAN = "plan"
    TASTE = "taste"
    RULE = "rule"


class Change(StrEnum):
    """Whether a statement changes or ends something; the order is that of the outputs."""

    NONE = ""
    NEW = "new"
    ENDS = "ends"


@dataclass(frozen=True, slots=True)
class Statement:
    """Something lasting that a message states.

    Attributes:
        text: It, able to stand alone: the person's words, with [names] for what stood for them
            and [dates] behind what counts from the day it was said.
        quote: The words themselves.
        start, end: Where they stand in the message.
        sure: How sure the reader is, from 0 to 1.
        safety: Whether harm may come from forgetting it.
        instead_of: Words of a former value that it takes back ("not 07:45").
        occurred_at: The first day it names, if any.
    """

    text: str
    quote: str
    start: int
    end: int
    sure: float
    kind: StatementKind = StatementKind.FACT
    change: Change = Change.NONE
    instead_of: tuple[str, ...] = ()
    safety: bool = False
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message does and states.

    Attributes:
        acts: How likely each act is, most likely first.
        target: The words that name what an order is about; empty where none do.
        several: Whether a question asks for all that qualifies: a list, or how many there are.
    """

    acts: tuple[tuple[Act, float], ...] = ((Act.TELL, 0.0),)
    statements: tuple[Statement, ...] = ()
    target: str = ""
    several: bool = False

    @property
    def act(self) -> Act:
        """The most likely act."""
        return self.acts[0][0]
