"""Embedders behind servers: OpenAI's protocol, and Voyage's. What is embedded leaves this computer.

They are used only where the person chose one by name; nothing falls back to them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from app.errors import EndpointError, ModelError
from app.providers.base import LONGEST_TEXT, Embedder, EmbedderInfo, Embedding, Purpose, Vector
from app.providers.remote.endpoint import Endpoint

OPENAI = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
VOYAGE = {
    "voyage-3.5": 1024,
    "voyage-3.5-lite": 1024,
    "voyage-3-large": 1024,
    "voyage-code-3": 1024,
    "voyage-finance-2": 1024,
    "voyage-law-2": 1024,
    "voyage-code-2": 1536,
}
VOYAGE_URL = "https://api.voyageai.com/v1"

_OPENAI_HOST = "api.openai.com"
_CHUNK = 64


class RemoteEmbedder:
    """Asks a server for vectors of ``dims``, 0 where only it knows, perhaps in Voyage's dialect."""

    def __init__(
        self, endpoint: Endpoint, model: str, identity: str, dims: int = 0, *, voyage: bool = False
    ) -> None:
        self._endpoint, self._model, self._identity = endpoint, model, identity
        self._dims, self._voyage = dims, voyage

    @property
    def info(self) -> EmbedderInfo:
        """Say what this model is; asks the server once where the width is not known."""
        if not self._dims:
            self._dims = len(self._asked(["width"], Purpose.PASSAGE)[0])
        return EmbedderInfo(self._identity, self._model, self._dims, self._endpoint.local)

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Embedding]:
        """Return one embedding per text; an empty one is never sent."""
        cut = [text[:LONGEST_TEXT] for text in texts]
        full = [i for i, text in enumerate(cut) if text.strip()]
        found: dict[int, Vector] = {}
        for start in range(0, len(full), _CHUNK):
            part = full[start : start + _CHUNK]
            found.update(zip(part, self._asked([cut[i] for i in part], purpose), strict=True))
        empty = np.zeros(self.info.dims, dtype=np.float32)
        return [Embedding(found.get(i, empty)) for i in range(len(texts))]

    def _asked(self, texts: list[str], purpose: Purpose) -> list[Vector]:
        body: dict[str, Any] = {"model": self._model, "input": texts}
        if self._voyage:
            body["input_type"] = "query" if purpose is Purpose.QUERY else "document"
        else:
            body["encoding_format"] = "float"
        answer = self._endpoint.fetch("/embeddings", body, asked_for=self._model)
        return [self._vector(row) for row in self._rows(answer, len(texts))]

    def _rows(self, answer: Any, count: int) -> list[Mapping[str, Any]]:
        rows = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self._endpoint.nonsense()
        order = {row.get("index", at): row for at, row in enumerate(rows) if _numbered(row)}
        if len(rows) != count or set(order) != set(range(count)):
            raise EndpointError(f"{self._endpoint.host} returned another number of vectors.")
        return [order[at] for at in range(count)]

    def _vector(self, row: Mapping[str, Any]) -> Vector:
        try:
            given = np.asarray(row["embedding"], dtype=np.float64)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise self._endpoint.nonsense() from None
        with np.errstate(over="ignore"):
            vector = given.astype(np.float32)
        if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
            raise self._endpoint.nonsense()
        if vector.size % 8 or (self._dims and vector.size != self._dims):
            raise EndpointError(f"{self._endpoint.host} returned vectors of an unusual width.")
        length = float(np.linalg.norm(given))
        return (given / length).astype(np.float32) if length else vector


def _numbered(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("index", 0), int)


def openai(endpoint: Endpoint, model: str) -> RemoteEmbedder:
    """Return an embedder at an OpenAI-compatible server.

    Raises:
        ModelError: OpenAI itself is meant and there is no key.
    """
    if not endpoint.key and endpoint.host == _OPENAI_HOST:
        raise ModelError("OpenAI needs a key to embed anything.")
    return RemoteEmbedder(endpoint, model, f"openai:{model}", OPENAI.get(model, 0))


def voyage(model: str, key: str) -> RemoteEmbedder:
    """Return one of Voyage's embedders.

    Raises:
        ModelError: It has no such model, or there is no key.
    """
    if model not in VOYAGE:
        raise ModelError(f"Voyage has no model called {model}.")
    if not key:
        raise ModelError("Voyage needs a key to embed anything.")
    endpoint = Endpoint(VOYAGE_URL, key)
    return RemoteEmbedder(endpoint, model, f"voyage:{model}", VOYAGE[model], voyage=True)


def _checked(endpoint: Endpoint) -> Embedder:
    """Let the type checker prove that the protocol is kept."""
    return openai(endpoint, "")
