"""The part of the models screen that says what may leave this computer, server by server."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.gui.theme import Theme
from app.gui.widgets import Button, Label, hbox, line, named, vbox
from app.gui.widgets.filling import clear

if TYPE_CHECKING:
    from app.services.sharing import Connection

TITLE = "What may leave this computer"
ABOUT = "Nothing goes to a service before you saw what would. A model on this computer gets all."


class SharingSection(QWidget):
    """Each server that has a rule, or answers, with a button to change what may go there."""

    change_requested = Signal(object)  # another rule is wanted: the Connection

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "sharing_section", TITLE)
        self._theme = theme
        self._shown: Sequence[Connection] = ()
        rows = named(QWidget(), "sharing_rows", TITLE)
        self._rows = vbox(of=rows, margins=0, spacing=10)
        vbox(
            line("library_sharing_line"),
            Label(TITLE, "heading", name="sharing_title"),
            Label(ABOUT, "muted", wrap=True, name="sharing_help"),
            2,
            rows,
            of=self,
            margins=(0, 10, 0, 0),
            spacing=10,
        )
        self.hide()

    def show_connections(self, connections: Sequence["Connection"]) -> None:
        """Show what may go where; hidden where there is no server."""
        if list(connections) == list(self._shown):
            return
        self._shown = connections
        clear(self._rows)
        for number, one in enumerate(connections):
            words = vbox(
                Label(one.address, "row", name=f"sharing_address_{number}"),
                Label(one.words, "secondary", wrap=True, name=f"sharing_words_{number}"),
                spacing=2,
            )
            button = Button(self._theme, "Change…", f"sharing_change_{number}")
            button.setAccessibleName(f"Change what may go to {one.address}")
            button.clicked.connect(lambda _checked=False, one=one: self.change_requested.emit(one))
            row = named(QWidget(), f"sharing_row_{number}", one.address)
            hbox((words, 1), button, of=row, margins=0, spacing=12)
            self._rows.addWidget(row)
        self.setVisible(bool(connections))
