"""Decide whether a statement says anything that is not remembered yet.

Likeness in meaning only nominates a duplicate: "allergic" and "not allergic", 5 mg and 10 mg, the
14th and the 15th of March are almost the same to an embedder. The words decide.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from app.domain.language.text import normalise, stem
from app.domain.memory import Memory
from app.memory.text.contractions import expanded
from app.memory.when.words import MONTHS, NUMBERS, WEEKDAYS
from app.memory.word_lists import word_list

NOT, PAST = "<not>", "<past>"
_SIGNS = {
    "negations": (NOT,),
    "endings": (NOT, "<ended>"),
    "past": (PAST,),
    "future": ("<future>",),
}
_MARKERS = frozenset(marker for markers in _SIGNS.values() for marker in markers)
_WORD = re.compile(r"[^\W_]+(?:[.,:'’/-][^\W_]+)*")
_STRESS = re.compile(r"\b(?:any ?more|a lot|(?:very|so) much)\b(?=\W*$|[,.;])", re.IGNORECASE)
_GLUED_UNIT = re.compile(r"(?<=\d)(?=(?:mg|mcg|ml|kg|cm|km|g|m|h|am|pm)\b)")


@dataclass(frozen=True, slots=True)
class Content:
    """What a text says, without the words that only hold it together.

    Attributes:
        words: Stems, numbers and markers of negation and tense.
        order: Names and numbers, and what leads up to them, in their order.
    """

    words: frozenset[str]
    order: tuple[str, ...]


def content(text: str) -> Content:
    """Return what a text says, for comparison with another."""
    words: set[str] = set()
    order: list[str] = []
    before = ""
    idle, directions = word_list("comparing", "idle"), word_list("comparing", "directions")
    marking = _marking()
    for token in _WORD.findall(_STRESS.sub(" ", _GLUED_UNIT.sub(" ", expanded(text)))):
        low = token.casefold().removesuffix("'s").removesuffix("’s")
        if markers := marking.get(low):
            words.update(markers)
        elif low not in idle:
            words.update(_said(low))
            if token[0].isupper() or token[0].isdigit():
                order.append(f"{before} {low}".strip())
        before = low if low in directions else ""
    if len(order) < 2:
        order = []
    return Content(frozenset(words), tuple(order))


@cache
def calendar() -> frozenset[str]:
    """Return the months and weekdays as content has them: when something is, not what."""
    return frozenset(map(stem, (*MONTHS, *WEEKDAYS)))


def canonical(text: str) -> str:
    """Return what a text says as one line that is the same for every wording of it.

    Tombstones recognise by it what was erased or rejected in other words. Empty where a text has
    no words but those that hold others together.
    """
    said = content(text)
    return "\0".join((*sorted(said.words), "", *said.order)) if said.words - _MARKERS else ""


def adds_nothing(new: str, old: str) -> bool:
    """Return whether neither text has a number, name, negation or word that the other lacks."""
    if normalise(new) == normalise(old):
        return True
    return content(new) == content(old)


def says_no_more(new: str, old: str) -> bool:
    """Return whether everything the new text says is in the old one already."""
    return content(new).words <= content(old).words


def duplicate(
    text: str, neighbours: Iterable[tuple[Memory, float]], *, threshold: float, plain: bool = False
) -> Memory | None:
    """Return the memory that says the same, or None where the text is new.

    Args:
        text: The new statement.
        neighbours: Memories with their cosine to it, nearest first.
        threshold: The cosine from which a memory is looked at.
        plain: Whether likeness alone decides (the reference behaviour).
    """
    for memory, cosine in neighbours:
        same = normalise(memory.text) == normalise(text)
        if same or (cosine >= threshold and (plain or adds_nothing(text, memory.text))):
            return memory
    return None


def rivals(new: str, old: str) -> bool:
    """Return whether two texts say the same of different numbers: both can hardly be true."""
    mine, theirs = content(new).words, content(old).words
    gone, come = theirs - mine, mine - theirs
    counted = frozenset(map(stem, NUMBERS))
    numbers = all(word[0].isdigit() or word in counted for word in gone | come)
    return bool(gone) and bool(come) and numbers and bool(mine & theirs)


def same_value(one: object, other: object) -> bool:
    """Return whether two values of a key are the same, whatever their case and spacing."""
    if isinstance(one, str) and isinstance(other, str):
        return normalise(one) == normalise(other)
    return one == other


@cache
def _marking() -> Mapping[str, tuple[str, ...]]:
    """Return what words are signs of rather than something said."""
    listed = ((word_list("comparing", name), markers) for name, markers in _SIGNS.items())
    return {word: markers for words, markers in reversed([*listed]) for word in words}


def _said(word: str) -> tuple[str, ...]:
    """Return the stem of a word, and a marker where its ending says that it is past."""
    if word[0].isdigit():
        return (word,)
    root = stem(word)
    past = word.endswith("ed") and not root.endswith("ed")
    return (root, PAST) if past else (root,)
