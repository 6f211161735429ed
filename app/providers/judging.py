"""The judge: reads two texts together and says how they stand to one another.

A small BERT reads ``[CLS] one [SEP] other [SEP]`` in one pass, so that every word of one text is
seen beside every word of the other; a head for each task turns the first token's vector and the
mean of all into chances. Whether a text answers a question is asked of a second model as well,
which reads each of the two alone and compares them word by word. Both run inside the recall child;
``packaging/models/understanding`` trains them.
"""

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from app.errors import ModelError

Matrix = NDArray[np.float32]

LONGEST = 160  # tokens of one text
LEAST = 1e-6  # chance
READ = 16  # texts that are read together with one question


class Task(StrEnum):
    """What is judged; the classes stand in the order of the head's outputs.

    compare: same, adds, replaces, ends, contradicts, unrelated (older statement, newer statement).
    entail: twisted, faithful (what was said, what was written from it).
    answer: no, yes (question, statement).
    newer: no, yes: whether a newer statement answers in place of an older one (question and older
        statement as asked_and_told joins them, newer statement).
    """

    COMPARE = "compare"
    ENTAIL = "entail"
    ANSWER = "answer"
    NEWER = "newer"


class Encoder(Protocol):
    """The few calls of a BERT that the judge needs."""

    first: int
    last: int

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text, the model's own first and last among them."""

    def run(self, texts: Sequence[Sequence[int]]) -> list[Matrix]:
        """Return the token vectors of each text."""


class Heads:
    """Makes chances of the vectors of a pair: by task a hidden layer with tanh, and classes."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self._w = {name: stored[name].astype(np.float32) for name in stored.files}

    def chances(self, task: Task, states: Matrix) -> Matrix:
        """Return the chance of each class, from the token vectors of one pair.

        Raises:
            ModelError: The file has no head for the task.
        """
        if f"{task}.0.weight" not in self._w:
            raise ModelError("The model that compares statements is of an older version.")
        pooled = np.concatenate([states[0], states.mean(0)])
        hidden = np.tanh(pooled @ self._w[f"{task}.0.weight"].T + self._w[f"{task}.0.bias"])
        logits = hidden @ self._w[f"{task}.3.weight"].T + self._w[f"{task}.3.bias"]
        grown = np.exp(logits - logits.max())
        return np.asarray(grown / grown.sum(), np.float32)


class WordByWord:
    """How well a text answers a question, word by word.

    The mean over the question's tokens of the best cosine that each has among the text's tokens
    (late interaction: Khattab and Zaharia, ColBERT, 2020, there a sum), made log odds.

    Args:
        path: A file of weights: the scale and the shift that make log odds of it.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self._scale, self._shift = float(stored["late.scale"]), float(stored["late.shift"])

    def odds(self, question: Matrix, text: NDArray[np.floating[Any]]) -> float:
        """Return the log odds that a text answers, from the token vectors of both."""
        best = (units(question) @ units(text).T).max(axis=1)
        return self._scale * float(best.mean()) + self._shift


def asked_and_told(question: str, older: str) -> str:
    """Return a question and what answered it as one text."""
    return f"{question} | {older}"


def agreed(chances: Matrix, odds: float) -> Matrix:
    """Return the chances of no and yes on which two judges agree: the mean of their log odds."""
    no, yes = np.clip(chances, LEAST, 1.0)
    both = (np.log(yes / no) + odds) / 2
    return np.array([1 / (1 + np.exp(both)), 1 / (1 + np.exp(-both))], np.float32)


def likeliest(questions: Sequence[str], odds: Sequence[float]) -> list[int]:
    """Return which pairs are the likeliest of their question, by number and in order."""
    each: dict[str, list[int]] = {}
    for number, question in enumerate(questions):
        each.setdefault(question, []).append(number)
    ranked = (sorted(numbers, key=lambda n: -odds[n])[:READ] for numbers in each.values())
    return sorted(number for numbers in ranked for number in numbers)


def completed(
    pairs: Sequence[tuple[str, str]], odds: Sequence[float], both: Mapping[int, Matrix]
) -> list[Matrix]:
    """Return the chances of every pair: those on which both judges agree, or what is below them."""
    least: dict[str, float] = {}
    for number, chances in both.items():
        question = pairs[number][0]
        least[question] = min(least.get(question, 1.0), float(chances[1]))
    found = []
    for number, (question, _) in enumerate(pairs):
        alone = 1 / (1 + math.exp(-odds[number]))
        yes = min(alone, least.get(question, 1.0))
        found.append(both.get(number, np.array([1 - yes, yes], np.float32)))
    return found


def units(states: NDArray[np.floating[Any]]) -> Matrix:
    """Return vectors of length one (or none), row by row."""
    states = states.astype(np.float32, copy=False)
    lengths = np.linalg.norm(states, axis=1, keepdims=True)
    return np.asarray(states / np.maximum(lengths, 1e-9), np.float32)


def paired(encoder: Encoder, one: str, other: str) -> list[int]:
    """Return two texts as one sequence of tokens."""
    left, right = (_words(encoder, text) for text in (one, other))
    return [encoder.first, *left, encoder.last, *right, encoder.last]


def alone(encoder: Encoder, text: str) -> list[int]:
    """Return one text as a sequence of tokens."""
    return [encoder.first, *_words(encoder, text), encoder.last]


def _words(encoder: Encoder, text: str) -> list[int]:
    own = {encoder.first, encoder.last}
    return [token for token in encoder.tokens(text) if token not in own][:LONGEST]
