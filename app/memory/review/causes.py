"""Link what was learnt to what the person said it brought about.

A model names an effect in its own words; it is linked to the memory that says it, where there is
one that is plainly alike, and to none where there is a doubt.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from app.domain.ids import Clock
from app.domain.memory import Candidate, Memory, Scope, Status, Trust
from app.errors import ModelError
from app.memory.learn.filing import Filed
from app.memory.text import novelty
from app.providers.base import Embedder, Purpose, Vector
from app.store.index.match import either
from app.store.store import Store

ALIKE = 0.6
SHARED = 0.5
_NEAREST = 8
_BY_WORDS = 5
_MOST_WORDS = 16
_LIVE = frozenset({Status.ACTIVE, Status.PROPOSED})

Told = Mapping[str, Vector]


class Causality:
    """Links causes to effects in one vault."""

    def __init__(self, store: Store, embedder: Callable[[], Embedder], clock: Clock) -> None:
        self._causes = store.causes
        self._vectors = store.vectors
        self._memories = store.memories
        self._search = store.words
        self._embedder = embedder
        self._clock = clock

    def told(self, candidates: Iterable[Candidate]) -> Told:
        """Embed the effects that statements name; by words alone where there is no embedder."""
        texts = list(dict.fromkeys(effect for one in candidates for effect in named(one)))
        if not texts:
            return {}
        try:
            found = self._embedder().embed(texts, Purpose.PASSAGE)
        except ModelError:
            return {}
        return {text: one.vector for text, one in zip(texts, found, strict=True)}

    def link(self, filed: Sequence[tuple[Candidate, Filed]], told: Told) -> int:
        """Link statements that were just filed to their effects; return how many links are new."""
        batch = [one.memory for _, one in filed]
        made = 0
        for candidate, one in filed:
            for effect in named(candidate) if one.memory.status in _LIVE else ():
                if found := self._meant(effect, one.memory, batch, told):
                    made += self._causes.link(one.memory.id, found[0].id, found[1])
        return made

    def _meant(
        self, effect: str, cause: Memory, batch: Sequence[Memory], told: Told
    ) -> tuple[Memory, float] | None:
        """Return the memory that says an effect, and how surely."""
        scope = Scope(cause.agent_pk)
        cosines = self._nearest(told[effect], scope) if effect in told else {}
        found = self._memories.of_rows([*cosines, *self._by_words(effect, scope)])
        pool = {memory.pk: memory for memory in (*batch, *found)}
        best: tuple[Memory, float] | None = None
        for memory in pool.values():
            foreign = memory.agent_pk != cause.agent_pk or memory.status not in _LIVE
            if memory.pk == cause.pk or foreign:
                continue
            cosine, overlap = cosines.get(memory.pk, 0.0), _overlap(effect, memory.text)
            scores = [s for s, least in ((cosine, ALIKE), (overlap, SHARED)) if s >= least]
            if scores and (best is None or max(scores) > best[1]):
                best = memory, max(scores)
        return best

    def _nearest(self, vector: Vector, scope: Scope) -> dict[int, float]:
        info = self._embedder().info
        found = self._vectors.nearest(
            "memory",
            vector,
            _NEAREST,
            embedder_pk=self._vectors.use(info.id, info.dims),
            scope=scope,
            now=self._clock(),
            trusts=frozenset(Trust),
        )
        return dict(found)

    def _by_words(self, effect: str, scope: Scope) -> list[int]:
        words = re.findall(r"\w+", effect)[:_MOST_WORDS]
        match = either(words)
        if not match:
            return []
        trusts, now = frozenset(Trust), self._clock()
        return [pk for pk, _ in self._search.memories(match, scope, trusts, now, _BY_WORDS)]


def named(candidate: Candidate) -> Sequence[str]:
    """Return the effects a statement names."""
    found: Sequence[str] = candidate.extra.get("effects", ())
    return found


def _overlap(effect: str, text: str) -> float:
    """Return the share of an effect's words that a memory has."""
    words = novelty.content(effect).words
    return len(words & novelty.content(text).words) / len(words) if words else 0.0
