"""Tell numbers that were mistyped from others, and which numbers a text holds."""

import re

from app.memory.text import novelty
from app.memory.text.parts import DATED

SLIPPED = 2  # digits
TELLING = 3  # digits
_NUMBER = re.compile(r"\d[\d :./-]*\d")


def slipped(text: str, older: str) -> bool:
    """Return whether a number of one text is one of another with a slip of the fingers."""
    return any(_slip(a, b) for a in figures(text) for b in figures(older))


def _slip(one: str, other: str) -> bool:
    """Return whether two numbers differ as a slip of the fingers makes them differ."""
    if len(one) != len(other) or len(one) <= TELLING:
        return False
    apart = sum(a != b for a, b in zip(one, other, strict=True))
    return apart <= SLIPPED or sorted(one) == sorted(other)


def figures(text: str) -> frozenset[str]:
    """Return the numbers of three digits and more in a text, whatever parts their digits.

    Dates that were noted in it are none.
    """
    said = DATED.sub(" ", text)
    found = (re.sub(r"\D", "", number) for number in _NUMBER.findall(said))
    return frozenset(number for number in found if len(number) >= TELLING)


def counted(text: str) -> frozenset[str]:
    """Return the numbers in a text."""
    return frozenset(word for word in novelty.content(text).words if word[0].isdigit())
