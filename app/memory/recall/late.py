"""Late interaction: which words of a question are answered by which words of a text.

Every token of the question takes its best cosine among the tokens of a text, and rare words count
more (the MaxSim of ColBERT, weighted by rarity). A text's tokens are kept as signs alone, 48 bytes
each; the question's stay whole. Everything here is arithmetic on arrays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from app.memory.text.query import STOPWORDS, every_word, plain
from app.providers.base import Marks
from app.store.index.frequency import Frequencies
from app.store.index.vectors import TokenVectors

Matrix = NDArray[np.float32]
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

STOPWORD = 0.5
ASKING_WORDS = frozenset({"what", "when", "where", "who", "whom", "whose", "which", "how", "why"})
BLOCK = 2048
_BEGINS = "▁"


def spelled(pieces: Sequence[str]) -> list[str]:
    """Return for each piece the word it is part of, in small letters."""
    words: list[str] = []
    begun = 0
    for place, piece in enumerate(pieces):
        if piece.startswith(_BEGINS) or place == 0:
            begun = place
        words.append(piece.removeprefix(_BEGINS))
        whole = "".join(p.removeprefix(_BEGINS) for p in pieces[begun : place + 1])
        words[begun:] = [whole.lower()] * (place + 1 - begun)
    return words


def weights(words: Sequence[str], frequencies: Frequencies, topic: str) -> Matrix:
    """Return how much each token of a question counts; they sum to 1.

    Args:
        words: The word that each token is part of.
        frequencies: How common these words are in the vault.
        topic: The question without the words that ask for a time; those count nothing.
    """
    found = rarities(words, frequencies, topic)
    total = float(found.sum())
    if not total:
        return np.full(len(words), 1 / max(len(words), 1), np.float32)
    return np.asarray(found / total, np.float32)


def rarities(words: Sequence[str], frequencies: Frequencies, topic: str) -> Matrix:
    """Return the same before they are made to sum to 1."""
    kept = frozenset(plain(word) for word in every_word(topic))
    return np.array([_rarity(word, frequencies) * _share(word, kept) for word in words], np.float32)


def _rarity(word: str, frequencies: Frequencies) -> float:
    rows = frequencies.rows
    held = min(frequencies.of.get(word, 0), rows)
    return log(1 + (rows - held + 0.5) / (held + 0.5))


def _share(word: str, kept: frozenset[str]) -> float:
    if plain(word) not in kept:
        return 0.0
    return STOPWORD if word in STOPWORDS - ASKING_WORDS else 1.0


@dataclass(frozen=True, slots=True)
class Likeness:
    """The best cosine of each token of a question in each text; shapes (tokens, texts).

    Attributes:
        said: Among all the text's tokens.
        told: Among those of who speaks and of sentences that tell.
        asked: Among those of sentences that ask; 0 where none does.
    """

    said: Matrix
    told: Matrix
    asked: Matrix


def likeness(
    question: Matrix, texts: Sequence[TokenVectors], marks: Marks, spoken: Flags
) -> Likeness:
    """Compare a question with texts.

    Args:
        question: Shape (tokens, dims), rows of length 1.
        texts: What was embedded of each text; one without tokens is like nothing.
        marks: How this embedder's sentences end.
        spoken: Shape (texts,): whether a text begins with who speaks.
    """
    empty = np.zeros((len(question), len(texts)), np.float32)
    full = [n for n, text in enumerate(texts) if len(text.ids)]
    result = Likeness(empty, empty.copy(), empty.copy())
    if not full:
        return result
    held = [texts[n] for n in full]
    starts = np.cumsum([0, *(len(text.ids) for text in held[:-1])])
    cosines = _cosines(question, np.concatenate([text.bits for text in held]))
    ids = np.concatenate([text.ids for text in held])
    asks = _asking(ids, starts, marks, spoken[full])
    for matrix, values in (
        (result.said, cosines),
        (result.told, np.where(asks, 0, cosines)),
        (result.asked, np.where(asks, cosines, 0)),
    ):
        matrix[:, full] = np.maximum.reduceat(values, starts, axis=1)
    return result


def _cosines(question: Matrix, packed: NDArray[np.uint8]) -> Matrix:
    """Return the cosine of every token of a question with every kept one."""
    dims = packed.shape[1] * 8
    parts = [
        question @ _signs()[packed[at : at + BLOCK]].reshape(-1, dims).T
        for at in range(0, len(packed), BLOCK)
    ]
    return np.asarray(np.concatenate(parts, axis=1) / np.sqrt(dims), np.float32)


@cache
def _signs() -> Matrix:
    """Return the eight signs, 1 or -1, that each byte stands for; shape (256, 8)."""
    every = np.arange(256, dtype=np.uint8)[:, None]
    return 2 * np.unpackbits(every, axis=1).astype(np.float32) - 1


def _asking(ids: NDArray[np.int32], starts: Places, marks: Marks, spoken: Flags) -> Flags:
    """Return which tokens stand in a sentence that asks."""
    ends = np.isin(ids, marks.ends)
    colons = np.flatnonzero(np.isin(ids, marks.speaker))
    text = np.searchsorted(starts, colons, side="right") - 1
    _, first = np.unique(text, return_index=True)
    ends[[colons[n] for n in first if spoken[text[n]]]] = True
    begins = np.zeros(len(ids), bool)
    begins[starts] = True
    begins[1:] |= ends[:-1]
    sentence = np.cumsum(begins) - 1
    asks = np.maximum.reduceat(np.isin(ids, marks.asking), np.flatnonzero(begins))
    return np.asarray(asks[sentence], bool)


@dataclass(frozen=True)
class Lines:
    """Where texts stand: messages that follow one another form a line.

    Attributes:
        line: Shape (texts,): the line of each text; the texts of one line stand together, in order.
        talk: Shape (texts,): the conversation of each text.
    """

    line: Places
    talk: Places

    def shifted(self, values: Matrix, by: int) -> Matrix:
        """Return for each text the value of the one ``by`` places on in its line, 0 where none."""
        result = np.zeros_like(values)
        if not by:
            return values.copy()
        here, there = (
            (slice(None, -by), slice(by, None))
            if by > 0
            else (
                slice(-by, None),
                slice(None, by),
            )
        )
        if abs(by) < len(self.line):
            result[..., here] = values[..., there] * (self.line[here] == self.line[there])
        return result

    def around(self, values: Matrix, reach: int, step: float) -> Matrix:
        """Return the best of each text and its neighbours, ``step`` less for each place away."""
        best = values
        for by in range(1, reach + 1):
            beside = np.maximum(self.shifted(values, by), self.shifted(values, -by))
            best = np.maximum(best, beside - step * by)
        return best

    def throughout(self, values: Matrix) -> Matrix:
        """Return the best of each text's conversation."""
        result = np.empty_like(values)
        for talk in self._talks:
            result[..., talk] = values[..., talk].max(axis=-1, keepdims=True)
        return result

    @cached_property
    def _talks(self) -> list[Places]:
        order = np.argsort(self.talk, kind="stable")
        cuts = np.flatnonzero(np.diff(self.talk[order])) + 1
        return np.split(order, cuts)


def tokens_of(found: Mapping[int, TokenVectors], pk: int, dims: int) -> TokenVectors:
    """Return the tokens of a row, none where it was not embedded."""
    none = TokenVectors(np.zeros((0, dims // 8), np.uint8), np.zeros(0, np.int32))
    return found.get(pk, none)
