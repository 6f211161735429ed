"""The space of meaning an embedder makes: vectors of questions, and one scale for likeness.

Some models give two unrelated sentences a cosine of 0.0, others 0.7. A floor that means "about the
question" needs one scale, so each embedder is asked once for the likeness of a few questions and
statements that have nothing to do with each other; what lies above that is relevance.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from app.domain.recall import HitKind
from app.providers.base import Embedder, Embedding, Marks, Personal, Purpose, Vector
from app.store.index.vectors import TokenVectors, Vectors

MAX_CHARACTERS = 6144
QUESTIONS = (
    "Which train did the choir take home from the festival?",
    "What do I put on my toast in the morning?",
    "When does the warranty of the dishwasher run out?",
    "Who taught my neighbour to play chess?",
)
STATEMENTS = (
    "The old lighthouse was painted white last summer.",
    "I sold my shares before the bank was taken over.",
    "Our cat sleeps on the radiator all winter.",
    "She is writing a thesis about medieval bridges.",
)


class Space:
    """The vectors of the embedder in use."""

    def __init__(self, vectors: Vectors, embedder: Callable[[], Embedder]) -> None:
        self.vectors = vectors
        self._embedder = embedder
        self._backgrounds: dict[str, float] = {}
        self._last: tuple[str, str, Embedding] | None = None
        self._samples: dict[tuple[str, str], Sequence[str]] = {}

    @property
    def pk(self) -> int:
        """The vault's row of the embedder in use."""
        info = self._embedder().info
        return self.vectors.use(info.id, info.dims)

    def vector(self, text: str) -> Vector:
        """Return the vector of a question, shape (dims,).

        Raises:
            ModelError: The embedder did not answer.
        """
        return self.asked(text).vector

    def asked(self, text: str) -> Embedding:
        """Return a question as the embedder sees it; one asked twice in a row is embedded once.

        Raises:
            ModelError: The embedder did not answer.
        """
        embedder, last = self._embedder(), self._last
        if last is not None and last[:2] == (embedder.info.id, text):
            return last[2]
        found = embedder.embed([text[:MAX_CHARACTERS]], Purpose.QUERY)[0]
        self._last = embedder.info.id, text, found
        return found

    def forget(self) -> None:
        """Drop the last question."""
        self._last = None

    def spelled(self, sample: str) -> Sequence[str]:
        """Return the pieces of a sample text, asked for once.

        Raises:
            ModelError: The embedder did not answer.
        """
        embedder = self._embedder()
        name = embedder.info.id, sample
        if name not in self._samples:
            self._samples[name] = embedder.embed([sample], Purpose.QUERY)[0].pieces
        return self._samples[name]

    @property
    def marks(self) -> Marks:
        """The tokens by which the embedder's sentences are told apart."""
        return self._embedder().info.marks

    @property
    def personal(self) -> Personal | None:
        """How the embedder tells personal questions from others, if it does."""
        return self._embedder().info.personal

    def tokens(self, kind: HitKind, pks: Sequence[int]) -> Mapping[int, TokenVectors]:
        """Return the token vectors of rows, as far as they have been embedded."""
        return self.vectors.tokens(kind.value, pks, self.pk) if pks else {}

    def cosines(self, kind: HitKind, vector: Vector, pks: Sequence[int]) -> Mapping[int, float]:
        """Return the likeness of rows to a vector, as far as they have been embedded."""
        found = self.vectors.vectors(kind.value, pks, self.pk)
        if not found:
            return {}
        cosines = _units(list(found.values())) @ _units([vector])[0]
        return dict(zip(found, map(float, cosines), strict=True))

    def above_background(self, cosine: float) -> float:
        """Return how far a cosine stands above that of unrelated sentences, from 0 to 1."""
        level = self._background()
        return min(1.0, max(0.0, (cosine - level) / (1.0 - level)))

    def _background(self) -> float:
        embedder = self._embedder()
        name = embedder.info.id
        if name not in self._backgrounds:
            self._backgrounds[name] = background(embedder)
        return self._backgrounds[name]


def background(embedder: Embedder) -> float:
    """Return the mean cosine of questions and statements that are unrelated, from 0 to 0.95.

    Raises:
        ModelError: The embedder did not answer.
    """
    asked = _units([one.vector for one in embedder.embed(QUESTIONS, Purpose.QUERY)])
    said = _units([one.vector for one in embedder.embed(STATEMENTS, Purpose.PASSAGE)])
    return float(np.clip(np.mean(asked @ said.T), 0.0, 0.95))


def _units(vectors: Sequence[Vector]) -> Vector:
    stacked = np.stack(vectors).astype(np.float32)
    lengths = np.linalg.norm(stacked, axis=1, keepdims=True)
    return np.asarray(stacked / np.maximum(lengths, 1e-9), np.float32)
