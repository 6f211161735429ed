"""An assistant: who it is, what it may keep, and the groups in which several of them talk."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.domain.memory import Visibility
from app.domain.prompting.judge import AnswerJudge, judges_of

DEFAULT_AGENT = 1  # the row of the one that every profile has from the start
CATEGORIES = ("preference", "fact", "context")
KEYED_TOOLS = "usermemory"  # what a list of tools calls the four of keyed memories
MEMORY_TOOLS = "memory"  # and the six of all memories


class CapMode(StrEnum):
    """What happens to one more keyed memory where there are as many as may be."""

    REJECT = "reject"
    EVICT_OLDEST = "evict_oldest"


class RecallOrder(StrEnum):
    """Which keyed memories come first where not all are shown."""

    MOST_RECENT = "most_recent"
    MOST_ACCESSED = "most_accessed"


@dataclass(frozen=True, slots=True)
class WriteLimits:
    """What an agent may write.

    Attributes:
        max_key_length, max_value_length: In characters.
        max_writes_per_turn: How much may be written while one message is answered.
        allowed_categories: Any other is refused.
    """

    max_key_length: int = 100
    max_value_length: int = 1000
    max_writes_per_turn: int = 10
    allowed_categories: tuple[str, ...] = CATEGORIES


@dataclass(frozen=True, slots=True)
class MemoryRules:
    """What an agent may do with memory.

    Attributes:
        tools_enabled: Whether it has tools for memory.
        tools: Which tools it has, by name or by ``usermemory`` and ``memory``; None for all.
        default_visibility: Who sees what is written back and names nobody.
        max_recall_entries: How many keyed memories are recalled; 0 or less for all.
        max_entries: How many keyed memories the profile may have in use.
        on_cap_reached: What happens to one more.
        recall_order: Which of them come first.
        auto_recall_categories: Which of the known categories enter a new conversation.
        judges: Who gives its answers marks.
    """

    tools_enabled: bool = True
    tools: tuple[str, ...] | None = None
    default_visibility: Visibility = Visibility.SELF
    max_recall_entries: int = 50
    max_entries: int = 500
    on_cap_reached: CapMode = CapMode.EVICT_OLDEST
    recall_order: RecallOrder = RecallOrder.MOST_RECENT
    auto_recall_categories: tuple[str, ...] = ("preference", "fact")
    guardrails: WriteLimits = field(default_factory=WriteLimits)
    judges: tuple[AnswerJudge, ...] = ()

    def allows(self, tool: str, family: str) -> bool:
        """Return whether the agent has a tool, which may be named by its family."""
        return self.tools_enabled and (self.tools is None or bool({tool, family} & {*self.tools}))

    def as_json(self) -> dict[str, Any]:
        """Return the rules as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Agent:
    """An assistant with instructions, a model and rules of its own.

    Attributes:
        model: The id of its model; empty for the one chosen in the settings.
        revision: Grows by one with each change.
    """

    id: str
    name: str
    created_at: datetime
    updated_at: datetime
    pk: int = 0
    instructions: str = ""
    model: str = ""
    rules: MemoryRules = field(default_factory=MemoryRules)
    revision: int = 1

    @property
    def is_default(self) -> bool:
        """Whether it is the one that every profile has."""
        return self.pk == DEFAULT_AGENT


@dataclass(frozen=True, slots=True)
class AgentGroup:
    """Agents that talk with one another and the person, and share memories.

    Attributes:
        members: The ids of its agents.
    """

    id: str
    name: str
    created_at: datetime
    pk: int = 0
    members: tuple[str, ...] = ()


def rules_of(stored: Mapping[str, Any]) -> MemoryRules:
    """Return the rules that plain values tell; what is absent or makes no sense is as usual."""
    rules: MemoryRules = _told(MemoryRules(), stored)
    if stored.get("on_cap_reached", rules.on_cap_reached) != rules.on_cap_reached:
        rules = replace(rules, on_cap_reached=CapMode.REJECT)  # a way that nobody knows is no way
    inner = stored.get("guardrails")
    guardrails = _told(WriteLimits(), inner if isinstance(inner, Mapping) else {})
    tools = stored.get("tools")
    names = _names(tools) if isinstance(tools, list | tuple) else None
    judges = judges_of(stored.get("judges"))
    return replace(rules, guardrails=guardrails, tools=names, judges=judges)


def _told(usual: Any, stored: Mapping[str, Any]) -> Any:
    """Return a row of rules with the values that are told and of the usual kind."""
    wanted: dict[str, Any] = {}
    for name, default in _shallow(usual).items():
        told = stored.get(name)
        if isinstance(default, StrEnum):
            wanted[name] = next((one for one in type(default) if one == told), default)
        elif isinstance(default, tuple):
            wanted[name] = _names(told) if isinstance(told, list | tuple) else default
        else:
            wanted[name] = told if type(told) is type(default) else default
    return type(usual)(**wanted)


def _shallow(row: Any) -> dict[str, Any]:
    return {one.name: getattr(row, one.name) for one in fields(row)}


def _names(told: Any) -> tuple[str, ...]:
    return tuple(name for name in told if isinstance(name, str))
