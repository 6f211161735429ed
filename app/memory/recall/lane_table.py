"""The ways of finding, a row each: what one is called, what it weighs, and how it is built.

To add a lane, write it in a file of its own and give it a row here. The window calls it by its
name, with spaces for underscores, unless ``app.domain.trace`` knows better words. A setting of its
own it needs only where none of the present ones is meant.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from app.domain.memory import Trust
from app.domain.recall import HitKind
from app.memory.recall.lanes.asked import (
    FTS,
    MESSAGE_FTS,
    MESSAGE_VECTOR,
    OVERVIEW,
    VECTOR,
    Meaning,
    MemoryWords,
    MessageWords,
    Overview,
    WithClaims,
)
from app.memory.recall.lanes.linked import (
    BASE,
    CAUSAL,
    ENTITY,
    PINNED,
    TEMPORAL,
    CausesAndEffects,
    Pinned,
    SameDays,
    SharedNames,
    SpreadLane,
)
from app.memory.recall.pipeline import Lane
from app.memory.recall.space import Space
from app.memory.recall.time import TIME, TimeLane
from app.settings.spec import Rag
from app.store.index.trigrams import TrigramIndex
from app.store.journal.calendar import Calendar
from app.store.links import Links
from app.store.memories import Memories
from app.store.search import WordSearch

L = TypeVar("L", covariant=True)


@dataclass(frozen=True, slots=True)
class LaneParts:
    """What lanes are built from.

    Attributes:
        trusts: What may be found, claims left out.
        claims: Whether what files claimed may be found as well.
        messages: Whether past messages may be found.
        limit: How many rows a lane from the finds has that has no limit of its own.
    """

    rag: Rag
    search: WordSearch
    memories: Memories
    space: Space
    letters: TrigramIndex
    calendar: Calendar
    links: Links
    trusts: frozenset[Trust]
    claims: bool
    messages: bool
    limit: int


@dataclass(frozen=True, slots=True)
class LaneSpec(Generic[L]):
    """One way of finding.

    Attributes:
        name: As traces call it.
        weight: The setting that says what a place in it is worth.
        build: Makes it.
        setting: The setting that switches it on; empty where it is always there.
        of_messages: Whether it finds past messages alone.
        claimed: Whether it looks among claims as well, in turn.
    """

    name: str
    weight: str
    build: Callable[[LaneParts], L]
    setting: str = ""
    of_messages: bool = False
    claimed: bool = False


ASKED: Sequence[LaneSpec[Lane]] = (
    LaneSpec(
        FTS,
        "rag.lanes.fts.weight",
        lambda p: MemoryWords(p.search, p.letters, p.trusts),
        claimed=True,
    ),
    LaneSpec(
        VECTOR,
        "rag.lanes.vector.weight",
        lambda p: Meaning(HitKind.MEMORY, p.space, p.trusts, VECTOR),
        claimed=True,
    ),
    LaneSpec(
        MESSAGE_FTS,
        "rag.lanes.fts.weight",
        lambda p: MessageWords(p.search, p.letters),
        of_messages=True,
    ),
    LaneSpec(
        MESSAGE_VECTOR,
        "rag.lanes.vector.weight",
        lambda p: Meaning(HitKind.MESSAGE, p.space, p.trusts, MESSAGE_VECTOR),
        of_messages=True,
    ),
    LaneSpec(
        OVERVIEW,
        "rag.lanes.vector.weight",
        lambda p: Overview(p.memories, p.trusts),
        "rag.lanes.overview.enabled",
    ),
    LaneSpec(
        TIME,
        "rag.time.weight",
        lambda p: TimeLane(p.calendar, p.space, p.trusts, p.messages),
        "rag.time.enabled",
    ),
)
LINKED: Sequence[LaneSpec[SpreadLane]] = (
    LaneSpec(
        ENTITY,
        "rag.entity_lane.weight",
        lambda p: SharedNames(p.links, p.trusts, p.messages, p.rag.entity_lane.per_entity_cap),
        "rag.entity_lane.enabled",
    ),
    LaneSpec(
        TEMPORAL,
        "rag.lanes.temporal.weight",
        lambda p: SameDays(p.links, p.trusts, p.rag.lanes.temporal.window_days, p.limit),
        "rag.lanes.temporal.enabled",
    ),
    LaneSpec(
        CAUSAL,
        "rag.lanes.causal.weight",
        lambda p: CausesAndEffects(p.links, p.trusts, p.limit),
        "rag.lanes.causal.enabled",
    ),
    LaneSpec(
        PINNED,
        "rag.lanes.pinned.weight",
        lambda p: Pinned(p.links, p.trusts, p.limit),
        "rag.lanes.pinned.enabled",
    ),
)


def asked_lanes(parts: LaneParts) -> list[Lane]:
    """Return the lanes that start from the question, those that the settings ask for."""
    rows = (row for row in ASKED if parts.messages or not row.of_messages)
    return [_with_claims(row, parts) for row in rows if _wanted(row, parts.rag)]


def linked_lanes(parts: LaneParts) -> list[SpreadLane]:
    """Return the lanes that start from the finds, those that the settings ask for."""
    return [row.build(parts) for row in LINKED if _wanted(row, parts.rag)] if parts.limit else []


def weights(rag: Rag) -> dict[str, float]:
    """Return what a place in each lane is worth; a lane whose weight is not there is left out."""
    rows: Sequence[LaneSpec[object]] = (*ASKED, *LINKED)
    found = {row.name: _setting(rag, row.weight) for row in rows}
    numbers = {name: value for name, value in found.items() if isinstance(value, int | float)}
    return {BASE: 1.0, **numbers}


def _wanted(row: LaneSpec[object], rag: Rag) -> bool:
    return not row.setting or bool(_setting(rag, row.setting))


def _setting(rag: Rag, key: str) -> object:
    """Return the value of a setting, or None where there is no such setting."""
    found: object = rag
    for name in key.split(".")[1:]:
        found = getattr(found, name, None)
    return found


def _with_claims(row: LaneSpec[Lane], parts: LaneParts) -> Lane:
    lane = row.build(parts)
    if not (row.claimed and parts.claims):
        return lane
    claims = row.build(replace(parts, trusts=frozenset({Trust.CLAIMED})))
    return WithClaims(lane, claims, parts.search)
