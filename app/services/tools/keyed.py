"""The four tools by which a model keeps facts about the person under keys.

Who the agent is and which groups the conversation belongs to come from the turn. The texts are
those that EDDI's tools answer with, so that instructions written for these work here.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.domain.memory import Memory, Scope, Status, Trust, Visibility
from app.domain.prompting.agent import CATEGORIES, KEYED_TOOLS
from app.domain.prompting.tools import ToolSpec
from app.errors import AppError, Cancelled, Refused
from app.memory.by_model.entries import KeyedEntries, KeyedEntry, WritingTurn
from app.memory.screen.guardrails import NO_KEY, THE_PERSONS
from app.services.memories import MemoriesService
from app.services.tools.toolbox import Tool, ToolOutcome, ToolScope
from app.services.upkeep.queue import QueueService
from app.store.keyed import shown
from app.store.store import Store

ACTOR = "tool"
LINE = "{} = {} [{}, {}]"
REMEMBERED = "✅ Remembered: {}"
KNOWN = "Already remembered: {}"
WAITS = "⏳ Not remembered yet: {}. It waits for the user's review. {}"
NOTHING = "No memories found for this user."
NO_MATCH = "No memories matching '{}' found."
FORGOTTEN = "✅ Forgotten: {}"
NO_SUCH_KEY = "No memory with key '{}' found."
NOT_STORED = "❌ Failed to store memory: {}"
NOT_RECALLED = "❌ Failed to recall memories: {}"
NOT_SEARCHED = "❌ Failed to search memories: {}"
NOT_FORGOTTEN = "❌ Failed to forget memory: {}"

_TEXT = {"type": "string"}


class KeyedTools:
    """Makes the four tools."""

    family = KEYED_TOOLS

    def __init__(
        self,
        store: Store,
        entries: KeyedEntries,
        memories: MemoriesService,
        queue: QueueService,
    ) -> None:
        self._groups = store.groups
        self._keyed = store.keyed
        self._entries = entries
        self._memories = memories
        self._queue = queue

    def reading(self) -> Sequence[Tool]:
        """Return the tools that only read."""
        return (
            _tool(
                "recallMemories",
                "Recall what is known about the user and visible to you: one fact per line.",
                {},
                _safe(self._recall, NOT_RECALLED),
            ),
            _tool(
                "searchMemory",
                "Search what is known about the user by key or value.",
                {"query": {**_TEXT, "description": "Part of a key or of a value"}},
                _safe(self._search, NOT_SEARCHED),
            ),
        )

    def writing(self) -> Sequence[Tool]:
        """Return the tools that write."""
        told = {
            "key": {**_TEXT, "description": "A short name, e.g. favorite_color"},
            "value": {**_TEXT, "description": "What to remember, in the user's own words"},
            "category": {**_TEXT, "description": "preference, fact or context"},
            "visibility": {**_TEXT, "description": "self (only you), group or global (everybody)"},
        }
        key = {"key": {**_TEXT, "description": "The key of what to forget"}}
        return (
            _tool(
                "rememberFact",
                "Remember a fact, preference or context that the user told about themselves, for"
                " all later conversations.",
                told,
                _safe(self._remember, NOT_STORED),
                required=("key", "value"),
            ),
            _tool(
                "forgetFact",
                "Forget a fact about the user by its key.",
                key,
                _safe(self._forget, NOT_FORGOTTEN),
            ),
        )

    def _remember(self, arguments: Mapping[str, Any], turn: ToolScope) -> ToolOutcome:
        key, value = arguments["key"].strip(), arguments["value"]
        category, visibility = _category(arguments), _visibility(arguments)
        entry = KeyedEntry(key, value, category, visibility)
        try:
            written = self._entries.put(
                entry, WritingTurn(self._scope(turn), turn.message_id, ACTOR)
            )
        except Refused as error:
            return ToolOutcome(_warning(error), failed=True)
        memory, line = written.memory, LINE.format(key, value, category, visibility)
        if not written.changes:
            return ToolOutcome(KNOWN.format(line))
        changes = written.changes | self._queue.enqueue_index()
        if memory.status is Status.ACTIVE:
            return ToolOutcome(REMEMBERED.format(line), changes)
        return ToolOutcome(WAITS.format(line, memory.status_reason), changes)

    def _recall(self, arguments: Mapping[str, Any], turn: ToolScope) -> str:
        return _listed(self._entries.recalled(self._scope(turn))) or NOTHING

    def _search(self, arguments: Mapping[str, Any], turn: ToolScope) -> str:
        query = arguments["query"]
        found = self._entries.holding(self._scope(turn), query.strip())
        return _listed(found) or NO_MATCH.format(query)

    def _forget(self, arguments: Mapping[str, Any], turn: ToolScope) -> ToolOutcome:
        key = arguments["key"].strip()
        if not key:
            return ToolOutcome(NO_KEY, failed=True)
        found = self._keyed.by_key(self._scope(turn), key)
        if found is None:
            return ToolOutcome(NO_SUCH_KEY.format(key), failed=True)
        if found.trust is Trust.SYSTEM:
            return ToolOutcome(f"⚠️ {THE_PERSONS}", failed=True)
        changes = self._memories.forget([found.id], turn.message_id, by=ACTOR)
        return ToolOutcome(FORGOTTEN.format(key), changes)

    def _scope(self, turn: ToolScope) -> Scope:
        """Return who asks, with those groups of the conversation that the agent belongs to."""
        agent_pk = turn.scope.agent_pk
        return Scope(agent_pk, self._groups.rows_of(agent_pk, turn.groups))


def _tool(
    name: str,
    description: str,
    properties: Mapping[str, Any],
    run: Callable[[Mapping[str, Any], ToolScope], str | ToolOutcome],
    required: Sequence[str] | None = None,
) -> Tool:
    needed = list(properties if required is None else required)
    schema = {"type": "object", "properties": properties, "required": needed}
    return Tool(ToolSpec(name, description, schema), run)


def _safe(
    run: Callable[[Mapping[str, Any], ToolScope], str | ToolOutcome], failure: str
) -> Callable[[Mapping[str, Any], ToolScope], str | ToolOutcome]:
    """Return a tool that answers with a failure what goes wrong in it."""

    def safe(arguments: Mapping[str, Any], turn: ToolScope) -> str | ToolOutcome:
        try:
            return run(arguments, turn)
        except Cancelled:
            raise
        except AppError as error:
            return ToolOutcome(failure.format(error), failed=True)

    return safe


def _category(arguments: Mapping[str, Any]) -> str:
    """Return the category that is meant; any that nobody knows is a fact."""
    told = str(arguments.get("category", "")).strip().casefold()
    return told if told in CATEGORIES else "fact"


def _visibility(arguments: Mapping[str, Any]) -> Visibility:
    """Return who is to see it; the agent alone where that makes no sense."""
    told = str(arguments.get("visibility", "")).strip().casefold()
    return next((one for one in Visibility if one == told), Visibility.SELF)


def _listed(found: Sequence[Memory]) -> str:
    lines = (LINE.format(m.key, shown(m.value), m.category or "fact", m.visibility) for m in found)
    return "\n".join(f"• {' '.join(line.split())}" for line in lines)


def _warning(error: Refused) -> str:
    text = str(error)
    return text if text.startswith("⚠️") else f"⚠️ {text}"
