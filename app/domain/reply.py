"""What Loci answers without a language model, and what became of a message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.domain.changes import Changes
from app.domain.conversation import Receipt
from app.domain.memory import Memory, Status, Trust
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit

NOTEBOOK = "notebook"  # who answers where no language model does
NEEDS_MODEL = "That needs a language model, and none is chosen yet; you find them under Models."
ORDER = "order"  # the name of the part of an answer that tells what became of an order
MEANT = Reason(ReasonKind.MEANT)
PERHAPS_MEANT = Reason(ReasonKind.PERHAPS_MEANT)
STAYS = Reason(ReasonKind.STAYS)
NOT_MEANT = "not meant"
# How the reasons of memories begin, or read, that tell of a doubt. They are kept with the memory.
NOT_TRUSTED, SET_ASIDE = "Not trusted: ", "Set aside: "
MAY_REPLACE = "It may replace another memory that says something else."
FORGOTTEN_BEFORE = "You had it forgotten; “Remember this” brings it back."


class StatementOutcome(StrEnum):
    """What became of a statement."""

    REMEMBERED = "remembered"
    UPDATED = "updated"
    KNOWN = "known"
    WAITS = "waits"
    SET_ASIDE = "set_aside"
    REFUSED = "refused"
    ONLY_HERE = "only_here"


@dataclass(frozen=True, slots=True)
class Became:
    """What became of one statement.

    Attributes:
        text: The memory's words; empty where none holds it.
        was: The words of what it replaced.
        why: Why it was refused or waits, in a sentence.
        memory_id: The memory that holds it; empty where none does.
    """

    outcome: StatementOutcome
    text: str = ""
    was: str = ""
    why: str = ""
    memory_id: str = ""


def doubted(trust: Trust, reason: str, *, contradicted: bool) -> str:
    """Return why a memory in use is doubted; empty where its reason tells of something else.

    Args:
        trust: How far it is believed.
        reason: Why it has its status.
        contradicted: Whether another memory says something else.
    """
    distrusted = trust is Trust.EXTERNAL and reason.startswith(NOT_TRUSTED)
    return reason if distrusted or (contradicted and reason == MAY_REPLACE) else ""


def became(memory: Memory, was: str = "", *, written: bool = True) -> Became:
    """Return what became of a statement, as the memory that holds it shows.

    Args:
        memory: That memory.
        was: The words of what it replaced.
        written: Whether the statement brought anything new.
    """
    why = memory.status_reason
    if memory.status is Status.QUARANTINED:
        return Became(StatementOutcome.SET_ASIDE, memory.text, "", why, memory.id)
    if memory.status is Status.PROPOSED:
        return Became(StatementOutcome.WAITS, memory.text, "", why, memory.id)
    if memory.status is Status.FORGOTTEN:
        return Became(StatementOutcome.REFUSED, why=FORGOTTEN_BEFORE)
    if not written:
        return Became(StatementOutcome.KNOWN, memory.text, "", "", memory.id)
    outcome = StatementOutcome.UPDATED if was else StatementOutcome.REMEMBERED
    doubt = doubted(memory.trust, why, contradicted=memory.conflicted)
    return Became(outcome, memory.text, was, doubt, memory.id)


def became_of(receipt: Receipt) -> list[Became]:
    """Return what became of what a receipt tells of, in its order."""
    found = [(id_, text, receipt.was(id_)) for id_, text in receipt.memories]
    return [
        Became(
            StatementOutcome.UPDATED if was else StatementOutcome.REMEMBERED,
            text,
            was,
            receipt.why(id_),
        )
        for id_, text, was in found
    ]


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """Something that answers a question.

    Attributes:
        text: The person's words, or a memory's.
        hit: What it was found in.
        sure: How likely it answers, from 0 to 1.
        whence: Where the words of a message come from; empty where the person typed them.
        whole: What they are a sentence of; empty where they are all of it.
    """

    text: str
    hit: Hit
    sure: float
    whence: str = ""
    whole: str = ""

    @property
    def standing(self) -> Trust:
        """How far it is believed: words that nobody here said as what is from outside."""
        return Trust.EXTERNAL if self.whence else self.hit.trust

    @property
    def own(self) -> bool:
        """Whether somebody here vouches for it: words that were typed, or a trusted memory."""
        return self.standing.is_own


@dataclass(frozen=True, slots=True)
class OrderTarget:
    """The memories that an order means.

    Attributes:
        clear: Those that are meant beyond doubt.
        doubtful: Those that may be meant.
        left: What stays of those that say other things as well, by their ids.
    """

    clear: Sequence[Memory] = ()
    doubtful: Sequence[Memory] = ()
    left: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in Markdown with what it rests on.

    Attributes:
        hits: What it quotes, numbered from 1 in this order.
        changes: What was changed because of the message.
        heard: Whether the message was read, so that nothing is left to learn from it.
        became: What became of what the message states; told after the text.
        more: What else was found and is not told.
        meant: The memories that an order means; None where it is none about memories. What became
            of them is told after the text.
    """

    text: str
    hits: Sequence[Hit] = ()
    changes: Changes = field(default_factory=Changes)
    heard: bool = True
    became: Sequence[Became] = ()
    more: Sequence[AnswerEvidence] = ()
    meant: OrderTarget | None = None
