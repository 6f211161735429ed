"""Tell whether two statements can both be true: numbers, denials, and places that hold one value.

Everything here is words alone, and every doubt says that they can. What is found is only shown to
the person, who decides.
"""

import re
from collections.abc import Sequence

from app.domain.contradiction import Clash
from app.memory import agreement, novelty
from app.memory.extract.person import expanded
from app.memory.extract.vocabulary import listed

_NOT = "<not>"
_OVER = frozenset({_NOT, "<ended>"})
_TENSES = frozenset({"<past>", "<future>"})
_HELPING = re.compile(
    r"\b(?:no longer|not|never|any ?more|stopped|quit|am|is|are|was|were|do|does|did|have|has|"
    r"had)\b",
    re.IGNORECASE,
)
_IS = re.compile(
    r"^(?P<whose>Your|The) (?P<slot>[^\W\d_][\w' -]{1,40}?) (?:is|are) (?:now |called |named )?"
    r"(?P<value>.{1,60}?)\.?$"
)
_EVERY = re.compile(r"\b(?:every|each)\b", re.IGNORECASE)
_PARTED = re.compile(
    r"^You (?:have )?(?:sold|gave away|given away|lost|scrapped) (?:the|your) (?P<thing>.+?)"
    r"(?: and .+)?$"
)
_HAD = re.compile(
    r"^(?:You (?:have|own|drive|ride) |Your [^\W\d_]+ is )an? (?P<thing>[^,.;]{1,60})$"
)
_PREPOSITIONS = frozenset(listed("in, at, on, for, to, from, with, by, of, as"))
# People have several of these, so two values are two people or things.
_SEVERAL = frozenset(
    listed(
        "brother, sister, sibling, friend, cousin, child, son, daughter, kid, uncle, aunt, "
        "nephew, niece, grandchild, grandson, granddaughter, colleague, neighbour, neighbor, "
        "cat, dog, pet, hobby, language, allergy, book, film, movie, song, band, plant, teacher, "
        "student, client, goal, plan, idea, favourite, favorite, project, tattoo, bike, bicycle"
    )
)
_NAME = re.compile(r"^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)*$")
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof"})
_ALSO = re.compile(r"\b(?:also|too|as well|another|second|besides)\b", re.IGNORECASE)


def clash(new: str, old: str) -> Clash | None:
    """Return how two statements contradict each other, or None where both may be true."""
    if _ALSO.search(new):
        return None
    if denies(new, old):
        return Clash.CLOSING
    if novelty.rivals(new, old) or same_place(new, old):
        return Clash.SLOT
    return None


def denies(one: str, other: str) -> bool:
    """Return whether two texts say the same, one that it is and one that it is not (any more).

    What is denied may be part of what the other says: "You are not going to Porto any more" denies
    "You are going to Porto in September". What was sold or given away, nobody has any more.
    """
    return any(_denies(a, b) or _parted(a, b) for a, b in ((one, other), (other, one)))


def _denies(no: str, yes: str) -> bool:
    mine, theirs = novelty.content(no).words, novelty.content(yes).words
    denied = mine - _OVER
    if _NOT not in mine or _NOT in theirs or len(denied) < 2:
        return False
    if denied & _TENSES != theirs & _TENSES:
        return False
    if denied == theirs:
        return True
    whole, part = agreement.said(_bare(yes)), agreement.said(_bare(no))
    return whole.turns == part.turns and _contains(whole.tokens, part.tokens)


def _contains(whole: Sequence[str], part: Sequence[str]) -> bool:
    """Return whether some words stand in another text, apart at prepositions alone."""
    at, before = 0, ""
    for number, word in enumerate(part):
        apart = number > 1 and (word in _PREPOSITIONS or before in _PREPOSITIONS)
        while apart and at < len(whole) and whole[at] != word:
            at += 1
        if at == len(whole) or whole[at] != word:
            return False
        at, before = at + 1, word
    return at == len(whole) or whole[at] in agreement.ADDING


def _bare(text: str) -> str:
    """Return a text without what denies it, and without the verbs that only help."""
    return " ".join(_HELPING.sub(" ", _EVERY.sub("on", expanded(text))).split())


def _parted(new: str, old: str) -> bool:
    """Return whether somebody parted with what another text says they have."""
    gone, had = _PARTED.match(new), _HAD.match(old)
    if gone is None or had is None:
        return False
    thing = novelty.content(gone["thing"]).words
    return bool(thing) and thing <= novelty.content(had["thing"]).words


def same_place(one: str, other: str) -> bool:
    """Return whether two texts give one thing of which there is one different names or numbers."""
    mine, theirs = _IS.match(one.strip()), _IS.match(other.strip())
    if mine is None or theirs is None:
        return False
    slot = agreement.said(mine["slot"]).words
    if not slot or slot != agreement.said(theirs["slot"]).words:
        return False
    if _SEVERAL & set(re.split(r"[ -]", mine["slot"].casefold())):
        return False
    values = mine["value"], theirs["value"]
    if not all(_NAME.match(value) or value[0].isdigit() for value in values):
        return False
    first, second = (novelty.content(value).words - _TITLES for value in values)
    return first.isdisjoint(second)
