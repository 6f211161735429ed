"""Turn database rows into the nouns of the domain, and back.

A memory's field has three forms: the noun's own (a datetime, a tuple), the plain one that the
journal keeps as JSON (milliseconds, a list), and the one a column holds.
"""

import dataclasses
import json
from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from app.domain.conversation import (
    Conversation,
    Document,
    MemoryMode,
    Message,
    MessageState,
    Part,
    PartOrigin,
    Role,
    Standing,
)
from app.domain.ids import from_ms, to_ms
from app.domain.memory import Evidence, JournalEntry, Memory, Status
from app.store.vault import damage
from app.store.vault.connection import Row
from app.store.vault.damage import KINDS, LISTS

_TIMES = frozenset(
    f.name for f in dataclasses.fields(Memory) if f.name.endswith("_at") or f.name == "valid_to"
)
_FLAGS = frozenset({"pinned", "conflicted"})
_ELSEWHERE = frozenset({"pk", "group_pks", "damaged"})
FIELDS = tuple(f.name for f in dataclasses.fields(Memory) if f.name not in _ELSEWHERE)


def moment(ms: int | None) -> datetime | None:
    """Return the datetime of a column that may be empty."""
    return None if ms is None else from_ms(ms)


def near(ms: object) -> datetime:
    """Return the datetime of a column, 1970 where that holds no number."""
    return from_ms(ms if isinstance(ms, int) else 0)


def words(text: object) -> str:
    """Return the text of a column, and that it is damaged where that holds none."""
    return text if isinstance(text, str) else damage.UNREADABLE


def speaker(role: object) -> Role:
    """Return who speaks in a message, never the person where its column does not say so."""
    reads = damage.MESSAGE.reads("role", role)
    return Role(str(role)) if reads else Role.ASSISTANT


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
        created_at=near(row["created_at"]),
        message_id=row["message_id"],
        conversation_id=row["conversation_id"],
        conversation_title=words(row["title"] or ""),
    )


def conversation(row: Row) -> Conversation:
    """Return the conversation of a row that carries ``message_count``, as far as it reads."""
    damaged = damage.of(row, damage.CONVERSATION)
    columns = damage.mended(row, damaged, damage.CONVERSATION) if damaged else row
    return Conversation(
        id=columns["id"],
        title=columns["title"],
        created_at=from_ms(columns["created_at"]),
        updated_at=from_ms(columns["updated_at"]),
        pk=row["pk"],
        agent_pk=columns["agent_pk"],
        mode=MemoryMode(columns["mode"]),
        pinned=bool(columns["pinned"]),
        archived=bool(columns["archived"]),
        message_count=row["message_count"],
        damaged=damaged,
    )


def part(row: Row, damaged: tuple[str, ...] | None = None) -> Part:
    """Return one part of a message, as far as it reads; what does not may be known already."""
    damaged = damage.of(row, damage.PART) if damaged is None else damaged
    columns = damage.mended(row, damaged, damage.PART) if damaged else row
    return Part(columns["text"], PartOrigin(columns["origin"]), columns["name"], _document(row))


def _document(row: Row) -> Document | None:
    """Return the document of a part's row that carries it; None where there is none to read."""
    document, file, kind, digest = (row[name] for name in ("document", "file", "kind", "digest"))
    size, pages, paged = (row[name] for name in ("size", "pages", "paged"))
    told, counted = (document, file, kind, digest), (size, pages, paged)
    if not (all(isinstance(a, str) for a in told) and all(isinstance(n, int) for n in counted)):
        return None
    return Document(document, file, kind, size, digest, pages, bool(paged))


def damage_of_message(row: Row, parts: Sequence[Row]) -> tuple[str, ...]:
    """Return the columns of a message and of its parts that cannot be read."""
    return _damage(row, [damage.of(part, damage.PART) for part in parts])


def _damage(row: Row, of_parts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*damage.of(row, damage.MESSAGE), *chain(*of_parts))))


def message(row: Row, parts: Sequence[Row]) -> Message:
    """Return the message of a row, as far as it reads.

    Args:
        row: It carries conversation_id, title (of the conversation), parent_id and siblings.
        parts: The rows of its parts, in order.
    """
    of_parts = [damage.of(part, damage.PART) for part in parts]
    damaged = _damage(row, of_parts)
    columns = damage.mended(row, damaged, damage.MESSAGE) if damaged else row
    above, parent = row["parent_pk"], row["parent_id"]
    return Message(
        id=columns["id"],
        conversation_id=damage.named(row["conversation_id"], row["conversation_pk"]),
        role=Role(columns["role"]),
        parts=tuple(map(part, parts, of_parts)),
        created_at=from_ms(columns["created_at"]),
        pk=row["pk"],
        parent_id=None if parent is None else damage.named(parent, above),
        speaker=columns["speaker"],
        model=columns["model"],
        state=MessageState(columns["state"]),
        error=damage.of_message(row["title"], damaged) if damaged else row["error"],
        redacted=bool(columns["redacted"]),
        imported=row["source_key"] is not None,
        siblings=(row["versions"], row["version"]),
        standing=_standing(columns["recallable"]),
        damaged=damaged,
    )


def _standing(stored: int) -> Standing:
    """Return what a message counts for; one of which that cannot be told counts for nothing."""
    return next((one for one in Standing if one == stored), Standing.ASIDE)


def journal_entry(row: Row, undone: bool) -> JournalEntry:
    """Return the journal entry of a row that carries ``message_id``."""
    return JournalEntry(
        id=row["id"],
        batch=row["batch"],
        at=near(row["at"]),
        actor=row["actor"],
        op=row["op"],
        memory_id=row["memory_id"],
        before=damage.said(row["before"]),
        after=damage.said(row["after"]),
        reason=row["reason"],
        message_id=row["message_id"],
        undone=undone,
    )
