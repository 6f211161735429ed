"""Work out what may be folded now: whose turn it is, what is like it, and what was settled before.

Statements are taken up the longest waiting first, each with whatever is like it, new or old. So no
statement is passed over for good because older ones, to which nothing is alike, come first. What is
like an observation may join it by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from app.domain.ids import Clock
from app.domain.memory import Memory, Scope, Status, Trust
from app.memory.change.lineage import NOTHING_LEFT, REPLACED
from app.memory.consolidate.clustering import Members, clusters, known
from app.memory.consolidate.wording import is_clean
from app.memory.learn.remember import LearningModels
from app.providers.base import EmbedderInfo, Embedding, Purpose, Vector
from app.settings.upkeep import ConsolidationSettings as Limits
from app.store.observations import ACTOR, ObservationProgress, place_of
from app.store.store import Store

_NEAR = 8
_OURS = frozenset({NOTHING_LEFT, REPLACED})

Fresh = Sequence[tuple[Memory, Embedding]]


@dataclass(frozen=True, slots=True)
class ConsolidationPlan:
    """What may be folded of what one agent knows.

    Attributes:
        clusters: Statements about one thing, the oldest cluster first.
        place: How far its statements will have been looked at; None where none waited.
        seen: The statements whose turn it was.
        fresh: Vectors that were made for this, with their memories.
    """

    clusters: Sequence[Members] = ()
    place: ObservationProgress | None = None
    seen: Sequence[Memory] = ()
    fresh: Fresh = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Joining:
    """Which statements may join an observation.

    Attributes:
        pairs: Statements, the oldest first, each with the observations it is like, nearest first.
        fresh: As in ``ConsolidationPlan``.
    """

    pairs: Sequence[tuple[Memory, Members]] = ()
    fresh: Fresh = field(default=(), repr=False)


class Planner:
    """Finds clusters; writes nothing."""

    def __init__(self, store: Store, models: LearningModels, clock: Clock) -> None:
        self._models = models
        self._clock = clock
        self._vectors = store.vectors
        self._journal = store.journal
        self._observations = store.observations

    def sweep(self, limits: Limits) -> str:
        """Return by what statements are looked at; where that changes, all are looked at anew."""
        external = "external" if limits.include_external else "own"
        return f"{self._embedder.id}:{limits.similarity_threshold}:{external}"

    def plan(self, agent_pk: int, limits: Limits) -> ConsolidationPlan:
        """Return what may be folded of what an agent knows.

        Raises:
            ModelError: The embedder does not answer.
        """
        place = self._observations.place(agent_pk, self.sweep(limits))
        waiting = self._observations.waiting(agent_pk, place, limits.max_candidates)
        window = [memory for memory in waiting if _may_fold(memory, limits)]
        reached = place_of(waiting[-1]) if waiting else None
        if not window:
            return ConsolidationPlan(place=reached)
        vectors, fresh = self._embedded(window)
        members = window + self._like(agent_pk, window, vectors, limits)
        members.sort(key=lambda memory: (memory.created_at, memory.pk))
        stacked = np.stack([vectors[memory.pk] for memory in members])
        found = clusters(members, stacked, limits.similarity_threshold, limits.max_cluster)
        settled = self.settled(agent_pk) if found else []
        return ConsolidationPlan(
            [one for one in found if not known(one, settled)], reached, window, fresh
        )

    def joining(self, agent_pk: int, seen: Sequence[Memory], limits: Limits) -> Joining:
        """Return which of some statements are apart still and like observations there are.

        Raises:
            ModelError: The embedder does not answer.
        """
        apart = self._observations.apart(agent_pk, [memory.pk for memory in seen])
        made = [m for m in self._observations.all_of(agent_pk) if m.status is Status.ACTIVE]
        settled = self.settled(agent_pk) if apart and made else []
        alone = [m for m in apart if made and _may_fold(m, limits) and not known([m], settled)]
        if not alone:
            return Joining()
        vectors, fresh = self._embedded([*alone, *made])
        cosines = np.stack([vectors[m.pk] for m in alone]) @ np.stack(
            [vectors[m.pk] for m in made], axis=1
        )
        pairs = []
        for memory, row in zip(alone, cosines, strict=True):
            order = np.argsort(-row, kind="stable")
            near = [made[i] for i in order if row[i] >= limits.similarity_threshold]
            pairs += [(memory, tuple(near))] if near else []
        return Joining(pairs, fresh)

    def keep(self, fresh: Fresh) -> None:
        """Store the vectors that a plan made."""
        pairs = [(memory.pk, embedding) for memory, embedding in fresh]
        texts = [memory.text for memory, _ in fresh]
        if pairs:
            self._vectors.put("memory", pairs, self._embedder_pk(), texts)

    def _embedded(
        self, window: Sequence[Memory]
    ) -> tuple[dict[int, Vector], list[tuple[Memory, Embedding]]]:
        """Return the vectors of statements, making those that are missing."""
        kept = self._vectors.vectors("memory", [m.pk for m in window], self._embedder_pk())
        missing = [memory for memory in window if memory.pk not in kept]
        made: list[tuple[Memory, Embedding]] = []
        if missing:
            texts = [memory.text for memory in missing]
            found = self._models.embedder.embed(texts, Purpose.PASSAGE)
            made = list(zip(missing, found, strict=True))
        return {**kept, **{memory.pk: one.vector for memory, one in made}}, made

    def _like(
        self, agent_pk: int, window: Sequence[Memory], vectors: dict[int, Vector], limits: Limits
    ) -> list[Memory]:
        """Return other statements that are like any of these, and note their vectors."""
        near: set[int] = set()
        for memory in window:
            found = self._vectors.nearest(
                "memory",
                vectors[memory.pk],
                _NEAR * limits.max_cluster,
                embedder_pk=self._embedder_pk(),
                scope=Scope(agent_pk, memory.group_pks),
                now=self._clock(),
                trusts=frozenset(Trust),
            )
            near |= {pk for pk, cosine in found if cosine >= limits.similarity_threshold}
        others = self._observations.apart(agent_pk, near - vectors.keys())
        found_vectors = self._of(others)
        vectors |= found_vectors
        return [m for m in others if m.pk in found_vectors and _may_fold(m, limits)]

    def _of(self, memories: Sequence[Memory]) -> Mapping[int, Vector]:
        return self._vectors.vectors("memory", [m.pk for m in memories], self._embedder_pk())

    def settled(self, agent_pk: int) -> list[frozenset[str]]:
        """Return the statements of each observation there is, and of each the person took back.

        Nothing is folded twice, and nothing again that was taken back, until other statements join.
        """
        made = [m for m in self._observations.all_of(agent_pk) if m.status_reason not in _OURS]
        found = [frozenset(memory.source_ids) for memory in made]
        for memory_id in self._observations.undone(agent_pk):
            for entry in self._journal.of_memory(memory_id):
                if entry.undone and entry.actor == ACTOR and "source_ids" in entry.after:
                    before = entry.before.get("source_ids", [])
                    found.append(frozenset(entry.after["source_ids"]) - frozenset(before))
        return found

    @property
    def _embedder(self) -> EmbedderInfo:
        return self._models.embedder.info

    def _embedder_pk(self) -> int:
        return self._vectors.use(self._embedder.id, self._embedder.dims)


def _may_fold(memory: Memory, limits: Limits) -> bool:
    """Return whether a statement may be folded; what the write screen stops at never is."""
    if not (memory.trust.is_own or limits.include_external):
        return False
    return is_clean(memory.text)
