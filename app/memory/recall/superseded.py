"""Bring back what the finds took the place of, so that it can be told what was true before.

A memory that gave way to another is no longer recalled by itself. With the one that holds now it
is: it must be about the question by its own words, it is never placed above what replaced it, and
it takes the room of a find of something else only where it is the better find.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from app.domain.memory import Trust
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, HitKind
from app.memory.recall.fuse import Fused
from app.memory.recall.pipeline import QueryContext, Trace
from app.memory.recall.stages import BELOW_BUDGET, lost
from app.store.superseded import Replaced

REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class ShowSuperseded:
    """Adds to the memories that were found what each of them took the place of last."""

    rows: Replaced
    trusts: frozenset[Trust]
    name: str = REPLACED

    def __call__(self, trace: Trace, context: QueryContext, fused: Sequence[Fused]) -> list[Fused]:
        """Return the finds, and after them what they replaced; nothing is known of that yet."""
        heirs = [one.pk for one in fused if one.kind is HitKind.MEMORY]
        if not heirs:
            return list(fused)
        old = trace.step(self.name, len(heirs), lambda: self._replaced(context, heirs))
        return [*fused, *old]

    def _replaced(self, context: QueryContext, heirs: Sequence[int]) -> list[Fused]:
        query = context.query
        before = self.rows.by(heirs, query.scope, self.trusts, query.now)
        places = enumerate((before[pk] for pk in heirs if pk in before), start=1)
        return [Fused(HitKind.MEMORY, pk, 0.0, {self.name: rank}) for rank, pk in places]


@dataclass(frozen=True, slots=True)
class LimitSuperseded:
    """Lets only the best of what was replaced go on.

    Attributes:
        most: How many.
    """

    most: int = 2
    name: str = "history"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits; of those that were replaced all but the best marked as dropped."""
        best = {hit.id for hit in [hit for hit in hits if hit.replaced][: self.most]}
        return [
            lost(hit, BELOW_BUDGET, Reason(ReasonKind.MORE_HISTORY))
            if hit.replaced and hit.id not in best
            else hit
            for hit in hits
        ]


@dataclass(frozen=True, slots=True)
class SupersededBeside:
    """Puts what was replaced right after what replaced it, where both get through in any case.

    Attributes:
        within: Among how many of the first hits; as many as a prompt is given, however many are
            asked for, so that these stand in one order everywhere.
    """

    within: int
    name: str = "beside"

    def __call__(self, context: QueryContext, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits, each followed by what it took the place of."""
        first = hits[: self.within]
        here = {hit.id for hit in first if not hit.replaced}
        old = {hit.id: hit for hit in first if hit.replaced and hit.superseded_by in here}
        followed = (
            (hit, *(one for one in old.values() if one.superseded_by == hit.id))
            for hit in first
            if hit.id not in old
        )
        return [*chain.from_iterable(followed), *hits[self.within :]]
