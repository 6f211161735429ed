"""A memory's journal as lines a person can read, and which of them can still be undone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.domain.ids import from_ms
from app.domain.memory import JournalEntry, Memory, MemoryDetail, Origin, Status
from app.domain.trace import stored_word
from app.gui.inspector.wording import long_date, short_date
from app.gui.trace.wording import listed

_BOOKKEEPING = frozenset({"revision", "updated_at", "content_hash", "status_reason", "scope"})
_ORIGINS = {
    Origin.USER_TYPED: "added by you",
    Origin.USER_EDITED: "added by you",
    Origin.CONVERSATION: "learned from a conversation",
    Origin.IMPORT: "imported",
    Origin.MIGRATION: "carried over",
    Origin.DOCUMENT: "taken from a document",
    Origin.WEB: "taken from a web page",
    Origin.TOOL: "taken from a tool",
    Origin.CLIENT: "written by another program",
    Origin.REVIEW: "found in a review",
    Origin.CONSOLIDATION: "drawn from other memories",
    Origin.DREAM: "worked out in a dream",
}
_FIELDS = {
    "type": "type",
    "trust": "trust",
    "key": "key",
    "value": "value",
    "tags": "tags",
    "category": "category",
    "occurred_at": "date",
    "valid_to": "end date",
    "expires_at": "expiry",
    "visibility": "visibility",
}


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One thing that happened to a memory.

    Attributes:
        when: The short date.
        at: The full date, for the tool tip.
        sentence: What happened.
        before: The text as it was, where the text changed.
        after: The text as it became.
        batch: What "Undo" undoes; empty where nothing can be undone.
        redoes: Whether that would do again what an earlier undo took back.
        conversation_id: The conversation to open, for lines that name one.
    """

    when: str
    at: str
    sentence: str
    before: str = ""
    after: str = ""
    batch: str = ""
    redoes: bool = False
    conversation_id: str = ""


def history_lines(detail: MemoryDetail, now: datetime) -> list[HistoryLine]:
    """Return everything that happened to a memory, newest first; the journal is oldest first."""
    entries = sorted(detail.history, key=lambda entry: entry.at)
    entries.reverse()
    undoable = _undoable(entries, detail.memory)
    told = [(e.at, _line(e, detail.memory, now, e.id in undoable)) for e in entries]
    if not any(not entry.before for entry in entries):
        born = detail.memory.created_at
        told.append((born, _plain(born, now, _ORIGINS[detail.memory.origin])))
    told += _uses(detail, now)
    return [line for _, line in sorted(told, key=lambda pair: pair[0], reverse=True)]


def _uses(detail: MemoryDetail, now: datetime) -> list[tuple[datetime, HistoryLine]]:
    """Return one line for each conversation and day a memory was used in, at its last use."""
    times: dict[tuple[str, str, str], list[datetime]] = {}
    for conversation_id, title, at in detail.used_in:
        times.setdefault((conversation_id, title, short_date(at, now)), []).append(at)
    found = []
    for (conversation_id, title, _), uses in times.items():
        often = f" {len(uses)} times" if len(uses) > 1 else ""
        sentence = f"used{often} in “{title or 'Untitled conversation'}”"
        found.append((max(uses), _plain(max(uses), now, sentence, conversation_id)))
    return found


def _plain(at: datetime, now: datetime, sentence: str, conversation_id: str = "") -> HistoryLine:
    when = short_date(at, now)
    return HistoryLine(when, long_date(at), sentence, conversation_id=conversation_id)


def _line(entry: JournalEntry, memory: Memory, now: datetime, undoable: bool) -> HistoryLine:
    text_changed = bool(entry.before) and "text" in _columns(entry)
    sentence = _sentence(entry, memory)
    return HistoryLine(
        when=short_date(entry.at, now),
        at=long_date(entry.at),
        sentence=f"{sentence} (undone)" if entry.undone else sentence,
        before=str(entry.before.get("text", "")) if text_changed else "",
        after=str(entry.after.get("text", "")) if text_changed else "",
        batch=entry.batch if undoable else "",
        redoes=entry.op == "undo",
    )


def _undoable(newest_first: Sequence[JournalEntry], memory: Memory) -> set[str]:
    """Return the entries of the last batch, if nothing came after it: no other can be undone."""
    if not newest_first:
        return set()
    last = newest_first[0]
    if last.undone or not last.before or last.after.get("revision") != memory.revision:
        return set()
    if _columns(last) == {"consolidated_at"}:
        return set()  # that is one change of a whole night, which is reverted elsewhere
    return {entry.id for entry in newest_first if entry.batch == last.batch and entry.before}


def _columns(entry: JournalEntry) -> set[str]:
    names = set(entry.before) | set(entry.after)
    return {
        name for name in names - _BOOKKEEPING if entry.before.get(name) != entry.after.get(name)
    }


def _sentence(entry: JournalEntry, memory: Memory) -> str:
    if not entry.before:
        asked = entry.reason if entry.actor == "user" else ""
        return ", ".join(filter(None, (_ORIGINS[memory.origin], asked)))
    if entry.op == "undo":
        return f"a change was undone{_by(entry)}"
    columns = _columns(entry)
    states = ("status", "pinned", "consolidated_at")
    parts = [_state(entry, name) for name in states if name in columns]
    if "text" in columns:
        parts.append("edited")
    parts += [_field(entry, name) for name in _FIELDS if name in columns]
    return f"{listed(parts) or entry.reason or 'changed'}{_by(entry)}"


def _state(entry: JournalEntry, name: str) -> str:
    value = entry.after.get(name)
    if name == "pinned":
        return "pinned" if value else "unpinned"
    if name == "consolidated_at":
        return "folded into an observation" if value else "released by an observation"
    return "restored" if value == Status.ACTIVE else stored_word(name, str(value))


def _field(entry: JournalEntry, name: str) -> str:
    value = _shown(name, entry.after.get(name))
    return f"{_FIELDS[name]} set to {value}" if value else f"{_FIELDS[name]} removed"


def _shown(name: str, value: Any) -> str:
    if name.endswith(("_at", "_to")) and isinstance(value, int):
        return long_date(from_ms(value))
    if isinstance(value, list):
        return listed([str(part) for part in value])
    if value is None:
        return ""
    word = stored_word(name, str(value))
    return f"“{word}”" if name == "trust" else word


def _by(entry: JournalEntry) -> str:
    return " by you" if entry.actor == "user" else ""
