"""One find in the drawer: its words, what it is, and what made it score as it did."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.domain.ids import Clock
from app.domain.recall import Hit
from app.domain.text import clipped
from app.gui.chat.model import Source
from app.gui.chat.wording import Bar, bars, kind_line, lost
from app.gui.theme import Theme
from app.gui.widgets import Label

_TEXT = 220
_NAME, _VALUE = 72, 44
_ROW, _TRACK = 19, 5
_LEAST_WIDTH = 200


class Bars(QWidget):
    """Names, bars and values, one line each."""

    def __init__(self, theme: Theme, lines: Sequence[Bar]) -> None:
        super().__init__()
        self._theme = theme
        self._lines = lines
        self.setObjectName("factor_bars")
        self.setAccessibleName(", ".join(f"{bar.name} {bar.value}" for bar in lines))
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """Return the room for all lines."""
        return QSize(_LEAST_WIDTH, len(self._lines) * self._theme.px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines."""
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        row, name, value = theme.px(_ROW), theme.px(_NAME), theme.px(_VALUE)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if mirrored:
            painter.translate(self.width(), 0)
            painter.scale(-1, 1)
        for number, bar in enumerate(self._lines):
            top = number * row
            track = QRectF(name, top + (row - _TRACK) / 2, self.width() - name - value, _TRACK)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("sunken"))
            painter.drawRoundedRect(track, _TRACK / 2, _TRACK / 2)
            painter.setBrush(theme.colour("accent"))
            track.setWidth(max(_TRACK, track.width() * bar.share))
            painter.drawRoundedRect(track, _TRACK / 2, _TRACK / 2)
            self._write(painter, QRectF(0, top, name, row), bar.name, mirrored, start=True)
            end = QRectF(self.width() - value, top, value, row)
            self._write(painter, end, bar.value, mirrored, start=False)

    def _write(
        self, painter: QPainter, box: QRectF, text: str, mirrored: bool, *, start: bool
    ) -> None:
        painter.save()
        painter.setPen(self._theme.colour("muted"))
        if mirrored:
            painter.translate(box.left() + box.right(), 0)
            painter.scale(-1, 1)
        side = Qt.AlignmentFlag.AlignLeft if start != mirrored else Qt.AlignmentFlag.AlignRight
        middle = Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box, side | middle, text)
        painter.restore()


class WhyCard(QFrame):
    """One find: its words, what it is, and what made it score as it did.

    Signals:
        opened: The person wants to see the find's own card.
    """

    opened = Signal()

    def __init__(self, theme: Theme, source: Source, clock: Clock) -> None:
        super().__init__()
        hit = source.hit
        self.setObjectName("why_card")
        self.setProperty("surface", "card")
        self.setAccessibleName(hit.text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(4)
        words = clipped(hit.text, _TEXT)
        column.addWidget(
            Label(words, "muted" if hit.dropped else "body", wrap=True, name="why_text")
        )
        column.addLayout(self._kind_row(hit, source, clock))
        if not hit.dropped and (lines := bars(hit)):
            column.addSpacing(4)
            column.addWidget(Bars(theme, lines))

    @staticmethod
    def _kind_row(hit: Hit, source: Source, clock: Clock) -> QVBoxLayout:
        rows = QVBoxLayout()
        rows.setSpacing(2)
        if words := "forgotten since" if source.gone else lost(hit):
            rows.addWidget(Label(words, "warn", wrap=True, name="why_lost"))
        rows.addWidget(
            Label(" · ".join(kind_line(hit, clock())), "small", wrap=True, name="why_kind")
        )
        return rows

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter or Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open with a click."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self.opened.emit()
