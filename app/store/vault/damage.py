"""Notice in a row what Loci can never have written there.

The schema binds Loci, and another program that has the key only as far as it lets it. What cannot
be read is named and given up; the rest of the row, and every other row, still reads.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from app.domain.conversation import MemoryMode, MessageState, PartOrigin, Role
from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.domain.language.foreign import number_of
from app.domain.language.text import clipped
from app.domain.memory import MemoryType, Origin, Status, Trust, Visibility
from app.store.vault import facts
from app.store.vault.connection import Row

UNREADABLE = "(damaged)"
KINDS: Mapping[str, type[StrEnum]] = {
    "type": MemoryType,
    "trust": Trust,
    "origin": Origin,
    "status": Status,
    "visibility": Visibility,
}
LISTS = frozenset({"tags", "source_ids"})

_FLAGS = frozenset({"pinned", "conflicted"})
_TITLE = 80  # letters of a conversation
_RESTORE = "restore an earlier backup"
_BROKEN = object()
_TEXT, _NUMBER = (str,), (int,)
_TEXT_OR_NONE, _NUMBER_OR_NONE = (str, type(None)), (int, type(None))


@dataclass(frozen=True)
class RowForm:
    """What the rows of a table may hold.

    Attributes:
        allowed: The types of each column that is read.
        instead: What harms least where a column cannot be read.
        words: The words of which a column holds one.
        lists: Those that hold a list of texts as JSON.
        values: Those that hold any JSON, or nothing.
        records: Those that hold an object as JSON.
        counts: Those that hold a number that was counted.
        times: Those that hold a moment that a clock can have told, or nothing.
    """

    allowed: Mapping[str, tuple[type, ...]]
    instead: Mapping[str, Any]
    words: Mapping[str, frozenset[str]]
    lists: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()

    @cached_property
    def bound(self) -> frozenset[str]:
        """The columns of which the type alone does not say that they can be read."""
        kinds = (self.lists, self.values, self.records, self.counts, self.times)
        return frozenset(self.words).union(*kinds)

    def reads(self, name: str, value: object) -> bool:
        """Say whether a column can be read."""
        if type(value) not in self.allowed[name]:
            return False
        if name in self.words:
            return value in self.words[name]
        if name in self.records:
            found = _read(value)
            numbers = name != "figures" or all(map(_is_figure, _values(found)))
            return isinstance(found, dict) and numbers
        if name in self.counts:
            return facts.count(value) is not None
        if name in self.times:
            return value is None or facts.moment(value) is not None
        if name in self.lists:
            found = _read(value)
            return isinstance(found, list) and all(isinstance(one, str) for one in found)
        return name not in self.values or value is None or _read(value) is not _BROKEN


MEMORY = RowForm(
    {
        **dict.fromkeys(("id", "text", "actor", "status_reason", *KINDS, *LISTS), _TEXT),
        **dict.fromkeys(("source_id", "key", "value", "category", "superseded_by"), _TEXT_OR_NONE),
        **dict.fromkeys(("agent_pk", "seen_count", "access_count", "revision"), _NUMBER),
        **dict.fromkeys(("created_at", "updated_at", "pinned", "conflicted"), _NUMBER),
        **dict.fromkeys(("occurred_at", "valid_to", "expires_at"), _NUMBER_OR_NONE),
        **dict.fromkeys(("consolidated_at", "last_accessed_at", "proof_count"), _NUMBER_OR_NONE),
        "confidence": (float, type(None)),
    },
    {
        **dict.fromkeys(("agent_pk", "seen_count", "revision"), 1),
        **dict.fromkeys(("access_count", "created_at", "updated_at", "pinned", "conflicted"), 0),
        **dict.fromkeys(("actor", "status_reason"), ""),
        **dict.fromkeys(LISTS, "[]"),
        "text": UNREADABLE,
        "type": MemoryType.SEMANTIC,
        "trust": Trust.EXTERNAL,
        "origin": Origin.IMPORT,
        "status": Status.QUARANTINED,
        "visibility": Visibility.SELF,
    },
    {name: frozenset(kind) for name, kind in KINDS.items()},
    LISTS,
    frozenset({"value"}),
)
CONVERSATION = RowForm(
    {
        **dict.fromkeys(("id", "title", "mode", "draft"), _TEXT),
        **dict.fromkeys(("agent_pk", "pinned", "archived", "created_at", "updated_at"), _NUMBER),
        "source_key": _TEXT_OR_NONE,
    },
    {
        **dict.fromkeys(("pinned", "archived", "created_at", "updated_at"), 0),
        "agent_pk": 1,
        "title": UNREADABLE,
        "mode": MemoryMode.OFF,
        "draft": "",
    },
    {"mode": frozenset(MemoryMode)},
)
MESSAGE = RowForm(
    {
        **dict.fromkeys(("id", "role", "speaker", "text", "model", "state", "error"), _TEXT),
        **dict.fromkeys(("agent_pk", "redacted", "recallable", "created_at"), _NUMBER),
        "source_key": _TEXT_OR_NONE,
    },
    {
        **dict.fromkeys(("speaker", "model", "error"), ""),
        **dict.fromkeys(("redacted", "recallable", "created_at"), 0),
        "agent_pk": 1,
        "role": Role.ASSISTANT,
        "text": UNREADABLE,
        "state": MessageState.COMPLETE,
    },
    {"role": frozenset(Role), "state": frozenset(MessageState)},
)
PART = RowForm(
    dict.fromkeys(("origin", "name", "text"), _TEXT),
    {"origin": PartOrigin.PASTED, "name": "", "text": UNREADABLE},
    {"origin": frozenset(PartOrigin)},
)


JOB = RowForm(
    {
        **dict.fromkeys(("id", "kind", "unique_key", "payload", "checkpoint"), _TEXT),
        **dict.fromkeys(("state", "error"), _TEXT),
        **dict.fromkeys(("attempts", "run_after", "created_at", "updated_at"), _NUMBER),
    },
    {
        **dict.fromkeys(("kind", "unique_key", "error"), ""),
        **dict.fromkeys(("payload", "checkpoint"), "{}"),
        **dict.fromkeys(("attempts", "run_after", "created_at", "updated_at"), 0),
        "state": "failed",
    },
    {"state": frozenset(("queued", "running", "done", "failed", "cancelled"))},
    records=frozenset({"payload", "checkpoint"}),
    counts=frozenset({"attempts"}),
    times=frozenset({"run_after", "created_at", "updated_at"}),
)
RUN = RowForm(
    {
        **dict.fromkeys(("id", "kind", "begun_by", "outcome", "figures", "batch", "error"), _TEXT),
        "started_at": _NUMBER,
        "ended_at": _NUMBER_OR_NONE,
    },
    {
        **dict.fromkeys(("kind", "batch", "error"), ""),
        "begun_by": Trigger.EVENT,
        "outcome": RunOutcome.FAILED,
        "figures": "{}",
        "started_at": 0,
    },
    {"begun_by": frozenset(Trigger), "outcome": frozenset(RunOutcome)},
    records=frozenset({"figures"}),
    times=frozenset({"started_at", "ended_at"}),
)


def of(row: Row, form: RowForm = MEMORY) -> tuple[str, ...]:
    """Return the columns of a whole row that cannot be read."""
    bad = [
        name
        for name, types in form.allowed.items()
        if type(row[name]) not in types or (name in form.bound and not form.reads(name, row[name]))
    ]
    return tuple(bad)


def mended(row: Row, damaged: tuple[str, ...], form: RowForm = MEMORY) -> dict[str, Any]:
    """Return the columns of a damaged row, with what harms least where one cannot be read."""
    columns = {
        name: form.instead.get(name) if name in damaged else row[name] for name in form.allowed
    }
    if "id" in damaged:
        columns["id"] = named(row["id"], row["pk"])
    return columns


def named(row_id: object, pk: int) -> str:
    """Return the name of a row, or where that cannot be read, one that no other row has."""
    return row_id if isinstance(row_id, str) else f"row-{pk}"


def sentence(row: Row, damaged: tuple[str, ...]) -> str:
    """Say that a memory is damaged, and what the person can do about it."""
    if "id" in damaged:
        return f"A memory without a name is damaged ({_listed(damaged)}): {_RESTORE}."
    return (
        f"The memory {row['id']} is damaged ({_listed(damaged)}): {_RESTORE}, or erase it with"
        f" `loci memories erase {row['id']}`."
    )


def of_conversation(row: Row, damaged: tuple[str, ...]) -> str:
    """Say that a conversation is damaged, and what the person can do about it."""
    title = "" if "title" in damaged else clipped(row["title"], _TITLE)
    what = f"The conversation “{title}”" if title else "A conversation"
    erase = "" if "id" in damaged else ", or erase it in the window"
    return f"{what} is damaged ({_listed(damaged)}): {_RESTORE}{erase}."


def of_message(title: object, damaged: tuple[str, ...]) -> str:
    """Say that a message is damaged, and what the person can do about it."""
    where = f"in “{clipped(title, _TITLE)}” " if isinstance(title, str) and title else ""
    return (
        f"A message {where}is damaged ({_listed(damaged)}): {_RESTORE}, or erase the conversation"
        " in the window."
    )


def of_job(row: Row, damaged: tuple[str, ...]) -> str:
    """Say that a piece of background work is damaged, and what the person can do about it."""
    return (
        f"{_called('A piece of background work', row, damaged)} is damaged ({_listed(damaged)}) and"
        " does not run: `loci doctor --accept` starts it again, or removes it where it does not say"
        " what it is."
    )


def of_run(row: Row, damaged: tuple[str, ...]) -> str:
    """Say that a run is damaged, and what the person can do about it."""
    return (
        f"{_called('A line', row, damaged)} in the history of background work is damaged"
        f" ({_listed(damaged)}): `loci doctor --accept` removes it."
    )


def in_short(damaged: tuple[str, ...]) -> str:
    """Say what of something that is shown cannot be read."""
    return f"It is damaged ({_listed(damaged)})."


def _called(what: str, row: Row, damaged: tuple[str, ...]) -> str:
    return what if "kind" in damaged else f"{what} (“{clipped(row['kind'], _TITLE)}”)"


def said(text: object) -> dict[str, Any]:
    """Return what an entry of the journal keeps of a memory, as far as it can be read."""
    found = _read(text)
    if not isinstance(found, dict):
        return {}
    return {name: value for name, value in found.items() if _is_plain(name, value)}


def is_entry(row: Row) -> bool:
    """Say whether all that an entry of the journal keeps of a memory can be read."""
    return all(said(row[name]) == _read(row[name]) for name in ("before", "after"))


def _is_plain(name: str, value: object) -> bool:
    """Say whether a value is one that a field of a memory may have."""
    if name == "group_pks":
        return isinstance(value, list) and all(type(one) is int for one in value)
    if name in LISTS:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if name not in MEMORY.allowed or name in MEMORY.values:
        return True
    if isinstance(value, bool) or (name == "confidence" and type(value) is int):
        return name in ("confidence", *_FLAGS)
    return MEMORY.reads(name, value)


def _values(found: object) -> list[object]:
    return list(found.values()) if isinstance(found, dict) else []


def _is_figure(value: object) -> bool:
    try:
        number_of(value)
    except ValueError:
        return False
    return True


def _listed(damaged: tuple[str, ...]) -> str:
    return ", ".join(name.replace("_", " ") for name in damaged)


def _read(text: object) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else _BROKEN
    except (ValueError, RecursionError):
        return _BROKEN
