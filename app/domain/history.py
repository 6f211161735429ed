"""What happened to the memories: moments on a timeline, differences, who wrote, and from what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from app.domain.memory import JournalEntry, Status


class Action(StrEnum):
    """What a change did, as a timeline shows it."""

    REMEMBERED = "remembered"
    PROPOSED = "proposed"
    CHANGED = "changed"
    REPLACED = "replaced"
    FORGOTTEN = "forgotten"
    ARCHIVED = "archived"
    RESTORED = "restored"
    UNDONE = "undone"


_BECAME = {
    Status.PROPOSED: Action.PROPOSED,
    Status.QUARANTINED: Action.PROPOSED,
    Status.SUPERSEDED: Action.REPLACED,
    Status.FORGOTTEN: Action.FORGOTTEN,
    Status.OUT_OF_WINDOW: Action.ARCHIVED,
    Status.ACTIVE: Action.RESTORED,
}
_WAITING = frozenset({Status.PROPOSED, Status.QUARANTINED})


def deed(was: str | None, status: str | None, *, new: bool, undoes: bool) -> Action:
    """Return what a change did.

    Args:
        was: The status that the memory had, where the change gave it another.
        status: The status that it gave the memory, if any.
        new: Whether the memory was not there before.
        undoes: Whether it takes another change back.
    """
    if undoes:
        return Action.UNDONE
    if status in _WAITING:
        return Action.PROPOSED
    if new or (status == Status.ACTIVE and was in _WAITING):
        return Action.REMEMBERED
    return _BECAME[Status(status)] if status else Action.CHANGED


class Difference(NamedTuple):
    """One field that a change gave another value, in words; empty where there was or is none."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """One change to one memory.

    Attributes:
        sentence: What was done, in a few words.
        differences: What it changed, readable.
    """

    entry: JournalEntry
    kind: Action
    sentence: str
    differences: Sequence[Difference]


@dataclass(frozen=True, slots=True)
class TimelineMoment:
    """Changes that were made together, on the timeline.

    Attributes:
        at: When the last of them was made.
        kind: What the first of them did.
        sentence: What was done, in a few words.
        memory_id: The memory that the sentence names.
        batch: What "Undo" undoes; the batch of an undo does the change again.
        actor: ``user``, or the name of a job, import or client.
        undone: Whether it was taken back since.
        count: How many changes there were.
    """

    at: datetime
    kind: Action
    sentence: str
    memory_id: str
    batch: str
    actor: str
    undone: bool = False
    count: int = 1


Day = tuple[date, Mapping[Action, int]]


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote memories, by which road.

    Attributes:
        actor: ``user``, or the name of a job, import or client.
        origin: The road.
        written: How many memories.
        active: How many of them are in use.
    """

    actor: str
    origin: str
    written: int
    active: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Burst:
    """Many memories written in a short time by somebody other than the person."""

    actor: str
    first_at: datetime
    last_at: datetime
    count: int
    batches: Sequence[str]


class SourceKind(StrEnum):
    """What memories can come from."""

    CONVERSATION = "conversation"
    DOCUMENT = "document"
    IMPORT = "import"
    JOB = "job"
    CLIENT = "client"


@dataclass(frozen=True, slots=True)
class MemorySource:
    """One thing that memories come from.

    Attributes:
        id: A conversation; for a document the message it came with; for an import or a job the
            batch; for a client its name.
        title: What a person calls it.
        count: How many memories rest on it.
        active: How many of them are in use.
    """

    kind: SourceKind
    id: str
    title: str = ""
    count: int = 0
    active: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None

    @property
    def name(self) -> str:
        """How a command names it."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True)
class ForgettingPreview:
    """What forgetting a source would concern.

    Attributes:
        memories: Ids of what rests on it alone, and would be forgotten.
        forgotten: Ids of what rested on it alone, and is forgotten already.
        derived: Ids of observations made of any of these: they keep what others say, or go too.
        protected: Id and text of what is pinned or of system trust, which stays unless the person
            says so.
        elsewhere: Ids of what the person said elsewhere too, which stays.
    """

    memories: Sequence[str] = ()
    forgotten: Sequence[str] = ()
    derived: Sequence[str] = ()
    protected: Sequence[tuple[str, str]] = ()
    elsewhere: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Who wrote what, when.

    Attributes:
        memories: How many memories there are, of any status.
        active: How many of them are in use.
        changes: How many changes are in the journal.
        writers: By actor and road, those who wrote most first.
        sources: What they come from, the latest first.
        bursts: Many memories in a short time, the latest first.
    """

    memories: int
    active: int
    changes: int
    writers: Sequence[Writer] = ()
    sources: Sequence[MemorySource] = ()
    bursts: Sequence[Burst] = ()


class LineageKind(StrEnum):
    """What stands in a lineage; ``GONE`` was erased."""

    MEMORY = "memory"
    MESSAGE = "message"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class MemoryOrigin:
    """A memory or a message, and what it rests on.

    Attributes:
        text: The memory, or the words of the message.
        at: When it was learnt or said.
        origin: The road a memory came by.
        actor: Who wrote a memory down.
        conversation_id: Where a message stands.
        conversation_title: What that is called.
        sources: What it rests on; nothing where it was typed into Loci, or imported.
    """

    kind: LineageKind
    id: str
    text: str = ""
    at: datetime | None = None
    origin: str = ""
    actor: str = ""
    conversation_id: str = ""
    conversation_title: str = ""
    sources: Sequence["MemoryOrigin"] = field(default=())
