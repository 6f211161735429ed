"""What is typed into the editor, as the fields of a memory: checked, and only what changed."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from app.domain.memory import SAFETY, Memory, MemoryType, Trust, is_safety

LONGEST_TEXT = 20_000
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2}))?")


@dataclass(frozen=True, slots=True)
class EditorDraft:
    """The editor's fields as they stand, all text but the choices."""

    text: str = ""
    type: MemoryType = MemoryType.SEMANTIC
    trust: Trust = Trust.LEARNED
    key: str = ""
    value: str = ""
    category: str = ""
    tags: str = ""
    occurred: str = ""
    pinned: bool = False
    safety: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of looking a draft over.

    Attributes:
        fields: What changed, under the names of the memory's fields.
        problems: A sentence for each field that cannot be taken so.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)


def draft_of(memory: Memory) -> EditorDraft:
    """Return a memory as the editor shows it."""
    return EditorDraft(
        text=memory.text,
        type=memory.type,
        trust=memory.trust,
        key=memory.key or "",
        value="" if memory.value is None else as_text(memory.value),
        category=memory.category or "",
        tags=", ".join(tag for tag in memory.tags if not is_safety([tag])),
        occurred=_date_text(memory.occurred_at),
        pinned=memory.pinned,
        safety=memory.safety,
    )


def check(draft: EditorDraft, memory: Memory | None) -> Checked:
    """Return what a draft would change in a memory, or set in a new one."""
    problems: dict[str, str] = {}
    found = {
        "text": _text(draft, problems),
        "type": draft.type,
        "trust": draft.trust,
        "key": draft.key.strip() or None,
        "value": _value(draft, memory, problems),
        "category": draft.category.strip() or None,
        "tags": _tags(draft, memory),
        "occurred_at": _date(draft.occurred, problems),
    }
    _check_pair(draft, problems)
    if memory is None:
        wanted = {n: found[n] for n in ("text", "type", "key", "value", "tags")}
        return Checked(wanted | {"pinned": draft.pinned}, problems)
    before = draft_of(memory)
    if draft.occurred.strip() == before.occurred:
        found["occurred_at"] = memory.occurred_at  # the line shows no seconds
    changed = {n: v for n, v in found.items() if not _same(v, getattr(memory, n))}
    return Checked(changed, problems)


def raises_trust(draft: EditorDraft, memory: Memory | None) -> bool:
    """Say whether the draft believes the memory more than before."""
    return memory is not None and draft.trust.rank > memory.trust.rank


def as_text(value: Any) -> str:
    """Return a value as it is typed: strings bare, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def tags(line: str) -> tuple[str, ...]:
    """Return the tags of a line, parted by commas, each once."""
    found = (" ".join(part.split()).removeprefix("#") for part in line.split(","))
    return tuple(dict.fromkeys(filter(None, found)))


def _tags(draft: EditorDraft, memory: Memory | None) -> tuple[str, ...]:
    """Return the tags of a draft, the mark of safety where it stood before or else at the end."""
    found = tags(draft.tags)
    plain = [tag for tag in found if not is_safety([tag])]
    if draft.safety or len(plain) < len(found):
        before = enumerate(memory.tags if memory else ())
        end = len(plain), SAFETY
        plain.insert(*next((one for one in before if is_safety(one[1:])), end))
    return tuple(plain)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _text(draft: EditorDraft, problems: dict[str, str]) -> str:
    text = draft.text.strip()
    if not text:
        problems["text"] = "A memory needs some words."
    elif len(text) > LONGEST_TEXT:
        problems["text"] = f"At most {LONGEST_TEXT:,} characters; this has {len(text):,}."
    return text


def _check_pair(draft: EditorDraft, problems: dict[str, str]) -> None:
    if draft.key.strip() and not draft.value.strip():
        problems["value"] = "A key needs a value."
    elif draft.value.strip() and not draft.key.strip():
        problems["key"] = "A value needs a key."


def _value(draft: EditorDraft, memory: Memory | None, problems: dict[str, str]) -> Any:
    """Return the value; what was JSON stays JSON, and brackets begin JSON."""
    text = draft.value.strip()
    if not text:
        return None
    old = memory.value if memory else None
    if old is not None and text == as_text(old).strip():
        return old
    if isinstance(old, str | None) and text[0] not in "{[":
        return text
    try:
        return json.loads(text)
    except ValueError:
        problems["value"] = 'Write the value as JSON, such as 42, true or ["a", "b"].'
        return None


def _date_text(moment: datetime | None) -> str:
    if moment is None:
        return ""
    local = moment.astimezone()
    bare = (local.hour, local.minute) == (0, 0)
    return f"{local:%Y-%m-%d}" if bare else f"{local:%Y-%m-%d %H:%M}"


def _date(line: str, problems: dict[str, str]) -> datetime | None:
    line = line.strip()
    if not line:
        return None
    try:
        match = _DATE.fullmatch(line)
        if match:
            year, month, day, hour, minute = (int(part or 0) for part in match.groups())
            return datetime(year, month, day, hour, minute).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        pass
    problems["occurred"] = "Write the date like 2026-03-14 or 2026-03-14 18:30."
    return None
