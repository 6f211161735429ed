"""What the part on sharing does: reads the rules, and lets the person change one."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.domain.changes import Changes
from app.gui.bridge import Bridge
from app.gui.library.sharing_section import SharingSection
from app.gui.sharing.controller import SharingDesk
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services


class SharingController(QObject):
    """Connects the part with the service."""

    def __init__(
        self, services: "Services", bridge: Bridge, theme: Theme, section: SharingSection
    ) -> None:
        super().__init__(section)
        self._services, self._bridge, self._section = services, bridge, section
        self._desk = SharingDesk(services, bridge, theme, section)
        section.change_requested.connect(self._on_change_requested)
        self._load()

    def apply_changes(self, changes: Changes) -> None:
        """Read again what the changes concern."""
        if changes.models or changes.profile or {"chat.model", "models.sharing"} & changes.settings:
            self._load()

    def _load(self) -> None:
        read, show = self._services.sharing.connections, self._section.show_connections
        self._bridge.run(read, show, newest=self._load)

    @Slot(object)
    def _on_change_requested(self, one: object) -> None:
        self._desk.change(one.address, one.rule)  # type: ignore[attr-defined]
