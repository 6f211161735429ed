"""Decide whether a statement says anything that is not remembered yet.

Likeness in meaning only nominates a duplicate: "allergic" and "not allergic", 5 mg and 10 mg, the
14th and the 15th of March are almost the same to an embedder. The words decide.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from app.domain.memory import Memory
from app.domain.text import normalise
from app.memory.extract.person import expanded
from app.memory.extract.vocabulary import listed
from app.memory.when.words import NUMBERS

_FUNCTION_WORDS = frozenset(
    listed(
        "a, an, the, is, are, am, be, been, being, do, does, to, of, in, at, on, and, or, "
        "you, your, yours, i, my, me, we, our, us, that, this, it, its, with, for, as, "
        "by, so, very, really, quite, just, also, too, still, there, here, has, have, having, "
        "which, who, whom, whose, then, than, about, into, over, out, up, off, per, own, "
        "self, yourself, please, well, user, users, called, named"
    )
)
_NEGATIONS = frozenset(
    listed("not, no, never, none, nobody, nothing, without, cannot, neither, nor, longer, stop")
)
_ENDINGS = frozenset(listed("stopped, quit"))
_PAST = frozenset(listed("was, were, had, did, used, ago, former, formerly, previously, ex"))
_FUTURE = frozenset(listed("will, shall, going, tomorrow"))
_MARKERS = frozenset({"<not>", "<past>", "<future>", "<ended>"})
# These turn the sense round when they change places: "from Ghent to Lille".
_DIRECTIONS = frozenset(listed("from, to, until, till, since, before, after, against, versus, not"))
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


@lru_cache(128)  # the same few are compared with each other; what is erased is soon forgotten here
def content(text: str) -> Content:
    """Return what a text says, for comparison with another."""
    words: set[str] = set()
    order: list[str] = []
    before = ""
    plain = _STRESS.sub(" ", _GLUED_UNIT.sub(" ", expanded(text)))
    for token in _WORD.findall(plain):
        low = token.casefold().removesuffix("'s").removesuffix("’s")
        if low in _NEGATIONS:
            words.add("<not>")
        elif low in _ENDINGS:
            words.update(("<not>", "<ended>"))
        elif low in _PAST:
            words.add("<past>")
        elif low in _FUTURE:
            words.add("<future>")
        elif low not in _FUNCTION_WORDS:
            words.update(_stems(low))
            if token[0].isupper() or token[0].isdigit():
                order.append(f"{before} {low}".strip())
        before = low if low in _DIRECTIONS else ""
    if len(order) < 2:
        order = []
    return Content(frozenset(words), tuple(order))


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
    counted = {stem for number in NUMBERS for stem in _stems(number)}
    numbers = all(word[0].isdigit() or word in counted for word in gone | come)
    return bool(gone) and bool(come) and numbers and bool(mine & theirs)


def same_value(one: object, other: object) -> bool:
    """Return whether two values of a key are the same, whatever their case and spacing."""
    if isinstance(one, str) and isinstance(other, str):
        return normalise(one) == normalise(other)
    return one == other


@lru_cache(32_768)
def _stems(word: str) -> frozenset[str]:
    """Return the stem, and a marker where the ending says that it is past."""
    if word[0].isdigit() or len(word) < 4:
        return frozenset((word,))
    for ending, put in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.endswith(ending):
            return frozenset((_bare(word[: -len(ending)] + put),))
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _stems(word[:-1])
    if word.endswith("ing") and len(word) > 5:
        return frozenset((_bare(word[:-3]),))
    if word.endswith("ed") and len(word) > 4:
        return frozenset((_bare(word[:-2]), "<past>"))
    return frozenset((_bare(word),))


def _bare(stem: str) -> str:
    """Make "liv", "live" and "stopp", "stop" one."""
    stem = stem.removesuffix("e")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls" else stem
