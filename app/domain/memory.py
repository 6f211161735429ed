"""A memory: one thing Loci knows, how it came to know it, and how far it is trusted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

SAFETY = "safety"  # the tag of what harm may come from forgetting


def is_safety(tags: Iterable[str]) -> bool:
    """Return whether some tags mark a safety fact."""
    return any(tag.casefold() == SAFETY for tag in tags)


class MemoryType(StrEnum):
    """What kind of knowledge it is."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Trust(StrEnum):
    """How far it is believed; stamped by code, never by a model.

    What a file claimed that this vault did not sign stands below what the person said, and above
    what documents and other programs told.
    """

    SYSTEM = "system"
    LEARNED = "learned"
    CLAIMED = "claimed"
    EXTERNAL = "external"

    @property
    def rank(self) -> int:
        """0 for external, up to 3 for system: derived rows take the minimum."""
        return ("external", "claimed", "learned", "system").index(self.value)

    @property
    def is_own(self) -> bool:
        """Whether it is the person's word: they said or confirmed it."""
        return self in (Trust.SYSTEM, Trust.LEARNED)


class Origin(StrEnum):
    """Which road it came in by; never changes."""

    USER_TYPED = "user_typed"
    USER_EDITED = "user_edited"
    CONVERSATION = "conversation"
    REVIEW = "review"
    CONSOLIDATION = "consolidation"
    DREAM = "dream"
    TOOL = "tool"
    DOCUMENT = "document"
    WEB = "web"
    CLIENT = "client"
    IMPORT = "import"
    MIGRATION = "migration"


class Status(StrEnum):
    """Whether it takes part in recall; only ``active`` does."""

    ACTIVE = "active"
    PROPOSED = "proposed"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"
    OUT_OF_WINDOW = "out_of_window"
    FORGOTTEN = "forgotten"


class Visibility(StrEnum):
    """Which agents of the profile may see it."""

    SELF = "self"
    GROUP = "group"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks: an agent and the groups it belongs to. Every read takes one.

    Attributes:
        agent_pk: Row of the agent.
        group_pks: Rows of its groups.
    """

    agent_pk: int
    group_pks: tuple[int, ...] = ()


DEFAULT_SCOPE = Scope(1)  # of the agent that every profile has from the start


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words a memory rests on.

    Attributes:
        message_id: The message, or None where the memory was typed into the inspector or imported.
        quote: The words themselves.
        conversation_id: The conversation of that message, for opening it.
        conversation_title: Its title.
    """

    quote: str
    created_at: datetime
    message_id: str | None = None
    conversation_id: str | None = None
    conversation_title: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """One row of what is remembered; times are aware UTC.

    Attributes:
        pk: The vault's own row number (0 before it is stored).
        value: Any JSON value, for keyed memories.
        occurred_at: When the thing happened, as opposed to ``created_at``, when Loci learnt it.
        valid_to: When the statement stopped being true, if it did.
        proof_count: From how many statements an observation was drawn; None for a statement.
        source_ids: Those statements; some may be gone.
        confidence: How sure an observation was when it was last confirmed, from 0 to 1.
        consolidated_at: When an observation was made of it.
        seen_count: How many times the same statement was met.
        revision: Grows by one with each change; an edit names the one it started from.
        damaged: Fields that something else than Loci left unreadable; ``status_reason`` says it.
    """

    id: str
    text: str
    created_at: datetime
    updated_at: datetime
    agent_pk: int
    pk: int = 0
    type: MemoryType = MemoryType.SEMANTIC
    trust: Trust = Trust.LEARNED
    origin: Origin = Origin.CONVERSATION
    actor: str = "user"
    source_id: str | None = None
    status: Status = Status.ACTIVE
    status_reason: str = ""
    key: str | None = None
    value: Any = None
    category: str | None = None
    visibility: Visibility = Visibility.SELF
    group_pks: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    pinned: bool = False
    occurred_at: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    superseded_by: str | None = None
    conflicted: bool = False
    proof_count: int | None = None
    source_ids: tuple[str, ...] = ()
    confidence: float | None = None
    consolidated_at: datetime | None = None
    seen_count: int = 1
    access_count: int = 0
    last_accessed_at: datetime | None = None
    revision: int = 1
    damaged: tuple[str, ...] = ()

    @property
    def anothers(self) -> bool:
        """Whether it was kept of a text that the person neither typed nor said."""
        return self.origin in (Origin.DOCUMENT, Origin.WEB, Origin.TOOL)

    @property
    def safety(self) -> bool:
        """Whether harm may come from forgetting it: never thinned out, aged or summed up."""
        return is_safety(self.tags)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One change to one memory.

    Attributes:
        batch: Changes made together share a batch, and are undone together.
        before: The row as it was (empty for a new one).
        after: The row as it became (empty for an erased one).
        undone: Whether a later entry reversed this one.
    """

    id: str
    batch: str
    at: datetime
    actor: str
    op: str
    memory_id: str
    before: dict[str, Any]
    after: dict[str, Any]
    reason: str = ""
    message_id: str | None = None
    undone: bool = False


@dataclass(frozen=True, slots=True)
class MemoryDetail:
    """Everything the inspector shows of one memory.

    Attributes:
        used_in: Conversation id, its title and when, for answers that had it in their prompt.
        replaces: Id and text of each memory this one took the place of.
        replaced_by: Id and text of the memory that took its place.
        drawn_from: Id and text of each memory that an observation or summary was drawn from.
    """

    memory: Memory
    evidence: Sequence[Evidence] = ()
    history: Sequence[JournalEntry] = ()
    entities: Sequence[str] = ()
    used_in: Sequence[tuple[str, str, datetime]] = ()
    replaces: Sequence[tuple[str, str]] = ()
    replaced_by: tuple[str, str] | None = None
    drawn_from: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories to list. Empty fields do not restrict.

    Attributes:
        text: Full-text query over text, key and tags.
        since, until: Bounds on ``created_at``; ``until`` is exclusive.
        order: ``newest``, ``oldest``, ``used`` or ``relevance`` (needs ``text``).
    """

    text: str = ""
    types: frozenset[MemoryType] = frozenset()
    trusts: frozenset[Trust] = frozenset()
    statuses: frozenset[Status] = frozenset()
    origins: frozenset[Origin] = frozenset()
    pinned: bool | None = None
    keyed: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    order: str = "newest"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory proposed by an extractor, before the novelty test.

    Attributes:
        quote: The words of the message it rests on.
        key, value: Where the fact has one value (``home_city``), which makes corrections replace.
        by_model: Whether a model worded it; then it is no standing instruction of the person's.
    """

    text: str
    quote: str
    type: MemoryType = MemoryType.SEMANTIC
    key: str | None = None
    value: Any = None
    category: str = "fact"
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    instruction: bool = False
    by_model: bool = False
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A memory that waits: one that was learnt in the background, or one that is suspicious.

    Attributes:
        evidence: The words it rests on; None where it rests on none.
        replaces: The text of the memory that holds its key now, and would be replaced.
        later: The same of one that was said later than this, and would stay; at most one of the
            two is there.
    """

    memory: Memory
    evidence: Evidence | None = None
    replaces: str = ""
    later: str = ""
