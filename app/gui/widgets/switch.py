"""A switch: on or off, at once."""

from PySide6.QtCore import Property, QEasingCurve, QPropertyAnimation, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from app.gui.theme import Theme
from app.gui.widgets.naming import named

WIDTH, HEIGHT, GAP, MILLISECONDS = 36, 20, 2, 140


class Switch(QAbstractButton):
    """A sliding switch; its spoken name says what it turns on."""

    def __init__(self, theme: Theme, title: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._at = 0.0
        self.setCheckable(True)
        named(self, name, title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._slide = QPropertyAnimation(self, b"at", self)
        self._slide.setDuration(MILLISECONDS)
        self._slide.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self.toggled.connect(self._on_toggled)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return its size, with room for the focus ring."""
        return QSize(WIDTH + 2 * GAP, HEIGHT + 2 * GAP)

    def settle(self) -> None:
        """Put the knob where it belongs, without motion or signals."""
        self._slide.stop()
        self._set_at(float(self.isChecked()))

    def _on_toggled(self, on: bool) -> None:
        self._slide.stop()
        if not (self._theme.animated and self.isVisible()):
            self._set_at(float(on))
            return
        self._slide.setEndValue(float(on))
        self._slide.start()

    def _get_at(self) -> float:
        return self._at

    def _set_at(self, at: float) -> None:
        self._at = at
        self.update()

    at = Property(float, _get_at, _set_at)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the track, the knob and, with keyboard focus, a ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF((self.width() - WIDTH) / 2, (self.height() - HEIGHT) / 2, WIDTH, HEIGHT)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.colour("accent"), 1.5))
            ring = box.adjusted(-1.2, -1.2, 1.2, 1.2)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
        painter.setOpacity(1.0 if self.isEnabled() else 0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent" if self.isChecked() else "track"))
        painter.drawRoundedRect(box, HEIGHT / 2, HEIGHT / 2)
        at = self._at if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else 1 - self._at
        knob = HEIGHT - 2 * GAP
        left = box.left() + GAP + at * (WIDTH - 2 * GAP - knob)
        painter.setBrush(self._theme.colour("knob"))
        painter.drawEllipse(QRectF(left, box.top() + GAP, knob, knob))
