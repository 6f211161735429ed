"""What is or was sent, word for word, with a button to copy it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.domain.language.text import shown
from app.gui.theme import Theme
from app.gui.widgets import Button, hbox, named, vbox

Turns = Sequence[tuple[str, str]]
_WHO = {"system": "Instructions", "user": "You", "assistant": "Assistant", "tool": "Tool"}


class SentView(QWidget):
    """A request: who speaks, and every word."""

    def __init__(self, theme: Theme, name: str, title: str, height: int) -> None:
        super().__init__()
        named(self, name, title)
        self.text = named(QPlainTextEdit(), f"{name}_text", title)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setMinimumHeight(theme.px(height))
        self._theme = theme
        self.copy_button = Button(theme, "Copy", f"{name}_copy", then=self._copy)
        vbox((self.text, 1), hbox(..., self.copy_button), of=self, margins=0, spacing=6)
        theme.changed.connect(self._dress)
        self._dress()

    def show_turns(self, turns: Turns) -> None:
        """Show a request."""
        told = as_text(turns)
        if told != self.text.toPlainText():
            self.text.setPlainText(told)
        self.copy_button.setEnabled(bool(turns))

    def say(self, sentence: str) -> None:
        """Say something in its place."""
        self.text.setPlainText(shown(sentence))
        self.copy_button.setEnabled(False)

    @Slot()
    def _dress(self) -> None:
        self.text.setFont(self._theme.font("mono"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


def as_text(turns: Turns) -> str:
    """Return a request as it is shown."""
    return "\n\n".join(f"[{_WHO.get(role, role)}]\n{shown(text)}" for role, text in turns)
