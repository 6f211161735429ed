"""Looks every second whether another process changed the open vault, and tells the window."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from app.domain.changes import Changes
from app.gui.bridge import Bridge, Lane

if TYPE_CHECKING:
    from app.services.services import Services

LOOK_MS = 1_000


class Watching(QObject):
    """Publishes what the command line or another program changed."""

    def __init__(self, services: "Services", bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self._looking = False
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._on_interval_passed)

    def start(self) -> None:
        """Look now, to know what is there, and every second from then on."""
        self._on_interval_passed()
        self._timer.start()

    @Slot()
    def _on_interval_passed(self) -> None:
        if not self._looking:
            self._looking = True
            self._bridge.run(self._services.watch.look, self._on_looked, self._on_failed, Lane.DESK)

    def _on_looked(self, _changes: Changes) -> None:
        self._looking = False  # the bridge has published them

    def _on_failed(self, error: Exception) -> None:
        self._timer.stop()  # said once is enough
        self._bridge.failed.emit(error)
