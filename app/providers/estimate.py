"""How many tokens a text has where its tokenizer is out of reach: what its bytes usually take.

Measured with tokenizers of 49 and 151 thousand pieces: of English a token has four letters, but a
digit is one of its own, a character of Hindi or Chinese up to two, and of a key or a hash hardly
any letters are joined. The estimate errs upwards; what a model's server counts corrects it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from app.domain.prompting.tools import ToolSpec
from app.providers.base import PromptTurn
from app.providers.tool_words import words

PER_TURN, PER_PROMPT = 8, 24  # what a template adds
_LONGEST_WORD, _JUMBLED = 20, 0.75
_LEAST, _SLOWLY = 64, 0.1
_PLAIN_BOUNDS, _OTHER_BOUNDS = (0.8, 4.0), (0.2, 3.0)
_MARGIN = 1.1
_ASCII = 128


@dataclass(frozen=True, slots=True)
class Weight:
    """What a text probably has in tokens.

    Attributes:
        plain: Its ASCII characters.
        other: All others.
    """

    plain: float = 0.0
    other: float = 0.0

    def __add__(self, more: "Weight") -> "Weight":
        return Weight(self.plain + more.plain, self.other + more.other)


def weigh(text: str) -> Weight:
    """Return what a text weighs; quick enough for megabytes."""
    raw = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    if not raw.size:
        return Weight()
    weights = _WEIGHTS[raw]
    for start, end in _long_runs(raw):
        np.maximum(weights[start:end], _JUMBLED, out=weights[start:end])
    plain = float(weights[raw < _ASCII].sum(dtype=np.float64))
    return Weight(plain, float(weights.sum(dtype=np.float64)) - plain)


def weigh_prompt(turns: Sequence[PromptTurn], tools: Sequence[ToolSpec] = ()) -> Weight:
    """Return what a prompt weighs, with what is told of tools and what a template adds."""
    frame = Weight(PER_PROMPT + PER_TURN * (len(turns) + len(tools)))
    return _sum(map(weigh, words(turns, tools))) + frame


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many tokens one model makes of what weighs one: learnt from counts that are reported."""

    plain: float = 1.0
    other: float = 1.0

    def tokens(self, weight: Weight) -> int:
        """Return about how many tokens that is, and rather more than less."""
        return ceil((self.plain * weight.plain + self.other * weight.other) * _MARGIN)

    def after(self, weight: Weight, tokens: int) -> "Ratio":
        """Return what is known once a prompt of that weight turned out to have so many tokens.

        Too small an estimate is corrected at once, too large a one little by little, for a server
        may have counted what it read anew and not what it read at all.
        """
        if weight.plain + weight.other < _LEAST:
            return self
        if weight.plain >= weight.other:
            seen = (tokens - self.other * weight.other) / weight.plain
            return Ratio(_towards(self.plain, seen, _PLAIN_BOUNDS), self.other)
        seen = (tokens - self.plain * weight.plain) / weight.other
        return Ratio(self.plain, _towards(self.other, seen, _OTHER_BOUNDS))

    @classmethod
    def of(cls, plain: float, other: float) -> "Ratio":
        """Return a ratio that is within bounds, whatever is given."""
        return cls(_within(plain, _PLAIN_BOUNDS), _within(other, _OTHER_BOUNDS))


def _towards(known: float, seen: float, bounds: tuple[float, float]) -> float:
    moved = seen if seen > known else known + _SLOWLY * (seen - known)
    return _within(moved, bounds)


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])


def _sum(weights: Iterable[Weight]) -> Weight:
    return sum(weights, Weight())


def _long_runs(raw: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """Return where letters and digits run on for longer than a word does."""
    breaks = np.flatnonzero(_BREAKS[raw])
    edges = np.concatenate(([-1], breaks, [raw.size]))
    long = np.flatnonzero(np.diff(edges) > _LONGEST_WORD + 1)
    return [(int(edges[at]) + 1, int(edges[at + 1])) for at in long]


def _weights() -> NDArray[np.float32]:
    """Return what each byte weighs; a character of several bytes weighs with the first of them."""
    table = np.ones(256, np.float32)  # signs
    table[ord("a") : ord("z") + 1] = 0.24
    table[ord("A") : ord("Z") + 1] = 0.5
    table[ord(" ")] = 0.1
    table[0x80:0xC0] = 0.0  # what follows the first byte
    table[0xC0:0xE0] = 1.2
    table[0xE0:0xF0] = 2.0
    table[0xEA:0xEE] = 2.7  # Korean
    table[0xF0:] = 3.0
    return table


_WEIGHTS = _weights()
_BREAKS = np.array([byte >= _ASCII or not chr(byte).isalnum() for byte in range(256)])
