"""Notice in a row of ``memories`` what Loci can never have written there.

The schema binds Loci, and another program that has the key only as far as it lets it. What cannot
be read is named and given up; the rest of the row, and every other row, still reads.
"""

import json
from typing import Any

from app.domain.memory import MemoryType, Origin, Status, Trust, Visibility
from app.store.connection import Row

UNREADABLE = "(damaged)"
KINDS = {
    "type": MemoryType,
    "trust": Trust,
    "origin": Origin,
    "status": Status,
    "visibility": Visibility,
}
LISTS = frozenset({"tags", "source_ids"})

_MEMBERS = {name: frozenset(kind) for name, kind in KINDS.items()}
_BROKEN = object()
_TEXT, _NUMBER = (str,), (int,)
_TEXT_OR_NONE, _NUMBER_OR_NONE = (str, type(None)), (int, type(None))
_ALLOWED = {
    **dict.fromkeys(("id", "text", "actor", "status_reason", *KINDS, *LISTS), _TEXT),
    **dict.fromkeys(("source_id", "key", "value", "category", "superseded_by"), _TEXT_OR_NONE),
    **dict.fromkeys(("agent_pk", "seen_count", "access_count", "revision"), _NUMBER),
    **dict.fromkeys(("created_at", "updated_at", "pinned", "conflicted"), _NUMBER),
    **dict.fromkeys(("occurred_at", "valid_to", "expires_at", "consolidated_at"), _NUMBER_OR_NONE),
    **dict.fromkeys(("last_accessed_at", "proof_count"), _NUMBER_OR_NONE),
    "confidence": (float, type(None)),
}
_INSTEAD: dict[str, Any] = {
    **dict.fromkeys(_ALLOWED),
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
}


def of(row: Row) -> tuple[str, ...]:
    """Return the fields of a whole row of ``memories`` that cannot be read."""
    return tuple(name for name in _ALLOWED if not _reads(name, row[name]))


def mended(row: Row, damaged: tuple[str, ...]) -> dict[str, Any]:
    """Return the columns of a damaged row, with what harms least where one cannot be read."""
    columns = {name: _INSTEAD[name] if name in damaged else row[name] for name in _ALLOWED}
    if "id" in damaged:
        columns["id"] = f"row-{row['pk']}"
    return columns


def sentence(row: Row, damaged: tuple[str, ...]) -> str:
    """Say that a memory is damaged, and what the person can do about it."""
    what = ", ".join(name.replace("_", " ") for name in damaged)
    if "id" in damaged:
        return f"A memory without a name is damaged ({what}): restore a backup from before."
    return (
        f"The memory {row['id']} is damaged ({what}): restore a backup from before, or erase it"
        f" with `loci memories erase {row['id']}`."
    )


def said(text: object) -> dict[str, Any]:
    """Return what an entry of the journal keeps of a memory; nothing where it cannot be read."""
    found = _read(text)
    return found if isinstance(found, dict) else {}


def _reads(name: str, value: object) -> bool:
    if type(value) not in _ALLOWED[name]:
        return False
    if name in KINDS:
        return value in _MEMBERS[name]
    if name in LISTS:
        found = _read(value)
        return isinstance(found, list) and all(isinstance(one, str) for one in found)
    return name != "value" or value is None or _read(value) is not _BROKEN


def _read(text: object) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else _BROKEN
    except (ValueError, RecursionError):
        return _BROKEN
