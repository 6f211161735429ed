"""The factors of a score: what moves a find up or down besides how well it matches.

Every factor is ``1 + alpha * (signal - 0.5)`` with a signal from 0 to 1, so that 0.5 changes
nothing and no factor leaves ``1 ± alpha / 2``. A signal whose data is absent is 0.5.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import inf, log

from app.domain.memory import Trust
from app.domain.reason import factor as moved_by
from app.domain.recall import Hit, changed
from app.memory.recall.pipeline import QueryContext

DAY_SECONDS = 86_400.0
HALF_LIFE_DAYS = 30.0
TIE = 1e-9
NEUTRAL = 0.5


def age_days(then: datetime, now: datetime) -> float:
    """Return days since ``then`` (of 86 400 seconds); 0 for the future."""
    return max(0.0, (now - then).total_seconds() / DAY_SECONDS)


def recency(hit: Hit, now: datetime) -> float:
    """Return how lately it was said or learnt: 1 now, 0.5 after a day."""
    return 1 / (1 + age_days(hit.at, now))


def temporal(hit: Hit, now: datetime) -> float:
    """Return how lately the thing itself happened."""
    return NEUTRAL if hit.occurred_at is None else 1 / (1 + age_days(hit.occurred_at, now))


def confidence(hit: Hit, now: datetime) -> float:
    """Return what is left of an observation's confidence: it halves every 30 days."""
    if hit.confidence is None:
        return 1.0
    decay: float = 0.5 ** (age_days(hit.occurred_at or hit.at, now) / HALF_LIFE_DAYS)
    return hit.confidence * decay


def proof(hit: Hit, now: datetime) -> float:
    """Return how often it was confirmed, drawn to neutral as confidence decays."""
    if hit.proof_count is None:
        return NEUTRAL
    raw = min(1.0, max(0.0, NEUTRAL + log(hit.proof_count) / 10))
    return NEUTRAL + (raw - NEUTRAL) * confidence(hit, now)


def trust(hit: Hit) -> float:
    """Return how far it is believed: 0 where it is not the person's word, learned 0.5, system 1."""
    return {Trust.SYSTEM: 1.0, Trust.LEARNED: NEUTRAL}.get(hit.trust, 0.0)


@dataclass(frozen=True, slots=True)
class Boosts:
    """Multiplies the factors into each score and sorts.

    Attributes:
        recency_alpha, temporal_alpha, proof_alpha, trust_alpha: How far each may move a score.
    """

    recency_alpha: float = 0.2
    temporal_alpha: float = 0.2
    proof_alpha: float = 0.1
    trust_alpha: float = 0.1
    name: str = "scoring"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits with factors and new scores, best first."""
        return by_score(self.boosted(hit, context.query.now) for hit in hits)

    def boosted(self, hit: Hit, now: datetime) -> Hit:
        """Return one hit with its factors and its new score; its base stays."""
        factors = {
            "recency": 1 + self.recency_alpha * (recency(hit, now) - NEUTRAL),
            "temporal": 1 + self.temporal_alpha * (temporal(hit, now) - NEUTRAL),
            "proof": 1 + self.proof_alpha * (proof(hit, now) - NEUTRAL),
            "trust": 1 + self.trust_alpha * (trust(hit) - NEUTRAL),
        }
        score, reasons = hit.score, list(hit.reasons)
        for name, factor in factors.items():
            score *= factor
            if factor != 1.0:
                reasons.append(moved_by(name, factor))
        return changed(hit, score=score, factors={**hit.factors, **factors}, reasons=tuple(reasons))


def by_score(hits: Iterable[Hit]) -> list[Hit]:
    """Return hits best first; within 1e-9 of the best of them, higher trust comes first.

    Hits equal in both stay in the order they came in. Each tier is sorted by itself.
    """
    ranked: list[tuple[int, float, int, int, Hit]] = []
    tier, best = 0, inf
    for place, hit in sorted(enumerate(hits), key=lambda one: (one[1].tier, -one[1].score)):
        if hit.tier != tier or best - hit.score > TIE:
            tier, best = hit.tier, hit.score
        ranked.append((tier, -best, -hit.trust.rank, place, hit))
    return [hit for *_, hit in sorted(ranked, key=lambda one: one[:4])]
