"""Draws the table: calm rows, a pin for what is pinned, a chip for what came from outside."""

from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.domain.ids import Clock
from app.domain.language.text import shown
from app.domain.memory import Memory
from app.gui.inspector.model import MEMORY_ROLE, SIDES, Column, Index, cell_text
from app.gui.inspector.wording import SAFETY_CHIP, status_tag
from app.gui.theme import Theme

PADDING = 12
KEPT_TEXTS = 2_000
_LEFT = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
_SELECTED, _FOCUSED = QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_HasFocus


class RowDelegate(QStyledItemDelegate):
    """Paints one cell at a time from the memory that stands in its row.

    Attributes:
        hovered: The row under the pointer, or -1.
    """

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._clock = theme, clock
        self.hovered = -1
        theme.changed.connect(self._load)
        self._load()

    def _load(self) -> None:
        theme = self._theme
        names = ("text", "muted", "border", "accent", "accent-soft", "warn", "warn-soft", "sunken")
        self._colours: dict[str, QColor] = {name: theme.colour(name) for name in names}
        self._body, self._small = theme.font("body"), theme.font("small", QFont.Weight.Medium)
        self._body.setPixelSize(theme.px(13))
        self._measured, self._tagged = QFontMetrics(self._body), QFontMetrics(self._small)
        self._pin, self._pin_size = theme.icon("push-pin", "accent"), theme.px(14)
        self._rule = QPen(self._colours["border"], 1)
        faint = QColor(self._colours["accent"])
        faint.setAlphaF(0.45)
        self._outline = QPen(faint, 1)
        self._height = theme.px(38)
        self.forget()

    def forget(self) -> None:
        """Drop the texts that were cut to fit, for others are shown now."""
        self._shortened = _shortener(self._measured)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of every row."""
        return QSize(self._height, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        self._background(painter, option, index)
        memory: Memory | None = index.data(MEMORY_ROLE)
        cell = option.rect.adjusted(PADDING, 0, -PADDING, -1)
        column = index.column()
        if memory is None:
            self._placeholder(painter, cell, option, index)
        elif column == Column.MEMORY:
            self._memory(painter, cell, option, memory)
        elif column == Column.TRUST and not memory.trust.is_own:
            self._chip(painter, cell, option, index.data(), "warn")
        else:
            self._plain(painter, cell, option, Column(column), memory)
        painter.restore()

    def _background(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box, colours = option.rect, self._colours
        state = option.state
        if state & _SELECTED:
            painter.fillRect(box, colours["accent-soft"])
        elif index.row() == self.hovered:
            painter.fillRect(box, colours["sunken"])
        painter.setPen(self._rule)
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        if state & _FOCUSED and index.column() == Column.MEMORY:
            mark = QRect(box.left(), box.top(), 2, box.height() - 1)
            bar = QStyle.visualRect(option.direction, box, mark)
            painter.fillRect(bar, colours["accent"])

    def _placeholder(
        self, painter: QPainter, cell: QRect, option: QStyleOptionViewItem, index: Index
    ) -> None:
        share = 0.45 + (index.row() * 37 % 41) / 100 if index.column() == 0 else 0.6
        bar = QRect(cell.left(), cell.center().y() - 4, int(cell.width() * share), 8)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colours["sunken"])
        painter.drawRoundedRect(QStyle.visualRect(option.direction, cell, bar), 4, 4)

    def _memory(
        self, painter: QPainter, cell: QRect, option: QStyleOptionViewItem, memory: Memory
    ) -> None:
        room = QRect(cell)
        if memory.pinned:
            size = self._pin_size
            box = QRect(cell.left(), cell.center().y() - size // 2, size, size)
            self._pin.paint(painter, QStyle.visualRect(option.direction, cell, box))
            room.setLeft(box.right() + 7)
        tag, chip = status_tag(memory), SAFETY_CHIP if memory.safety else ""
        tag_width = self._tagged.horizontalAdvance(tag) + 8 if tag else 0
        chip_width = self._chip_size(chip).width() + 8 if chip else 0
        most = room.width() - tag_width - chip_width
        text, long = self._shortened(memory.text[:400], most)
        words = QRect(room.left(), room.top(), min(long + 2, most), room.height())
        ink = self._colours["muted" if tag else "text"]
        self._write(painter, words, cell, option, text, self._body, ink)
        beside = words.right() + 8
        if chip:
            self._chip(painter, cell, option, chip, "accent", beside - cell.left())
        if tag:
            where = QRect(beside + chip_width, room.top(), tag_width, room.height())
            self._write(painter, where, cell, option, tag, self._small, self._colours["muted"])

    def _chip_size(self, text: str) -> QSize:
        return QSize(self._tagged.horizontalAdvance(text) + 20, self._tagged.height() + 6)

    def _chip(
        self,
        painter: QPainter,
        cell: QRect,
        option: QStyleOptionViewItem,
        text: str,
        tone: str,
        ahead: int = 0,
    ) -> None:
        """Paint a chip so far from the beginning of a cell: a warning filled, the rest in line."""
        size = self._chip_size(text)
        top = cell.center().y() - size.height() // 2
        where = QRect(cell.left() + ahead, top, *size.toTuple())
        box = QStyle.visualRect(option.direction, cell, where)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        warns = tone == "warn"
        painter.setPen(Qt.PenStyle.NoPen if warns else self._outline)
        painter.setBrush(self._colours["warn-soft"] if warns else Qt.BrushStyle.NoBrush)
        radius = box.height() / 2
        painter.drawRoundedRect(QRectF(box).translated(QPointF(0, 0.5)), radius, radius)
        painter.setPen(self._colours[tone])
        painter.setFont(self._small)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown(text))

    def _plain(
        self,
        painter: QPainter,
        cell: QRect,
        option: QStyleOptionViewItem,
        column: Column,
        memory: Memory,
    ) -> None:
        text, _ = self._shortened(cell_text(memory, column, self._clock()), cell.width())
        painter.setFont(self._body)
        painter.setPen(self._colours["muted" if status_tag(memory) else "text"])
        painter.drawText(cell, QStyle.visualAlignment(option.direction, SIDES[column]), shown(text))

    @staticmethod
    def _write(
        painter: QPainter,
        words: QRect,
        cell: QRect,
        option: QStyleOptionViewItem,
        text: str,
        font: QFont,
        ink: QColor,
    ) -> None:
        painter.setFont(font)
        painter.setPen(ink)
        box = QStyle.visualRect(option.direction, cell, words)
        painter.drawText(box, QStyle.visualAlignment(option.direction, _LEFT), shown(text))


def _shortener(metrics: QFontMetrics) -> Callable[[str, int], tuple[str, int]]:
    """Return what cuts a text to a width and measures it, once for each text in sight."""

    @lru_cache(maxsize=KEPT_TEXTS)
    def shortened(text: str, width: int) -> tuple[str, int]:
        line = shown(" ".join(text.split()))
        cut = metrics.elidedText(line, Qt.TextElideMode.ElideRight, width)
        return cut, metrics.horizontalAdvance(cut)

    return shortened
