"""Merge the ranked lists of several lanes into one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

from app.domain.reason import Reason
from app.domain.recall import HitKind


@dataclass(frozen=True, slots=True)
class LaneRow:
    """One row of a lane's list.

    Attributes:
        cosine: Likeness in meaning, where the lane knows it.
    """

    kind: HitKind
    pk: int
    cosine: float | None = None

    @property
    def key(self) -> tuple[HitKind, int]:
        """What it is: the same row found by two lanes has one key."""
        return self.kind, self.pk


@dataclass(frozen=True, slots=True)
class Fused:
    """One row of the merged list.

    Attributes:
        lanes: Its rank (from 1) in each lane that found it.
        reasons: What lanes say about how they found it.
    """

    kind: HitKind
    pk: int
    score: float
    lanes: Mapping[str, int] = field(default_factory=dict)
    cosine: float | None = None
    reasons: tuple[Reason, ...] = ()

    @property
    def key(self) -> tuple[HitKind, int]:
        """What it is."""
        return self.kind, self.pk


Ranked = Sequence[tuple[str, Sequence[LaneRow]]]


@dataclass(frozen=True, slots=True)
class ReciprocalRank:
    """Reciprocal-rank fusion: a row earns weight / (k + rank) in every lane that found it.

    The sum is divided by what the first place in every lane would earn, lanes that found nothing or
    have no weight not counted; a single lane keeps its order with 1 / rank as score. Ties stand as
    first seen.
    """

    weights: Mapping[str, float]
    k: int = 60

    def weighs(self, lane: str) -> bool:
        """Return whether it is known what a place in a lane is worth."""
        return lane in self.weights

    def __call__(self, ranked: Ranked) -> list[Fused]:
        """Return one entry per distinct row, best first, scored from 0 to 1."""
        lanes = [(name, _once(found)) for name, found in ranked if found and self.weighs(name)]
        if len(lanes) == 1:
            ((name, found),) = lanes
            return [
                Fused(one.kind, one.pk, 1 / rank, {name: rank}, one.cosine)
                for rank, one in enumerate(found, start=1)
            ]
        most = fsum(self.weights[name] for name, _ in lanes) / (self.k + 1)
        fused = [self._merged(places, most) for places in _places(lanes)]
        return sorted(fused, key=lambda one: -one.score)

    def _merged(self, places: Sequence[tuple[str, int, LaneRow]], most: float) -> Fused:
        earned = fsum(self.weights[name] / (self.k + rank) for name, rank, _ in places)
        first = places[0][2]
        return Fused(
            first.kind,
            first.pk,
            min(1.0, earned / most) if most else 0.0,
            {name: rank for name, rank, _ in places},
            next((one.cosine for _, _, one in places if one.cosine is not None), None),
        )


def _once(found: Sequence[LaneRow]) -> list[LaneRow]:
    first: dict[tuple[HitKind, int], LaneRow] = {}
    for one in found:
        first.setdefault(one.key, one)
    return list(first.values())


def _places(lanes: Sequence[tuple[str, Sequence[LaneRow]]]) -> list[list[tuple[str, int, LaneRow]]]:
    """Return for every distinct row, in first-seen order, its places in the lanes."""
    places: dict[tuple[HitKind, int], list[tuple[str, int, LaneRow]]] = {}
    for name, found in lanes:
        for rank, one in enumerate(found, start=1):
            places.setdefault(one.key, []).append((name, rank, one))
    return list(places.values())
