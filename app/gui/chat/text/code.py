"""A piece of code: its language, a button to copy it, and the code in colours."""

from collections.abc import Iterator, Sequence
from math import ceil
from time import perf_counter

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import (
    QGuiApplication,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame

from app.domain.language.text import shown
from app.gui.chat.pacing import Slices, Steps
from app.gui.chat.text.highlight import spans
from app.gui.chat.text.style import TextStyle
from app.gui.chat.text.view import TextView
from app.gui.widgets import Button, Label, named

LINE = 19
BAR = 12
"""Height of the scroll bar under lines that are too long."""

_Line = tuple[tuple[int, int, str], ...]
"""The coloured stretches of one line: where, how long, in which colour of the theme."""

_SIDE, _END, _TOP = 12, 8, 10
_SCREENFUL = 50
_COPIED_MS = 1_600
_RESTS = 10
"""While code streams in, colouring rests this many times as long as it last took."""


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
        """Append text; what was there stays where it is."""
        was_empty = self.document().isEmpty()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        cursor.setBlockFormat(self._form)
        cursor.insertText(shown(text), self._letters)
        cursor.endEditBlock()
        if was_empty:
            self.select(0, 0)

    def refit(self) -> None:
        """Be as wide as there is room, and as tall as there are lines."""
        if self._width <= 0:
            return
        too_long = self.natural_width() > self._width
        policy = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAlwaysOn if too_long else policy.ScrollBarAlwaysOff
        )
        height = self.document().blockCount() * self._style.theme.px(LINE)
        self.setFixedSize(self._width, height + (BAR if too_long else 0))

    def natural_width(self) -> int:
        """Return the width of the longest line."""
        return ceil(self.document().idealWidth())

    def selected_text(self) -> str:
        """Return the selection as it stands, tabs and all."""
        return self.textCursor().selection().toPlainText()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways with a sideways wheel; leave the rest to the page."""
        step = event.angleDelta()
        if abs(step.x()) > abs(step.y()):
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - step.x() // 2)
            event.accept()
        else:
            event.ignore()


class CodeView(QFrame):
    """Code in a frame; it may still grow at its end."""

    def __init__(self, style: TextStyle, language: str) -> None:
        super().__init__()
        named(self, "code_block", f"Code in {language}" if language else "Code")
        self.setProperty("surface", "code")
        self._style = style
        self._language = language
        self._closed = ""
        self._shown = ""
        self._rest_ms = 0
        self._coloured = ""
        self._slices = Slices(self)
        self._slices.finished.connect(self._on_coloured)
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._colour)
        self._started = 0.0
        self._colours: list[_Line] = []
        self._inks: dict[str, QTextCharFormat] = {}
        self.view = CodeText(style)
        self.copy_button = Button(style.theme, "copy", "code_copy", "link", spoken="Copy this code")
        self.copy_button.clicked.connect(self.copy)
        self._lay_out(language)

    def _lay_out(self, language: str) -> None:
        self._label = Label(language, "small", name="code_language")
        self._label.setVisible(bool(language))
        for child in (self._label, self.view, self.copy_button):
            child.setParent(self)

    def _settle(self) -> None:
        """Be as tall as the code."""
        top = _TOP
        if self._language:
            self._label.move(_SIDE, 6)
            self._label.resize(self.view.width() // 2, self._label.sizeHint().height())
            top = self._label.geometry().bottom() + 5
        self.view.move(_SIDE, top)
        self.setFixedSize(self.view.width() + _SIDE + _END, top + self.view.height() + _TOP)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the button in its corner, where lines end: code runs from left to right."""
        super().resizeEvent(event)
        self._place_button()

    def _place_button(self) -> None:
        size = self.copy_button.sizeHint()
        self.copy_button.setGeometry(QRect(QPoint(self.width() - size.width() - 5, 5), size))
        self.copy_button.raise_()

    @property
    def text(self) -> str:
        """The code."""
        return self._shown

    def draw(self, done: str, still_open: str) -> None:
        """Add code for good, and show what is open after it."""
        self._closed += done
        wanted = self._closed + still_open
        if wanted == self._shown:
            return
        if wanted.startswith(self._shown):
            self.view.add(wanted[len(self._shown) :])
        else:
            self._slices.stop()
            self._colours.clear()
            self.view.clear()
            self.view.add(wanted)
        self._shown = wanted
        self.view.refit()
        self._settle()
        if not self._slices.busy and not self._pause.isActive():
            self._pause.start(self._rest_ms) if self._rest_ms else self._colour()

    def fit(self, width: int) -> None:
        """Be this wide."""
        self.view.fit(width - _SIDE - _END)
        self._settle()

    def copy(self) -> None:
        """Put the code on the clipboard, and say so."""
        QGuiApplication.clipboard().setText(self._shown)
        self._say("copied")
        QTimer.singleShot(_COPIED_MS, self.copy_button, lambda: self._say("copy"))

    def _say(self, word: str) -> None:
        self.copy_button.setText(word)
        self._place_button()

    def _colour(self) -> None:
        self._started = perf_counter()
        self._coloured = self._shown
        self._slices.start(self._paint(self._shown))

    def _on_coloured(self) -> None:
        took = (perf_counter() - self._started) * 1000
        self._rest_ms = round(took * _RESTS)
        if self._coloured != self._shown:
            self._pause.start(self._rest_ms)

    def _paint(self, code: str) -> Steps:
        """Colour the lines whose colours are not right yet, a screenful at a time."""
        waiting: list[tuple[int, _Line]] = []
        for number, colours in enumerate(_lines(code, self._language)):
            if number >= len(self._colours):
                self._colours.append(())
            if self._colours[number] != colours:
                self._colours[number] = colours
                waiting.append((number, colours))
            if number % _SCREENFUL == _SCREENFUL - 1:
                self._apply(waiting)
                waiting = []
                yield
        self._apply(waiting)

    def _apply(self, lines: Sequence[tuple[int, "_Line"]]) -> None:
        document = self.view.document()
        for number, colours in lines:
            ranges = [_range(start, length, self._ink(token)) for start, length, token in colours]
            document.findBlockByNumber(number).layout().setFormats(ranges)
        if lines:
            first, last = (document.findBlockByNumber(lines[at][0]) for at in (0, -1))
            start = first.position()
            document.markContentsDirty(start, last.position() + last.length() - start)

    def _ink(self, token: str) -> QTextCharFormat:
        if token not in self._inks:
            self._inks[token] = QTextCharFormat()
            self._inks[token].setForeground(self._style.theme.colour(token))
        return self._inks[token]


def _lines(code: str, language: str) -> Iterator[_Line]:
    """Yield for each line which stretches are coloured."""
    line: list[tuple[int, int, str]] = []
    column = 0
    for text, token in spans(code, language):
        for number, piece in enumerate(text.split("\n")):
            if number:
                yield tuple(line)
                line, column = [], 0
            length = _utf16_length(piece)
            if token and length:
                line.append((column, length, token))
            column += length
    yield tuple(line)


def _range(start: int, length: int, ink: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, ink
    return made


def _utf16_length(text: str) -> int:
    """Return the length as Qt counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
