"""Who is loaded: builds the models that the settings name, and swaps them when the settings do.

Engine and services hold the host, or the embedder it lends them, and never see what runs behind.
A chat model serves one conversation at a time, and interactive work first: a background job that
holds it is told to let go and does its work again later.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.assets import resource
from app.errors import AppError, Hindered, ModelError
from app.providers import embeddings
from app.providers.base import (
    ChatInfo,
    ChatModel,
    Embedder,
    EmbedderInfo,
    Embedding,
    Purpose,
    Understanding,
    Use,
)
from app.providers.download import Offer
from app.providers.embedding import Beside
from app.providers.endpoint import Endpoint, normal_url
from app.providers.hash import HashEmbedder
from app.providers.judging import Task
from app.providers.learner import who_learns
from app.providers.learnt import Learnt
from app.providers.lending import Free, Lent, Meter
from app.providers.library import ModelsFolder
from app.providers.llamacpp import LlamaChat, LlamaEmbedder
from app.providers.notebook import NOTEBOOK, NoModel
from app.providers.openai import OpenAIChat
from app.providers.reading import Tags
from app.providers.rerankers import OFFERS, Rerankers
from app.providers.turns import Turns
from app.settings.spec import Settings

log = logging.getLogger(__name__)

BUNDLED = "models/loci-minilm-v2-Q8_0.gguf"
READER = "loci-reader-v5"
JUDGE = "loci-judge-v4"
ANSWERS = "loci-answers-v2"
LATE = "loci-late-v1"

Key = tuple[Any, ...]


class ModelHost:
    """Holds the model that answers, the one that learns, and the embedder.

    Nothing is built before it is asked for, and no process starts before it is used or warmed.

    Args:
        folder: Where ``file:NAME.gguf`` is looked up.
        settings: Returns the settings of the moment.
        secrets: Returns the key kept for a server's base address, or an empty text.
        offers: What can be downloaded, by the name of the file.
        meter: Notes what calls take, and says what may not be spent.
        learnt: What is known of the models behind servers.

    Attributes:
        rerankers: The reranker, where it is on.
    """

    def __init__(
        self,
        folder: ModelsFolder,
        settings: Callable[[], Settings],
        secrets: Callable[[str], str] = lambda address: "",
        offers: Mapping[str, Offer] = OFFERS,
        meter: Meter | None = None,
        learnt: Learnt | None = None,
    ) -> None:
        self._meter, self._learnt = meter or Free(), learnt or Learnt()
        self.folder = folder
        self.rerankers = Rerankers(folder, lambda: settings().rag.rerank, offers)
        self._settings, self._secrets = settings, secrets
        self._lock = Lock()
        self._closed = False
        self._seats: dict[Key, _Seat] = {}
        self._embedder: Embedder | None = None
        self._embedder_key: Key = ()
        self._beside: LlamaEmbedder | None = None

    # -- the embedder ------------------------------------------------------------------------------

    @property
    def embedder(self) -> Embedder:
        """An embedder that is always the one the settings name."""
        return _CurrentEmbedder(self)

    def current_embedder(self) -> Embedder:
        """Return the embedder the settings name now, building it where they changed.

        Raises:
            ModelError: It cannot be built.
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
        """Start what recall needs without waiting for it; what fails shows when it is used."""
        try:
            embedder = self.current_embedder()
            if isinstance(embedder, LlamaEmbedder):
                embedder.warm()
        except ModelError as error:
            level = logging.INFO if self._closed else logging.WARNING
            log.log(level, "the embedder does not start: %s", type(error).__name__)
        self.rerankers.warm()

    def _build_embedder(self, choice: str) -> Embedder:
        models = self._settings().models
        kind, _, name = choice.partition(":")
        if kind == "hash":
            return HashEmbedder()
        if kind == "bundled":
            return self._bundled()
        if kind == "file":
            path = self.folder.path(choice)
            return LlamaEmbedder(path, path.stem, threads=models.threads)
        if kind == "openai":
            return embeddings.openai(self._endpoint(models.embedder_url), name)
        if kind == "voyage":
            return embeddings.voyage(name, self._secrets("voyage"))
        raise ModelError(f"There is no embedding model called {choice}.")

    # -- what understands messages -----------------------------------------------------------------

    @property
    def understanding(self) -> "Understanding":
        """What reads messages and judges pairs of texts, whichever embedder is in use."""
        return _CurrentUnderstanding(self)

    def current_understanding(self) -> "Understanding":
        """Return the process of the bundled embedder: the one in use, else one of its own.

        Raises:
            ModelError: It cannot be built.
        """
        if self._settings().models.embedder.partition(":")[0] == "bundled":
            embedder = self.current_embedder()
            if isinstance(embedder, LlamaEmbedder):
                return embedder
        with self._lock:
            if self._closed:
                raise ModelError("The models were put away.")
            if self._beside is None:
                self._beside = self._bundled()
            return self._beside

    def _bundled(self) -> LlamaEmbedder:
        title = "Loci's own embedding model"
        names = (READER, JUDGE, ANSWERS, LATE)
        beside = Beside(*(str(resource("models") / name) for name in names))
        threads = self._settings().models.threads
        return LlamaEmbedder(resource(BUNDLED), title, threads=threads, beside=beside)

    # -- chat models -------------------------------------------------------------------------------

    def chat_info(self, *, learning: bool = False) -> ChatInfo:
        """Say who answers (or who learns); never fails and never loads anything."""
        choice = self._choice(learning)
        try:
            return self._seat(choice).model.info
        except ModelError:
            name = choice.rpartition("#")[2].rpartition("/")[2].removeprefix("file:")
            return ChatInfo(choice, name, self._settings().models.context_tokens, local=True)

    @contextmanager
    def chat(
        self,
        interactive: bool = True,
        *,
        learning: bool = False,
        cancel: Event | None = None,
    ) -> Iterator[ChatModel]:
        """Lend the model that answers (or the one that learns) to one caller at a time.

        Whoever is not interactive may be interrupted: its stream then raises Cancelled, and it
        should let go and come back later. Hold a model around calls of it only, and never two.

        Raises:
            ModelError: The model cannot be built, or may not be used for background work.
            Cancelled: ``cancel`` was set while waiting.
        """
        seat = self._seat(self._choice(learning))
        if not interactive and (why := self._meter.hindrance(seat.model.info)):
            raise Hindered(why)
        wanted_back = seat.turns.enter(interactive, cancel)
        try:
            yield Lent(seat.model, wanted_back, lambda use: self._note(interactive, seat, use))
        finally:
            seat.turns.leave()
            self.refresh()

    def _note(self, interactive: bool, seat: "_Seat", use: Use) -> None:
        try:
            self._meter.note(interactive, seat.model.info, use)
        except AppError as error:  # the answer is worth more than its bill
            log.warning("what a call took was not noted (%s)", type(error).__name__)

    def rest(self, idle_seconds: float) -> None:
        """Free the memory of chat models that nobody has used for so long."""
        for seat in list(self._seats.values()):
            if isinstance(seat.model, LlamaChat) and seat.model.child.idle_seconds >= idle_seconds:
                seat.model.child.rest()

    def forget(self) -> None:
        """Drop what models keep of texts that they read, for something is erased."""
        self.rest(0)
        for model in (self._embedder, self._beside):
            if isinstance(model, LlamaEmbedder):
                with suppress(ModelError):
                    model.forget()

    def close(self) -> None:
        """End every process; the host is of no use after it."""
        with self._lock:
            self._closed = True
            models: list[Any] = [seat.model for seat in self._seats.values()]
            models += [self._embedder, self._beside]
            self._seats, self._embedder, self._beside = {}, None, None
        self.rerankers.close()
        for model in models:
            _close(model)

    def _choice(self, learning: bool) -> str:
        settings = self._settings()
        learner = who_learns(settings, self.folder).id if learning else ""
        return learner or settings.chat.model or NOTEBOOK.id

    def _key(self, choice: str) -> Key:
        models = self._settings().models
        return choice, models.context_tokens, models.threads, models.gpu_layers

    def _seat(self, choice: str) -> "_Seat":
        key = self._key(choice)
        with self._lock:
            if self._closed:
                raise ModelError("The models were put away.")
            if key not in self._seats:
                self._seats[key] = _Seat(self._build_chat(choice))
            seat = self._seats[key]
        self.refresh()
        return seat

    def refresh(self) -> None:
        """Put away chat models that the settings name no longer, once their last answer is out."""
        named = {self._key(self._choice(learning)) for learning in (False, True)}
        with self._lock:
            for key in [key for key in self._seats if key not in named]:
                if self._seats[key].turns.try_enter():
                    _close(self._seats.pop(key).model)

    def _build_chat(self, choice: str) -> ChatModel:
        models = self._settings().models
        kind, _, rest = choice.partition(":")
        if choice == NOTEBOOK.id:
            return NoModel()
        if kind == "file":
            return LlamaChat(
                self.folder.path(choice),
                choice,
                context_tokens=models.context_tokens,
                threads=models.threads,
                gpu_layers=models.gpu_layers,
            )
        if kind == "server":
            address, _, name = rest.rpartition("#")
            endpoint, most = self._endpoint(address), models.context_tokens
            return OpenAIChat(endpoint, name, choice, most, self._learnt)
        raise ModelError(f"There is no chat model called {choice}.")

    def _endpoint(self, address: str) -> Endpoint:
        return Endpoint(normal_url(address), self._secrets(address))


class _Seat:
    """A chat model and the queue in front of it."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.turns = Turns()


class _CurrentEmbedder:
    """Asks the host anew each time, so that whoever keeps it follows the settings."""

    def __init__(self, host: ModelHost) -> None:
        self._host = host

    @property
    def info(self) -> EmbedderInfo:
        return self._host.current_embedder().info

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Embedding]:
        return self._host.current_embedder().embed(texts, purpose)


class _CurrentUnderstanding:
    """Asks the host anew each time, so that whoever keeps it follows the settings."""

    def __init__(self, host: ModelHost) -> None:
        self._host = host

    def read(self, messages: Sequence[tuple[str, str]], *, urgent: bool = False) -> Sequence[Tags]:
        return self._host.current_understanding().read(messages, urgent=urgent)

    def judge(self, task: Task, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return self._host.current_understanding().judge(task, pairs)


def _checked(host: ModelHost, seat: _Seat) -> tuple[Embedder, ChatModel]:
    """Let the type checker prove that the protocols are kept."""
    return _CurrentEmbedder(host), Lent(seat.model, Event())


def _close(model: Any) -> None:
    close = getattr(model, "close", None)
    if close is not None:
        close()
