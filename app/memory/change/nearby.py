"""Find the memories most like a statement, and how it stands to them: also which say the same."""

from collections.abc import Callable, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from app.domain.ids import Clock
from app.domain.language.text import stem
from app.domain.memory import Memory, MemoryFilter, Scope, Status, Trust
from app.errors import AppError
from app.memory.change.comparing import Compared, Comparer
from app.memory.change.summaries import is_out
from app.memory.change.superseding import same
from app.memory.text.attributes import attribute_words, of_one_attribute
from app.memory.text.distinctive import is_everyday
from app.memory.text.names import capitalised
from app.memory.text.things import things
from app.memory.word_lists import word_list
from app.providers.base import Embedder, Embedding
from app.store.index.match import either
from app.store.index.recallable import TRUSTED
from app.store.store import Store

NAMED = 4  # memories that name what a statement names, however little like it they are
NEAR = {Status.ACTIVE: 8, Status.OUT_OF_WINDOW: 3, Status.FORGOTTEN: 3}


class Nearby:
    """Finds the memories most like one, by the vectors they were embedded with.

    Args:
        embedder: Returns the embedder in use; what it has not read is near nothing.
    """

    def __init__(
        self, store: Store, embedder: Callable[[], Embedder], comparer: Comparer, clock: Clock
    ) -> None:
        self._vectors = store.vectors
        self._search = store.words
        self._journal = store.journal
        self._memories = store.memories
        self._embedder = embedder
        self._comparer = comparer
        self._clock = clock

    def like(
        self, embedding: Embedding | None, embedder_pk: int, agent_pk: int
    ) -> list[tuple[Memory, float]]:
        """Return the memories most like a statement, nearest first, with their cosine.

        What was archived is among them, since it may be over. Observations are not: what they say,
        statements say.
        """
        if embedding is None:
            return []
        statuses = (Status.ACTIVE, Status.OUT_OF_WINDOW)
        return self._nearest(embedding.vector, embedder_pk, agent_pk, statuses, frozenset(Trust))

    def beside(
        self, text: str, said_at: datetime, near: Sequence[tuple[Memory, float]], agent_pk: int
    ) -> list[Compared]:
        """Return how a statement stands to what it may change, some of which was said after it.

        That is what is like it, and what names the same things in the same words: a long memory
        that names a medicine among other things is little like "the naproxen is once a day now".
        """
        named = self._naming(text, agent_pk)
        said = self._memories.said_last([memory.id for memory in (*(m for m, _ in near), *named)])
        later = frozenset(memory_id for memory_id, last in said.items() if last > said_at)
        return self._comparer.compared(text, near, later, named)

    def _naming(self, text: str, agent_pk: int) -> list[Memory]:
        """Return the memories that name what a text names in words that not everybody uses.

        People are told of in many ways, so that their names tell nothing here. What tells an
        attribute with another value does so in other words: "married" and "separating".
        """
        names = {stem(word) for name in capitalised(text) for word in name.lower().split()}
        given = word_list("names", "given")
        wanted = {one for one in things(text) - names if not (one in given or is_everyday(one))}
        words = wanted | attribute_words(text)
        if not words:
            return []
        match, scope = either(sorted(words)), Scope(agent_pk)
        found = self._search.memories(match, scope, TRUSTED, self._clock(), NAMED)
        return [
            memory
            for memory in self._memories.of_rows([pk for pk, _ in found])
            if memory.proof_count is None
            and (wanted & things(memory.text) or of_one_attribute(text, memory.text))
        ]

    def forgotten(
        self, text: str, embedding: Embedding | None, embedder_pk: int, agent_pk: int
    ) -> list[Memory]:
        """Return the memories that the person forgot and that say what a statement says."""
        if embedding is None:
            return []
        statuses, trusts = (Status.FORGOTTEN,), frozenset(Trust)
        near = self._nearest(embedding.vector, embedder_pk, agent_pk, statuses, trusts)
        return [
            one
            for one in self._same(text, near)
            if not one.source_ids and is_out(self._journal, one)
        ]

    def compared(self, memory: Memory, *, text: str = "") -> list[Compared]:
        """Return how a memory stands to those most like it, as if it were said after them."""
        return self._comparer.compared(text or memory.text, self._like(memory))

    def between(self, newer: Memory, older: Memory) -> Compared | None:
        """Return how one memory stands to another; None where that cannot be told."""
        found = self._comparer.compared(newer.text, [(older, 1.0)])
        return found[0] if found else None

    def saying_the_same(self, memory: Memory, *statuses: Status) -> list[Memory]:
        """Return the memories of these statuses that say what a memory says, in other words."""
        return self._same(memory.text, self._like(memory, *statuses))

    def _same(self, text: str, near: Sequence[tuple[Memory, float]]) -> list[Memory]:
        """Return what says the same and no more, whichever is read first."""
        found = same(text, self._comparer.compared(text, near))
        later = frozenset(memory.id for memory in found)
        back = [pair for pair in near if pair[0].id in later]
        return same(text, self._comparer.compared(text, back, later))

    def _like(self, memory: Memory, *statuses: Status) -> list[tuple[Memory, float]]:
        try:
            info = self._embedder().info
        except AppError:
            return []
        embedder_pk = self._vectors.use(info.id, info.dims)
        vector = self._vectors.vectors("memory", [memory.pk], embedder_pk).get(memory.pk)
        if vector is None:
            return []
        statuses = statuses or (Status.ACTIVE,)
        found = self._nearest(vector, embedder_pk, memory.agent_pk, statuses, TRUSTED)
        return [pair for pair in found if pair[0].pk != memory.pk]

    def _nearest(
        self,
        vector: NDArray[np.float32],
        embedder_pk: int,
        agent_pk: int,
        statuses: Sequence[Status],
        trusts: frozenset[Trust],
    ) -> list[tuple[Memory, float]]:
        cosine = dict[int, float]()
        for status in statuses:
            if not self._has(status, agent_pk):
                continue
            near = self._vectors.nearest(
                "memory",
                vector,
                NEAR[status],
                embedder_pk=embedder_pk,
                scope=Scope(agent_pk),
                now=self._clock(),
                trusts=trusts,
                status=status,
            )
            cosine |= dict(near)
        found = self._memories.of_rows(sorted(cosine, key=lambda pk: -cosine[pk]))
        return [(memory, cosine[memory.pk]) for memory in found if memory.proof_count is None]

    def _has(self, status: Status, agent_pk: int) -> bool:
        """Return whether there are memories of a status at all: of the rarer ones mostly none."""
        wanted = MemoryFilter(statuses=frozenset({status}))
        return status is Status.ACTIVE or bool(self._memories.count(Scope(agent_pk), wanted))
