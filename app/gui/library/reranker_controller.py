"""What the part about the reranker does: looks at the disk, downloads, switches, chooses a file."""

from collections.abc import Generator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.domain.changes import Changes
from app.domain.jobs.operation import Ticket
from app.domain.jobs.progress import Progress
from app.domain.model import RerankerStatus
from app.errors import Cancelled
from app.gui.bridge import Bridge, WorkQueue
from app.gui.files import choose_file
from app.gui.library.reranker_section import RerankerSection
from app.settings.rerank import Reranking

if TYPE_CHECKING:
    from app.services.services import Services


class RerankerController(QObject):
    """Connects the section with the services; what goes wrong is said in the section."""

    def __init__(self, services: "Services", bridge: Bridge, section: RerankerSection) -> None:
        super().__init__(section)
        self._services = services
        self._bridge = bridge
        self._section = section
        self._ticket: Ticket | None = None
        section.switched.connect(self._on_switched)
        section.download_requested.connect(self._on_download_requested)
        section.stop_requested.connect(self._on_stop_requested)
        section.file_requested.connect(self._on_file_requested)
        section.reset_requested.connect(self._on_reset_requested)
        self.load()

    def apply_changes(self, changes: Changes) -> None:
        """Look again where the changes concern it."""
        named = any(key.startswith("rag.rerank.") for key in changes.settings)
        if changes.models or changes.profile or named:
            self.load()

    def load(self) -> None:
        """Show how things are."""
        services = self._services

        def look() -> tuple[RerankerStatus, bool]:
            chosen = services.preferences.values().rag.rerank.enabled
            return services.reranker.status(), chosen is Reranking.OFF

        self._bridge.run(look, self._on_looked, self._on_failed, newest=self.load)

    def _on_looked(self, found: tuple[RerankerStatus, bool]) -> None:
        status, refused = found
        self._section.show_status(status, refused=refused)

    @Slot(bool)
    def _on_switched(self, on: bool) -> None:
        self._section.notice.hide()
        self._bridge.run(lambda: self._services.reranker.switch(on), on_error=self._on_failed)

    @Slot()
    def _on_download_requested(self) -> None:
        self._section.begin_download()
        self._ticket = self._bridge.submit(
            self._download,
            self._section.show_progress,
            lambda _changes: self._end(""),
            self._on_download_failed,
            WorkQueue.TRANSFER,
        )

    def _download(self, cancel: Event) -> Generator[Progress, None, Changes]:
        """Download it; whoever asks for that wants it on."""
        reranker = self._services.reranker
        changes = yield from reranker.download(cancel)
        return changes if reranker.status().on else changes | reranker.switch(on=True)

    @Slot()
    def _on_stop_requested(self) -> None:
        if self._ticket is not None:
            self._ticket.cancel()

    def _on_download_failed(self, error: Exception) -> None:
        stopped = isinstance(error, Cancelled)
        self._end("" if stopped else self._bridge.told(error, "The download did not work."))

    def _end(self, sentence: str) -> None:
        self._ticket = None
        self._section.end_download(sentence)
        self.load()

    @Slot()
    def _on_file_requested(self) -> None:
        choose_file(
            self._section.window(),
            "Choose a reranker",
            "Models (*.gguf)",
            "reranker_file",
            self._choose,
        )

    def _choose(self, path: Path) -> None:
        self._section.notice.hide()
        self._bridge.run(lambda: self._services.reranker.choose(path), on_error=self._on_failed)

    @Slot()
    def _on_reset_requested(self) -> None:
        self._section.notice.hide()
        self._bridge.run(
            lambda: self._services.preferences.reset("rag.rerank.model"), on_error=self._on_failed
        )

    def _on_failed(self, error: Exception) -> None:
        self._section.notice.say(self._bridge.told(error, "That did not work. Try again."))
        self.load()
