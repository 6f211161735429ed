"""Who is loaded: builds the models that the settings name, and swaps them when the settings do.

Engine and services hold the host, or the embedder it lends them, and never see what runs behind.
The chat model serves one conversation at a time, and interactive work first: a background job that
holds it is told to let go and does its work again later.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock
from typing import Any, Protocol

from app.assets import resource
from app.domain.model import ModelRole
from app.errors import Cancelled, ModelError, ModelFileError
from app.providers import gguf
from app.providers.base import (
    ChatInfo,
    ChatModel,
    Embedder,
    EmbedderInfo,
    Embedding,
    Purpose,
    Sampling,
    Turn,
)
from app.providers.hash import HashEmbedder
from app.providers.library import ModelsFolder
from app.providers.notebook import NOTEBOOK, NoModel
from app.providers.turns import Turns
from app.settings.spec import Settings

log = logging.getLogger(__name__)

BUNDLED = "models/loci-minilm-v1-Q8_0.gguf"


class ModelHost:
    """Holds the chat model, the model that learns, and the embedder.

    Args:
        folder: Where ``file:NAME.gguf`` is looked up.
        settings: Returns the settings of the moment.
        secrets: Returns the key kept for a server's address, or an empty text.
    """

    def __init__(
        self,
        folder: ModelsFolder,
        settings: Callable[[], Settings],
        secrets: Callable[[str], str] = lambda address: "",
    ) -> None:
        self.folder = folder
        self._settings, self._secrets = settings, secrets
        self._lock = Lock()
        self._closed = False
        self._seats: dict[str, _Seat] = {}
        self._embedder: Embedder | None = None
        self._embedder_key: tuple[Any, ...] = ()

    # -- the embedder ------------------------------------------------------------------------------

    @property
    def embedder(self) -> Embedder:
        """An embedder that is always the one the settings name."""
        return _CurrentEmbedder(self)

    def current_embedder(self) -> Embedder:
        """Return the embedder the settings name now, building it where they changed.

        Raises:
            ModelError: It cannot be built, with one sentence for the person.
        """
        models = self._settings().models
        key = (models.embedder, models.embedder_url, models.threads)
        with self._lock:
            if self._closed:
                raise ModelError("The models were put away.")
            if self._embedder is None or key != self._embedder_key:
                _close(self._embedder)
                self._embedder = None
                self._embedder = self._build_embedder(models.embedder)
                self._embedder_key = key
                log.info("the embedder in use is %s", models.embedder)
            return self._embedder

    def warm(self) -> None:
        """Start the embedder's process without waiting for it; a failure shows when it is used."""
        try:
            warm = getattr(self.current_embedder(), "warm", None)
            if warm is not None:
                warm()
        except ModelError as error:
            log.warning("the embedder does not start: %s", type(error).__name__)

    def _build_embedder(self, choice: str) -> Embedder:
        models = self._settings().models
        kind, _, name = choice.partition(":")
        if kind == "hash":
            return HashEmbedder()
        if kind in ("bundled", "file"):
            from app.providers.llamacpp import LlamaEmbedder

            path = resource(BUNDLED) if kind == "bundled" else self.folder.path(choice)
            title = "Loci's own embedding model" if kind == "bundled" else path.stem
            return LlamaEmbedder(path, title, threads=models.threads)
        raise ModelError(f"There is no embedding model called {name or choice}.")

    # -- chat models -------------------------------------------------------------------------------

    def chat_info(self, *, learning: bool = False) -> ChatInfo:
        """Say who answers (or who learns); never fails and never loads anything."""
        choice = self._choice(learning)
        try:
            return self._seat(choice).model.info
        except ModelError:
            return ChatInfo(choice, _name(choice), self._settings().models.context_tokens, True)

    @contextmanager
    def chat(
        self, interactive: bool = True, *, learning: bool = False, cancel: Event | None = None
    ) -> Iterator[ChatModel]:
        """Lend the chat model (or the one that learns) to one caller at a time.

        Whoever is not interactive may be interrupted: its stream then raises Cancelled, and it
        should leave and come back later. Hold it around calls of the model only, and never twice.

        Raises:
            ModelError: The model cannot be built.
            Cancelled: ``cancel`` was set while waiting.
        """
        seat = self._seat(self._choice(learning))
        wanted_back = seat.turns.enter(interactive, cancel)
        try:
            yield _Lent(seat.model, wanted_back)
        finally:
            seat.turns.leave()

    def refresh(self) -> None:
        """Put away chat models that the settings no longer name."""
        named = {self._choice(learning=False), self._choice(learning=True)}
        with self._lock:
            gone = [self._seats.pop(key) for key in list(self._seats) if key not in named]
        for seat in gone:
            _close(seat.model)

    def rest(self, idle_seconds: float) -> None:
        """Put away chat models in memory that nobody has used for so long."""
        for seat in list(self._seats.values()):
            child = getattr(seat.model, "child", None)
            if child is not None and child.running and child.idle_seconds >= idle_seconds:
                self._drop(seat)

    def close(self) -> None:
        """End every process; the host is of no use after it."""
        with self._lock:
            self._closed = True
            seats, self._seats = list(self._seats.values()), {}
            embedder, self._embedder = self._embedder, None
        for seat in seats:
            _close(seat.model)
        _close(embedder)

    def _choice(self, learning: bool) -> str:
        settings = self._settings()
        return (learning and settings.extraction.learn_from) or settings.chat.model or NOTEBOOK.id
