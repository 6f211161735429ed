"""GGUF models through llama.cpp, each in a child process."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

from app.domain.model import ModelRole
from app.errors import ModelFileError
from app.providers import embedding, generation, gguf
from app.providers.base import (
    ChatInfo,
    ChatModel,
    Embedder,
    EmbedderInfo,
    Embedding,
    Purpose,
    Sampling,
    Turn,
    rough_count,
)
from app.providers.children import Child
from app.providers.thoughts import without_thoughts

_CHUNK = 16
_MOST_THREADS = 4


class LlamaEmbedder:
    """A GGUF embedder; questions overtake passages.

    Args:
        path: The model file.
        title: What the person calls it.
        threads: Processor threads for long batches; 0 chooses.
    """

    def __init__(self, path: Path, title: str, *, threads: int = 0, gpu_layers: int = 0) -> None:
        self._path = path
        info = self._sound()
        threads = threads or min(os.cpu_count() or 1, _MOST_THREADS)
        arguments = (str(path), info.pooling, threads, gpu_layers)
        self.child = Child(title, embedding.build, arguments, check=self._sound)

    @property
    def info(self) -> EmbedderInfo:
        """Say what this model is; starts its process where it never ran."""
        about: embedding.About = self.child.about()
        name = f"{self._path.stem}@{about.sha256[:8]}"
        return EmbedderInfo(name, self.child.title, about.dims, local=True)

    def warm(self) -> None:
        """Start the process without waiting for it."""
        self.child.begin()

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Embedding]:
        """Return one embedding per text."""
        urgent = purpose is Purpose.QUERY
        found: list[Embedding] = []
        for start in range(0, len(texts), _CHUNK):
            chunk = [str(text)[: embedding.LONGEST_TEXT] for text in texts[start : start + _CHUNK]]
            found.extend(_unpacked(self.child.ask("embed", chunk, urgent=urgent)))
        return found

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


def _unpacked(packed: embedding.Embedded) -> Iterator[Embedding]:
    at = 0
    for vector, count in zip(packed.vectors, packed.counts.tolist(), strict=True):
        if packed.bits is None or packed.tokens is None:
            yield Embedding(vector)
            continue
        until = at + count
        yield Embedding(vector, packed.bits[at:until], packed.tokens[at:until])
        at = until


class LlamaChat:
    """A GGUF chat model; its process starts with the first question.

    Args:
        identity: What settings store.
        context_tokens: How much of a conversation it shall see; never more than it was made for.
    """

    def __init__(
        self,
        path: Path,
        identity: str,
        *,
        context_tokens: int,
        threads: int = 0,
        gpu_layers: int = -1,
    ) -> None:
        self._path = path
        info = self._sound()
        context = min(context_tokens, info.context_length or context_tokens)
        self._info = ChatInfo(identity, path.stem, context, local=True)
        arguments = (str(path), context, threads, gpu_layers)
        self.child = Child(path.stem, generation.build, arguments, check=self._sound)

    @property
    def info(self) -> ChatInfo:
        """Say what this model is; nothing is loaded for it."""
        return self._info

    def count(self, text: str) -> int:
        """Return the number of tokens: exactly where the model is loaded and free, else roughly."""
        exact: int | None = self.child.ask_if_free("count", text)
        return rough_count(text) if exact is None else exact

    def stream(self, prompt: Sequence[Turn], sampling: Sampling, cancel: Event) -> Iterator[str]:
        """Yield the answer piece by piece; what came before an error stays valid."""
        turns = [(turn.role, turn.content) for turn in prompt]
        return without_thoughts(self.child.stream("answer", (turns, sampling), cancel), cancel)

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
