"""Tell what everybody has one of at a time: an age, and whether they are married.

"I'm 41" and "I turned 42", "married since 2012" and "separating" share no word, and only one of
each can hold. How such a thing is told, and of whom, is read here; whether it changed, the judge
tells.
"""

import re
from collections.abc import Iterator
from functools import cache

from app.domain.language.text import stem
from app.memory.text.whom import PERSON, whom
from app.memory.word_lists import word_groups

_OFTEN = r"(?:\s+(?:now|already|still|just|finally|happily|also))?"
_ENDS = r"(?=\s*(?:$|[,;.!\[]|(?:and|but|now|today|yesterday|on|last|years?\s+old)\b))"
_AGE = rf"\d{{1,3}}{_ENDS}"
_TURNED = rf"turn(?:ed|s)\s+{_AGE}"
_AM = r"(?:['’](?:m|re)|\s+(?:am|are)|(?:['’]ve|\s+have)\s+been|\s+(?:got|get|am\s+getting))"
_IS = r"(?:['’]s|\s+(?:is|are)|\s+(?:has|have)\s+been|\s+(?:got|gets))"
_OWN = r"\b(?:i|we|and\s+i)"


def of_one_attribute(text: str, older: str) -> bool:
    """Return whether two texts tell the same attribute of the same person.

    Of two people with something in common, as "my daughter Lea" and "my daughter Mia", they do not.
    """
    for own, other in _attributes():
        mine, theirs = (_told_of(one, own, other) for one in (text, older))
        if mine & theirs and (mine <= theirs or theirs <= mine):
            return True
    return False


def attribute_words(text: str) -> frozenset[str]:
    """Return the stems that tell what a text tells of this kind in words, and its other values."""
    told = (group for group in word_groups("comparing", "attributes") if _tells(text, group))
    return frozenset(stem(word.split()[-1]) for group in told for word in group)


def _told_of(text: str, own: re.Pattern[str], other: re.Pattern[str]) -> frozenset[str]:
    """Return of whom a text tells an attribute; empty where it does of nobody."""
    if own.search(text):
        return frozenset({PERSON})
    return whom(text) - {PERSON} if other.search(text) else frozenset()


def _tells(text: str, group: tuple[str, ...]) -> bool:
    return any(pattern.search(text) for pattern in _worded(group))


def _attributes() -> Iterator[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Yield how each attribute is told of the person, and how of somebody else."""
    yield _aged()
    yield from map(_worded, word_groups("comparing", "attributes"))


@cache
def _aged() -> tuple[re.Pattern[str], re.Pattern[str]]:
    own = rf"{_OWN}(?:{_AM}{_OFTEN}\s+{_AGE}|{_OFTEN}\s+{_TURNED})"
    return _pattern(own), _pattern(rf"{_IS}{_OFTEN}\s+{_AGE}|\s{_TURNED}")


@cache
def _worded(group: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    said = rf"(?:{'|'.join(map(re.escape, group))})\b(?!-)"
    return _pattern(rf"{_OWN}{_AM}{_OFTEN}\s+{said}|^{said}"), _pattern(rf"{_IS}{_OFTEN}\s+{said}")


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
