"""Sum up without a model: the sentences that say most, verbatim and in their order.

A sentence is worth the rarity of its words within what is summed up, by its length (after Luhn,
"The automatic creation of literature abstracts", 1958); names and numbers count double, since they
are what is asked for later.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_ENDS = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_SHORTEST = 3  # words
_LONGEST = 60
_WHOLE = 400  # characters of a piece without an end


@dataclass(frozen=True, slots=True)
class _Sentence:
    place: int
    text: str
    words: frozenset[str]
    marked: int


def extract(texts: Sequence[str], most: int, count: Callable[[str], int]) -> str:
    """Return sentences of texts, a line each, in at most ``most`` tokens.

    Args:
        texts: What is summed up, in order.
        most: Tokens.
        count: Returns the number of tokens of a text.
    """
    found = list(_sentences(texts))
    spread = Counter(word for one in found for word in one.words)
    order = sorted(found, key=lambda one: (-_worth(one, spread, len(found)), one.place))
    taken: list[_Sentence] = []
    told: set[str] = set()
    left = most
    for one in order:
        cost = count(one.text) + 1
        if cost <= left and one.text not in told:
            told.add(one.text)
            taken.append(one)
            left -= cost
    if taken:
        return "\n".join(one.text for one in sorted(taken, key=lambda one: one.place))
    return _cut(" ".join(next((text for text in texts if text.strip()), "").split()), most, count)


def _cut(text: str, most: int, count: Callable[[str], int]) -> str:
    """Return the beginning of a text that takes at most ``most`` tokens."""
    text = text[: 32 * most]
    while text and (taken := count(text)) > most:
        text = text[: int(len(text) * min(0.9, most / taken))].rstrip()
    return text


def _sentences(texts: Sequence[str]) -> Iterator[_Sentence]:
    place = 0
    for text in texts:
        for piece in _ENDS.split(text):
            line = " ".join(piece.split())[:_WHOLE]
            words = _WORD.findall(line)
            if len(words) >= _SHORTEST:
                marked = sum(w[0].isdigit() or w[0].isupper() for w in words[1:])
                yield _Sentence(place, line, frozenset(map(str.casefold, words)), marked)
            place += 1


def _worth(one: _Sentence, spread: Counter[str], of: int) -> float:
    rare = sum(math.log(1 + of / spread[word]) for word in one.words)
    return (rare + one.marked) / math.sqrt(min(_LONGEST, len(one.words)) + 5)
