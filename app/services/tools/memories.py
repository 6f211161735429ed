"""The six tools by which a model stores, finds, corrects and removes memories for the person.

They do what the person's own orders do, by the same services, and never touch what the person alone
decides about. Whatever they remove can be brought back.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.language.text import clipped, counted
from app.domain.memory import Memory, MemoryFilter, MemoryType, Scope, Status, Trust, Visibility
from app.domain.prompting.agent import MEMORY_TOOLS
from app.domain.prompting.tools import ToolSpec
from app.domain.recall import Hit, HitKind, Query
from app.domain.receipt import receipt_text
from app.domain.reply import StatementOutcome
from app.errors import NotFound, Refused
from app.memory.by_model.entries import WritingTurn
from app.memory.screen.guardrails import THE_PERSONS
from app.services.memories import MemoriesService
from app.services.tools.toolbox import Tool, ToolOutcome, ToolScope
from app.services.upkeep.queue import QueueService
from app.store.keyed import RESERVED, shown
from app.store.store import Store

if TYPE_CHECKING:
    from app.memory.by_model.notes import ModelNotes
    from app.memory.recall.compose import Recaller

ACTOR = "tool"
MOST = 20
USUAL = 10
LONGEST = 500  # characters of one memory
GONE = "There is no memory with this id."
NOTHING_FOUND = "Nothing is remembered about that."
FORGOTTEN = "Forgotten: “{}”. The user can undo that."
CHANGED = "Changed: “{}” (was “{}”). The user can undo that."
CLEARED = "Forgotten: {}. The user can undo that."
NOTHING_TO_CLEAR = "No memory is of that kind, so nothing was forgotten."
TOO_WIDE = "Say which type or which period is to be cleared."
PREVIEW = (
    "This would forget {}:\n{}\nNothing is forgotten yet. If the user wants that, call it again"
    " with confirm = {}."
)
NO_DATE = "'{}' must be a day, such as 2026-05-04."
_SHOWN = 5
_STATUSES = frozenset({Status.ACTIVE, Status.OUT_OF_WINDOW})
_TEXT = {"type": "string"}
_TYPES = tuple(one.value for one in MemoryType)
_KIND: Mapping[str, Any] = {**_TEXT, "enum": _TYPES}
_DAY = "{} day, such as 2026-05-04"
_KEPT = frozenset(
    {
        StatementOutcome.REMEMBERED,
        StatementOutcome.UPDATED,
        StatementOutcome.WAITS,
        StatementOutcome.SET_ASIDE,
    }
)


class MemoryTools:
    """Makes the six tools."""

    family = MEMORY_TOOLS

    def __init__(
        self,
        store: Store,
        notes: "ModelNotes",
        memories: MemoriesService,
        recaller: "Callable[[], Recaller]",
        queue: QueueService,
        clock: Clock,
    ) -> None:
        self._rows = store.memories
        self._groups = store.groups
        self._notes = notes
        self._memories = memories
        self._recaller = recaller
        self._queue = queue
        self._clock = clock

    def reading(self) -> Sequence[Tool]:
        """Return the tools that only read."""
        query = {**_TEXT, "description": "What to look for, in words"}
        limit = {"type": "integer", "description": f"How many at most, up to {MOST}"}
        return (
            _tool(
                "memory_search",
                "Search what is remembered about the user by meaning and words. Each line begins"
                " with the id of a memory.",
                {"query": query, "limit": limit},
                self._search,
                ("query",),
            ),
            _tool(
                "memory_get",
                "Read one memory with what it rests on.",
                {"id": {**_TEXT, "description": "Its id, from memory_search"}},
                self._get,
                ("id",),
            ),
        )

    def writing(self) -> Sequence[Tool]:
        """Return the tools that write."""
        content = {**_TEXT, "description": "One short statement, in the user's own words"}
        tags = {"type": "array", "items": _TEXT}
        which = {**_TEXT, "description": "Its id, from memory_search"}
        return (
            _tool(
                "memory_store",
                "Remember one statement that the user made.",
                {"content": content, "type": _KIND, "tags": tags},
                self._store,
                ("content",),
            ),
            _tool(
                "memory_update",
                "Correct one memory, after the user said what is right.",
                {"id": which, "content": content},
                self._update,
                ("id", "content"),
            ),
            _tool(
                "memory_delete",
                "Forget one memory, because the user wants that.",
                {"id": which},
                self._delete,
                ("id",),
            ),
            self._clearing(),
        )

    def _clearing(self) -> Tool:
        asked = "Also what the user trusts most; only if they ask for it"
        return _tool(
            "memory_clear",
            "Forget all memories of one type or from one period, because the user wants that."
            " The first call only counts them.",
            {
                "type": _KIND,
                "since": {**_TEXT, "description": _DAY.format("The first")},
                "until": {**_TEXT, "description": _DAY.format("The last")},
                "system": {"type": "boolean", "description": asked},
                "confirm": {"type": "integer", "description": "The number that was counted"},
            },
            self._clear,
            (),
        )

    def _store(self, arguments: Mapping[str, Any], turn: ToolScope) -> ToolOutcome:
        kind = MemoryType(arguments.get("type", MemoryType.SEMANTIC))
        tags = [str(tag).strip() for tag in arguments.get("tags", ()) if str(tag).strip()]
        learned = self._notes.keep(arguments["content"], kind, tags, self._writer(turn))
        text = " ".join(receipt_text(one) for one in learned.became)
        ids = " ".join(f"(id {one.memory_id})" for one in learned.became if one.memory_id)
        failed = any(one.outcome is StatementOutcome.REFUSED for one in learned.became)
        written = learned.batch and any(one.outcome in _KEPT for one in learned.became)
        changes = learned.changes | self._queue.enqueue_index() if written else Changes()
        return ToolOutcome(f"{text} {ids}".strip(), changes, failed)

    def _search(self, arguments: Mapping[str, Any], turn: ToolScope) -> str:
        limit = max(1, min(MOST, arguments.get("limit", USUAL)))
        query = Query(arguments["query"], self._scope(turn), self._clock())
        hits = self._recaller().recall(query, MOST).hits
        found = [hit for hit in hits if hit.kind is HitKind.MEMORY][:limit]
        self._rows.touch([hit.id for hit in found], self._clock())
        return "\n".join(map(_line, found)) or NOTHING_FOUND

    def _get(self, arguments: Mapping[str, Any], turn: ToolScope) -> str:
        memory = self._visible(arguments["id"], turn)
        lines = [
            _cut(memory.text),
            f"Type: {memory.type}. Trust: {memory.trust}.{_archived(memory)}",
            f"Remembered on {_day(memory.created_at)}, changed on {_day(memory.updated_at)}.",
        ]
        if memory.key is not None:
            lines.append(f"Key: {memory.key}. Value: {_cut(shown(memory.value))}")
        if memory.tags:
            lines.append(f"Tags: {', '.join(memory.tags)}")
        quotes = [one.quote for one in self._rows.evidence(memory.id) if one.quote]
        lines += [f"The user said: “{_cut(quote)}”" for quote in quotes[:_SHOWN]]
        return "\n".join(lines)

    def _update(self, arguments: Mapping[str, Any], turn: ToolScope) -> ToolOutcome:
        memory = self._visible(arguments["id"], turn)
        changes = self._notes.reword(memory, arguments["content"], self._writer(turn))
        now = self._rows.get(memory.id)
        told = CHANGED.format(_cut(now.text), _cut(memory.text))
        return ToolOutcome(told, changes | self._queue.enqueue_index())

    def _delete(self, arguments: Mapping[str, Any], turn: ToolScope) -> ToolOutcome:
        memory = self._visible(arguments["id"], turn)
        if memory.trust is Trust.SYSTEM:
            raise Refused(THE_PERSONS)
        changes = self._memories.forget([memory.id], turn.message_id, by=ACTOR)
        return ToolOutcome(FORGOTTEN.format(_cut(memory.text)), changes)

    def _clear(self, arguments: Mapping[str, Any], turn: ToolScope) -> ToolOutcome:
        found = self._to_clear(arguments, turn)
        if not found:
            return ToolOutcome(NOTHING_TO_CLEAR, failed=True)
        if arguments.get("confirm") != len(found):
            lines = [f"• {_cut(memory.text)}" for memory in found[:_SHOWN]]
            lines += ["• …"] if len(found) > _SHOWN else []
            number = counted(len(found), "memory")
            return ToolOutcome(PREVIEW.format(number, "\n".join(lines), len(found)))
        ids = [memory.id for memory in found]
        changes = self._memories.forget(ids, turn.message_id, by=ACTOR)
        return ToolOutcome(CLEARED.format(counted(len(ids), "memory")), changes)

    def _to_clear(self, arguments: Mapping[str, Any], turn: ToolScope) -> Sequence[Memory]:
        """Return what the agent itself keeps of a type or period; what is pinned stays."""
        since, until = _moment(arguments, "since"), _moment(arguments, "until")
        if not (arguments.get("type") or since or until):
            raise Refused(TOO_WIDE)
        trusts = frozenset(Trust) if arguments.get("system") else frozenset(Trust) - {Trust.SYSTEM}
        wanted = MemoryFilter(
            types=frozenset({MemoryType(arguments["type"])})
            if "type" in arguments
            else frozenset(),
            trusts=trusts,
            statuses=frozenset({Status.ACTIVE, Status.PROPOSED}),
            pinned=False,
            since=since,
            until=until + timedelta(days=1) if until else None,
        )
        scope = self._scope(turn)
        found = self._rows.by_ids(self._rows.ids(scope, wanted))
        return [one for one in found if one.agent_pk == scope.agent_pk and not _locis(one)]

    def _visible(self, memory_id: str, turn: ToolScope) -> Memory:
        """Return a memory in use or archived that the agent may see.

        Raises:
            NotFound: There is none; another agent's looks no different.
        """
        scope = self._scope(turn)
        for memory in self._rows.by_ids([memory_id.strip()]):
            own = memory.agent_pk == scope.agent_pk or memory.visibility is Visibility.GLOBAL
            ours = memory.visibility is Visibility.GROUP and {*memory.group_pks} & {
                *scope.group_pks
            }
            if memory.status in _STATUSES and (own or ours) and not _locis(memory):
                return memory
        raise NotFound(GONE)

    def _scope(self, turn: ToolScope) -> Scope:
        agent_pk = turn.scope.agent_pk
        return Scope(agent_pk, self._groups.rows_of(agent_pk, turn.groups))

    def _writer(self, turn: ToolScope) -> WritingTurn:
        return WritingTurn(self._scope(turn), turn.message_id, ACTOR)


def _tool(
    name: str,
    description: str,
    properties: Mapping[str, Any],
    run: Callable[[Mapping[str, Any], ToolScope], str | ToolOutcome],
    required: Sequence[str],
) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(ToolSpec(name, description, schema), run)


def _line(hit: Hit) -> str:
    doubt = "" if hit.trust.is_own else ", not verified"
    return f"[{hit.id}] {_cut(hit.text)} ({_day(hit.at)}{doubt})"


def _cut(text: str) -> str:
    return clipped(text, LONGEST)


def _day(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d}"


def _archived(memory: Memory) -> str:
    return " Archived." if memory.status is Status.OUT_OF_WINDOW else ""


def _locis(memory: Memory) -> bool:
    """Return whether Loci itself has to keep it."""
    return (memory.key or "").startswith(RESERVED)


def _moment(arguments: Mapping[str, Any], name: str) -> datetime | None:
    """Return when a day begins here; None where none is named.

    Raises:
        Refused: It is no day.
    """
    told = arguments.get(name, "").strip()
    try:
        return datetime.strptime(told, "%Y-%m-%d").astimezone() if told else None
    except ValueError:
        raise Refused(NO_DATE.format(name)) from None
