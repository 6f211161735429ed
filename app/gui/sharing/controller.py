"""What the dialog on sharing does: shows what would go, and keeps what the person decides."""

from collections.abc import Callable
from functools import partial
from threading import Event
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.domain.sharing.rule import CAREFUL, SharingRule
from app.gui.bridge import Bridge, WorkQueue
from app.gui.sharing.dialog import SharingSheet
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

NOT_SHOWN = "What would be sent could not be put together."
NOT_KEPT = "That could not be kept, so nothing was sent."


class SharingDesk(QObject):
    """Asks what may go to a service.

    Args:
        over: The widget whose window the dialog belongs to.
    """

    def __init__(self, services: "Services", bridge: Bridge, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._services, self._bridge, self._theme, self._over = services, bridge, theme, over

    def ask(self, address: str, message_id: str, then: Callable[[], None]) -> SharingSheet:
        """Ask before a message goes to a service for the first time; then send it, if it may."""
        sheet = self._sheet(address, CAREFUL, waits=True)
        sheet.preview_requested.connect(partial(self._preview, sheet, message_id))
        sheet.decided.connect(partial(self._keep, sheet, address, then))
        sheet.begin()
        return sheet

    def change(self, address: str, rule: SharingRule | None) -> SharingSheet:
        """Let the person change what may go to a service."""
        sheet = self._sheet(address, rule or CAREFUL, waits=False)
        sheet.decided.connect(partial(self._keep, sheet, address, None))
        sheet.begin()
        return sheet

    def _sheet(self, address: str, rule: SharingRule, *, waits: bool) -> SharingSheet:
        host = urlsplit(address).netloc or address
        return SharingSheet(self._theme, self._over.window(), host, rule, waits=waits)

    def _preview(self, sheet: SharingSheet, message_id: str, rule: SharingRule) -> None:
        self._bridge.run(
            lambda: self._services.chat.preview(message_id, rule, Event()),
            partial(sheet.show_preview, rule),
            lambda error: sheet.refuse(self._bridge.told(error, NOT_SHOWN)),
            lane=WorkQueue.INTERACTIVE,
        )

    def _keep(
        self,
        sheet: SharingSheet,
        address: str,
        then: Callable[[], None] | None,
        rule: SharingRule,
    ) -> None:
        def kept(_changes: object) -> None:
            sheet.finish()
            if then is not None:
                then()

        self._bridge.run(
            lambda: self._services.sharing.share(address, rule),
            kept,
            lambda error: sheet.refuse(self._bridge.told(error, NOT_KEPT)),
        )
