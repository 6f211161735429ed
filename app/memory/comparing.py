"""Compare a new statement with memories it may touch: the same, more, instead, over, against.

The judge reads both together (``app.providers.judging``); likeness in meaning only nominates. Where
it does not answer, statements are told apart by their words alone and nothing is replaced.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.domain.memory import Memory
from app.errors import ModelError
from app.memory import novelty
from app.memory.parts import parts
from app.providers.base import Understanding
from app.providers.judging import Task

log = logging.getLogger(__name__)

TOUCHED = 0.2
NOMINATED = 0.3
MOST = 6
MOST_PAIRS = 3


class Relation(StrEnum):
    """How a newer statement stands to an older one; the order is that of the judge's outputs."""

    SAME = "same"
    ADDS = "adds"
    REPLACES = "replaces"
    ENDS = "ends"
    CONTRADICTS = "contradicts"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Compared:
    """An older memory beside a new statement.

    Attributes:
        chances: How likely each relation is.
        parts: What it says one by one, where it says several things, and how likely each is over.
        later: Whether it was said after the statement all the same, as when an old conversation is
            brought in; it is then compared as the newer one.
        older, newer: Of texts that say several things, what was compared; empty where all was.
    """

    memory: Memory
    chances: dict[Relation, float]
    parts: tuple[tuple[str, float], ...] = ()
    later: bool = False
    older: str = ""
    newer: str = ""

    @property
    def narrowed(self) -> "Compared":
        """It with what was compared as the memory's words."""
        return replace(self, memory=replace(self.memory, text=self.older)) if self.older else self

    @property
    def over(self) -> float:
        """How likely the older one holds no more."""
        return self.chances[Relation.REPLACES] + self.chances[Relation.ENDS]

    @property
    def ends(self) -> bool:
        """Whether it is likelier ended than replaced."""
        return self.chances[Relation.ENDS] > self.chances[Relation.REPLACES]

    @property
    def of_one_thing(self) -> float:
        """How likely both tell the same of one thing, be it with other values."""
        return 1 - self.chances[Relation.UNRELATED] - self.chances[Relation.ADDS]

    @property
    def against(self) -> float:
        """How likely both cannot hold."""
        return self.over + self.chances[Relation.CONTRADICTS]


class Comparer:
    """Compares statements.

    Args:
        models: Returns the models that understand.
    """

    def __init__(self, models: Callable[[], Understanding]) -> None:
        self._models = models

    def compared(
        self, text: str, near: Sequence[tuple[Memory, float]], later: Collection[str] = ()
    ) -> list[Compared]:
        """Return how a new statement stands to memories, each given with its likeness.

        Args:
            text: The new statement.
            near: Memories, the likeliest to be touched first.
            later: Ids of those that were said after it.
        """
        asked = [memory for memory, likeness in near if likeness >= NOMINATED][:MOST]
        if not asked:
            return []
        try:
            pairs = [(text, m.text) if m.id in later else (m.text, text) for m in asked]
            found = self._models().judge(Task.COMPARE, pairs)
            compared = [
                Compared(m, dict(zip(Relation, map(float, row), strict=True)), later=m.id in later)
                for m, row in zip(asked, found, strict=True)
            ]
            near_by = [one if one.later else self._closer(one, text) for one in compared]
            return [one if one.later else self._in_parts(one, one.newer or text) for one in near_by]
        except ModelError as error:
            log.info("statements were not compared (%s)", type(error).__name__)
            return []

    def _closer(self, one: Compared, text: str) -> Compared:
        """Return how what touches most of two texts stands, where one says several things."""
        older, newer = parts(one.memory.text), parts(text)
        if len(older) == len(newer) == 1:
            return one
        shared = {(a, b): _shared(a, b) for a in older for b in newer}
        pairs = sorted((pair for pair in shared if shared[pair]), key=lambda pair: -shared[pair])
        pairs = pairs[:MOST_PAIRS]
        if not pairs:
            return one
        found = self._models().judge(Task.COMPARE, pairs)
        judged = (
            Compared(
                one.memory, dict(zip(Relation, map(float, row), strict=True)), older=a, newer=b
            )
            for (a, b), row in zip(pairs, found, strict=True)
        )
        return max((one, *judged), key=lambda each: each.against)

    def _in_parts(self, one: Compared, text: str) -> Compared:
        """Return how a new statement stands to each part of one that it may touch."""
        touched = one.against >= TOUCHED
        said = parts(one.memory.text, fine=one.memory.safety) if touched else []
        if len(said) < 2:
            return one
        found = self._models().judge(Task.COMPARE, [(part, text) for part in said])
        chances = (dict(zip(Relation, map(float, row), strict=True)) for row in found)
        judged = (Compared(one.memory, each).over for each in chances)
        return replace(one, parts=tuple(zip(said, judged, strict=True)))


def _shared(one: str, other: str) -> int:
    """Return how many words that say something two texts have in common."""
    return len(novelty.content(one).words & novelty.content(other).words)
