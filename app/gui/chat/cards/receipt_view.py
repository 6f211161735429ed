"""What became of a message: lines of what was remembered, known or not kept, with their buttons."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
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
from PySide6.QtWidgets import QMenu, QWidget

from app.domain.conversation import Receipt
from app.domain.language.text import clipped, shown
from app.domain.receipt import Whose, pieces
from app.domain.reply import StatementOutcome, became_of
from app.gui.chat.text.view import TextView
from app.gui.theme import Theme
from app.gui.widgets import Button, caption, hbox, named

Words = Sequence[tuple[str, bool]]
"""Pieces of a sentence, and whether each is bold."""

_LEFT = 12
_BAR = 2.0
_LINE = 18
_GAP = 6
_CHOICE = 60


class NoteLine(QWidget):
    """A sentence behind a bar; its buttons follow the last word, or go below it."""

    def __init__(self, theme: Theme, words: Words, name: str, bar: str = "accent") -> None:
        super().__init__()
        self._theme = theme
        self._bar = bar
        self._width = 0
        self.setObjectName(name)
        self.words = TextView(f"{name}_text")
        self.words.setParent(self)
        self._buttons = named(QWidget(self), f"{name}_buttons")
        self._row = hbox(of=self._buttons, margins=0, spacing=2)
        self._write(words)

    def offer(self, title: str, name: str, about: str = "", *, danger: bool = False) -> Button:
        """Add a button; ``about`` is said to who cannot see where it stands."""
        button = Button(self._theme, title, name, "link")
        if about:
            button.setAccessibleName(f"{button.accessibleName()}: {about}")
        if danger:
            button.setProperty("tone", "danger")
        self._row.addWidget(button)
        return button

    def _write(self, words: Words) -> None:
        document = self.words.document()
        plain, bold = (self._format(w) for w in (QFont.Weight.Normal, QFont.Weight.DemiBold))
        cursor = QTextCursor(document)
        form = QTextBlockFormat()
        form.setLineHeight(
            self._theme.px(_LINE), QTextBlockFormat.LineHeightTypes.MinimumHeight.value
        )
        cursor.setBlockFormat(form)
        for text, strong in words:
            cursor.insertText(shown(text), bold if strong else plain)
        self.setAccessibleName(document.toPlainText())
        self.words.setAccessibleName(document.toPlainText())

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
        height = self.words.height()
        if not self._row.count():
            self.setFixedSize(width, height)
            return
        self._buttons.adjustSize()
        cursor = QTextCursor(self.words.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        end = self.words.cursorRect(cursor)
        size = self._buttons.sizeHint()
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
        painter.setBrush(self._theme.colour(self._bar))
        painter.drawRect(QRectF(0, 0, _BAR, self.height()))


class ReceiptView(NoteLine):
    """What was remembered and what it took the place of, with buttons to undo and to edit it."""

    undo_clicked = Signal(object)  # the person wants it undone; the receipt
    # the person wants to edit a memory of it; its id, its text, and the button
    edit_clicked = Signal(str, str, object)

    def __init__(self, theme: Theme, receipt: Receipt) -> None:
        super().__init__(theme, list(_told(receipt)), "receipt")
        self.receipt = receipt
        self.undo_button = self.offer("Undo", "receipt_undo")
        self.edit_button = self.offer("Edit", "receipt_edit")
        self.undo_button.clicked.connect(lambda: self.undo_clicked.emit(self.receipt))
        self.edit_button.clicked.connect(self._on_edit_clicked)

    def _on_edit_clicked(self) -> None:
        if len(self.receipt.memories) == 1:
            self._edit(*self.receipt.memories[0])
        else:
            menu = self.choices()
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.edit_button.mapToGlobal(QPoint(0, self.edit_button.height())))

    def choices(self) -> QMenu:
        """Return a menu with which of several memories to edit."""
        menu = named(QMenu(self), "receipt_choices", "Which memory to edit")
        for memory_id, text in self.receipt.memories:
            words = clipped(bare(text), _CHOICE)
            menu.addAction(caption(words), partial(self._edit, memory_id, text))
        return menu

    def _edit(self, memory_id: str, text: str) -> None:
        self.edit_clicked.emit(memory_id, text, self.edit_button)


def bare(text: str) -> str:
    """Return a text without the full stop that would end the sentence around it."""
    return text.strip().rstrip(".")


def _told(receipt: Receipt) -> Iterator[tuple[str, bool]]:
    found = [replace(one, text=bare(one.text), was=bare(one.was)) for one in became_of(receipt)]
    for text, whose in pieces(
        sorted(found, key=lambda one: one.outcome is StatementOutcome.UPDATED)
    ):
        yield f"“{text}”" if whose is Whose.BEFORE else text, whose is Whose.NOW
