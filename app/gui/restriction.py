"""The line at the top of the window that says, on every screen, that processing is restricted."""

from typing import TYPE_CHECKING

from app.domain.changes import Changes
from app.gui.bridge import Bridge
from app.gui.theme import Theme
from app.gui.widgets import NoticeBar

if TYPE_CHECKING:
    from app.services.services import Services

SENTENCE = "Processing is restricted: nothing is answered, recalled or learned."
NOT_LIFTED = "The restriction could not be lifted."


class RestrictionBar(NoticeBar):
    """Stands there for as long as processing is restricted, and lifts that."""

    def __init__(self, services: "Services", bridge: Bridge, theme: Theme) -> None:
        super().__init__(theme, "restriction")
        self.notice.close_button.hide()
        self._restriction = services.restriction
        self._bridge = bridge

    def look(self) -> None:
        """Show how it stands."""
        self._bridge.run(lambda: self._restriction.is_on, self._show, newest=self.look)

    def apply_changes(self, changes: Changes) -> None:
        """Look again where a change may have restricted or lifted it."""
        if changes.memories or changes.everything:
            self.look()

    def _show(self, restricted: bool) -> None:
        if restricted:
            self.say(SENTENCE, "warn", "Lift", self._lift)
        else:
            self.hide()

    def _lift(self) -> None:
        self._bridge.run(self._restriction.lift, on_error=self._on_not_lifted)

    def _on_not_lifted(self, error: Exception) -> None:
        self.say(self._bridge.told(error, NOT_LIFTED), "danger", "Try again", self._lift)
