"""Turn database rows into the nouns of the domain, and back.

A memory's field has three forms: the noun's own (a datetime, a tuple), the plain one that the
journal keeps as JSON (milliseconds, a list), and the one a column holds.
"""

import dataclasses
import json
from datetime import datetime
from typing import Any

from app.domain.conversation import (
    Conversation,
    MemoryMode,
    Message,
    MessageState,
    Part,
    PartOrigin,
    Role,
)
from app.domain.ids import from_ms, to_ms
from app.domain.memory import Evidence, JournalEntry, Memory, Status
from app.store import damage
from app.store.connection import Row
from app.store.damage import KINDS, LISTS

_TIMES = frozenset(
    f.name for f in dataclasses.fields(Memory) if f.name.endswith("_at") or f.name == "valid_to"
)
_FLAGS = frozenset({"pinned", "conflicted"})
_ELSEWHERE = frozenset({"pk", "group_pks", "damaged"})
FIELDS = tuple(f.name for f in dataclasses.fields(Memory) if f.name not in _ELSEWHERE)


def moment(ms: int | None) -> datetime | None:
    """Return the datetime of a column that may be empty."""
    return None if ms is None else from_ms(ms)


def _near(ms: Any) -> datetime:
    """Return the datetime of a column, the first there is where that holds no number."""
    return from_ms(ms if isinstance(ms, int) else 0)


def dumps(value: Any) -> str:
    """Return compact JSON in which every script stays readable for the full-text index."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """Return one field of a memory as JSON can carry it."""
    if isinstance(value, datetime):
        return to_ms(value)
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    return value


def column(field: str, value: Any) -> Any:
    """Return the plain form of one field as its column stores it."""
    if field in LISTS:
        return dumps(value)
    if field == "value":
        return None if value is None else dumps(value)
    if field in _FLAGS:
        return int(value)
    return value


def plain_of_row(field: str, stored: Any) -> Any:
    """Return the plain form of what a memory's column stores."""
    if field in LISTS or field == "value":
        return None if stored is None else json.loads(stored)
    if field in _FLAGS:
        return bool(stored)
    return stored


def memory(row: Row, group_pks: tuple[int, ...] = ()) -> Memory:
    """Return the memory of a row of ``memories``; a damaged one as far as it reads, set aside."""
    damaged = damage.of(row)
    columns = damage.mended(row, damaged) if damaged else row
    fields: dict[str, Any] = {name: plain_of_row(name, columns[name]) for name in FIELDS}
    for name in _TIMES:
        fields[name] = moment(fields[name])
    for name in LISTS:
        fields[name] = tuple(fields[name])
    for name, kind in KINDS.items():
        fields[name] = kind(fields[name])
    if damaged:
        said = damage.sentence(row, damaged)
        fields |= {"damaged": damaged, "status": Status.QUARANTINED, "status_reason": said}
    return Memory(pk=row["pk"], group_pks=group_pks, **fields)


def scope_of(visibility: str, agent_pk: int) -> int:
    """Return what a memory's ``scope`` column holds."""
    return {"self": agent_pk, "group": -1, "global": 0}[visibility]


def evidence(row: Row) -> Evidence:
    """Return the evidence of a row that was joined with its message and conversation."""
    return Evidence(
        quote=str(row["quote"]),
        created_at=_near(row["created_at"]),
        message_id=row["message_id"],
        conversation_id=row["conversation_id"],
        conversation_title=row["title"] or "",
    )


def conversation(row: Row) -> Conversation:
    """Return the conversation of a row that carries ``message_count``."""
    return Conversation(
        id=row["id"],
        title=row["title"],
        created_at=from_ms(row["created_at"]),
        updated_at=from_ms(row["updated_at"]),
        pk=row["pk"],
        agent_pk=row["agent_pk"],
        mode=MemoryMode(row["mode"]),
        pinned=bool(row["pinned"]),
        archived=bool(row["archived"]),
        message_count=row["message_count"],
    )


def part(row: Row) -> Part:
    """Return one part of a message."""
    return Part(row["text"], PartOrigin(row["origin"]), row["name"])


def message(row: Row, parts: tuple[Part, ...]) -> Message:
    """Return the message of a row that carries conversation_id, parent_id and siblings."""
    return Message(
        id=row["id"],
        conversation_id=row["conversation_id"],
        role=Role(row["role"]),
        parts=parts,
        created_at=from_ms(row["created_at"]),
        pk=row["pk"],
        parent_id=row["parent_id"],
        speaker=row["speaker"],
        model=row["model"],
        state=MessageState(row["state"]),
        error=row["error"],
        redacted=bool(row["redacted"]),
        imported=row["source_key"] is not None,
        siblings=(row["versions"], row["version"]),
    )


def journal_entry(row: Row, undone: bool) -> JournalEntry:
    """Return the journal entry of a row that carries ``message_id``."""
    return JournalEntry(
        id=row["id"],
        batch=row["batch"],
        at=_near(row["at"]),
        actor=row["actor"],
        op=row["op"],
        memory_id=row["memory_id"],
        before=damage.said(row["before"]),
        after=damage.said(row["after"]),
        reason=row["reason"],
        message_id=row["message_id"],
        undone=undone,
    )
