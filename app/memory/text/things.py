"""Tell by which words a text names what it is about: things and names, no numbers or days."""

import re
from collections.abc import Collection
from functools import cache

from app.domain.language.text import stem
from app.memory.reading.words import words
from app.memory.text import novelty
from app.memory.when.words import CALENDAR
from app.memory.word_lists import word_list

_NAME = re.compile(r"(?<=\s)[\[(“]?([^\W\d_]{2,})")


def names(text: str) -> frozenset[str]:
    """Return the words with a capital that do not begin the text; no days."""
    found = (name.casefold() for name in _NAME.findall(text) if name[0].isupper())
    return frozenset(name for name in found if name not in CALENDAR)


def things(text: str) -> frozenset[str]:
    """Return the words by which a text names what it is about; no doses and times either."""
    return content_words(text) - measures() - helping()


def content_words(text: str) -> frozenset[str]:
    """Return the words that say something; no numbers, no days."""
    words = novelty.content(text).words - novelty.calendar()
    return frozenset(word for word in words if word[0].isalpha())


@cache
def measures() -> frozenset[str]:
    """Return the stems of words that tell how much and how often, never what."""
    return frozenset(map(stem, word_list("comparing", "measures")))


@cache
def helping() -> frozenset[str]:
    """Return the stems of words that stand for a name or help a verb."""
    said = words().pronouns | words().subjects | words().leaning | words().joining
    return frozenset(map(stem, said | word_list("comparing", "helping")))


def stems(words: Collection[str]) -> frozenset[str]:
    """Return the stems that stand for words where texts are compared."""
    return frozenset(found for word in words for found in novelty.content(word).words)
