"""A check box in the colours of the theme."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QStyle

from app.domain.language.text import shown
from app.gui.theme import Theme
from app.gui.widgets.naming import named

BOX, GAP, RING = 18, 10, 3


class TickBox(QCheckBox):
    """A box to tick, with words beside it, or else a spoken title."""

    def __init__(self, theme: Theme, text: str, name: str, title: str = "") -> None:
        super().__init__(text)
        self._theme = theme
        named(self, name, title or text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the size of box and words, with room for the focus ring."""
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, shown(self.text()))
        width = BOX + 2 * RING + (GAP - RING + words.width() if self.text() else 0)
        return QSize(width, max(BOX + 2 * RING, words.height()))

    def minimumSizeHint(self) -> QSize:
        """Return the size it cannot do without."""
        return self.sizeHint()

    def hitButton(self, pos: object) -> bool:
        """Take a click anywhere on it."""
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, the tick, the words, and with keyboard focus a ring."""
        theme, on = self._theme, self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.55)
        where = QRect(RING, (self.height() - BOX) // 2, BOX, BOX)
        box = QStyle.visualRect(self.layoutDirection(), self.rect(), where)
        frame = QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame.adjusted(-2, -2, 2, 2), 6, 6)
        painter.setPen(QPen(theme.colour("accent" if on else "faint"), 1))
        painter.setBrush(theme.colour("accent" if on else "surface"))
        painter.drawRoundedRect(frame, 4, 4)
        if on:
            theme.icon("check", "on-accent").paint(painter, box.adjusted(2, 2, -2, -2))
        words = self.rect().adjusted(RING + BOX + GAP, 0, 0, 0)
        words = QStyle.visualRect(self.layoutDirection(), self.rect(), words)
        side = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        align = QStyle.visualAlignment(self.layoutDirection(), side)
        painter.setPen(theme.colour("text"))
        painter.drawText(words, align | Qt.TextFlag.TextShowMnemonic, shown(self.text()))
