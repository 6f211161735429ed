"""GGUF models through llama.cpp that judge how well texts answer, each in a child process."""

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Lock, Thread

from app.domain.model import ModelRole
from app.errors import ModelError, ModelFileError, ModelLate
from app.providers.base import Reranker, rough_count
from app.providers.local import gguf, ranking
from app.providers.local.children import Child

log = logging.getLogger(__name__)

_MOST_THREADS = 4
_SURE_SHARE = 0.8


class LlamaReranker:
    """A GGUF reranker; it loads in the background, and whoever asks it waits only so long.

    0 threads lets it choose.
    """

    def __init__(self, path: Path, *, threads: int = 0, gpu_layers: int = 0) -> None:
        self._path = path
        self._sound()
        threads = threads or min(os.cpu_count() or 1, _MOST_THREADS)
        arguments = (str(path), threads, gpu_layers)
        self.child = Child(path.stem, ranking.build, arguments, check=self._sound)
        self._lock = Lock()
        self._loader: Thread | None = None
        self._problem: ModelError | None = None

    def warm(self) -> None:
        """Load the model in the background; what fails is said when it is asked."""
        with self._lock:
            if self._loader is None or not self._loader.is_alive():
                self._loader = Thread(target=self._load, name="reranker", daemon=True)
                self._loader.start()

    def prepare(self, seconds: float) -> None:
        """Load the model and wait for it, but no longer than that."""
        if not self.child.running:
            self.warm()
            if (loader := self._loader) is not None:
                loader.join(seconds)

    def score(self, query: str, texts: Sequence[str], seconds: float) -> Sequence[float]:
        """Return how well texts answer; of as many of them as the time suffices for."""
        if not self.child.running:
            self.warm()
            raise self._problem or ModelError(f"{self.child.title} is still being loaded.")
        query = str(query)[: ranking.LONGEST_QUERY]
        cut = [str(text)[: ranking.LONGEST_TEXT] for text in texts]
        fitting = self._fitting(query, cut, seconds)
        if texts and not fitting:
            raise ModelLate(f"{self.child.title} is too slow on this computer.")
        return _Asked(self.child, (query, cut[:fitting])).within(seconds)

    def close(self) -> None:
        """End the process."""
        self.child.close()

    def _fitting(self, query: str, texts: Sequence[str], seconds: float) -> int:
        """Return how many of the first texts can be judged in time, as was measured."""
        about: ranking.RankingAbout = self.child.about()
        left = seconds * _SURE_SHARE
        for number, text in enumerate(texts):
            tokens = min(rough_count(query) + rough_count(text), about.pair_tokens)
            left -= tokens * about.token_seconds
            if left < 0:
                return number
        return len(texts)

    def _load(self) -> None:
        try:
            self.child.load()
            self._problem = None
        except ModelError as error:
            log.info("the reranker does not start: %s", type(error).__name__)
            self._problem = error

    def _sound(self) -> gguf.GgufInfo:
        info = gguf.check(self._path)
        if info.role is not ModelRole.RERANK or not info.rank_head:
            raise ModelFileError(f"{self._path.name} is not a reranking model.")
        return info


class _Asked:
    """One question to a reranker on a thread of its own, so that nobody must wait it out.

    An answer belongs to the question it was asked for; one that comes too late has no reader.
    """

    def __init__(self, child: Child, argument: tuple[str, Sequence[str]]) -> None:
        self._child, self._argument = child, argument
        self._given_up, self._done = Event(), Event()
        self._found: Sequence[float] | ModelError | None = None
        Thread(target=self._ask, name="reranking", daemon=True).start()

    def within(self, seconds: float) -> Sequence[float]:
        """Return the answer; after so long, give up."""
        if not self._done.wait(seconds):
            self._given_up.set()
            limit = round(seconds * 1000)
            raise ModelLate(f"{self._child.title} took longer than {limit} ms.")
        if isinstance(self._found, ModelError):
            raise self._found
        if self._found is None:
            raise ModelError(f"{self._child.title} gave no answer.")
        return self._found

    def _ask(self) -> None:
        try:
            for found in self._child.stream("score", self._argument, self._given_up):
                self._found = found
        except ModelError as error:
            self._found = error
        finally:
            self._done.set()


def _checked(path: Path) -> Reranker:
    """Let the type checker prove that the protocol is kept."""
    return LlamaReranker(path)
