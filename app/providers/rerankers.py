"""Whether finds are reranked, by which file, and how that file gets onto this computer.

The gate has three positions: unset is on exactly where the file is present, on is on and offers to
download what is missing, off is off. Presence is a look at the disk, never at the network, and a
look that fails means absent. The reranker has a process of its own: a file that breaks it takes
nothing else down.
"""

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from threading import Event, Lock
from types import MappingProxyType
from typing import Any

from app.domain.jobs.progress import Progress
from app.domain.model import RerankerStatus
from app.errors import ModelError, ModelFileError, Refused
from app.providers.base import Reranker
from app.providers.library import ModelsFolder
from app.providers.local.download import HUB, Offer, fetch, fetched
from app.providers.local.reranker import LlamaReranker
from app.settings.rerank import Reranking, RerankSettings

log = logging.getLogger(__name__)

_GPU_LAYERS = MappingProxyType({"auto": -1, "off": 0})


class Rerankers:
    """The one reranker that the settings name, where they let it run.

    ``offers`` is what can be downloaded, by the name of the file.
    """

    def __init__(
        self,
        folder: ModelsFolder,
        settings: Callable[[], RerankSettings],
        offers: Mapping[str, Offer],
        mirror: Callable[[], str] = lambda: HUB,
    ) -> None:
        self._folder, self._settings, self.offers = folder, settings, offers
        self._mirror = mirror
        self._lock = Lock()
        self._running: LlamaReranker | None = None
        self._key: tuple[Any, ...] = ()
        self._closed = False

    def current(self) -> Reranker | None:
        """Return the reranker, or None where the gate is closed; loads nothing."""
        if not self._on():
            self._put_away()
            return None
        return _CurrentReranker(self)

    def status(self) -> RerankerStatus:
        """Say whether it is on, and what it would need; never fails, never asks the network."""
        path, offer = self._path(), self._offer()
        if self._present():
            size, problem = _size(path), ""
            try:
                LlamaReranker(path)
            except ModelError as error:
                problem = str(error)
        else:
            size, problem = offer.bytes if offer else 0, self._missing()
        on = self._on()
        offered = offer is not None and (not self._present() or bool(problem))
        return RerankerStatus(
            path.name,
            present=self._present(),
            on=on,
            bytes=size,
            offered=offered,
            fetched=fetched(path) if offered else 0,
            problem=problem if on else "",
        )

    def running(self) -> LlamaReranker:
        """Return the reranker that the settings name now, building it where they changed.

        Raises:
            ModelError: Its file is not there, or is no reranker.
        """
        wanted = self._settings()
        path = self._path()
        if not self._present():
            raise ModelFileError(self._missing())
        key = (path, _stamp(path), wanted.threads, wanted.gpu)
        with self._lock:
            if self._closed:
                raise ModelError("The models were put away.")
            if self._running is None or key != self._key:
                if self._running is not None:
                    self._running.close()
                self._running = None
                layers = _GPU_LAYERS[wanted.gpu]
                self._running = LlamaReranker(path, threads=wanted.threads, gpu_layers=layers)
                self._key = key
                log.info("the reranker in use is %s", path.name)
            return self._running

    def warm(self) -> None:
        """Load it in the background where it is on; what fails is said when it is used."""
        try:
            if self._on():
                self.running().warm()
        except ModelError as error:
            log.info("the reranker does not start: %s", type(error).__name__)

    def prepare(self, seconds: float) -> None:
        """Load it where it is on and wait for it, but no longer than that."""
        try:
            if self._on():
                self.running().prepare(seconds)
        except ModelError as error:
            log.info("the reranker does not start: %s", type(error).__name__)

    def download(self, cancel: Event) -> Generator[Progress, None, None]:
        """Download the file that the settings name; only ever because the person said so.

        Raises:
            Refused: Nothing is offered under that name.
            ModelError: It could not be downloaded; what has come is kept for the next time.
        """
        path, offer = self._path(), self._offer()
        if self._present() and not self._is_unusable(path):
            return
        if offer is None:
            raise Refused(f"{path.name} cannot be downloaded; put the file into the models folder.")
        yield from fetch(offer.through(self._mirror()), path, cancel)

    def check(self, path: Path) -> str:
        """Return what the settings call a file that lies anywhere; it stays where it is.

        Raises:
            ModelFileError: It is no reranker that can be used.
        """
        path = path.expanduser().absolute()
        LlamaReranker(path)
        return path.name if path.parent == self._folder.folder else str(path)

    def close(self) -> None:
        """End its process, for good."""
        self._closed = True
        self._put_away()

    def _put_away(self) -> None:
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.close()

    def _on(self) -> bool:
        enabled = self._settings().enabled
        return enabled is Reranking.ON or (enabled is Reranking.UNSET and self._present())

    def _path(self) -> Path:
        return self._folder.path(self._settings().model)

    def _present(self) -> bool:
        try:
            return self._path().is_file()
        except (OSError, ValueError):
            return False

    @staticmethod
    def _is_unusable(path: Path) -> bool:
        try:
            LlamaReranker(path)
        except ModelError:
            return True
        return False

    def _offer(self) -> Offer | None:
        path = self._path()
        return self.offers.get(path.name) if path.parent == self._folder.folder else None

    def _missing(self) -> str:
        name = self._path().name
        if self._offer() is None:
            return f"The reranker {name} is not in the models folder."
        return f"The reranker {name} is not on this computer yet; it can be downloaded once."


class _CurrentReranker:
    """Asks anew each time which reranker it is, so that whoever keeps it follows the settings."""

    def __init__(self, rerankers: Rerankers) -> None:
        self._rerankers = rerankers

    def score(self, query: str, texts: Sequence[str], seconds: float) -> Sequence[float]:
        return self._rerankers.running().score(query, texts, seconds)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError as error:
        raise ModelFileError(f"{path.name} cannot be read.") from error
    return found.st_size, found.st_mtime_ns


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
