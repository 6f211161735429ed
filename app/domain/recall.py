"""What goes into a recall and what comes out, including the reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from app.domain.conversation import Role
from app.domain.jobs.working import Took
from app.domain.memory import Memory, MemoryType, Scope, Status, Trust
from app.domain.provenance import Passage, of_trust
from app.domain.reason import Reason

ROWS = "rows"  # the step after which finds only get fewer, or neighbours join them


class HitKind(StrEnum):
    """What was found."""

    MEMORY = "memory"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class Query:
    """What is being looked for, by whom, and when.

    Attributes:
        now: The present, for recency.
        exclude_message_ids: The current turn and the turns still visible in the context.
    """

    text: str
    scope: Scope
    now: datetime
    exclude_message_ids: frozenset[str] = frozenset()


if TYPE_CHECKING:
    changed = replace
else:

    def changed(hit: "Hit", **values: object) -> "Hit":
        """Return a copy of a hit with other values: ``replace`` for a thousand copies a recall."""
        copy = object.__new__(Hit)
        copy.__dict__.update(hit.__dict__, **values)
        return copy


@dataclass(frozen=True)
class Hit:
    """A memory or a past message on its way through the pipeline.

    Attributes:
        id: Identifier of the memory or message.
        at: When it was said or learnt.
        source: The first evidence message of a memory; the message itself for a message.
        titled_by_others: Whether the title of its conversation is nobody's word here.
        speaker: Who said it, for messages.
        role: On which side of the conversation it was said, for messages.
        passages: The words of a message by where they come from, where not all of them were typed
            by the person or answered by the assistant here; else empty.
        relevance: How much it is about the query, from 0 to 1 and on one scale for all queries;
            None where only ranks are known.
        replaced_by: The text of the memory that replaced it, as far as there is one.
        lanes: Rank (from 1) in each lane that found it.
        base: The fused score, before the factors.
        factors: Every factor of the score, by name.
        tier: Which scale the score is on; hits of a lower tier stand first whatever their score.
        reasons: Why it has this score, oldest first.
        dropped: Why it did not get through, or empty.
        disputed: Why another find is to be preferred, or None.
    """

    id: str
    kind: HitKind
    text: str
    at: datetime
    score: float = 0.0
    pk: int = 0
    trust: Trust = Trust.LEARNED
    type: MemoryType = MemoryType.SEMANTIC
    occurred_at: datetime | None = None
    proof_count: int | None = None
    confidence: float | None = None
    pinned: bool = False
    source: str | None = None
    conversation_id: str | None = None
    conversation_title: str = ""
    titled_by_others: bool = False
    speaker: str = ""
    role: Role | None = None
    passages: tuple[Passage, ...] = ()
    relevance: float | None = None
    superseded_by: str | None = None
    replaced_by: str = ""
    memory: Memory | None = None
    lanes: Mapping[str, int] = field(default_factory=dict)
    base: float = 0.0
    factors: Mapping[str, float] = field(default_factory=dict)
    tier: int = 0
    reasons: tuple[Reason, ...] = ()
    dropped: str = ""
    disputed: Reason | None = None

    @property
    def replaced(self) -> bool:
        """Whether it is history: another memory was filed in its place."""
        return self.memory is not None and self.memory.status is Status.SUPERSEDED

    @property
    def unverified(self) -> bool:
        """Whether words of a message are nobody's here: pasted, attached, imported, a tool's."""
        return any(passage.whence for passage in self.passages)

    @property
    def own_title(self) -> str:
        """The title of its conversation, where that is the person's; else nothing."""
        return "" if self.unverified or self.titled_by_others else self.conversation_title

    @property
    def told(self) -> tuple[Passage, ...]:
        """Its words by where they come from, a memory's too."""
        return self.passages or (Passage(self.text, of_trust(self.trust)),)

    @property
    def standing(self) -> Trust:
        """How far its words are believed: those that nobody here said as what is from outside."""
        return Trust.EXTERNAL if self.unverified else self.trust

    @property
    def safety(self) -> bool:
        """Whether harm may come from forgetting it."""
        return self.memory is not None and self.memory.safety

    @property
    def vital(self) -> bool:
        """Whether it matters for safety and holds, and not only by a stranger's word."""
        return self.safety and self.trust.is_own and not self.superseded_by

    @property
    def replaced_at(self) -> datetime | None:
        """When it stopped being true, where another memory took its place and that is known."""
        if self.memory is None or not self.superseded_by:
            return None
        return self.memory.valid_to

    def scored(self, score: float, reason: Reason) -> "Hit":
        """Return a copy with a new score and one more reason."""
        return changed(self, score=score, reasons=(*self.reasons, reason))


@dataclass(frozen=True, slots=True)
class TraceStep:
    """What one lane or stage did."""

    name: str
    before: int
    after: int
    milliseconds: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Recall:
    """What was found, best first, and how.

    Attributes:
        hits: What got through every stage, best first.
        dropped: The best of what was found and lost, each with its reason; how many there were in
            all, ``lost`` says.
        steps: The trace.
        degraded: Sentences on what could not be used ("The embedder did not answer.").
        took: What the answer took of its model; None where none wrote it, or it was stopped.
    """

    hits: Sequence[Hit] = ()
    dropped: Sequence[Hit] = ()
    steps: Sequence[TraceStep] = ()
    degraded: Sequence[str] = ()
    milliseconds: float = 0.0
    took: Took | None = None

    @property
    def lost(self) -> int:
        """How many finds did not get through, as the steps count them."""
        names = [step.name for step in self.steps]
        stages = self.steps[names.index(ROWS) + 1 :] if ROWS in names else ()
        counted = sum(max(0, step.before - step.after) for step in stages)
        return max(counted, len(self.dropped))

    @property
    def found(self) -> int:
        """How many finds were weighed, whatever became of them."""
        return len(self.hits) + self.lost


@dataclass(frozen=True, slots=True)
class StoredRecall:
    """The trace of one answer, as the "why" panel reads it.

    Attributes:
        cited: Ids the answer refers to with a mark such as [1], in order of their number.
        in_prompt: Ids that stood in the prompt, in the order of their numbers; empty in the place
            of one that was erased since.
    """

    id: str
    answer_id: str
    recall: Recall
    in_prompt: Sequence[str] = ()
    cited: Sequence[str] = ()
