"""Names, bars and values, one line each."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.domain.language.text import shown
from app.gui.theme import Theme
from app.gui.trace.wording import Bar
from app.gui.widgets import named

_ROW, _TRACK = 19, 5
_GAP = 10
_LEAST_NAME, _LEAST_VALUE = 62, 34
_LEAST_WIDTH, _LEAST_TRACK = 200, 48


class Bars(QWidget):
    """Names, bars and values; the columns are as wide as their longest words.

    Where that leaves no room for bars, there are none, and long names end in ….
    """

    def __init__(self, theme: Theme, lines: Sequence[Bar], name: str) -> None:
        super().__init__()
        self._theme = theme
        self._lines = lines
        named(self, name, ", ".join(f"{bar.name} {bar.value}" for bar in lines))
        letters = QFontMetricsF(theme.font("small"))
        names = [letters.horizontalAdvance(bar.name) for bar in lines]
        values = [letters.horizontalAdvance(bar.value) for bar in lines]
        self._name = max(theme.px(_LEAST_NAME), *names, 0) + _GAP
        self._value = max(theme.px(_LEAST_VALUE), *values, 0) + _GAP
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """Return the room for all lines."""
        return QSize(_LEAST_WIDTH, len(self._lines) * self._theme.px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines."""
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        row, name, value = theme.px(_ROW), self._name, self._value
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if mirrored:
            painter.translate(self.width(), 0)
            painter.scale(-1, 1)
        for number, bar in enumerate(self._lines):
            top, room = number * row, self.width() - name - value
            if room >= _LEAST_TRACK:
                track = QRectF(name, top + (row - _TRACK) / 2, room, _TRACK)
                self._draw(painter, track, bar.share)
            start = QRectF(0, top, min(name, self.width() - value), row)
            self._write(painter, start, bar.name, mirrored, start=True)
            end = QRectF(self.width() - value, top, value, row)
            self._write(painter, end, bar.value, mirrored, start=False)

    def _draw(self, painter: QPainter, track: QRectF, share: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("sunken"))
        painter.drawRoundedRect(track, _TRACK / 2, _TRACK / 2)
        painter.setBrush(self._theme.colour("accent"))
        track.setWidth(max(_TRACK, track.width() * share))
        painter.drawRoundedRect(track, _TRACK / 2, _TRACK / 2)

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
        room, end = int(box.width()), Qt.TextElideMode.ElideRight
        painter.drawText(
            box, side | middle, painter.fontMetrics().elidedText(shown(text), end, room)
        )
        painter.restore()
