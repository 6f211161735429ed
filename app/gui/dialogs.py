"""Small windows in front of the large one, for what cannot be asked inline.

None of them blocks: each is opened, and says with a signal what the person decided.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from app.domain.language.text import shown
from app.gui import actions
from app.gui.theme import Theme
from app.gui.widgets import Button, ErrorBar, Label, Scroll, fill, hbox, named, vbox


class Sheet(QDialog):
    """A heading, a body, and buttons at the foot; Escape closes it.

    Attributes:
        body: Where the dialog's own widgets go.
        errors: An inline error, above the buttons.
        accept_button: The button that does it, or None where there is nothing to do.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        title: str,
        name: str,
        accept: str = "",
        kind: str = "primary",
    ) -> None:
        super().__init__(parent)
        named(self, name, title)
        self.setWindowTitle(shown(title))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(440)
        self.body = vbox(spacing=10)
        self.errors = ErrorBar(theme, f"{name}_error")
        self.cancel_button = Button(theme, "Cancel" if accept else "Close", f"{name}_cancel")
        self.cancel_button.clicked.connect(self.reject)
        self._foot = hbox(..., self.cancel_button)
        self.accept_button: Button | None = None
        if accept:
            self.accept_button = Button(theme, accept, f"{name}_accept", kind)
            self.accept_button.setDefault(True)
            self.accept_button.clicked.connect(self._on_accept_clicked)
            self._foot.addWidget(self.accept_button)
        vbox(
            Label(title, "heading", wrap=True, name=f"{name}_title"),
            (self.body, 1),
            self.errors,
            self._foot,
            of=self,
            margins=(24, 20, 24, 20),
            spacing=14,
        )

    def _on_accept_clicked(self) -> None:
        self.accept()


class ConfirmSheet(Sheet):
    """Asks whether to go on, saying exactly what will happen."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        title: str,
        sentence: str,
        accept: str,
        name: str,
        kind: str = "primary",
    ) -> None:
        super().__init__(theme, parent, title, name, accept, kind)
        self.body.addWidget(Label(sentence, "lead", wrap=True, name=f"{name}_sentence"))


class FormSheet(Sheet):
    """Asks for a few lines, gives them by name; stays open with an error until ``done_with``."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        title: str,
        accept: str,
        name: str,
        submitted: Callable[[dict[str, str]], None],
        kind: str = "primary",
    ) -> None:
        super().__init__(theme, parent, title, name, accept, kind)
        self._theme = theme
        self._submitted = submitted
        self.fields: dict[str, QLineEdit] = {}

    def add_text(self, sentence: str) -> None:
        """Add a sentence of explanation."""
        self.body.addWidget(
            Label(sentence, "secondary", wrap=True, name=f"{self.objectName()}_help")
        )

    def add_field(
        self, key: str, title: str, value: str = "", hint: str = "", *, secret: bool = False
    ) -> QLineEdit:
        """Add a line to fill in."""
        name = f"{self.objectName()}_{key}"
        field = named(QLineEdit(value), name, title)
        field.setPlaceholderText(hint)
        if secret:
            field.setEchoMode(QLineEdit.EchoMode.Password)
        label = Label(title, "row", name=f"{name}_label")
        label.setBuddy(field)
        fill(self.body, label, field)
        if not self.fields:
            field.setFocus()
        self.fields[key] = field
        return field

    def done_with(self, error: Exception | None = None) -> None:
        """Close, or show why it could not be done."""
        if error is None:
            self.accept()
            return
        self._set_busy(False)
        self.errors.say(str(error))

    def _on_accept_clicked(self) -> None:
        self.errors.hide()
        self._set_busy(True)
        self._submitted({key: field.text() for key, field in self.fields.items()})

    def _set_busy(self, busy: bool) -> None:
        for widget in (*self.fields.values(), self.accept_button):
            if widget is not None:
                widget.setEnabled(not busy)


class TypedNameSheet(FormSheet):
    """Asks to type a name before something is gone for good."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        title: str,
        sentence: str,
        typed: str,
        accept: str,
        name: str,
        submitted: Callable[[dict[str, str]], None],
    ) -> None:
        super().__init__(theme, parent, title, accept, name, submitted, "danger")
        self._typed = typed
        self.add_text(sentence)
        field = self.add_field("name", f"Type {typed} to continue")
        field.textChanged.connect(self._on_text_changed)
        self._on_text_changed("")

    def _on_text_changed(self, text: str) -> None:
        if self.accept_button is not None:
            self.accept_button.setEnabled(text.strip() == self._typed)


class ShortcutSheet(Sheet):
    """Every shortcut of the table of actions."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent, "Keyboard shortcuts", "shortcuts_sheet")
        self.setMinimumSize(520, 460)
        self.body.addWidget(Scroll(shortcut_list("shortcuts"), "shortcuts_scroll"))


def shortcut_list(name: str) -> QWidget:
    """Return the table of shortcuts, for a dialog or a page."""
    table = named(QWidget(), f"{name}_table")
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 8, 0)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(0, 1)
    line = 0
    for title, rows in actions.groups().items():
        grid.addWidget(Label(title, "section", name=f"{name}_group"), line, 0)
        grid.setRowMinimumHeight(line, 30)
        for row in rows:
            line += 1
            grid.addWidget(Label(row.title, wrap=True, name=f"{name}_title"), line, 0)
            grid.addLayout(_keys(row, name), line, 1)
        line += 1
    grid.setRowStretch(line, 1)
    return table


def _keys(row: actions.ActionRow, name: str) -> QHBoxLayout:
    layout = hbox(..., spacing=6)
    for key in row.shortcuts:
        text = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
        layout.addWidget(Label(text, "key", name=f"{name}_key"))
    return layout
