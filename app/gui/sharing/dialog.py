"""The dialog that says what may go to a service: before the first message, and whenever wanted."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.sharing.rule import SharingRule
from app.gui.dialogs import Sheet
from app.gui.sharing.choice import SharingChoice
from app.gui.sharing.sent_view import SentView, Turns
from app.gui.theme import Theme
from app.gui.widgets import Label

NOTHING = "Nothing was sent yet. What you choose holds for every message, until you change it."
LATER = "It holds from the next message on, until you change it again."
_PREVIEW = 200


class SharingSheet(Sheet):
    """Asks what may go; with a message that waits, shows exactly what would."""

    preview_requested = Signal(object)  # what would go by this SharingRule? ``show_preview`` it
    decided = Signal(object)  # the SharingRule is to hold

    def __init__(
        self, theme: Theme, parent: QWidget, host: str, rule: SharingRule, *, waits: bool
    ) -> None:
        title = f"What may go to {host}?"
        super().__init__(
            theme, parent, title, "sharing_sheet", "Send" if waits else "Keep", "primary"
        )
        self.choice = SharingChoice(theme, rule)
        self.preview = SentView(theme, "sharing_preview", "What would be sent", _PREVIEW)
        self.setMinimumWidth(theme.px(620 if waits else 480))
        told = NOTHING if waits else LATER
        self.body.addWidget(Label(told, "lead", wrap=True, name="sharing_sentence"))
        self.body.addWidget(self.choice)
        if waits:
            self.body.addWidget(Label("This would be sent now", "strong", name="sharing_would"))
            self.body.addWidget(self.preview, 1)
        else:
            self.body.addStretch(1)
        self._waits, self._over = waits, False
        self.choice.changed.connect(self._on_changed)
        self.choice.memories.setFocus()

    def begin(self) -> None:
        """Open, and ask for what would go."""
        self.open()
        self._on_changed()

    def show_preview(self, rule: SharingRule, turns: Turns) -> None:
        """Show what would go by a rule, if that is still the one."""
        if not self._over and rule == self.choice.rule:
            self.preview.show_turns(turns)
            self._allow(True)

    def refuse(self, sentence: str) -> None:
        """Say why it cannot be shown or sent."""
        if not self._over:
            self.preview.say("")
            self.errors.say(sentence)

    def finish(self) -> None:
        """Close; what was decided is kept."""
        if not self._over:
            self.accept()

    def done(self, outcome: int) -> None:
        """Close for good; what still arrives finds nobody."""
        self._over = True
        super().done(outcome)

    def _allow(self, may: bool) -> None:
        if self.accept_button is not None:
            self.accept_button.setEnabled(may)

    def _on_changed(self) -> None:
        self.errors.hide()
        complete = self.choice.complete
        self._allow(complete and not self._waits)
        if not complete:
            self.preview.say("Name a type or a tag.")
        elif self._waits:  # nothing is sent that was not shown
            self.preview_requested.emit(self.choice.rule)

    def _on_accept_clicked(self) -> None:
        self._allow(False)
        self.decided.emit(self.choice.rule)
