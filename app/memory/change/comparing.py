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
from app.memory.reading.naming import NamedMessage
from app.memory.reading.reader import Reader
from app.memory.text import novelty
from app.memory.text.parts import parts
from app.providers.base import Understanding
from app.providers.judging import Task

log = logging.getLogger(__name__)

TOUCHED = 0.2
NOMINATED = 0.3
OVER = 0.3
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


Chances = dict[Relation, float]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Compared:
    """An older memory beside a new statement.

    Attributes:
        chances: How likely each relation is.
        parts: What it says one by one, where it says several things, and how likely each is over.
        named: These parts with the names of whom they speak of, where those stand before them.
        later: Whether it was said after the statement all the same, as when an old conversation is
            brought in; it is then compared as the newer one.
        older, newer: Of texts that say several things, what was compared; empty where all was.
    """

    memory: Memory
    chances: Chances
    parts: tuple[tuple[str, float], ...] = ()
    named: tuple[str, ...] = ()
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
    """Compares statements."""

    def __init__(self, models: Callable[[], Understanding]) -> None:
        self._models = models
        self._reader = Reader(models)

    def compared(
        self,
        text: str,
        near: Sequence[tuple[Memory, float]],
        later: Collection[str] = (),
        named: Sequence[Memory] = (),
    ) -> list[Compared]:
        """Return how a new statement stands to memories, each given with its likeness.

        Args:
            text: The new statement.
            near: Memories, the likeliest to be touched first.
            later: Ids of those that were said after it.
            named: More memories, which are compared however little like it they are.
        """
        asked = [memory for memory, likeness in near if likeness >= NOMINATED][:MOST]
        known = {memory.id for memory in asked}
        asked += [memory for memory in named if memory.id not in known]
        if not asked:
            return []
        pairs = [(text, m.text) if m.id in later else (m.text, text) for m in asked]
        try:
            found = self._judged([pairs])[0]
            compared = [
                Compared(memory, chances, later=memory.id in later)
                for memory, chances in zip(asked, found, strict=True)
            ]
            return self._in_parts(self._closer(compared, text), text)
        except ModelError as error:
            log.info("statements were not compared (%s)", type(error).__name__)
            return []

    def _closer(self, compared: Sequence[Compared], text: str) -> list[Compared]:
        """Return how what touches most of two texts stands, where one says several things."""
        said = parts(text)
        pairs = [[] if one.later else _touching(parts(one.memory.text), said) for one in compared]
        closer = []
        for one, near, found in zip(compared, pairs, self._judged(pairs), strict=True):
            each = (
                replace(one, chances=chances, older=older, newer=newer)
                for (older, newer), chances in zip(near, found, strict=True)
            )
            closer.append(max((one, *each), key=lambda each: each.against))
        return closer

    def _in_parts(self, compared: Sequence[Compared], text: str) -> list[Compared]:
        """Return how a new statement stands to each part of those that it may touch."""
        said = [
            parts(one.memory.text, fine=one.memory.safety)
            if one.against >= TOUCHED and not one.later
            else []
            for one in compared
        ]
        named = [
            self._named(one.memory, each) if len(each) > 1 and one.over >= OVER else tuple(each)
            for one, each in zip(compared, said, strict=True)
        ]
        pairs = [
            [(part, one.newer or text) for part in each] if len(each) > 1 else []
            for one, each in zip(compared, named, strict=True)
        ]
        return [
            replace(
                one,
                parts=tuple(
                    (part, replace(one, chances=chances).over)
                    for part, chances in zip(each, found, strict=False)
                ),
                named=names if found else (),
            )
            for one, each, names, found in zip(
                compared, said, named, self._judged(pairs), strict=True
            )
        ]

    def _named(self, memory: Memory, found: Sequence[str]) -> tuple[str, ...]:
        """Return the parts of a memory with the names of whom they speak of."""
        said, at, named = NamedMessage(memory.text, memory.created_at), 0, []
        for part in found:
            start = max(memory.text.find(part[1:], at) - 1, at)  # its first letter is a capital
            at = start + len(part)
            here = self._reader.named(said, start, at)
            named.append(here[:1].upper() + here[1:])
        return tuple(named)

    def _judged(self, pairs: Sequence[Sequence[Pair]]) -> list[list[Chances]]:
        """Return how the pairs of each group stand, read in one go."""
        every = [pair for group in pairs for pair in group]
        found = iter(self._models().judge(Task.COMPARE, every) if every else ())
        return [
            [dict(zip(Relation, map(float, next(found)), strict=True)) for _ in group]
            for group in pairs
        ]


def _touching(older: Sequence[str], newer: Sequence[str]) -> list[Pair]:
    """Return the pairs of parts that share the most words; none where both say one thing."""
    if len(older) == len(newer) == 1:
        return []
    shared = {(a, b): _shared(a, b) for a in older for b in newer}
    pairs = sorted((pair for pair in shared if shared[pair]), key=lambda pair: -shared[pair])
    return pairs[:MOST_PAIRS]


def _shared(one: str, other: str) -> int:
    """Return how many words that say something two texts have in common."""
    return len(novelty.content(one).words & novelty.content(other).words)
