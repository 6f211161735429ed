"""Who is loaded: builds the models that the settings name, and swaps them when the settings do.

Engine and services hold the host, or the embedder it lends them, and never see what runs behind.
A chat model serves one conversation at a time, and interactive work first: a background job that
holds it is told to let go and does its work again later.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Lock
from typing import Any

from app.assets import resource
from app.domain.model import ChatInfo, ModelRole
from app.domain.sharing.rule import SharingRule
from app.errors import AppError, Hindered, ModelError
from app.providers.base import ChatModel, Embedder, ModelUse, Sharing, Understanding
from app.providers.current import CurrentEmbedder, CurrentUnderstanding
from app.providers.learner import who_learns
from app.providers.lending import Either, Free, Lent, Meter
from app.providers.library import ModelsFolder
from app.providers.local import catalogue
from app.providers.local.download import Offer
from app.providers.local.embedding import UnderstandingModels
from app.providers.local.hash import HashEmbedder
from app.providers.local.llamacpp import LlamaChat, LlamaEmbedder
from app.providers.local.threads import Tuned, busy, machine
from app.providers.notebook import NOTEBOOK, NoModel
from app.providers.remote import embeddings
from app.providers.remote.endpoint import Endpoint, normal_url
from app.providers.remote.learnt import ServerMemory
from app.providers.remote.openai import OpenAIChat
from app.providers.rerankers import Rerankers
from app.providers.turns import Turns
from app.providers.veil import OpenGate, SharingGate
from app.settings.spec import Settings

log = logging.getLogger(__name__)

BUNDLED = "models/loci-minilm-v2-Q8_0.gguf"
READER = "loci-reader-v5"
JUDGE = "loci-judge-v4"
ANSWERS = "loci-answers-v2"
LATE = "loci-late-v1"

Key = tuple[Any, ...]
_ABOUT_BYTES = 10_000_000


class ModelHost:
    """Holds the model that answers, the one that learns, and the embedder.

    Nothing is built before it is asked for, and no process starts before it is used or warmed.

    Args:
        folder: Where ``file:NAME.gguf`` is looked up.
        settings: Returns the settings of the moment.
        secrets: Returns the key kept for a server's base address, or an empty text.
        offers: Rerankers that can be downloaded, by the name of the file; None for the catalogue's.
        meter: Notes what calls take, and says what may not be spent.
        learnt: What is known of the models behind servers.
        gate: Says what may go to which model; None where everything may.

    Attributes:
        rerankers: The reranker, where it is on.
        learnt: What is known of the models behind servers.
    """

    def __init__(
        self,
        folder: ModelsFolder,
        settings: Callable[[], Settings],
        secrets: Callable[[str], str] = lambda address: "",
        offers: Mapping[str, Offer] | None = None,
        meter: Meter | None = None,
        learnt: ServerMemory | None = None,
        gate: SharingGate | None = None,
    ) -> None:
        self._meter, self.learnt = meter or Free(), learnt or ServerMemory()
        self._gate = gate or OpenGate()
        self.folder = folder
        self.rerankers = Rerankers(
            folder,
            lambda: settings().rag.rerank,
            _rerankers_offered() if offers is None else offers,
            lambda: settings().models.mirror,
        )
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
        return CurrentEmbedder(self.current_embedder)

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
        return CurrentUnderstanding(self.current_understanding)

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
        beside = UnderstandingModels(*(str(resource("models") / name) for name in names))
        threads = self._settings().models.threads
        return LlamaEmbedder(resource(BUNDLED), title, threads=threads, beside=beside)

    # -- chat models -------------------------------------------------------------------------------

    def chat_info(self, *, learning: bool = False, choice: str = "") -> ChatInfo:
        """Say who answers (or who learns, or is named); never fails and never loads anything."""
        choice = choice or self._choice(learning)
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
        choice: str = "",
        seed: str = "",
        rule: SharingRule | None = None,
    ) -> Iterator[Lent]:
        """Lend the model that answers (or learns, or is named) to one caller at a time.

        Whoever is not interactive may be interrupted: its stream then raises Cancelled, and it
        should let go and come back later. What it asks leaves the conversation as the model knows
        it. Hold a model around calls of it only, and never two.

        Args:
            interactive: Whether the person waits for it.
            learning: Whether the one that learns is meant.
            cancel: Ends the waiting.
            choice: Whose id, where it is neither who answers nor who learns.
            seed: What stand-ins are chosen by, such as the conversation's id.
            rule: What may go, where that is only tried; None for what the person allowed.

        Raises:
            Unshared: Nothing may go there before the person said what may.
            ModelError: The model cannot be built, or may not be used for background work.
            Cancelled: ``cancel`` was set while waiting.
        """
        seat = self._seat(choice or self._choice(learning))
        veil = self._gate.veil(seat.model.info, seed, rule, interactive=interactive)
        if not interactive and (why := self._meter.hindrance(seat.model.info)):
            raise Hindered(why)
        wanted_back = seat.turns.enter(interactive, cancel)
        try:
            model = seat.model if interactive else seat.aside
            yield Lent(model, wanted_back, lambda use: self._note(interactive, seat, use), veil)
        finally:
            seat.turns.leave()
            self.refresh()

    def _note(self, interactive: bool, seat: "_Seat", use: ModelUse) -> None:
        try:
            self._meter.note(interactive, seat.model.info, use)
        except AppError as error:  # the answer is worth more than its bill
            log.warning("what a call took was not noted (%s)", type(error).__name__)

    def chat_processes(self) -> list[int]:
        """Return the ids of the processes in which chat models are loaded."""
        models = [seat.model for seat in list(self._seats.values())]
        pids = (model.child.pid for model in models if isinstance(model, LlamaChat))
        return [pid for pid in pids if pid is not None]

    def loaded_bytes(self, choice: str) -> int | None:
        """Return about how much memory a local chat model takes; None where it is not in use."""
        seat = self._seats.get(self._key(choice))
        if seat is None or not isinstance(seat.model, LlamaChat):
            return None
        taken = seat.model.child.memory_bytes
        return max(taken // _ABOUT_BYTES, 1) * _ABOUT_BYTES if taken else 0

    def tune(self, cancel: Event, busy: Callable[[], bool] = busy) -> Tuned | None:
        """Measure with the model that answers how many threads write fastest on this computer.

        None where nothing is measured: no model of this computer is loaded, the number is set or
        known, the computer is busy with something else, or somebody needed the model.
        """
        settings = self._settings()
        seat = self._seats.get(self._key(self._choice(learning=False)))
        if settings.models.threads or _measured(settings) or seat is None:
            return None
        if not isinstance(seat.model, LlamaChat) or not seat.model.child.running or busy():
            return None
        wanted_back = seat.turns.enter(False, cancel)
        try:
            return seat.model.tune(Either(cancel, wanted_back))
        finally:
            seat.turns.leave()

    def rest(self, idle_seconds: float) -> bool:
        """Free the memory of chat models that nobody has used for so long; return if any did."""
        models = [seat.model for seat in list(self._seats.values())]
        local = [model.child for model in models if isinstance(model, LlamaChat)]
        idle = [child for child in local if child.running and child.idle_seconds >= idle_seconds]
        for child in idle:
            child.rest()
        return bool(idle)

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
        learner = who_learns(settings, self.folder, self.learnt).id if learning else ""
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
        self.refresh(key)
        return seat

    def refresh(self, *wanted: Key) -> None:
        """Put away chat models that nobody wants any more, once their last answer is out.

        Args:
            wanted: Those that somebody wants though the settings do not name them.
        """
        named = {*wanted, *(self._key(self._choice(learning)) for learning in (False, True))}
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
                measured=_measured(self._settings()),
                gpu_layers=models.gpu_layers,
                name=self.folder.name(choice),
            )
        if kind == "server":
            address, _, name = rest.rpartition("#")
            endpoint, most = self._endpoint(address), models.context_tokens
            return OpenAIChat(endpoint, name, choice, most, self.learnt)
        raise ModelError(f"There is no chat model called {choice}.")

    def _endpoint(self, address: str) -> Endpoint:
        return Endpoint(normal_url(address), self._secrets(address))


class _Seat:
    """A chat model and the queue in front of it."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.aside = model.aside() if isinstance(model, Sharing) else model
        self.turns = Turns()


def _checked(host: ModelHost, seat: _Seat) -> tuple[Embedder, ChatModel]:
    """Let the type checker prove that the protocols are kept."""
    return host.embedder, Lent(seat.model, Event())


def _measured(settings: Settings) -> int:
    """Return how many threads write fastest here, as far as that was measured on this machine."""
    known = settings.computer
    return known.threads if known.threads_machine == machine() else 0


def _rerankers_offered() -> Mapping[str, Offer]:
    """Return what the catalogue has; where it is not as it was made, Loci works without it."""
    try:
        return catalogue.offers(ModelRole.RERANK)
    except ModelError as error:
        log.error("%s", error)
        return {}


def _close(model: Any) -> None:
    close = getattr(model, "close", None)
    if close is not None:
        close()
