"""One line of a settings page: a title, a sentence of help, and a control at the right."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.gui.settings.editors import make_editor
from app.gui.theme import Theme
from app.gui.widgets import IconButton, Label, line
from app.settings.table import Entry

PADDING = 18


class PlainRow(QWidget):
    """A title and a sentence at the left, any widgets at the right, a line below.

    Attributes:
        title: The title's label.
        help: The sentence's label.
        error: A sentence on what went wrong, hidden while nothing did.
    """

    def __init__(
        self, title: str, sentence: str, name: str, *controls: QWidget, role: str = "row"
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.title = Label(title, role, wrap=True, name=f"{name}_title")
        self.help = Label(sentence, "secondary", wrap=True, name=f"{name}_help")
        self.error = Label("", "danger", wrap=True, name=f"{name}_error")
        self.error.hide()
        words = QVBoxLayout()
        words.setSpacing(2)
        for label in (self.title, self.help, self.error):
            words.addWidget(label)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, PADDING, 0, PADDING)
        self._row.setSpacing(10)
        self._row.addLayout(words, 1)
        for control in controls:
            self._row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self._row)
        self._column.addWidget(line(f"{name}_line"))

    def fail(self, sentence: str) -> None:
        """Say what went wrong; nothing where the sentence is empty."""
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))

    def put_below(self, widget: QWidget) -> None:
        """Place a large control under the words instead of beside them."""
        self._row.setContentsMargins(0, PADDING, 0, 8)
        self._column.insertWidget(1, widget)
        self._column.insertSpacing(2, PADDING)


class SettingRow(PlainRow):
    """A setting.

    Signals:
        edited: The person gave it a value.
                arg 0: the key; arg 1: the value
        reset_requested: arg 0: the key
    """

    edited = Signal(str, object)
    reset_requested = Signal(str)

    def __init__(self, theme: Theme, declared: Entry) -> None:
        self.declared = declared
        row = declared.row
        reset = IconButton(
            theme, "arrow-counter-clockwise", f"Reset {row.title}", f"reset.{declared.key}"
        )
        editor = make_editor(theme, declared, self._on_edited)
        beside = (reset,) if row.multiline else (reset, editor.widget)
        super().__init__(row.title, row.help, f"row.{declared.key}", *beside)
        if row.multiline:
            self.put_below(editor.widget)
        self.title.setBuddy(editor.widget)
        editor.widget.setAccessibleDescription(row.help)
        policy = reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        reset.setSizePolicy(policy)
        reset.clicked.connect(lambda: self.reset_requested.emit(declared.key))
        self._editor, self._reset = editor, reset

    def show_value(self, value: Any) -> None:
        """Show what is stored."""
        self._editor.show(value)
        self._reset.setVisible(value != self.declared.default)

    def _on_edited(self, value: Any) -> None:
        self.fail("")
        self.edited.emit(self.declared.key, value)
