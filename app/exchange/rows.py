"""Read the rows of an export: the one place that says what may stand in each column.

A value that is no good is left out, so that its column keeps its default; a row that lacks what it
cannot do without is left out and counted. What is let through can be stored, shown and exported.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Any

from app.domain.conversation import MemoryMode, MessageState, PartOrigin, Role, Standing
from app.domain.ids import from_ms, to_ms
from app.domain.language.foreign import fit, number_of, read_json, text_of, whole_of
from app.domain.memory import MemoryType, Origin, Status, Trust, Visibility
from app.domain.recall import HitKind
from app.store import reasons
from app.store.vault.rows import dumps

Row = dict[str, Any]
Reader = Callable[[Any], Any]  # returns a value fit to be kept, or raises ValueError

# What a row cannot do without, whoever wrote it.
NEEDED: Mapping[str, frozenset[str]] = {
    "conversations": frozenset({"id"}),
    "messages": frozenset({"id", "conversation"}),
    "documents": frozenset({"id"}),
    "document_passages": frozenset({"document"}),
    "message_parts": frozenset({"message"}),
    "memories": frozenset({"id", "text", "status"}),
    "evidence": frozenset({"memory", "message"}),
    "journal": frozenset({"before", "after"}),
}
MOST_FINDS = 10_000  # of one recall; the list of their numbers is as long as the greatest


class Rows:
    """Reads the rows of one export, line by line, the first of each id.

    Attributes:
        unreadable: How many rows were left out so far, because they could not be read.
    """

    def __init__(
        self,
        is_new: Callable[[str, str], bool],
        needed: Callable[[str], Collection[str]] = lambda _table: (),
    ) -> None:
        self._is_new = is_new
        self._needed = needed
        self.unreadable = 0

    def read(self, table: str, line: bytes) -> Row | None:
        """Return the row of a line; None where it is left out, as are repeated ids."""
        if not line or line.isspace():
            return None
        row = _row(table, line)
        needed = NEEDED.get(table, frozenset()).union(self._needed(table))
        if not row.keys() >= needed or ("id" in row and not self._is_new(table, row["id"])):
            self.unreadable += 1
            return None
        return row


def _row(table: str, line: bytes) -> Row:
    """Return what is good of a line."""
    try:
        found = read_json(line)
    except ValueError:
        return {}
    return _good(found, lambda name: _OF_TABLE.get((table, name)) or COLUMNS.get(name, text_of))


def _good(found: Any, reader: Callable[[str], Reader], *, empty: bool = False) -> Row:
    """Return the fields of an object that are good, with the empty ones where these say something.

    What is no object has none.
    """
    row: Row = {}
    for name, value in found.items() if isinstance(found, dict) else ():
        with suppress(ValueError):
            if value is not None:
                row[name] = reader(name)(value)
            elif empty:
                row[name] = None
    return row


# -- single values ---------------------------------------------------------------------------------


def _name(value: Any) -> str:
    if not (text := text_of(value)):
        raise ValueError("no name")
    return text


def _time(value: Any) -> int:
    """Return a time; one that is too far away to be shown is brought near enough."""
    return to_ms(from_ms(int(number_of(value))))


def _flag(value: Any) -> int:
    return whole_of(int(value) if isinstance(value, bool) else value, 0, 1)


def _figure(value: Any) -> float:
    """Return a number as it is written, whole ones without a fraction."""
    number = number_of(value)
    return int(number) if isinstance(value, int) else number


def _share(value: Any) -> float:
    if not 0 <= (number := number_of(value)) <= 1:
        raise ValueError("no share")
    return number


def _hexadecimal(value: Any) -> str:
    bytes.fromhex(text := _name(value))
    return text


def _one_of(kind: type[StrEnum]) -> Reader:
    return lambda value: str(kind(text_of(value)))


# -- JSON within a text ----------------------------------------------------------------------------


def _json(reader: Reader) -> Reader:
    return lambda value: dumps(reader(read_json(text_of(value))))


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("no list")
    return value


def _texts(value: Any) -> list[str]:
    return [text for text in _list(value) if isinstance(text, str)]


def _object(value: Any) -> Row:
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _numbers(value: Any) -> Row:
    return _good(_object(value), lambda _: _figure)


def _ranks(value: Any) -> Row:
    return _good(_object(value), lambda _: whole_of)


def _reasons(value: Any) -> list[Any]:
    """Return the reasons of a find; at their end may stand how a contradiction was settled."""
    said = _list(value)[-1:]
    settled = _good(said[0], _SETTLED.__getitem__) if said and reasons.settles(said[0]) else {}
    told = map(reasons.data, reasons.read_all(_list(value)))
    return [*told, *([settled] if settled else [])]


def _reason(value: Any) -> Row:
    if (told := reasons.read(value)) is None:
        raise ValueError("no reason")
    return reasons.data(told)


def _steps(value: Any) -> list[Row]:
    steps = [_good(step, lambda name: _STEP.get(name, _nothing)) for step in _list(value)]
    return [step for step in steps if step.keys() >= _STEP.keys() - {"note"}]


def _state(value: Any) -> Row:
    """Return what the journal says of a memory, whose fields stand in it as JSON has them."""
    told = _object(value)
    return _good(told, lambda n: _STATE.get(n) or COLUMNS.get(n, text_of), empty=True)


def _after(value: Any) -> Row:
    """Return what a memory was like after a change, which is told apart by its revision."""
    if "revision" not in (state := _state(value)):
        raise ValueError("no revision")
    return state


def _nothing(_value: Any) -> Any:
    raise ValueError("no such field")


def _switch(value: Any) -> bool:
    return bool(_flag(value))


_SETTLED: dict[str, Reader] = {"disputed": _reason, "heir": whole_of}
_STEP: dict[str, Reader] = {
    "name": text_of,
    "before": whole_of,
    "after": whole_of,
    "milliseconds": _figure,
    "note": text_of,
}
_STATE: dict[str, Reader] = {
    "tags": _texts,
    "source_ids": _texts,
    "value": fit,
    "agent_pk": whole_of,
    "pinned": _switch,
    "conflicted": _switch,
    "origin": _one_of(Origin),
    "type": _one_of(MemoryType),
    "group_pks": lambda value: [whole_of(one) for one in _list(value)],
}

# What stands in a column by its name, whatever the table; any other one is a text.
COLUMNS: Mapping[str, Reader] = {
    **dict.fromkeys(
        (
            "at",
            "created_at",
            "updated_at",
            "first_seen",
            "last_seen",
            "occurred_at",
            "valid_to",
            "expires_at",
            "last_accessed_at",
            "last_useful_at",
            "consolidated_at",
        ),
        _time,
    ),
    **dict.fromkeys(
        (
            "pinned",
            "archived",
            "title_by_user",
            "redacted",
            "conflicted",
            "cited",
            "paged",
        ),
        _flag,
    ),
    **dict.fromkeys(
        (
            "ordinal",
            "page",
            "pages",
            "size",
            "revision",
            "seen_count",
            "access_count",
            "mention_count",
            "used_count",
            "ignored_count",
            "span_start",
            "span_end",
        ),
        whole_of,
    ),
    **dict.fromkeys(("score", "base", "relevance", "milliseconds"), number_of),
    **dict.fromkeys(
        ("id", "agent", "conversation", "message", "memory", "batch", "memory_id", "document"),
        _name,
    ),
    "number": lambda value: whole_of(value, 1, MOST_FINDS),
    "proof_count": lambda value: whole_of(value, 1),
    "confidence": _share,
    "content_hash": _hexadecimal,
    "hmac": _hexadecimal,
    "trust": _one_of(Trust),
    "status": _one_of(Status),
    "visibility": _one_of(Visibility),
    "mode": _one_of(MemoryMode),
    "recallable": lambda value: whole_of(value, 0, max(Standing)),
    "role": _one_of(Role),
    "state": _one_of(MessageState),
    "value": _json(fit),
    "arguments": _json(fit),
    "memory_rules": _json(_object),
    "tags": _json(_texts),
    "source_ids": _json(_texts),
    "degraded": _json(_texts),
    "before": _json(_state),
    "after": _json(_after),
    "steps": _json(_steps),
    "lanes": _json(_ranks),
    "factors": _json(_numbers),
    "reasons": _json(_reasons),
}
_OF_TABLE: Mapping[tuple[str, str], Reader] = {
    ("memories", "type"): _one_of(MemoryType),
    ("memories", "origin"): _one_of(Origin),
    ("message_parts", "origin"): _one_of(PartOrigin),
    ("recall_hits", "kind"): _one_of(HitKind),
}
