"""Tell what a model only copied out of its instructions, so that it cannot become a memory.

Instructions show the form of a reply with placeholders such as ``<one short sentence>``, and never
with an example that could be true of somebody. A text that holds a placeholder, with or without its
brackets, or several words in a row of the instructions, says nothing of the person; unless these
are words of theirs.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

_PLACEHOLDER = re.compile(r"<([^<>\n]{1,80})>")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_IN_A_ROW = 4


def copied(text: str, rules: str, said: str) -> bool:
    """Return whether a text is made of a model's instructions.

    Args:
        text: What the model wrote.
        rules: Its instructions.
        said: The words it was to write of; what stands in them is not copied.
    """
    if any(found.group() not in said for found in _PLACEHOLDER.finditer(text)):
        return True
    own, words = _words(said), _words(text)
    if any(_holds(words, one) and not _holds(own, one) for one in _placeholders(rules)):
        return True
    return bool((_runs(words) & _runs_of(rules)) - _runs(own))


def _holds(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether a phrase stands in a text; one word has to be all of it."""
    if len(phrase) < 2:
        return list(words) == list(phrase)
    starts = range(len(words) - len(phrase) + 1)
    return any(list(words[at : at + len(phrase)]) == list(phrase) for at in starts)


@lru_cache(8)
def _placeholders(rules: str) -> tuple[tuple[str, ...], ...]:
    found = (tuple(_words(one)) for one in _PLACEHOLDER.findall(rules))
    return tuple(one for one in dict.fromkeys(found) if one)


@lru_cache(8)
def _runs_of(rules: str) -> frozenset[tuple[str, ...]]:
    return frozenset(_runs(_words(rules)))


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + _IN_A_ROW]) for at in range(len(words) - _IN_A_ROW + 1)}


def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
