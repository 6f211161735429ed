"""Looks every second what another process does with the open vault, and tells the window."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.gui.bridge import Bridge, WorkQueue
from app.gui.timers import timer

if TYPE_CHECKING:
    from app.services.services import Services

LOOK_MS = 1_000


class Watching(QObject):
    """Publishes what the command line or another program changed."""

    asked_to_close = Signal()  # another program needs the profile alone

    def __init__(self, services: "Services", bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watch = services.watch
        self._bridge = bridge
        self._looking = False
        self._timer = timer(self, LOOK_MS, self._on_interval_passed, again=True)

    def start(self) -> None:
        """Look now, to know what is there, and every second from then on."""
        self._on_interval_passed()
        self._timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    @Slot()
    def _on_interval_passed(self) -> None:
        if not self._looking:
            self._looking = True
            self._bridge.run(self._look, self._on_looked, self._on_failed, WorkQueue.DESK)

    def _look(self) -> tuple[Changes, bool]:
        if self._watch.is_asked_to_close():
            return Changes(), True
        return self._watch.look(), False

    def _on_looked(self, seen: tuple[Changes, bool]) -> None:
        self._looking = False  # the bridge has published the changes
        if seen[1]:
            self.stop()
            self.asked_to_close.emit()

    def _on_failed(self, error: Exception) -> None:
        self.stop()  # said once is enough
        self._bridge.failed.emit(error)
