"""GGUF models through llama.cpp, each in a child process."""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.domain.model import ModelRole
from app.errors import ModelFileError
from app.providers import embedding, gguf
from app.providers.base import Embedder, EmbedderInfo, Embedding, Purpose
from app.providers.children import Child

log = logging.getLogger(__name__)

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


def _checked(path: Path) -> Embedder:
    """Let the type checker prove that the protocol is kept."""
    return LlamaEmbedder(path, "")
