"""Settings of the ways of finding: words, meaning, and what is followed from the best finds."""

from dataclasses import dataclass

from app.settings.types import Level, section, setting

ADVANCED = Level.ADVANCED


def _weight(default: float, title: str) -> float:
    """Declare how much a way of finding counts when all of them are put together."""
    return setting(default, title, "In fusion.", minimum=0, maximum=10, level=ADVANCED)


@dataclass(frozen=True, slots=True)
class Fts:
    """Search by words."""

    weight: float = _weight(1.0, "Weight of words")


@dataclass(frozen=True, slots=True)
class VectorLane:
    """Search by meaning."""

    weight: float = _weight(1.5, "Weight of meaning")


@dataclass(frozen=True, slots=True)
class Temporal:
    """Memories from the same days."""

    enabled: bool = setting(
        False,
        "Follow days",
        "Find memories of what happened within some days of the best finds.",
        level=ADVANCED,
    )
    weight: float = _weight(1.0, "Weight of days")
    window_days: int = setting(
        7,
        "Days around",
        "How far from the best finds.",
        minimum=0,
        maximum=3660,
        unit="days",
        level=ADVANCED,
    )


@dataclass(frozen=True, slots=True)
class Causal:
    """Causes and effects."""

    enabled: bool = setting(
        False, "Follow causes", "Find causes and effects of the best finds.", level=ADVANCED
    )
    weight: float = _weight(1.0, "Weight of causes")


@dataclass(frozen=True, slots=True)
class PinnedLane:
    """What the person pinned."""

    enabled: bool = setting(
        False,
        "Recall what is pinned",
        "Weigh pinned memories for every message; they stand in the prompt in any case.",
        level=ADVANCED,
    )
    weight: float = _weight(1.0, "Weight of pins")


@dataclass(frozen=True, slots=True)
class Lanes:
    """The ways of finding."""

    fts: Fts = section(Fts, "Words", "Search by words.")
    vector: VectorLane = section(VectorLane, "Meaning", "Search by meaning.")
    temporal: Temporal = section(Temporal, "Time", "Memories of the same days.")
    causal: Causal = section(Causal, "Causes", "Causes and effects.")
    pinned: PinnedLane = section(PinnedLane, "Pins", "What the person pinned.")


@dataclass(frozen=True, slots=True)
class EntityLane:
    """Memories about the same people and places."""

    enabled: bool = setting(
        False,
        "Follow names",
        "Find what mentions the same people and places as the best finds.",
        level=ADVANCED,
    )
    seed_count: int = setting(
        5,
        "Finds followed",
        "From how many of the best finds names, days and causes are followed.",
        minimum=1,
        maximum=50,
        level=ADVANCED,
    )
    per_entity_cap: int = setting(
        200,
        "Finds by name",
        "At most so many come from following names.",
        minimum=0,
        maximum=1000,
        level=ADVANCED,
    )
    weight: float = _weight(1.0, "Weight of names")
