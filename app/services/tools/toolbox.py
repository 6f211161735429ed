"""The tools of one turn: their names, and running what a model called.

Whose conversation and memory a tool works on comes from the turn and is no argument, so a model
cannot name another. Nothing that a model writes raises: a call that makes no sense is answered.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.domain.changes import Changes
from app.domain.memory import Scope
from app.domain.prompting.tools import ToolCall, ToolResult, ToolSpec
from app.errors import AppError, Cancelled

UNKNOWN_TOOL = "There is no tool called {!r}. There are: {}."
MISSING = "{!r} is missing."
WRONG_TYPE = "{!r} must be {}."
WRONG_VALUE = "{!r} must be one of: {}."
NOT_AN_ARGUMENT = "There is no argument {!r}. There are: {}."

_KINDS: Mapping[str, tuple[type, str]] = {
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
}


@dataclass(frozen=True, slots=True)
class ToolScope:
    """On whose behalf a tool is called: what comes from the turn and never from a model.

    Attributes:
        conversation_id: The conversation.
        message_id: The person's message that is being answered.
        scope: Whose memories are read and written.
        groups: The ids of the groups that the conversation belongs to.
        room: Tokens that a result may have; what is longer is cut in the middle.
    """

    conversation_id: str
    message_id: str
    scope: Scope
    groups: tuple[str, ...] = ()
    room: int = 4000


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a tool did, where that is more than to find something.

    Attributes:
        text: What the model is told.
        changes: What it changed; empty where nothing was written.
        failed: Whether it was refused or went wrong; the text says why.
    """

    text: str
    changes: Changes = field(default_factory=Changes)
    failed: bool = False


Run = Callable[[Mapping[str, Any], ToolScope], str | ToolOutcome]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool.

    Attributes:
        run: Takes arguments that obey the schema and returns what the model is told, or
            an outcome where it changed something. An
            :class:`~app.errors.AppError` it raises is told the model in its sentence.
    """

    spec: ToolSpec
    run: Run


class Toolbox:
    """The tools of one turn, by their names."""

    def __init__(self, tools: Iterable[Tool], scope: ToolScope) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._scope = scope

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """What the model is told of them."""
        return [tool.spec for tool in self._tools.values()]

    def first(self, number: int) -> "Toolbox":
        """Return a box with only so many of the tools."""
        return Toolbox([*self._tools.values()][:number], self._scope)

    def run(self, call: ToolCall, room: int = 4000) -> ToolResult:
        """Do what a model called, and return what it is told, in about so many tokens.

        Raises:
            Cancelled: It was stopped.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            names = ", ".join(self._tools)
            return ToolResult(call.id, UNKNOWN_TOOL.format(call.name, names), failed=True)
        problem = call.problem or mistake(call.arguments, tool.spec.parameters)
        if problem:
            return ToolResult(call.id, problem, failed=True)
        try:
            done = tool.run(call.arguments, replace(self._scope, room=room))
        except Cancelled:
            raise
        except AppError as error:
            return ToolResult(call.id, str(error), failed=True)
        if isinstance(done, str):
            return ToolResult(call.id, done)
        return ToolResult(call.id, done.text, done.failed, done.changes)


def mistake(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Return in a sentence why arguments do not obey a schema; empty where they do."""
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in arguments:
            return MISSING.format(name)
    for name, value in arguments.items():
        if name not in properties:
            return NOT_AN_ARGUMENT.format(name, ", ".join(properties) or "none")
        if wrong := _wrong(name, value, properties[name]):
            return wrong
    return ""


def _wrong(name: str, value: Any, wanted: Mapping[str, Any]) -> str:
    kind, told = _KINDS[wanted.get("type", "string")]
    numbered = kind is int and isinstance(value, bool)
    if numbered or not isinstance(value, kind):
        return WRONG_TYPE.format(name, told)
    allowed = wanted.get("enum")
    if allowed and value not in allowed:
        return WRONG_VALUE.format(name, ", ".join(map(str, allowed)))
    return ""
