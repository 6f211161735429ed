"""What the page of sources does: reads who wrote what, and forgets what came from one source."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.domain.changes import Changes
from app.domain.history import MemorySource
from app.domain.ids import Clock
from app.domain.language.text import counted
from app.gui.bridge import Bridge
from app.gui.controller import PageController
from app.gui.timeline.sources import SourcesPage

if TYPE_CHECKING:
    from app.services.services import Services

LISTED = 100


class Auditing(PageController[SourcesPage]):
    """Connects the page of sources with the services."""

    def __init__(
        self, services: "Services", bridge: Bridge, page: SourcesPage, clock: Clock, parent: QObject
    ) -> None:
        super().__init__(services, bridge, page, parent, clock)
        page.asked.connect(self._on_asked)
        page.forgotten.connect(self._on_forgotten)
        page.batch_requested.connect(self._undo)

    def load(self) -> None:
        """Read the report again."""
        self._run(
            lambda: self._services.sources.audit(LISTED),
            lambda report: self.pane.show_report(report, self._clock()),
        )

    @Slot(object)
    def _on_asked(self, source: MemorySource) -> None:
        self._run(
            lambda: self._services.sources.holding(source),
            lambda holding: self.pane.ask(source, holding),
        )

    @Slot(object)
    def _on_forgotten(self, source: MemorySource) -> None:
        def told(changes: Changes) -> None:
            many = counted(len(changes.memories), "memory")
            words = f"Forgot what came from “{source.title}”: {many}."
            batch = next(iter(changes.batches), "")
            undo = "Undo" if batch else ""
            self.pane.notice.say(words, "accent", undo, lambda: self._undo(batch))

        self._run(lambda: self._services.sources.forget(source), told)
