"""Tell which words can stand for one name: "he" and "she" are not both Nel, nor is "it" a Mrs Lane.

A name that says what it is ("my mother", "Mr Lane") settles it. Of any other that words of two
kinds would stand for, those are believed of which the reader is surer in all.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from app.memory.reading.words import words


@dataclass(frozen=True, slots=True)
class PronounReference:
    """A word and the name that it is thought to stand for.

    Attributes:
        word, name: As they are written.
        sure: The chance that it does.
    """

    word: str
    name: str
    sure: float


def agreeing(meant: Sequence[PronounReference]) -> list[bool]:
    """Return of each word whether it may stand for its name, going by all the others."""
    weighed: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for one in meant:
        if kind := _kind(one.word):
            weighed[one.name.casefold()][kind] += one.sure
    kinds = {
        name: _told(name) or max(votes, key=lambda kind: votes[kind])
        for name, votes in weighed.items()
    }
    return [_kind(one.word) in ("", kinds.get(one.name.casefold())) for one in meant]


def _kind(word: str) -> str:
    """Return "he", "she" or "it" of a word that can stand for one kind alone; else nothing."""
    low, sets = word.lower(), words()
    if low in sets.he:
        return "he"
    if low in sets.she:
        return "she"
    return "it" if low in sets.it else ""


def _told(name: str) -> str:
    """Return "he" or "she" where the name says so: "my mother", "Mr Lane"; else nothing."""
    spoken = frozenset(name.lower().replace(".", " ").replace("’", " ").replace("'", " ").split())
    he, she = not spoken.isdisjoint(words().men), not spoken.isdisjoint(words().women)
    return "" if he == she else "he" if he else "she"
