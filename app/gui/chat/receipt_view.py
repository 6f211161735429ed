"""What was remembered of an exchange; shown only where something was written."""

from functools import partial

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from app.domain.conversation import Receipt
from app.domain.text import clipped
from app.gui.chat.text.view import TextView
from app.gui.theme import Theme
from app.gui.trace.wording import listed
from app.gui.widgets import Button

_LEFT = 12
_BAR = 2.0
_LINE = 18
_GAP = 6
_CHOICE = 60


class ReceiptView(QWidget):
    """What was remembered and what that replaces, with buttons to undo and to edit it.

    Signals:
        undo_clicked: The person wants it undone; the receipt.
        edit_clicked: The person wants to edit a memory of it; its id, its text, and the button.
    """

    undo_clicked = Signal(object)
    edit_clicked = Signal(str, str, object)

    def __init__(self, theme: Theme, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt
        self._theme = theme
        self._width = 0
        self.setObjectName("receipt")
        self.words = TextView("receipt_text")
        self.words.setParent(self)
        self.undo_button = Button(theme, "Undo", "receipt_undo", "link")
        self.edit_button = Button(theme, "Edit", "receipt_edit", "link")
        self._buttons = QWidget(self)
        self._buttons.setObjectName("receipt_buttons")
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.undo_button)
        row.addWidget(self.edit_button)
        self.undo_button.clicked.connect(lambda: self.undo_clicked.emit(self.receipt))
        self.edit_button.clicked.connect(self._on_edit_clicked)
        self._write()

    def _on_edit_clicked(self) -> None:
        if len(self.receipt.memories) == 1:
            self._edit(*self.receipt.memories[0])
        else:
            menu = self.choices()
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.edit_button.mapToGlobal(QPoint(0, self.edit_button.height())))

    def choices(self) -> QMenu:
        """Return a menu with which of several memories to edit."""
        menu = QMenu(self)
        menu.setObjectName("receipt_choices")
        menu.setAccessibleName("Which memory to edit")
        for memory_id, text in self.receipt.memories:
            words = clipped(_bare(text), _CHOICE).replace("&", "&&")
            menu.addAction(words, partial(self._edit, memory_id, text))
        return menu

    def _edit(self, memory_id: str, text: str) -> None:
        self.edit_clicked.emit(memory_id, text, self.edit_button)

    def _write(self) -> None:
        document = self.words.document()
        document.clear()
        plain, bold = (self._format(w) for w in (QFont.Weight.Normal, QFont.Weight.DemiBold))
        cursor = QTextCursor(document)
        form = QTextBlockFormat()
        form.setLineHeight(
            self._theme.px(_LINE), QTextBlockFormat.LineHeightTypes.MinimumHeight.value
        )
        cursor.setBlockFormat(form)
        cursor.insertText("Remembered: ", plain)
        for number, (_, text) in enumerate(self.receipt.memories):
            cursor.insertText("; " if number else "", plain)
            cursor.insertText(_bare(text), bold)
        cursor.insertText(f".{_replacing(self.receipt)}", plain)
        self.setAccessibleName(document.toPlainText())
        self.words.setAccessibleName(document.toPlainText())
        if self._width:
            self.fit(self._width)

    def _format(self, weight: QFont.Weight) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._theme.font("secondary", weight))
        made.setForeground(self._theme.colour("muted"))
        return made

    def fit(self, width: int) -> None:
        """Be this wide; the buttons follow the last word, or go below it."""
        self._width = width
        self.words.fit(width - _LEFT)
        self.words.move(_LEFT, 0)
        self._buttons.adjustSize()
        cursor = QTextCursor(self.words.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        end = self.words.cursorRect(cursor)
        size = self._buttons.sizeHint()
        height = self.words.height()
        left = _LEFT + end.right() + _GAP
        if left + size.width() <= width:
            top = end.center().y() - size.height() // 2 + 1
        else:
            left, top = _LEFT - 4, height + 2
        self._buttons.setGeometry(left, top, size.width(), size.height())
        self.setFixedSize(width, max(height, top + size.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar at its start."""
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent"))
        painter.drawRect(QRectF(0, 0, _BAR, self.height()))


def _bare(text: str) -> str:
    return text.strip().rstrip(".")


def _replacing(receipt: Receipt) -> str:
    if not receipt.replaced:
        return ""
    old = listed([f"“{_bare(text)}”" for text in receipt.replaced])
    verb = "It replaces" if len(receipt.memories) == 1 else "They replace"
    return f" {verb} {old} in answers; both stay in the history."
