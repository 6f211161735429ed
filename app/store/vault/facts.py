"""The named values of a vault, each in the form in which Loci can have written it.

They are counts, dates, keys and small records, of which some are read whenever the vault opens. One
of another type, size or shape was written by something else: it counts as if it were not there, is
told with what else was changed outside Loci, and goes once the person accepts that.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from app.domain.ids import to_ms
from app.domain.language.foreign import MOST, read_json, whole_of
from app.domain.tampering import Sign, TamperingKind
from app.store.vault.connection import Connection

# An integer that is counted up stays one; what is none, or could not be counted on, is left alone.
COUNTED = f"(typeof(value) = 'integer' AND value BETWEEN 0 AND {MOST - 1})"
FIRST, LAST = (to_ms(one.replace(tzinfo=UTC)) for one in (datetime.min, datetime.max))
_KEY = 32
_VALUE = "typeof(value), iif(typeof(value) = 'text', CAST(value AS BLOB), value)"
_BROKEN = object()


def value_of(connection: Connection, key: str) -> object:
    """Return a value as it is, whatever was made of it; None where there is none."""
    row = connection.execute(f"SELECT {_VALUE} FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else _read(*row)


def count(value: object) -> int | None:
    """Return a number that was counted; None of what can be none."""
    return value if type(value) is int and 0 <= value <= MOST else None


def moment(value: object) -> int | None:
    """Return milliseconds since 1970 that a clock can have told; None of what can be none."""
    return value if type(value) is int and FIRST <= value <= LAST else None


def data(value: object) -> bytes | None:
    """Return bytes; None of what is none."""
    return value if isinstance(value, bytes) else None


def text(value: object) -> str | None:
    """Return the text of bytes; None of what is none."""
    try:
        return value.decode() if isinstance(value, bytes) else None
    except UnicodeDecodeError:
        return None


def record(value: object) -> Any:
    """Return what a value says as JSON.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(value, bytes):
        raise ValueError("no bytes")
    return read_json(value)


def lost(value: object) -> tuple[int, int, int | None] | None:
    """Return how many changes are missing, when the last was made, and after when, if known."""
    try:
        changes, until, *more = record(value)
        since = moment(more[0]) if more else None
        if moment(until) is None or len(more) > 1 or (any(more) and since is None):
            return None
        return whole_of(changes, 1), until, since
    except (ValueError, TypeError):
        return None


def findings(value: object) -> list[dict[str, Any]] | None:
    """Return what was found and kept, each by its names; None of what is no such record."""
    try:
        said = record(value)
    except ValueError:
        return None
    return said if isinstance(said, list) and all(map(_is_finding, said)) else None


def place(value: object) -> tuple[int, int] | None:
    """Return how far something came: a moment and a row; None of what is none."""
    if not isinstance(value, str):
        return None
    try:
        at, pk = map(int, value.split())
    except ValueError:
        return None
    return (at, pk) if moment(at) is not None and -(2**63) <= pk < 2**63 else None


def _read(kind: str, value: Any) -> object:
    """Return a value; a text comes as bytes, for not all that is kept as one can be read."""
    if kind != "text":
        return value
    try:
        return str(value, "utf-8")
    except UnicodeDecodeError:
        return _BROKEN


def _is_finding(said: object) -> bool:
    if not isinstance(said, dict):
        return False
    words = (said.get("sign"), said.get("kind"), said.get("memory_id"))
    fields, since = said.get("fields"), said.get("since")
    if not isinstance(fields, list) or (since is not None and moment(since) is None):
        return False
    if not all(isinstance(one, str) for one in (*words, *fields)):
        return False
    return words[0] in _SIGNS and words[1] in _KINDS


def _is_key(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == _KEY


def _is_record(value: object) -> bool:
    try:
        return isinstance(record(value), dict)
    except ValueError:
        return False


_SIGNS, _KINDS = frozenset(Sign), frozenset(TamperingKind)
_Reads = Callable[[object], bool]
_NAMED: Mapping[str, tuple[str, _Reads]] = {
    "changes": ("count of changes", lambda value: count(value) is not None),
    "changes_lost": ("record of lost changes", lambda value: lost(value) is not None),
    "examined": ("date of the last examination", lambda value: moment(value) is not None),
    "tampering": ("record of outside changes", lambda value: findings(value) is not None),
    "erasures": ("count of erasures", lambda value: count(value) is not None),
    "erasure_sought": ("record of an erasure", lambda value: data(value) is not None),
    "erasure_finished": ("report of an erasure", lambda value: text(value) is not None),
    "learner_failures": ("record of a model's failures", _is_record),
    "signing_key": ("key that signs exports", _is_key),
    "tombstone_secret": ("key that keeps erased words from coming back", _is_key),
}
_BEGINNING: Mapping[str, tuple[str, _Reads]] = {
    "secret": ("key of a server", lambda value: isinstance(value, str)),
    "consolidated_up_to": ("place of consolidation", lambda value: place(value) is not None),
}
WORDS = tuple(words for words, _ in (*_NAMED.values(), *_BEGINNING.values()))


def bent(connection: Connection) -> dict[str, str]:
    """Return in words what each value is that Loci cannot have written, by its name."""
    found = {}
    sql = f"SELECT CAST(key AS BLOB), {_VALUE} FROM meta ORDER BY key"
    for name, *said in connection.execute(sql).fetchall():
        key = str(name, "utf-8", "replace")
        words, reads = _NAMED.get(key) or _BEGINNING.get(key.partition(":")[0]) or ("", _any)
        if not reads(_read(*said)):
            found[key] = words
    return found


def drop_bent(connection: Connection) -> None:
    """Remove what Loci cannot have written; must run inside a transaction."""
    gone = [(name,) for name in bent(connection)]
    connection.executemany("DELETE FROM meta WHERE key = ?", gone)


def _any(_value: object) -> bool:
    return True
