"""The search line's little language: free words, and operators such as ``type:fact``.

Parsing never fails. What cannot be understood becomes a hint, shown under the line while typing;
the beginning of a value stands for every value that starts so, as it is stored or
as a person calls it (``type:sem``, ``type:fa``).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from app.domain.memory import MemoryFilter, MemoryType, Status, Trust
from app.domain.trace import stored_word

REMEMBERED = frozenset(Status) - {Status.FORGOTTEN}
"""What is listed when the line says nothing about status."""

CHOICES: Mapping[str, type[StrEnum]] = {"type": MemoryType, "trust": Trust, "status": Status}
"""What may be chosen of each field, as it is stored."""
_FLAGS = ("pinned", "keyed")
_OPERATORS = (*CHOICES, "is", "after", "before")
_TOKEN = re.compile(r'"[^"]*"?|\S+')
_OPERATOR = re.compile(r"([A-Za-z]+):(?!//)(.*)")
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?-?")
_UNFINISHED_DATE = re.compile(r"\d{1,3}")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A parsed search line.

    Attributes:
        text: The free words.
        hints: Sentences on what was not understood.
    """

    text: str = ""
    types: frozenset[MemoryType] = frozenset()
    trusts: frozenset[Trust] = frozenset()
    statuses: frozenset[Status] = frozenset()
    pinned: bool | None = None
    keyed: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    hints: tuple[str, ...] = ()

    @property
    def narrows(self) -> bool:
        """Whether it leaves anything out."""
        return self.as_filter() != SearchQuery().as_filter()

    def as_filter(self, order: str = "") -> MemoryFilter:
        """Return the filter to list by; without ``order``, words rank by relevance."""
        return MemoryFilter(
            text=self.text,
            types=self.types,
            trusts=self.trusts,
            statuses=self.statuses or REMEMBERED,
            pinned=self.pinned,
            keyed=self.keyed,
            since=self.since,
            until=self.until,
            order=order or ("relevance" if self.text else "newest"),
        )


def parse(line: str) -> SearchQuery:
    """Return what a search line asks for."""
    words: list[str] = []
    hints: list[str] = []
    found: dict[str, set[str]] = {name: set() for name in _OPERATORS}
    for token in _TOKEN.findall(line):
        name, value = _operator(token)
        if name in _OPERATORS:
            found[name].update(filter(None, value.lower().split(",")))
        else:
            words.append(token)
            if name:
                hints.append(_unknown(name))
    return _query(" ".join(words), found, hints)


def with_choices(line: str, name: str, values: Iterable[str]) -> str:
    """Return the line with the operator ``name`` set to ``values`` (removed if there are none)."""
    kept = [_closed(token) for token in _TOKEN.findall(line) if _operator(token)[0] != name]
    chosen = [value for value in CHOICES[name] if value in set(values)]
    return " ".join([*kept, f"{name}:{','.join(chosen)}"] if chosen else kept)


def _closed(token: str) -> str:
    return token + '"' if token.startswith('"') and token.count('"') == 1 else token


def _operator(token: str) -> tuple[str, str]:
    match = _OPERATOR.fullmatch(token)
    return (match[1].lower(), match[2]) if match else ("", "")


def _query(text: str, found: dict[str, set[str]], hints: list[str]) -> SearchQuery:
    chosen = {name: _chosen(name, found[name], hints) for name in (*CHOICES, "is")}
    since = max(_dates("after", found["after"], hints), default=None)
    until = min(_dates("before", found["before"], hints), default=None)
    return SearchQuery(
        text=text,
        types=frozenset(kind for kind in MemoryType if kind in chosen["type"]),
        trusts=frozenset(trust for trust in Trust if trust in chosen["trust"]),
        statuses=frozenset(status for status in Status if status in chosen["status"]),
        pinned=True if "pinned" in chosen["is"] else None,
        keyed=True if "keyed" in chosen["is"] else None,
        since=since,
        until=until,
        hints=tuple(dict.fromkeys(hints)),
    )


def _chosen(name: str, begun: set[str], hints: list[str]) -> set[str]:
    allowed = _FLAGS if name == "is" else tuple(CHOICES[name])
    called = {choice: stored_word(name, choice) for choice in allowed}
    chosen: set[str] = set()
    for value in sorted(begun):
        meant = {one for one in allowed if any(w.startswith(value) for w in (one, called[one]))}
        chosen |= meant
        if not meant:
            hints.append(f"{name}: takes {', '.join(called.values())}; not “{value}”.")
    return chosen


def _dates(name: str, values: set[str], hints: list[str]) -> list[datetime]:
    dates = []
    for value in sorted(values):
        moment = local_midnight(value)
        if moment:
            dates.append(moment)
        elif not _UNFINISHED_DATE.fullmatch(value):
            hints.append(f"{name}: takes a date such as 2026, 2026-01 or 2026-01-31.")
    return dates


def local_midnight(value: str) -> datetime | None:
    """Return the beginning of a year, month or day such as 2026-01, or None if it is none."""
    match = _DATE.fullmatch(value)
    if not match:
        return None
    try:
        day = datetime(int(match[1]), int(match[2] or 1), int(match[3] or 1))
        return day.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _unknown(name: str) -> str:
    known = " ".join(f"{operator}:" for operator in _OPERATORS)
    return f"“{name}:” is searched for as a word. Loci knows {known}"
