"""Asks before an address is opened, and shows all of it."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.gui.chat.cards.popover import Popover
from app.gui.theme import Theme
from app.gui.widgets import Button, Label, fill, hbox

WIDTH = 380
ALLOWED = ("http", "https", "mailto")


class LinkCard(Popover):
    """The whole address, and what may be done with it."""

    opened = Signal(str)  # the person wants it opened; the address

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, "link_card", WIDTH)
        self._href = ""
        self._words = Label("This leads out of Loci:", "small", name="link_words")
        self._address = Label("", "mono", wrap=True, name="link_address")
        self._address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.open_button = Button(theme, "Open in the browser", "link_open", "primary")
        self.copy_button = Button(theme, "Copy the address", "link_copy")
        self.open_button.clicked.connect(self._on_open_clicked)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        row = hbox(self.open_button, self.copy_button, ...)
        fill(self.body, self._words, self._address, row)

    def ask(self, href: str, where: QPoint) -> None:
        """Ask about an address; others than web and mail are never asked about."""
        if QUrl(href).scheme().lower() not in ALLOWED:
            return
        self._href = href
        self._address.setText("\u200b".join(href[at : at + 8] for at in range(0, len(href), 8)))
        self._address.setAccessibleName(href)
        self.open_at(QRect(where, QSize(1, 12)))
        self.open_button.setFocus(Qt.FocusReason.PopupFocusReason)

    def _on_open_clicked(self) -> None:
        self.close_card()
        self.opened.emit(self._href)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._href)
        self.close_card()
