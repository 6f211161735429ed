"""Build the recall pipeline from the settings; this file reads as its specification.

The reference preset is what remains without what is Loci's own: past messages, the order by
relevance (with word by word, and with more candidates than are taken), the floor, times, who is
meant by "my husband", the overview, what was replaced. That is two lanes over memories asked for
twice the results, reciprocal ranks with their lowest score, the factors at their full weight,
trust, dedup, contradictions, budget; a reranker, usefulness and the lanes from the finds where they
are switched on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.domain.language.text import normalise, without_mark
from app.domain.memory import Trust
from app.domain.recall import HitKind, Query, Recall, changed
from app.memory.recall.conflicts import Conflicts
from app.memory.recall.excerpt import Excerpts
from app.memory.recall.fuse import Fused, ReciprocalRank
from app.memory.recall.interaction import LateInteractionStage
from app.memory.recall.known_people import KnownPeople
from app.memory.recall.lane_table import LaneParts, asked_lanes, linked_lanes, weights
from app.memory.recall.lanes import linked
from app.memory.recall.lanes.asked import FTS, MESSAGE_FTS, MESSAGE_VECTOR, VECTOR
from app.memory.recall.observed import Observed
from app.memory.recall.own_word import OwnWord
from app.memory.recall.pipeline import (
    Hits,
    Pipeline,
    RecallStage,
    Trace,
    alone,
    as_asked,
    timeless,
)
from app.memory.recall.relevance import Relevance, Strangers
from app.memory.recall.rerank import RerankStage
from app.memory.recall.score import Boosts
from app.memory.recall.space import Space
from app.memory.recall.stages import (
    Budget,
    Dedup,
    Evident,
    Floor,
    LineFloor,
    Questions,
    SafetyFirst,
    TrustWall,
)
from app.memory.recall.superseded import LimitSuperseded, ShowSuperseded, SupersededBeside
from app.memory.recall.time import TimeStage
from app.memory.recall.timing import Times
from app.memory.recall.usefulness import Counts, Useful, below_trust, unknown
from app.providers.base import Embedder, Reranker
from app.settings.spec import Fusion, Rag, Settings
from app.store.entities import Entities
from app.store.index.frequency import Frequency
from app.store.index.neighbours import Neighbours
from app.store.index.trigrams import TrigramIndex
from app.store.journal.calendar import Calendar
from app.store.links import Links
from app.store.memories import Memories
from app.store.search import WordSearch
from app.store.store import Store
from app.store.superseded import Replaced

QUOTED = 700
ALIKE = frozenset({FTS, VECTOR, MESSAGE_FTS, MESSAGE_VECTOR})


@dataclass(frozen=True, slots=True)
class RecallSources:
    """Where recall looks.

    Attributes:
        reranker: Returns the reranker, or None where it is off.
        useful: Returns how often memories were used and ignored.
    """

    search: WordSearch
    memories: Memories
    frequency: Frequency
    space: Space
    neighbours: Neighbours
    calendar: Calendar
    links: Links
    letters: TrigramIndex
    entities: Entities
    replaced: Replaced
    reranker: Callable[[], Reranker | None] = lambda: None
    useful: Counts = unknown

    @classmethod
    def of(
        cls,
        store: Store,
        embedder: Callable[[], Embedder],
        reranker: Callable[[], Reranker | None] = lambda: None,
        useful: Counts = unknown,
    ) -> "RecallSources":
        """Return the places of one vault."""
        return cls(
            store.words,
            store.memories,
            store.frequency,
            Space(store.vectors, embedder),
            store.neighbours,
            store.calendar,
            store.links,
            store.trigrams,
            store.entities,
            store.superseded,
            reranker,
            useful,
        )


class Recaller:
    """Finds what is known about a question.

    Args:
        reranker: Returns the reranker, or None where it is off.
    """

    def __init__(
        self,
        store: Store,
        embedder: Callable[[], Embedder],
        settings: Callable[[], Settings],
        reranker: Callable[[], Reranker | None] = lambda: None,
    ) -> None:
        self._sources = RecallSources.of(store, embedder, reranker, store.usefulness.of)
        self._restriction = store.restriction
        self._settings = settings

    def forget(self) -> None:
        """Drop what is kept of the last question, for something is erased."""
        self._sources.space.forget()

    def recall(self, query: Query, limit: int | None = None) -> Recall:
        """Return what is known, best first.

        Args:
            query: What is looked for.
            limit: At most so many hits of any length, in place of the limits of the settings.

        Raises:
            Refused: Processing is restricted.
        """
        self._restriction.expect_none()
        return pipeline(self._settings().rag, self._sources, limit).run(query)

    def nominated(self, query: Query, limit: int) -> Recall:
        """Return what may be about a question, best first, however little it is so.

        For whoever judges every find by itself: nothing is left out for being too little alike.

        Raises:
            Refused: Processing is restricted.
        """
        self._restriction.expect_none()
        rag = replace(self._settings().rag, floor=0.0)
        return pipeline(rag, self._sources, limit).run(query)


def pipeline(rag: Rag, sources: RecallSources, results: int | None = None) -> Pipeline:
    """Return the pipeline that the settings describe.

    Args:
        rag: The settings.
        sources: Where to look.
        results: At most so many hits of any length; None for the limits of the settings.
    """
    trusts = trusted(rag)
    said = trusts - {Trust.CLAIMED}  # a claim is found by what it says alone
    messages = rag.messages and Trust.LEARNED in trusts
    wanted = rag.max_results if results is None else results
    reranking = _reranking(rag, sources)
    needed = max(0, wanted, *(stage.max_candidates for stage in reranking))
    depth = max(needed, rag.candidates) if wanted else 0
    parts = _parts(rag, sources, trusts, messages, depth)
    return Pipeline(
        embed=sources.space.vector,
        lanes=asked_lanes(parts),
        fuse=ReciprocalRank(weights(rag)),
        fetch=lambda fused: _fetched(sources.search, fused),
        stages=[
            *_judging(rag, sources, trusts, messages),
            *reranking,
            *_feedback(rag, sources),
            Boosts(
                recency_alpha=rag.scoring.recency_alpha,
                temporal_alpha=rag.scoring.temporal_alpha,
                proof_alpha=rag.scoring.proof_alpha,
                trust_alpha=rag.scoring.trust_alpha,
            ),
            *_walls(trusts),
            *([Evident()] if messages else []),
            *([Observed()] if rag.fusion is Fusion.RELEVANCE else []),
            Dedup(),
            Conflicts(),
            *([Excerpts(QUOTED)] if messages else []),
            *_close(rag, results),
            *_fitting(rag, results),
        ],
        per_lane=depth if needed <= rag.candidates else 2 * depth,
        limit=depth,
        min_score=rag.min_score,
        times=Times(sources.search, said, messages) if rag.time.enabled else timeless,
        people=_people(rag, sources, said),
        spread=_spread(parts),
        before=ShowSuperseded(sources.replaced, said) if _tells_history(rag) else alone,
    )


def trusted(rag: Rag) -> frozenset[Trust]:
    """Return which trust may enter a prompt; claims may where the person's word may."""
    named = {Trust(name.strip()) for name in rag.include_trust_levels.split(",")}
    claims = {Trust.CLAIMED} if rag.claims and Trust.LEARNED in named else set()
    return frozenset(named | claims)


def _people(
    rag: Rag, sources: RecallSources, trusts: frozenset[Trust]
) -> Callable[[Trace, Query], Query]:
    if rag.fusion is not Fusion.RELEVANCE:
        return as_asked
    return KnownPeople(sources.search, sources.entities, trusts)


def _parts(
    rag: Rag, sources: RecallSources, trusts: frozenset[Trust], messages: bool, limit: int
) -> LaneParts:
    return LaneParts(
        rag=rag,
        search=sources.search,
        memories=sources.memories,
        space=sources.space,
        letters=sources.letters,
        calendar=sources.calendar,
        links=sources.links,
        trusts=trusts - {Trust.CLAIMED},
        claims=Trust.CLAIMED in trusts,
        messages=messages,
        limit=limit,
    )


def _spread(parts: LaneParts) -> linked.Spread:
    return linked.Spread(
        lanes=linked_lanes(parts),
        seeds=parts.rag.entity_lane.seed_count,
        fetch=lambda fused: _fetched(parts.search, fused),
        fuse=ReciprocalRank(weights(parts.rag)),
    )


def _judging(
    rag: Rag, sources: RecallSources, trusts: frozenset[Trust], messages: bool
) -> Sequence[RecallStage]:
    by_relevance = rag.fusion is Fusion.RELEVANCE
    stages: list[RecallStage] = []
    strangers = Strangers(sources.frequency, trusts)
    if by_relevance or rag.floor:
        stages.append(
            Relevance(
                space=sources.space,
                frequency=sources.frequency,
                strangers=strangers,
                meaning_weight=rag.lanes.vector.weight,
                words_weight=rag.lanes.fts.weight,
                rescore=by_relevance,
            )
        )
    if by_relevance and rag.late_interaction:
        stages.append(
            LateInteractionStage(
                sources.space, sources.search, sources.neighbours, sources.frequency, strangers
            )
        )
    if rag.time.enabled:
        stages.append(TimeStage(rag.time.inside, rag.time.outside, rag.time.favour))
    if messages:
        stages.append(Questions())
    if rag.floor:
        stages.append(Floor(rag.floor))
    if _tells_history(rag):
        stages.append(LimitSuperseded())
    return stages


def _close(rag: Rag, results: int | None) -> Sequence[RecallStage]:
    """Return what keeps a prompt to the point; who asks for a list wants to see all."""
    wanted = results is None and rag.floor and rag.line_floor
    return [LineFloor(rag.line_floor, ALIKE)] if wanted else []


def _fitting(rag: Rag, results: int | None) -> list[RecallStage]:
    """Return what says how much is told; safety has room where the floor kept out what is not."""
    wanted = rag.max_results if results is None else results
    room = Budget(rag.max_results, rag.max_context_chars)
    floored = rag.fusion is Fusion.RELEVANCE and rag.floor
    return [
        *([SafetyFirst(room)] if floored else []),
        Budget(wanted, rag.max_context_chars if results is None else None),
        *([SupersededBeside(rag.max_results)] if _tells_history(rag) else []),
    ]


def _tells_history(rag: Rag) -> bool:
    """Say whether what was replaced is recalled; by ranks it has no place of its own."""
    return rag.lanes.replaced.enabled and rag.fusion is Fusion.RELEVANCE


def _reranking(rag: Rag, sources: RecallSources) -> Sequence[RerankStage]:
    reranker, wanted = sources.reranker(), rag.rerank
    if reranker is None:
        return []
    seconds = wanted.timeout_ms / 1000
    return [RerankStage(reranker, wanted.max_candidates, wanted.min_results, seconds)]


def _walls(trusts: frozenset[Trust]) -> Sequence[RecallStage]:
    return [TrustWall(trusts), *([OwnWord()] if Trust.CLAIMED in trusts else [])]


def _feedback(rag: Rag, sources: RecallSources) -> Sequence[RecallStage]:
    if not rag.feedback.enabled:
        return []
    scoring = rag.scoring
    return [Useful(sources.useful, below_trust(scoring.usefulness_alpha, scoring.trust_alpha))]


def _fetched(search: WordSearch, fused: Sequence[Fused]) -> Hits:
    found = search.hydrate(
        [one.pk for one in fused if one.kind is HitKind.MEMORY],
        [one.pk for one in fused if one.kind is HitKind.MESSAGE],
    )
    read = {key: changed(hit, text=without_mark(hit.text)) for key, hit in found.items()}
    return {key: hit for key, hit in read.items() if normalise(hit.text)}
