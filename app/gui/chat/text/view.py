"""A read-only text that is exactly as tall as what it says; the page scrolls, never the text."""

from math import ceil

from PySide6.QtCore import QEvent, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QMouseEvent,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextEdit

from app.gui.chat.text.style import CITATION


class TextView(QTextEdit):
    """Text to read, select and copy.

    It loads nothing: neither pictures nor style sheets, from wherever they may be said to come.
    """

    link_clicked = Signal(str, QPoint)  # an address was clicked
    # the number of a memory was clicked; its number and where, on the screen
    citation_clicked = Signal(int, QPoint)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("prose", "true")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        self.viewport().setMouseTracking(True)
        self._width = 0
        self._pressed = ""

    def loadResource(self, _kind: int, _url: QUrl | str) -> object:
        """Load nothing."""
        return None

    def fit(self, width: int) -> None:
        """Be this wide, and as tall as the text then is."""
        self._width = width
        self.refit()

    def refit(self) -> None:
        """Be as tall as the text is now."""
        if self._width > 0:
            if self.document().textWidth() != self._width:
                self.document().setTextWidth(self._width)
            self.setFixedSize(self._width, ceil(self.document().size().height()))

    def natural_width(self) -> int:
        """Return the width of the longest line."""
        return ceil(self.document().idealWidth())

    def clear_selection(self) -> None:
        """Select nothing."""
        cursor = self.textCursor()
        if cursor.hasSelection():
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def select(self, start: int, end: int) -> None:
        """Select from one position to another; a negative end means the end of the text."""
        cursor = self.textCursor()
        cursor.setPosition(start)
        last = self.document().characterCount() - 1
        cursor.setPosition(last if end < 0 else end, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def selected_text(self) -> str:
        """Return the selection as plain text."""
        return self.textCursor().selection().toPlainText().replace("\t", " ")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note what lies under the mouse."""
        self._pressed = self.anchorAt(event.position().toPoint())
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow what lies under the mouse, if it was pressed there."""
        marked = self.textCursor().hasSelection()  # asked now, as Qt marks what it follows
        super().mouseReleaseEvent(event)
        href = self.anchorAt(event.position().toPoint())
        if not href or href != self._pressed or marked:
            return
        self.clear_selection()
        where = event.globalPosition().toPoint()
        if href.startswith(CITATION):
            self.citation_clicked.emit(int(href.removeprefix(CITATION)), where)
        else:
            self.link_clicked.emit(href, where)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show a hand over what can be followed."""
        super().mouseMoveEvent(event)
        over = bool(self.anchorAt(event.position().toPoint()))
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Leave the menu to the message."""
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the height right when the font changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.refit()
