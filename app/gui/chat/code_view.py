"""A piece of code: its language, a button to copy it, and the code in colours."""

from collections.abc import Iterator
from math import ceil
from time import perf_counter

from PySide6.QtCore import QTimer
from PySide6.QtGui import (
    QGuiApplication,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.gui.chat.highlight import spans
from app.gui.chat.pacing import Slices
from app.gui.chat.text_style import TextStyle
from app.gui.chat.text_view import TextView
from app.gui.theme import Theme
from app.gui.widgets import Button, Label

LINE = 19
BAR = 12
"""Height of the scroll bar under lines that are too long."""

_COPIED_MS = 1_600
_RESTS = 10
"""Colouring pauses this many times as long as it took, while code still streams in."""


class CodeText(TextView):
    """Code that never breaks a line: long ones scroll sideways."""

    def __init__(self, style: TextStyle) -> None:
        super().__init__("code_text")
        self._style = style
        self.setAccessibleName("Code")
        self.setLineWrapMode(TextView.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self._form = QTextBlockFormat()
        self._form.setLineHeight(
            style.theme.px(LINE), QTextBlockFormat.LineHeightTypes.FixedHeight.value
        )
        self._letters = QTextCharFormat()
        self._letters.setFont(style.mono)
        self._letters.setForeground(style.theme.colour("text"))

    def add(self, text: str) -> None:
        """Append text."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        cursor.setBlockFormat(self._form)
        cursor.insertText(text, self._letters)
        cursor.endEditBlock()

    def refit(self) -> None:
        """Be as wide as there is room, as tall as there are lines."""
        if self._width <= 0:
            return
        self.document().setTextWidth(-1)
        too_long = ceil(self.document().idealWidth()) > self._width
        height = self.document().blockCount() * self._style.theme.px(LINE)
        on, off = (self.horizontalScrollBarPolicy().ScrollBarAlwaysOn, self._never())
        self.setHorizontalScrollBarPolicy(on if too_long else off)
        self.setFixedSize(self._width, height + (BAR if too_long else 0))

    def _never(self) -> "TextView.horizontalScrollBarPolicy":
        return self.verticalScrollBarPolicy()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways with a sideways wheel; leave the rest to the page."""
        step = event.angleDelta()
        if abs(step.x()) > abs(step.y()):
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - step.x() // 2)
            event.accept()
        else:
            event.ignore()
