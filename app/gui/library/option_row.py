"""A line to choose from a list: a radio mark, a name, where it is, and why it cannot be chosen."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.domain.model import ModelChoice
from app.gui.library.model import described, icon
from app.gui.theme import Theme
from app.gui.widgets import ElidedLabel, Label, named

RADIUS, DOT = 10, 16


class OptionRow(QAbstractButton):
    """A model to choose; arrow keys move, Space and Enter choose."""

    def __init__(self, theme: Theme, choice: ModelChoice, chosen: bool) -> None:
        super().__init__()
        self._theme = theme
        self.choice = choice
        self.setObjectName(f"model.{choice.id}")
        self.setCheckable(True)
        self.setChecked(chosen)
        self.setEnabled(not choice.problem)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        if not choice.problem:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(choice.name)
        self.setAccessibleDescription(choice.problem or described(choice))
        self._icon = named(QLabel(), f"model_icon.{choice.id}")
        name = ElidedLabel(choice.name, "row", f"model_name.{choice.id}")
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(name)
        if detail := described(choice):
            words.addWidget(Label(detail, "secondary", wrap=True, name=f"model_at.{choice.id}"))
        if choice.problem:
            words.addWidget(Label(choice.problem, "warn", wrap=True, name=f"problem.{choice.id}"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(44, 10, 16, 10)
        self._row.setSpacing(12)
        self._row.addLayout(words, 1)
        self._row.addWidget(self._icon)
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self._draw)
        self._draw()

    def nextCheckState(self) -> None:
        """Leave the mark to what is stored: a click only asks."""

    def sizeHint(self) -> QSize:
        """Return what the words need."""
        return self._row.sizeHint()

    def hasHeightForWidth(self) -> bool:
        """Say that long words need more height in less width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the words need at a width."""
        return self._row.heightForWidth(width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose with Enter, move with the arrows."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif step:
            self._move(step)
        else:
            super().keyPressEvent(event)

    def _move(self, step: int) -> None:
        around = self.parentWidget() or self
        rows = [r for r in around.findChildren(OptionRow) if r.isVisible() and r.isEnabled()]
        rows.sort(key=lambda row: row.mapToGlobal(row.rect().topLeft()).y())
        if self in rows:
            rows[(rows.index(self) + step) % len(rows)].setFocus(Qt.FocusReason.TabFocusReason)

    def _draw(self) -> None:
        picture = self._theme.icon(icon(self.choice), "faint")
        self._icon.setPixmap(picture.pixmap(QSize(18, 18), self.devicePixelRatioF()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame and the radio mark."""
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = self.hasFocus() or self.isChecked()
        painter.setPen(
            QPen(theme.colour("accent" if lit else "border"), 2 if self.hasFocus() else 1)
        )
        over = self.underMouse() and self.isEnabled()
        painter.setBrush(theme.colour("surface" if over or self.isChecked() else "bg"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        left = 16.0
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = self.width() - 16.0 - DOT
        mark = QRectF(left, (self.height() - DOT) / 2, DOT, DOT)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.colour("accent" if self.isChecked() else "faint"), 1.5))
        painter.drawEllipse(mark)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent"))
            painter.drawEllipse(mark.adjusted(4, 4, -4, -4))
