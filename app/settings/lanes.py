"""Settings of the ways of finding: words, meaning, and what is followed from the best finds."""

from dataclasses import dataclass

from app.settings.types import Level, section, setting

ADVANCED = Level.ADVANCED


COUNTS = (
    "How much this way of finding counts when all of them are put together. By default that decides"
    " only which results are considered; where ranks decide the order, it counts there too."
)
_ALSO = " Without the comparison word by word it sets how much words count beside meaning, too."


def _weight(default: float, title: str, about: str = COUNTS) -> float:
    """Declare what a way of finding counts."""
    return setting(default, title, about, minimum=0, maximum=10, level=ADVANCED)


@dataclass(frozen=True, slots=True)
class Fts:
    """Search by words."""

    weight: float = _weight(1.0, "Weight of words", COUNTS + _ALSO)


@dataclass(frozen=True, slots=True)
class VectorLane:
    """Search by meaning."""

    weight: float = _weight(1.5, "Weight of meaning", COUNTS + _ALSO)


@dataclass(frozen=True, slots=True)
class Temporal:
    """Memories from the same days."""

    enabled: bool = setting(
        False,
        "Follow days",
        "Find memories of what happened within a few days of the best results.",
        level=ADVANCED,
    )
    weight: float = _weight(1.0, "Weight of days")
    window_days: int = setting(
        7,
        "Days around",
        "How far before and after the best results.",
        minimum=0,
        maximum=3660,
        unit="days",
        level=ADVANCED,
    )


@dataclass(frozen=True, slots=True)
class Causal:
    """Causes and effects."""

    enabled: bool = setting(
        False, "Follow causes", "Find causes and effects of the best results.", level=ADVANCED
    )
    weight: float = _weight(1.0, "Weight of causes")


@dataclass(frozen=True, slots=True)
class PinnedLane:
    """What the person pinned."""

    enabled: bool = setting(
        False,
        "Recall what is pinned",
        "Consider pinned memories for every message; they are in the prompt in any case.",
        level=ADVANCED,
    )
    weight: float = _weight(1.0, "Weight of pins")


@dataclass(frozen=True, slots=True)
class OverviewLane:
    """All about the person."""

    enabled: bool = setting(
        True,
        "Tell all about me",
        'Where you ask just that ("What do you know about me?"), bring what is pinned and what is'
        " newest, whatever its words.",
        level=ADVANCED,
        reference=False,
    )


@dataclass(frozen=True, slots=True)
class ReplacedLane:
    """What was true before."""

    enabled: bool = setting(
        True,
        "Recall what was replaced",
        "With a memory, also recall the one it replaced, if that is about your message too; it"
        " comes after it, with the day until which it was true, and into a prompt only where you"
        " ask about the past. Not where ranks decide the order.",
        level=ADVANCED,
        reference=False,
    )


@dataclass(frozen=True, slots=True)
class Lanes:
    """The ways of finding."""

    fts: Fts = section(Fts, "Words", "Search by words.")
    vector: VectorLane = section(VectorLane, "Meaning", "Search by meaning.")
    temporal: Temporal = section(Temporal, "Time", "Memories of the same days.")
    causal: Causal = section(Causal, "Causes", "Causes and effects.")
    pinned: PinnedLane = section(PinnedLane, "Pins", "What the person pinned.")
    overview: OverviewLane = section(OverviewLane, "Overview", "All about the person.")
    replaced: ReplacedLane = section(ReplacedLane, "History", "What was true before.")


@dataclass(frozen=True, slots=True)
class EntityLane:
    """Memories about the same people and places."""

    enabled: bool = setting(
        False,
        "Follow names",
        "Find what mentions the same people and places as the best results.",
        level=ADVANCED,
    )
    seed_count: int = setting(
        5,
        "Results followed",
        "For how many of the best results names, days and causes are followed.",
        minimum=1,
        maximum=50,
        level=ADVANCED,
    )
    per_entity_cap: int = setting(
        200,
        "Results by name",
        "The most that come from following names.",
        minimum=0,
        maximum=1000,
        level=ADVANCED,
    )
    weight: float = _weight(1.0, "Weight of names")
