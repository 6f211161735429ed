"""Tools: what a model may call in a conversation, what it called, and what it was told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.domain.changes import Changes


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told of a tool.

    Attributes:
        name: ASCII letters, digits and underscores.
        description: What it does and when to call it, in a sentence or two.
        parameters: A JSON schema of type ``object``; each property is a string, an integer, a
            boolean or an array of strings, and may have ``enum``.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model asked for.

    Attributes:
        id: By which the result is paired with it; unique within an answer.
        arguments: Empty where ``problem`` says why they could not be read.
        raw: The arguments word for word, as the model wrote them.
        problem: Empty, or a sentence that is told to the model in place of a result.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    raw: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a model is told of a call.

    Attributes:
        text: What it reads.
        failed: Whether the call was refused or went wrong; the text says why.
        changes: What it changed; its batches are what "Undo" undoes. The model is not told.
    """

    call_id: str
    text: str
    failed: bool = False
    changes: Changes = field(default_factory=Changes)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call in an answer, and what came of it.

    Attributes:
        result: None while it runs, or where it was stopped.
        letters: How much of the answer's text stood before it.
        round: Which round of calls it was in, from 0; those of one round were made together.
    """

    call: ToolCall
    result: ToolResult | None = None
    letters: int = 0
    round: int = 0

    @property
    def words(self) -> str:
        """What was called, in a few words for the person."""
        told = _TOLD.get(self.call.name, f"Called {self.call.name or 'something'}")
        about = " ".join(str(self.call.arguments.get("query", "")).split())
        return f"{told} for “{about}”" if about and self.call.name in _TOLD else told


_TOLD: Mapping[str, str] = {
    "ctx_search": "Searched this conversation",
    "ctx_inspect": "Looked at a summary of this conversation",
    "ctx_expand": "Read earlier messages again",
    "session_search": "Searched other conversations",
    "memory_search": "Searched memory",
    "memory_get": "Looked at a memory",
    "memory_store": "Asked to keep something",
    "memory_update": "Asked to change a memory",
    "memory_delete": "Asked to forget a memory",
    "memory_clear": "Asked to forget several memories",
    "rememberFact": "Asked to keep a fact",
    "recallMemories": "Looked at its facts",
    "searchMemory": "Searched its facts",
    "forgetFact": "Asked to forget a fact",
}
