"""Models that follow the settings: each call goes to the model that they name at that moment."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from app.providers.base import Embedder, EmbedderInfo, Embedding, Purpose, Understanding
from app.providers.judging import Task
from app.providers.reading import Tags


class CurrentEmbedder:
    """The embedder that the settings name."""

    def __init__(self, embedder: Callable[[], Embedder]) -> None:
        self._embedder = embedder

    @property
    def info(self) -> EmbedderInfo:
        """Say what this model is."""
        return self._embedder().info

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Embedding]:
        """Return one embedding per text."""
        return self._embedder().embed(texts, purpose)


class CurrentUnderstanding:
    """What reads messages and judges pairs."""

    def __init__(self, models: Callable[[], Understanding]) -> None:
        self._models = models

    def read(self, messages: Sequence[tuple[str, str]], *, urgent: bool = False) -> Sequence[Tags]:
        """Return the marks of messages, each given with what was asked before it."""
        return self._models().read(messages, urgent=urgent)

    def judge(self, task: Task, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the chances of each class of a task, shape (pairs, classes)."""
        return self._models().judge(task, pairs)
