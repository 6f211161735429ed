"""GGUF models through llama.cpp that embed or answer, each in a child process."""

import base64
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event

import numpy as np
from numpy.typing import NDArray

from app.domain.jobs.working import Working, WorkStage
from app.domain.model import ChatInfo, ModelRole
from app.domain.prompting.tools import ToolCall, ToolSpec
from app.errors import Cancelled, ModelFileError
from app.providers.base import (
    LONGEST_TEXT,
    ChatModel,
    Embedder,
    EmbedderInfo,
    Embedding,
    Measured,
    ModelUse,
    Personal,
    PromptTurn,
    Purpose,
    Sampling,
    rough_count,
)
from app.providers.judging import Task
from app.providers.local import embedding, generation, gguf
from app.providers.local.children import Child
from app.providers.local.contexts import Threads
from app.providers.local.threads import Tuned
from app.providers.reading import Tags
from app.providers.thoughts import without_thoughts
from app.providers.written_calls import with_calls

_CHUNK = 16
_MOST_THREADS = 4
_FEWEST_TOLD = 400_000_000  # parameters; with 500 million one calls, with 135 it recites the tools
_LEAST_FOR_TOOLS = 4096  # a dozen of them take up to 1,500; the conversation is to have more


class LlamaEmbedder:
    """A GGUF embedder; questions overtake passages.

    Args:
        path: The model file.
        title: What the person calls it.
        threads: Processor threads for long batches; 0 chooses.
        beside: The models in the same process that understand messages.
    """

    def __init__(
        self,
        path: Path,
        title: str,
        *,
        threads: int = 0,
        gpu_layers: int = 0,
        beside: embedding.UnderstandingModels = embedding.UnderstandingModels(),  # noqa: B008 - immutable
    ) -> None:
        self._path = path
        info = self._sound()
        self._personal = _personal(info)
        threads = threads or min(os.cpu_count() or 1, _MOST_THREADS)
        arguments = (str(path), info.pooling, threads, gpu_layers, beside)
        self.child = Child(title, embedding.build, arguments, check=self._sound)

    @property
    def info(self) -> EmbedderInfo:
        """Say what this model is; starts its process where it never ran."""
        about: embedding.EmbeddingAbout = self.child.about()
        name = f"{self._path.stem}@{about.sha256[:8]}"
        return EmbedderInfo(name, self.child.title, about.dims, True, about.marks, self._personal)

    def warm(self) -> None:
        """Start the process without waiting for it."""
        self.child.begin()

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Embedding]:
        """Return one embedding per text."""
        urgent = purpose is Purpose.QUERY
        found: list[Embedding] = []
        for start in range(0, len(texts), _CHUNK):
            chunk = [str(text)[:LONGEST_TEXT] for text in texts[start : start + _CHUNK]]
            method = "ask" if urgent else "embed"
            found.extend(_unpacked(self.child.ask(method, chunk, urgent=urgent)))
        return found

    def read(self, messages: Sequence[tuple[str, str]], *, urgent: bool = False) -> list[Tags]:
        """Return the marks of messages, each given with what was asked before it."""
        found: list[Tags] = []
        for start in range(0, len(messages), _CHUNK):
            found += self.child.ask("read", messages[start : start + _CHUNK], urgent=urgent)
        return found

    def judge(self, task: Task, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return how pairs of texts stand to one another, shape (pairs, classes)."""
        parts = [
            self.child.ask("judge", (task, pairs[start : start + _CHUNK]))
            for start in range(0, len(pairs), _CHUNK)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, 1), np.float32)

    def forget(self) -> None:
        """Drop what the process keeps of texts that it read."""
        if self.child.running:
            self.child.ask("forget", None)

    def close(self) -> None:
        """End the process."""
        self.child.close()

    def _sound(self) -> gguf.GgufInfo:
        info = gguf.check(self._path)
        if info.role is not ModelRole.EMBED:
            raise ModelFileError(f"{self._path.name} is not an embedding model.")
        if info.embedding_length % 8:
            raise ModelFileError(f"{self._path.name} has vectors of an unusual width.")
        return info


def _unpacked(packed: embedding.PackedEmbeddings) -> Iterator[Embedding]:
    at = 0
    for vector, count in zip(packed.vectors, packed.counts.tolist(), strict=True):
        if packed.bits is None or packed.tokens is None:
            yield Embedding(vector)
            continue
        until = at + count
        states = None if packed.states is None else packed.states[at:until]
        pieces = packed.pieces[at:until]
        yield Embedding(vector, packed.bits[at:until], packed.tokens[at:until], states, pieces)
        at = until


def _personal(info: gguf.GgufInfo) -> Personal | None:
    """Return what a file says of personal questions; None where that makes no sense."""
    try:
        packed = base64.b64decode(info.personal, validate=True)
        numbers = np.frombuffer(packed, np.float16).astype(float).tolist()
    except ValueError:
        return None
    words = len(numbers) - 1 - info.embedding_length
    if words < 0 or not np.isfinite(numbers).all():
        return None
    return Personal(numbers[0], tuple(numbers[1 : 1 + words]), tuple(numbers[1 + words :]))


class LlamaChat:
    """A GGUF chat model; its process starts with the first question.

    Args:
        identity: What settings store.
        context_tokens: How much of a conversation it shall see; never more than it was made for.
        threads: Processor threads; 0 chooses.
        measured: How many write fastest on this computer; 0 where nobody knows.
        name: What the person calls it; empty for the name of the file.
    """

    def __init__(
        self,
        path: Path,
        identity: str,
        *,
        context_tokens: int,
        threads: int = 0,
        measured: int = 0,
        gpu_layers: int = -1,
        name: str = "",
    ) -> None:
        self._path, name = path, name or path.stem
        info = self._sound()
        context = min(context_tokens, info.context_length or context_tokens)
        self._info = ChatInfo(identity, name, context, local=True)
        self._memory_bytes = info.memory_bytes(context)
        able = info.knows_tools or info.parameters >= _FEWEST_TOLD
        self._calls_tools = able and not info.is_base and context >= _LEAST_FOR_TOOLS
        self._last_use: ModelUse | None = None
        self._aside = False
        arguments = (str(path), context, Threads.of(threads, measured), gpu_layers)
        self.child = Child(name, generation.build, arguments, tells=True, check=self._sound)

    @property
    def info(self) -> ChatInfo:
        """Say what this model is; nothing is loaded for it."""
        return self._info

    @property
    def calls_tools(self) -> bool:
        """Whether it was made to answer, and its window holds tools and a conversation too.

        Where its template does not know them, it is told of them in words. Only a larger model
        makes anything of that; a small one is spared it, for its answers get worse.
        """
        return self._calls_tools

    @property
    def last_use(self) -> ModelUse | None:
        """What the last answer took; None where it was stopped."""
        return self._last_use

    def aside(self) -> "LlamaChat":
        """Return the same process for background work; it leaves the conversation as it is."""
        other = copy(self)
        other._aside = True
        return other

    def count(self, text: str) -> int:
        """Return the number of tokens: exactly where the model is loaded and free, else roughly."""
        exact: int | None = self.child.ask_if_free("count", text)
        return rough_count(text) if exact is None else exact

    def measure(
        self, prompt: Sequence[PromptTurn], cancel: Event, tools: Sequence[ToolSpec] = ()
    ) -> Measured:
        """Return how many tokens a prompt has, as the model reads it; it is loaded for that.

        Raises:
            Cancelled: ``cancel`` was set.
            ModelError: It cannot be loaded.
        """
        tools = tools if self.calls_tools else ()
        found = list(self.child.stream("measure", (tuple(prompt), tuple(tools)), cancel))
        if not found:
            raise Cancelled("Stopped.")
        about: generation.GenerationAbout = self.child.about()
        return Measured(found[0], about.context_tokens, exact=True)

    def tune(self, cancel: Event) -> Tuned | None:
        """Measure how many threads write fastest, and use so many; None where it was cut off.

        Raises:
            ModelError: It cannot be loaded.
        """
        return next(self.child.stream("tune", None, cancel, urgent=False), None)

    def prepared(self, cancel: Event) -> Iterator[Working]:
        """Load the model where it is not, and say how far that is."""
        if self.child.running or cancel.is_set():
            return
        loading = partial(
            Working, WorkStage.LOADING, self._path.stem, memory_bytes=self._memory_bytes
        )
        yield loading(done=0, total=100)
        for percent in self.child.loading(cancel):
            yield loading(done=percent, total=100)

    def stream(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Iterator[str]:
        """Yield the text of the answer piece by piece; what came before an error stays valid."""
        with closing(self.told(prompt, sampling, cancel)) as told:
            yield from (piece for piece in told if isinstance(piece, str))

    def told(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Generator[Working | str | ToolCall, None, None]:
        """Do as ``stream`` does, and say besides how far the model is, and what it calls."""
        self._last_use = None
        yield from self.prepared(cancel)
        if sampling.tools and not self.calls_tools:
            sampling = replace(sampling, tools=())
        names = [tool.name for tool in sampling.tools]
        request = generation.Request(tuple(prompt), sampling, self._aside)
        with closing(self.child.stream("answer", request, cancel)) as came:
            for one in came:
                if not isinstance(one, Working):
                    said = without_thoughts(self._said(one, came), cancel)
                    yield from with_calls(said, names, cancel)
                    return
                yield one

    def _said(
        self, first: str | ModelUse, rest: Iterator[str | ModelUse]
    ) -> Generator[str, None, None]:
        """Yield what is said, and keep what it took."""
        for one in chain([first], rest):
            if isinstance(one, ModelUse):
                self._last_use = one
            else:
                yield one

    def close(self) -> None:
        """End the process."""
        self.child.close()

    def _sound(self) -> gguf.GgufInfo:
        info = gguf.check(self._path)
        if info.role is not ModelRole.CHAT:
            raise ModelFileError(f"{self._path.name} is not a chat model.")
        return info


def _checked(path: Path) -> tuple[Embedder, ChatModel]:
    """Let the type checker prove that the protocols are kept."""
    return LlamaEmbedder(path, ""), LlamaChat(path, "", context_tokens=1)
