"""What the reader's marks say of a stretch of a message, by the votes of its tokens."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.language.reading import Change, StatementKind
from app.memory.reading.words import words
from app.providers.reading import Tags

LIMIT = 0.5
RUN, RUN_LIMIT = 4, 0.8  # tokens beside one another, and their chance
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
LAST_WORD = re.compile(r"([^\W\d_]+)$")


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """A stretch of a message.

    Attributes:
        tokens: The rows of the tags that belong to it.
        votes: The same rows, in the groups that were marked as one; of what is joined, several.
    """

    start: int
    end: int
    sure: float
    tokens: tuple[int, ...]
    votes: tuple[tuple[int, ...], ...] = ()

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The tokens in the groups that were marked as one."""
        return self.votes or (self.tokens,)


def joined(one: MarkedSpan, other: MarkedSpan) -> MarkedSpan:
    """Return two stretches, in order, as one with all that stands between them."""
    sizes = (len(one.tokens), len(other.tokens))
    sure = (one.sure * sizes[0] + other.sure * sizes[1]) / sum(sizes)
    votes = (*one.groups, *other.groups)
    return MarkedSpan(one.start, other.end, sure, (*one.tokens, *other.tokens), votes)


def kind(tags: Tags, one: MarkedSpan) -> StatementKind:
    """Return the kind that a stretch's tokens vote for."""
    return list(StatementKind)[int(chances(tags.kind[list(one.tokens)]).mean(0).argmax())]


def change(text: str, tags: Tags, one: MarkedSpan) -> Change:
    """Return whether a stretch says that something changed or ended; "I live in Ghent now" does."""
    votes = (chances(tags.change[list(rows)]).mean(0).argmax() for rows in one.groups)
    said = [list(Change)[int(vote)] for vote in votes]
    found = next((vote for vote in said if vote is not Change.NONE), Change.NONE)
    last = LAST_WORD.search(text[one.start : one.end].rstrip(" .!"))
    now = last is not None and last[1].lower() in words().now
    return Change.NEW if now and found is Change.NONE else found


def safety(tags: Tags, one: MarkedSpan) -> bool:
    """Return whether harm may come from forgetting what a stretch says, or a part of it."""
    sure = 1 / (1 + np.exp(-tags.safety))
    return any(float(sure[list(rows)].mean()) > LIMIT for rows in one.groups)


def says_of_safety(tags: Tags, one: MarkedSpan) -> bool:
    """Return whether a stretch matters for safety, or a few words of it do beyond doubt.

    "I'm Dara, I teach maths in Cork and I'm allergic to shellfish" is mostly about something else.
    """
    sure = 1 / (1 + np.exp(-tags.safety[list(one.tokens)]))
    runs = np.convolve(sure, np.ones(RUN) / RUN, "valid") if len(sure) >= RUN else sure[:0]
    return safety(tags, one) or bool((runs > RUN_LIMIT).any())


def chances(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return probabilities along the last axis."""
    grown = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(grown / grown.sum(-1, keepdims=True), np.float32)
