"""The chips under an answer: what it rests on, and how much more was considered."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.domain import trace
from app.domain.language.text import clipped, shown
from app.domain.memory import SAFETY
from app.gui.chat.wording import chip_date
from app.gui.theme import Theme
from app.gui.trace.source import TraceSource
from app.gui.trace.wording import known_since, replaced, sentence, source_line
from app.gui.widgets import FlowLayout, named, tip
from app.gui.widgets.filling import add, clear

HEIGHT = 24
_LONGEST = 44
_PAD = 10.0
_GAP = 4.0


class SourceChip(QAbstractButton):
    """A number in the accent's colour, a word of warning, then a memory and its date."""

    def __init__(self, theme: Theme, number: int, words: str, name: str, flag: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._number = str(number) if number else ""
        self.setObjectName(name)
        self.setText(shown(words))
        self._flag = flag
        spoken = f"{flag}, {words}" if flag else words
        self.setAccessibleName(f"Memory {number}: {spoken}" if number else spoken)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.gone = False
        self._letters = theme.font("small")
        self._metrics = QFontMetricsF(self._letters)

    def sizeHint(self) -> QSize:
        """Return the room its words need."""
        width = self._metrics.horizontalAdvance(self.text()) + 2 * _PAD
        for word in filter(None, (self._number, self._flag)):
            width += self._metrics.horizontalAdvance(word) + _GAP
        return QSize(round(width) + 2, self._theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Return room for a few letters."""
        return QSize(self._theme.px(60), self._theme.px(HEIGHT))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that it can be pressed."""
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chip."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = self.hasFocus() or self.isDown()
        edge = "accent" if lit else "faint" if self.underMouse() else "border"
        painter.setPen(QPen(self._theme.colour(edge), 1))
        painter.setBrush(self._theme.colour("surface"))
        box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        room = box.adjusted(_PAD, 0, -_PAD, 0)
        painter.setFont(self._theme.font("small", QFont.Weight.Medium))
        for word, colour in ((self._number, "accent"), (self._flag, "warn")):
            if word:
                width = self._metrics.horizontalAdvance(word)
                painter.setPen(self._theme.colour(colour))
                self._write(painter, QRectF(room.left(), 0, width + 3, self.height()), word)
                room.setLeft(room.left() + width + _GAP)
        painter.setFont(self._letters)
        painter.setPen(self._theme.colour("muted"))
        elided = Qt.TextElideMode.ElideRight
        text = self._metrics.elidedText(self.text(), elided, room.width() + 1)
        width = self._metrics.horizontalAdvance(text)
        where = self._write(painter, QRectF(room.left(), 0, width + 1, self.height()), text)
        if self.gone:
            y = where.center().y() + 0.5
            painter.drawLine(QPointF(where.left(), y), QPointF(where.left() + width, y))

    def _write(self, painter: QPainter, box: QRectF, text: str) -> QRectF:
        """Write a text into a box, which is mirrored where lines run from right to left."""
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            box.moveLeft(self.width() - box.right())
        absolute = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(box, absolute | Qt.AlignmentFlag.AlignVCenter, shown(text))
        return box


class MemoryChips(QWidget):
    """A line, or more, of chips."""

    source_clicked = Signal(object, object)  # a chip was clicked; its Source, and the chip
    more_clicked = Signal()  # the person wants to see everything that was considered

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "memory_chips", "What this answer is based on")
        self._theme = theme
        self._flow = FlowLayout(self)

    def show_sources(
        self, shown: Sequence[TraceSource], more: int, now: datetime, *, considered: bool = True
    ) -> None:
        """Show these finds, and how many more there were, which a model may have considered."""
        clear(self._flow)
        for source in shown:
            add(self._flow, self._chip(source, now))
        if more:
            words = f"{more:,} more" if shown else f"{more:,}"
            words = f"{words} considered" if considered else f"{more:,} more"
            chip = SourceChip(self._theme, 0, words, "chip_more")
            chip.setToolTip("Show all that was found")
            chip.clicked.connect(self.more_clicked)
            add(self._flow, chip)
        self.setVisible(bool(shown or more))

    def _chip(self, source: TraceSource, now: datetime) -> SourceChip:
        words = clipped(source.hit.text, _LONGEST)
        if not source.hit.pinned:
            words = f"{words} · {chip_date(known_since(source.hit), now)}"
        care = trace.care(source.hit.standing)
        safe = SAFETY if source.hit.safety else ""
        flag = str(source.hit.standing) if care else "replaced" if source.hit.replaced else safe
        chip = SourceChip(self._theme, source.number, words, f"chip_{source.number}", flag)
        told = ["Forgotten since" if source.gone else source_line(source.hit, now)]
        chip.setToolTip(tip("\n".join(filter(None, (*told, sentence(replaced(source.hit)), care)))))
        chip.gone = source.gone
        chip.clicked.connect(lambda: self.source_clicked.emit(source, chip))
        return chip

    def fit(self, width: int) -> None:
        """Be this wide, and as tall as the lines then are."""
        self.setFixedSize(width, self._flow.heightForWidth(width))

    def chip(self, number: int) -> SourceChip | None:
        """Return the chip of a number."""
        return self.findChild(SourceChip, f"chip_{number}")
