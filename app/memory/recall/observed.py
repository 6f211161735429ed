"""Let an observation stand for the statements that it was drawn from, where it says as much."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, HitKind, changed
from app.memory.change.agreement import contains
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.score import by_score
from app.memory.recall.stages import DEDUPED, lost


@dataclass(frozen=True, slots=True)
class Observed:
    """Drops a statement where an observation drawn from it was found and says all that it says.

    What is pinned stays, and so does what says more than the observation: nothing is lost.
    """

    name: str = "observations"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits; an observation takes the best score of those it stands for."""
        heads: dict[str, Hit] = {}
        for hit in hits:
            for source_id in hit.memory.source_ids if _is_observation(hit) and hit.memory else ():
                heads.setdefault(source_id, hit)
        held: dict[str, list[Hit]] = {}
        for hit in hits:
            if hit.id in heads and _stands_for(heads[hit.id], hit):
                held.setdefault(heads[hit.id].id, []).append(hit)
        gone = {hit.id for some in held.values() for hit in some}
        return by_score(
            lost(hit, DEDUPED, Reason(ReasonKind.OBSERVED))
            if hit.id in gone and hit.kind is HitKind.MEMORY
            else _raised(hit, held.get(hit.id, []))
            for hit in hits
        )


def _is_observation(hit: Hit) -> bool:
    return hit.kind is HitKind.MEMORY and hit.proof_count is not None and not hit.replaced


def _stands_for(observation: Hit, hit: Hit) -> bool:
    sure = observation.trust.rank >= hit.trust.rank and not hit.pinned
    same = hit.kind is HitKind.MEMORY and not _is_observation(hit) and not hit.replaced
    return sure and same and contains(observation.text, hit.text)


def _raised(hit: Hit, held: Sequence[Hit]) -> Hit:
    if not held:
        return hit
    best = min((hit, *held), key=lambda one: (one.tier, -one.score))
    relevance = max((h.relevance for h in (hit, *held) if h.relevance is not None), default=None)
    raised = changed(hit, tier=best.tier, score=best.score, relevance=relevance)
    return raised.scored(best.score, Reason(ReasonKind.STANDS_FOR, numbers=(len(held),)))
