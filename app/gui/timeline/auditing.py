"""What the page of sources does: reads who wrote what, and forgets what came from one source."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from app.domain.history import MemorySource
from app.domain.ids import Clock
from app.gui.bridge import Bridge
from app.gui.inspector.wording import counted
from app.gui.timeline.sources import SourcesPage

if TYPE_CHECKING:
    from app.services.services import Services

LISTED = 100


class Auditing(QObject):
    """Connects the page of sources with the services.

    Args:
        services: The services.
        bridge: Runs work off the GUI thread.
        page: The page.
        clock: The present.
        parent: Its owner.
    """

    def __init__(
        self, services: "Services", bridge: Bridge, page: SourcesPage, clock: Clock, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._services, self._bridge, self._clock = services, bridge, clock
        self._page = page
        page.asked.connect(self._on_asked)
        page.forgotten.connect(self._on_forgotten)
        page.batch_requested.connect(self._on_batch_requested)

    def load(self) -> None:
        """Read the report again."""
        self._bridge.run(
            lambda: self._services.history.audit(LISTED),
            lambda report: self._page.show_report(report, self._clock()),
            self._fail,
        )

    @Slot(object)
    def _on_asked(self, source: MemorySource) -> None:
        self._bridge.run(
            lambda: self._services.history.holding(source),
            lambda holding: self._page.ask(source, holding),
            self._fail,
        )

    @Slot(object)
    def _on_forgotten(self, source: MemorySource) -> None:
        def told(changes: Any) -> None:
            words = f"Forgot what came from “{source.title}”: {counted(len(changes.memories))}."
            batch = next(iter(changes.batches), "")
            undo = "Undo" if batch else ""
            self._page.notice.say(words, "accent", undo, lambda: self._on_batch_requested(batch))

        self._bridge.run(lambda: self._services.history.forget_source(source), told, self._fail)

    @Slot(str)
    def _on_batch_requested(self, batch: str) -> None:
        def told(outcome: Any) -> None:
            if outcome[1]:
                self._page.notice.say(" ".join(outcome[1]), "warn")

        self._bridge.run(lambda: self._services.history.undo(batch), told, self._fail)

    def _fail(self, error: Exception) -> None:
        self._page.notice.say(self._bridge.told(error, "That did not work."))
