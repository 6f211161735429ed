"""Runs dry recalls for the inspector, one at a time; only the newest question is answered."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.domain.changes import Changes
from app.domain.recall import HitKind, Recall
from app.gui.bridge import Bridge, WorkQueue
from app.gui.inspector.dry_run import DryRunPage
from app.gui.trace.source import TraceSource

if TYPE_CHECKING:
    from app.services.services import Services


class DryRuns(QObject):
    """Connects the page of dry runs with the services.

    Signals:
        memory_opened: A memory should be shown; its id.
        message_opened: A message should be shown; args: conversation id, message id
    """

    memory_opened = Signal(str)
    message_opened = Signal(str, str)

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        page: DryRunPage,
        sentence: Callable[[Exception], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services, self._bridge, self._page = services, bridge, page
        self._sentence = sentence
        self._text = ""
        self._running = self._stale = False
        page.asked.connect(self._on_asked)
        page.source_opened.connect(self._on_source_opened)

    def apply_changes(self, changes: Changes) -> None:
        """Ask again where the changes may have changed what is recalled."""
        tuned = any(key.startswith(("rag.", "models.")) for key in changes.settings)
        if self._text and (changes.memories or changes.models or changes.everything or tuned):
            self._ask()

    def _on_asked(self, text: str) -> None:
        if text == self._text:
            return
        self._text = text
        if text:
            self._page.show_looking()
            self._ask()
        else:
            self._page.show_hint()

    def _ask(self) -> None:
        if self._running:
            self._stale = True
            return
        self._running, self._stale = True, False
        memories, text = self._services.memories, self._text
        self._bridge.run(
            lambda: memories.recall(text),
            partial(self._on_recalled, text),
            partial(self._on_failed, text),
            WorkQueue.DESK,
        )

    def _on_recalled(self, text: str, recall: Recall) -> None:
        if self._is_wanted(text):
            self._page.show_recall(recall, text)

    def _on_failed(self, text: str, error: Exception) -> None:
        if self._is_wanted(text):
            self._page.show_error(self._sentence(error))

    def _is_wanted(self, text: str) -> bool:
        """Say whether this is what stands in the field; if that has changed, ask for it."""
        self._running = False
        if self._text and self._stale:
            self._ask()
        return text == self._text

    def _on_source_opened(self, source: TraceSource, _card: QWidget) -> None:
        hit = source.hit
        if hit.kind is HitKind.MEMORY:
            self.memory_opened.emit(hit.id)
        elif hit.conversation_id:
            self.message_opened.emit(hit.conversation_id, hit.id)
