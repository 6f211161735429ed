"""A slider over days that shows how much happened on each; its knob is the day looked at."""

import math
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy

from app.domain.history import Action, Day
from app.gui.theme import Theme
from app.gui.widgets import named

HEIGHT, RAIL, KNOB, EDGE = 84, 10, 7.0, 12
LEAST, WIDEST, GAP, LOWEST = 2.0, 14.0, 1.0, 3.0
_LOST = frozenset({Action.FORGOTTEN, Action.ARCHIVED, Action.REPLACED})


class DaySlider(QAbstractSlider):
    """Days from the first change to the last; a step is a day, a page is thirty.

    Above the rail stands what was remembered or changed, below it what was put away. Bars grow with
    the square root, so that one day on which much happened leaves the others to be seen.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._first = date.today()
        self._counts: dict[int, tuple[int, int]] = {}
        named(self, "timeline_slider", "Day")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(0, 0)
        self.setPageStep(30)
        theme.changed.connect(self.update)
        self.valueChanged.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return its size."""
        return QSize(400, self._theme.px(HEIGHT))

    @property
    def day(self) -> date:
        """The day that is looked at."""
        return self._first + timedelta(days=self.value())

    def show_days(self, first: date, last: date, days: Sequence[Day]) -> None:
        """Show how much happened from the first day to the last; the last is looked at."""
        at_end = self.value() >= self.maximum()
        self._first = first
        self._counts = {(day - first).days: _split(kinds) for day, kinds in days}
        self.setRange(0, max(0, (last - first).days))
        if at_end:
            self.setValue(self.maximum())
        self.update()

    # Drawing.

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, the rail and the knob."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            painter.translate(self.width(), 0)
            painter.scale(-1, 1)
        middle = self._middle()
        self._draw_bars(painter, middle)
        painter.setPen(QPen(self._theme.colour("border"), 1))
        painter.drawLine(QPointF(EDGE, middle), QPointF(self.width() - EDGE, middle))
        at = self._x(self.value())
        painter.setPen(QPen(self._theme.colour("accent"), 1.5))
        painter.drawLine(QPointF(at, 4), QPointF(at, self.height() - 4))
        painter.setBrush(self._theme.colour("accent" if self.hasFocus() else "surface"))
        painter.drawEllipse(QPointF(at, middle), KNOB, KNOB)

    def _draw_bars(self, painter: QPainter, middle: float) -> None:
        most = max((max(pair) for pair in self._counts.values()), default=1) or 1
        wide = min(WIDEST, max(LEAST, self._step() - GAP))
        painter.setPen(Qt.PenStyle.NoPen)
        for number, (came, went) in self._counts.items():
            left = self._x(number) - wide / 2
            known = number <= self.value()
            for count, up, token in ((came, True, "accent"), (went, False, "warn")):
                if not count:
                    continue
                room = (middle if up else self.height() - middle) - RAIL
                tall = max(LOWEST, room * math.sqrt(count / most))
                top = middle - tall if up else middle
                painter.setBrush(self._theme.colour(token if known else "track"))
                painter.drawRoundedRect(QRectF(left, top, wide, tall), 1, 1)

    def _middle(self) -> float:
        return self.height() * 0.66

    def _step(self) -> float:
        return (self.width() - 2 * EDGE) / max(1, self.maximum())

    def _x(self, number: int) -> float:
        return EDGE + number * self._step() if self.maximum() else self.width() - EDGE

    # The mouse.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Look at the day under the mouse."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse while its button is down."""
        if self.isSliderDown():
            self._go(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self.setSliderDown(False)

    def _go(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            x = self.width() - x
        self.setValue(round((x - EDGE) / self._step()))


def _split(kinds: Mapping[Action, int]) -> tuple[int, int]:
    """Return how many changes of a day brought something, and how many put something away."""
    lost = sum(count for kind, count in kinds.items() if kind in _LOST)
    return sum(kinds.values()) - lost, lost
