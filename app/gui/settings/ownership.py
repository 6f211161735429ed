"""Ask whether an export that another vault wrote is the person's own."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.gui.dialogs import ConfirmSheet
from app.gui.theme import Theme
from app.gui.widgets import Button, Label

_TITLE = "Is this export your own?"
_WHO = "It says that it was written by the profile “{}”, not by this one."
_WHO_UNKNOWN = "This profile did not write it."
_WHAT = (
    "If you made it yourself, pins, instructions and trust stay as they were. From anybody else it"
    " comes in as claimed by an import and weighs less than your own word, until you say otherwise."
)


class OwnershipSheet(ConfirmSheet):
    """Asks whose an export is; the cautious answer is the one that Enter gives."""

    answered = Signal(bool)  # whether it is the person's own

    def __init__(self, theme: Theme, parent: QWidget, profile: str) -> None:
        who = _WHO.format(profile) if profile else _WHO_UNKNOWN
        super().__init__(theme, parent, _TITLE, who, "It is not mine", "ownership")
        self.body.addWidget(Label(_WHAT, "secondary", wrap=True, name="ownership_what"))
        self.own_button = Button(theme, "It is mine", "ownership_own", then=self._on_own_clicked)
        self._foot.insertWidget(self._foot.count() - 1, self.own_button)
        self.accepted.connect(lambda: self.answered.emit(False))

    def _on_own_clicked(self) -> None:
        self.answered.emit(True)
        self.reject()
