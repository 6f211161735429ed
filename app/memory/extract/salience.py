"""Judge by its words whether a stretch of a sentence tells of a life, as a learnt score.

Grammar tells a statement from a question; it cannot tell "I run a team of six" from "I run the
script". So a logistic regression weighs the words, their pairs and a few signs of grammar, and less
heavily what stands around them in the message: "index the names in this transcript". Words it never
met in training count by their likeness to those it did. ``tests/evals/salience.py`` learns the
weights from labelled messages; ``resources/extract/README.md`` says from which.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from app.assets import resource
from app.memory.extract import doubt, marks
from app.memory.extract.clauses import Part
from app.memory.extract.pieces import Said
from app.memory.extract.predicate import read_predicate
from app.memory.extract.subjects import Kind

WEIGHTS = "extract/salience.json"
START = "^"
HEAD = 3  # words that show who does what
SPREAD = 4  # fewer words than this count as so many, for a mean
WIDE = 8  # the same for what is around

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_OWN = re.compile(r"\b(?:i|my|we|our|me|us|mine|ours|myself)\b", re.IGNORECASE)
_MY = re.compile(r"\b(?:my|our|mine|ours)\b", re.IGNORECASE)
_SIGNS = {
    "own": _OWN,
    "my": _MY,
    "figure": re.compile(r"\d"),
    "named": marks.NAMED,
    "mood": marks.MOOD,
    "idle": marks.IDLE,
    "of now": marks.OF_NOW,
    "task": marks.TASKS,
    "often": marks.OFTEN,
    "points back": marks.POINTS_BACK,
}


@dataclass(frozen=True, slots=True)
class Traits:
    """What the score looks at.

    Attributes:
        words: In small letters, in order.
        signs: What its grammar shows, each at most once.
        around: The other words of the message, in order.
    """

    words: Sequence[str]
    signs: Sequence[str]
    around: Sequence[str] = ()

    @property
    def pairs(self) -> Iterator[str]:
        """Two words that follow each other, the first one after the start."""
        return (f"{one} {other}" for one, other in pairwise((START, *self.words)))

    @property
    def pairs_around(self) -> Iterator[str]:
        """The same of what is around."""
        return (f"{one} {other}" for one, other in pairwise((START, *self.around)))


@dataclass(frozen=True, slots=True)
class Weights:
    """What each trait adds to the log odds.

    Attributes:
        like: By word, added as a mean over all words.
        begins: By word, added as a mean over the first ``HEAD`` words.
        around: By word or pair of the rest of the message, each counted once.
        like_around: By word of the rest, added as a mean over all of it.
    """

    bias: float
    signs: Mapping[str, float]
    words: Mapping[str, float]
    pairs: Mapping[str, float]
    like: Mapping[str, float]
    begins: Mapping[str, float]
    around: Mapping[str, float]
    like_around: Mapping[str, float]

    def score(self, traits: Traits) -> float:
        """Return the log odds that what has these traits tells of a life."""
        words, around = traits.words, traits.around
        return (
            self.bias
            + sum(self.signs.get(sign, 0.0) for sign in traits.signs)
            + sum(self.words.get(word, 0.0) for word in set(words))
            + sum(self.pairs.get(pair, 0.0) for pair in set(traits.pairs))
            + sum(self.like.get(word, 0.0) for word in words) / max(SPREAD, len(words))
            + sum(self.begins.get(word, 0.0) for word in words[:HEAD]) / HEAD
            + sum(self.around.get(name, 0.0) for name in {*around, *traits.pairs_around})
            + sum(self.like_around.get(word, 0.0) for word in around) / max(WIDE, len(around))
        )


def salience(said: Sequence[Part], text: str, message: Sequence[str] = ()) -> float:
    """Return the log odds that a stretch of a sentence tells of a life; 0 is as likely as not.

    Args:
        said: Its pieces, not empty.
        text: Their words, contractions written out.
        message: The words of the whole message; see ``words_of``.
    """
    return _weights().score(traits(said, text, message))


def traits(said: Sequence[Part], text: str, message: Sequence[str] = ()) -> Traits:
    """Return what the score looks at; see ``salience``."""
    words = words_of(text)
    mine = frozenset(words)
    around = tuple(word for word in message if word not in mine)
    return Traits(words, tuple(_signs(said, text)), around)


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, in order."""
    return _WORD.findall(text.lower())


def _signs(said: Sequence[Part], text: str) -> Iterator[str]:
    aspect, subject = _grammar(said)
    yield from (f"aspect {aspect}", f"subject {subject}", f"{subject} {aspect}")
    if any(part.piece.kind is Said.STATED for part in said):
        yield "stated"
    yield from (name for name, sign in _SIGNS.items() if sign.search(text))
    yield from doubt.doubts(text)
    if doubt.is_supposition(text):
        yield "supposition"
    if doubt.is_shop_talk(text):
        yield "shop talk"
    length = len(text.split())
    yield from (f"over {count} words" for count in (3, 6, 12, 20) if length > count)


def _grammar(said: Sequence[Part]) -> tuple[str, str]:
    """Return the aspect and the kind of subject of the first clause."""
    clause = next((part.clause for part in said if part.clause is not None), None)
    if clause is None:
        return "none", "none"
    kind = clause.subject.kind
    read = read_predicate(clause.predicate, first_person=kind is Kind.SELF)
    return ("unread" if read is None else read.aspect.value), kind.value


@cache
def _weights() -> Weights:
    return Weights(**json.loads(resource(WEIGHTS).read_text("utf-8")))
