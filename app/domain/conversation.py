"""A conversation: a tree of messages, each made of parts that say where they came from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class PartOrigin(StrEnum):
    """How a piece of a message came into being; only ``typed`` may become evidence."""

    TYPED = "typed"
    PASTED = "pasted"
    ATTACHED = "attached"
    TOOL = "tool"
    MODEL = "model"


class MemoryMode(StrEnum):
    """What a conversation may do with memory."""

    REMEMBERS = "remembers"
    READS_ONLY = "reads_only"
    WRITES_ONLY = "writes_only"
    OFF = "off"
    TEMPORARY = "temporary"

    @property
    def reads(self) -> bool:
        """Whether memories may enter its prompts."""
        return self in (MemoryMode.REMEMBERS, MemoryMode.READS_ONLY)

    @property
    def learns(self) -> bool:
        """Whether memories may be made from it, and its messages be recalled elsewhere."""
        return self in (MemoryMode.REMEMBERS, MemoryMode.WRITES_ONLY)


class Standing(IntEnum):
    """What a message counts for beside the conversation it stands in.

    Only one that is its own is learnt from, and recalled in other conversations.
    """

    ASIDE = 0  # the person wants nothing of it remembered, nor of the answer to it
    OWN = 1
    COPY = 2  # of a message in another conversation, which counts in its place


class MessageState(StrEnum):
    """How far an answer got."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Document:
    """A file that goes with a message and is too long to stand in it, or has pages.

    Attributes:
        id: What it is known by; empty until its message is kept.
        kind: ``pdf``, ``docx`` or ``text``.
        size: Bytes of the file.
        digest: SHA-256 of the file, as hexadecimal digits.
        pages: How many it has.
        paged: Whether these are pages of the file; else it was cut into parts.
        texts: What stands on each page; there from reading until keeping.
        note: What the person should know of how it was read, in a sentence.
    """

    id: str
    name: str
    kind: str
    size: int
    digest: str
    pages: int
    paged: bool
    texts: tuple[str, ...] = field(default=(), repr=False)
    note: str = ""

    def counted(self) -> str:
        """Return how many pages it has, in words."""
        what = "page" if self.paged else "part"
        return f"{self.pages:,} {what}{'' if self.pages == 1 else 's'}"

    def place(self, page: int) -> str:
        """Return what a page is called."""
        return f"{'page' if self.paged else 'part'} {page:,}"


@dataclass(frozen=True, slots=True)
class Part:
    """One span of a message.

    Attributes:
        name: The file it was attached as; in an answer without a model, what the span tells, such
            as an :class:`~app.domain.reply.Outcome`. Else empty.
        document: The file, where that is kept beside the message and ``text`` only names it.
    """

    text: str
    origin: PartOrigin
    name: str = ""
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One turn.

    Attributes:
        parent_id: The message it answers; several children make branches.
        speaker: A name, in conversations of more than two people; else empty.
        model: Which model wrote it; ``notebook`` for answers without any.
        error: The sentence shown when ``state`` is ``failed`` or ``partial``, or it is damaged.
        imported: Whether it was brought in with a conversation from elsewhere.
        siblings: How many versions of this turn exist, and which one this is (from 1).
        standing: What it counts for beside its conversation.
        damaged: Fields that something else than Loci left unreadable.
    """

    id: str
    conversation_id: str
    role: Role
    parts: tuple[Part, ...]
    created_at: datetime
    pk: int = 0
    parent_id: str | None = None
    speaker: str = ""
    model: str = ""
    state: MessageState = MessageState.COMPLETE
    error: str = ""
    redacted: bool = False
    imported: bool = False
    siblings: tuple[int, int] = (1, 1)
    standing: Standing = Standing.OWN
    damaged: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(part.text for part in self.parts)

    @property
    def typed(self) -> str:
        """The words the person typed with their own hands; none that anybody may have changed."""
        if self.damaged:
            return ""
        return "\n".join(p.text for p in self.parts if p.origin is PartOrigin.TYPED)

    @property
    def aside(self) -> bool:
        """Whether nothing of it is to be remembered, and no other message understood by it."""
        return self.standing is Standing.ASIDE

    @property
    def teaches(self) -> bool:
        """Whether there is anything in it to learn from: the person's own words, not set aside."""
        own = self.role is Role.USER and self.standing is Standing.OWN
        return own and bool(self.typed.strip())


@dataclass(frozen=True, slots=True)
class Conversation:
    """A thread of messages with one agent.

    Attributes:
        damaged: Fields that something else than Loci left unreadable.
    """

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    agent_pk: int
    pk: int = 0
    mode: MemoryMode = MemoryMode.REMEMBERS
    pinned: bool = False
    archived: bool = False
    message_count: int = 0
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """That something was remembered because of a message; shown under the exchange.

    Attributes:
        message_id: The person's message.
        batch: What "Undo" undoes.
        memories: Identifier and text of each memory that was written.
        replaced: Identifier of such a memory and the text of one that it took the place of.
        doubted: Identifier of such a memory and why it is doubted, where it is.
    """

    message_id: str
    batch: str
    memories: Sequence[tuple[str, str]]
    replaced: Sequence[tuple[str, str]] = ()
    doubted: Sequence[tuple[str, str]] = ()

    def was(self, memory_id: str) -> str:
        """Return what one of its memories took the place of; empty where it did of nothing."""
        return "; ".join(text for heir, text in self.replaced if heir == memory_id)

    def why(self, memory_id: str) -> str:
        """Return why one of its memories is doubted; empty where it is not."""
        return dict(self.doubted).get(memory_id, "")


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message found by searching all conversations.

    Attributes:
        snippet: Text around the match; matches stand between U+2068 and U+2069.
    """

    message_id: str
    conversation_id: str
    conversation_title: str
    snippet: str
    at: datetime
    role: Role
