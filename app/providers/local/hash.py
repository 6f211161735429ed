"""An embedder without weights: counts words into buckets.

It knows no meaning, only shared words; it serves machines where no model may run, and tests. The
same text gives the same vector in every process and on every computer.
"""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from app.providers.base import Embedder, EmbedderInfo, Embedding, Purpose, Vector

DEFAULT_DIMS = 32


class HashEmbedder:
    """Bag of words, hashed modulo ``dims`` (a multiple of 8), of length 1."""

    def __init__(self, dims: int = DEFAULT_DIMS) -> None:
        if dims <= 0 or dims % 8:
            raise ValueError(f"dims must be a positive multiple of 8, not {dims}")
        self._info = EmbedderInfo(f"hash-{dims}", "Shared words", dims, local=True)

    @property
    def info(self) -> EmbedderInfo:
        """Say what this model is."""
        return self._info

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Embedding]:
        """Return one embedding per text; questions and passages are treated alike."""
        return [Embedding(self._vector(text)) for text in texts]

    def _vector(self, text: str) -> Vector:
        counts = np.zeros(self._info.dims, dtype=np.float32)
        for word in text.lower().split():
            digest = blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
            counts[int.from_bytes(digest, "big") % self._info.dims] += 1
        length = float(np.linalg.norm(counts))
        return counts / np.float32(length) if length else counts


def _checked() -> Embedder:
    """Let the type checker prove that the protocol is kept."""
    return HashEmbedder()
