"""Let memories that helped earlier answers rise a little, and those that never did sink.

What is trusted more always stays ahead: the most useful memory gains less over the most ignored one
than one step of trust is worth. Where feedback is off, this stage is not there at all.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from app.domain.memory import Scope
from app.domain.reason import factor as moved_by
from app.domain.recall import Hit, HitKind, changed
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.score import NEUTRAL

BELOW_TRUST = 0.98
USEFULNESS = "usefulness"

Counts = Callable[[Collection[int], Scope], Mapping[int, tuple[int, int]]]


def unknown(memory_pks: Collection[int], scope: Scope) -> Mapping[int, tuple[int, int]]:
    """Know of no memory whether it was ever useful."""
    return {}


@dataclass(frozen=True, slots=True)
class Useful:
    """Multiplies how useful each memory was into its score; the scoring after it sorts.

    Attributes:
        counts: Returns how often memories were used and ignored.
        alpha: How far usefulness may move a score.
    """

    counts: Counts
    alpha: float
    name: str = USEFULNESS

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits in their order; what was never counted stays as it is."""
        pks = [hit.pk for hit in hits if hit.kind is HitKind.MEMORY]
        counts = self.counts(pks, context.query.scope) if pks else {}
        return [
            self._moved(hit, *counts[hit.pk])
            if hit.kind is HitKind.MEMORY and hit.pk in counts
            else hit
            for hit in hits
        ]

    def _moved(self, hit: Hit, used: int, ignored: int) -> Hit:
        factor = 1 + self.alpha * (signal(used, ignored) - NEUTRAL)
        moved = hit.scored(hit.score * factor, moved_by(USEFULNESS, factor))
        return changed(moved, factors={**hit.factors, USEFULNESS: factor})


def signal(used: int, ignored: int) -> float:
    """Return how useful a memory was, from 0 to 1; 0.5 where it was never counted."""
    return used / (used + ignored) if used + ignored else NEUTRAL


def below_trust(alpha: float, trust_alpha: float) -> float:
    """Return ``alpha``, lowered until usefulness cannot make up for one step of trust.

    The most useful of two memories gains (1 + a/2) / (1 - a/2), which must stay below 1 + t/2.
    """
    return min(alpha, BELOW_TRUST * 2 * trust_alpha / (4 + trust_alpha))
