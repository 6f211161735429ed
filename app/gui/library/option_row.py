"""A line to choose from a list: a radio mark, a name, where it is, and what speaks against it."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel

from app.domain.model import ModelChoice
from app.gui.library.model import icon, said_of
from app.gui.theme import Theme
from app.gui.widgets import CardButton, ElidedLabel, Label, named, vbox

RADIUS, DOT = 10, 16
MARGIN, ICON, GAP, REMOVER = 16, 18, 12, 32


class OptionRow(CardButton):
    """A model to choose; arrow keys move, Space and Enter choose.

    One that was added has room for a button that takes it off the list; that button is no part of
    the row, for it must work where the model does not.
    """

    removal_requested = Signal()  # delete was pressed on a model that was added

    def __init__(self, theme: Theme, choice: ModelChoice, chosen: bool) -> None:
        super().__init__(f"model.{choice.id}", QHBoxLayout())
        self._theme = theme
        self.choice = choice
        self.setCheckable(True)
        self.setChecked(chosen)
        self.setEnabled(not choice.problem)
        self.setAccessibleName(choice.name)
        self.setAccessibleDescription(said_of(choice))
        self._icon = named(QLabel(), f"model_icon.{choice.id}")
        words = vbox(ElidedLabel(choice.name, "row", f"model_name.{choice.id}"), spacing=1)
        for what, said in (("at", choice.detail), ("state", choice.state)):
            if said:
                name = f"model_{what}.{choice.id}"
                words.addWidget(Label(said, "secondary", wrap=True, name=name))
        for what, sentence in (("problem", choice.problem), ("warning", choice.warning)):
            if sentence:
                words.addWidget(Label(sentence, "warn", wrap=True, name=f"{what}.{choice.id}"))
        row = self.body
        row.setContentsMargins(MARGIN, 10, MARGIN, 10)
        row.setSpacing(GAP)
        row.addSpacing(DOT + GAP)
        row.addLayout(words, 1)
        if choice.added:
            row.addSpacing(REMOVER + GAP)
        row.addWidget(self._icon)
        self.keep_mouse()
        theme.changed.connect(self._draw)
        self._draw()

    def nextCheckState(self) -> None:
        """Leave the mark to what is stored: a click only asks."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose with Enter, move with the arrows, take off the list with Delete."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.move_focus(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() == Qt.Key.Key_Delete and self.choice.added:
            self.removal_requested.emit()
        else:
            super().keyPressEvent(event)

    def _draw(self) -> None:
        picture = self._theme.icon(icon(self.choice), "faint")
        self._icon.setPixmap(picture.pixmap(QSize(ICON, ICON), self.devicePixelRatioF()))
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
        left = float(MARGIN)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = float(self.width() - MARGIN - DOT)
        mark = QRectF(left, (self.height() - DOT) / 2, DOT, DOT)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.colour("accent" if self.isChecked() else "faint"), 1.5))
        painter.drawEllipse(mark)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent"))
            painter.drawEllipse(mark.adjusted(4, 4, -4, -4))
