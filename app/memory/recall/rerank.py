"""Let a reranker have a second look at the best finds.

What it says replaces the score of the finds it read. These stand before the ones it did not read,
and neither is ever compared with the other, because their scores are on different scales.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, prod

from app.domain.reason import RERANKED, ReasonKind, measure
from app.domain.recall import Hit, changed
from app.errors import ModelError, ModelLate
from app.memory.recall.excerpt import excerpt
from app.memory.recall.pipeline import QueryContext
from app.memory.recall.score import by_score
from app.providers.base import Reranker

QUERY_CHARACTERS = 1_000
TEXT_CHARACTERS = 1_500
UNAVAILABLE = "The results were not reranked: {}"
TIMEOUT = "The results were not reranked in time: {}"


@dataclass(frozen=True, slots=True)
class RerankStage:
    """Scores the first finds by a reranker; where it fails, everything stays as it is.

    Attributes:
        max_candidates: At most so many of the first finds are read.
        min_results: With fewer finds than these, nothing is done.
        seconds: How long to wait for it.
    """

    reranker: Reranker
    max_candidates: int
    min_results: int
    seconds: float
    name: str = "rerank"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits that were read, best first, and then the others in their order."""
        if not hits or len(hits) < self.min_results:
            return list(hits)
        scores = self._scores(context.text, hits[: self.max_candidates])
        pool = [_judged(hit, score) for hit, score in zip(hits, scores, strict=False)]
        tail = [changed(hit, tier=hit.tier + 1) for hit in hits[len(pool) :]]
        return [*by_score(pool), *tail]

    def _scores(self, question: str, pool: Sequence[Hit]) -> Sequence[float]:
        texts = [_said(hit, question) for hit in pool]
        try:
            scores = self.reranker.score(question[:QUERY_CHARACTERS], texts, self.seconds)
        except ModelLate as error:
            raise ModelLate(TIMEOUT.format(error)) from error
        except ModelError as error:
            raise ModelError(UNAVAILABLE.format(error)) from error
        if len(scores) > len(pool) or not all(isfinite(s) and 0 <= s <= 1 for s in scores):
            raise ModelError(UNAVAILABLE.format("the reranker returned nonsense."))
        return scores


def was_reranked(hit: Hit) -> bool:
    """Return whether a reranker has read a hit."""
    return any(one.kind is ReasonKind.MEASURE and one.name == RERANKED for one in hit.reasons)


def _said(hit: Hit, question: str) -> str:
    """Return what is read of a find: who said it, and the passage nearest to the question."""
    text = excerpt(hit.text, question, TEXT_CHARACTERS)
    return f"{hit.speaker}: {text}" if hit.speaker else text


def _judged(hit: Hit, score: float) -> Hit:
    """Return a hit with a new base; what earlier stages found out about it still counts."""
    moved = hit.scored(score * prod(hit.factors.values()), measure(RERANKED, score))
    return changed(moved, base=score)
