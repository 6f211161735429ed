"""One line of a settings page: a title, a sentence of help, and controls beside or below them."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSpinBox, QWidget

from app.gui.settings.editors import make_editor
from app.gui.theme import Theme
from app.gui.widgets import IconButton, Label, fill, hbox, vbox
from app.settings.spec import Settings
from app.settings.table import Entry, get

PADDING = 18
READABLE = 20  # so many letters a line need at least
BESIDE, BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class PlainRow(QWidget):
    """A title and a sentence at the left, any widgets at the right, a line below.

    Where the window is too narrow or the text too large for that, the widgets stand below.

    Attributes:
        title: The title's label.
        help: The sentence's label.
    """

    def __init__(
        self, title: str, sentence: str, name: str, *controls: QWidget, role: str = "row"
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "row")
        self.title = Label(title, role, wrap=True, name=f"{name}_title")
        self.help = Label(sentence, "secondary", wrap=True, name=f"{name}_help")
        self._error: Label | None = None
        self._words = vbox(self.title, self.help, spacing=2)
        self._controls = hbox(spacing=10)
        for control in controls:
            self._controls.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        self._controls.addStretch(0)
        self._row = QBoxLayout(BESIDE)
        self._row.setContentsMargins(0, PADDING, 0, PADDING)
        self._row.setSpacing(10)
        fill(self._row, (self._words, 1), self._controls)
        self._column = vbox(self._row, of=self, margins=(0, 0, 0, 1), spacing=0)

    def minimumSizeHint(self) -> QSize:
        """Return the room for the widest of the words and the widgets, one below the other."""
        parts = (self._words.minimumSize(), self._controls.minimumSize())
        return QSize(max(part.width() for part in parts), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the widgets below the words where these would have too little room beside them."""
        super().resizeEvent(event)
        left = self.width() - self._controls.minimumSize().width()
        room = self.title.fontMetrics().averageCharWidth() * READABLE
        self._row.setDirection(BESIDE if left >= room else BELOW)

    @property
    def error(self) -> str:
        """What is said to have gone wrong; empty where nothing did."""
        return self._error.text() if self._error is not None else ""

    def fail(self, sentence: str) -> None:
        """Say what went wrong; nothing where the sentence is empty."""
        if self._error is None and sentence:
            self._error = Label("", "danger", wrap=True, name=f"{self.objectName()}_error")
            self._words.addWidget(self._error)
        if self._error is not None:
            self._error.setText(sentence)
            self._error.setVisible(bool(sentence))

    def put_below(self, widget: QWidget) -> None:
        """Place a large control under the words instead of beside them."""
        self._row.setContentsMargins(0, PADDING, 0, 8)
        self._column.insertWidget(1, widget)
        self._column.insertSpacing(2, PADDING)


def automatic(chosen: int) -> str:
    """Return how it is said that Loci chooses: "Automatic (2)"."""
    return f"Automatic ({chosen})" if chosen else "Automatic"


class SettingRow(PlainRow):
    """A setting.

    Attributes:
        reset_button: Gives it its default; there only once it has had another value.
    """

    edited = Signal(str, object)  # the person gave it a value; the key; the value
    reset_requested = Signal(str)  # the key

    def __init__(self, theme: Theme, declared: Entry) -> None:
        self.declared = declared
        self._theme = theme
        row = declared.row
        self._editor = editor = make_editor(theme, declared, self._on_edited)
        beside = () if row.multiline else (editor.widget,)
        super().__init__(row.title, row.help, f"row.{declared.key}", *beside)
        if row.multiline:
            self.put_below(editor.widget)
        self.title.setBuddy(editor.widget)
        editor.widget.setAccessibleDescription(row.help)
        self.reset_button: IconButton | None = None

    def show_settings(self, settings: Settings) -> None:
        """Show what is stored; where Loci chooses, what it chose."""
        widget, chosen = self._editor.widget, self.declared.row.chosen
        if chosen and isinstance(widget, QSpinBox):
            widget.setSpecialValueText(automatic(get(settings, chosen)))
        self.show_value(get(settings, self.declared.key))

    def show_value(self, value: Any) -> None:
        """Show a value."""
        self._editor.show(value)
        changed = value != self.declared.default
        if changed and self.reset_button is None:
            self._add_reset()
        if self.reset_button is not None:
            self.reset_button.setVisible(changed)

    def offer(self, choices: Mapping[str, str], note: str) -> None:
        """Offer models (what is stored, what is read), with a note below the help."""
        self._editor.offer(choices)
        self.help.setText(f"{self.declared.row.help}\n{note}" if note else self.declared.row.help)

    def _add_reset(self) -> None:
        key, title = self.declared.key, self.declared.row.title
        self.reset_button = IconButton(
            self._theme, "arrow-counter-clockwise", f"Reset {title}", f"reset.{key}"
        )
        self.reset_button.clicked.connect(lambda: self.reset_requested.emit(key))
        self._controls.insertWidget(0, self.reset_button, 0, Qt.AlignmentFlag.AlignVCenter)

    def _on_edited(self, value: Any) -> None:
        self.fail("")
        self.edited.emit(self.declared.key, value)
