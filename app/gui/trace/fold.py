"""A button that folds something out and in."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.theme import Theme
from app.gui.widgets import Button


class DetailsFold(QWidget):
    """A button, and below it what belongs to it, folded at first.

    Args:
        title: What the button says.
        name: Its object name; the button's ends in ``_toggle``.

    Signals:
        unfolded: What belongs to it is shown now, or not any more; whether it is.
    """

    unfolded = Signal(bool)

    def __init__(self, theme: Theme, title: str, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.button = Button(theme, title, f"{name}_toggle", "fold", "caret-right")
        self.button.setCheckable(True)
        self.button.toggled.connect(self._on_toggled)
        inside = QWidget()
        inside.setObjectName(f"{name}_inside")
        inside.hide()
        self.body = QVBoxLayout(inside)
        self.body.setContentsMargins(2, 2, 2, 0)
        self.body.setSpacing(2)
        self._inside = inside
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.button)
        column.addWidget(inside)

    @property
    def open(self) -> bool:
        """Whether it is folded out."""
        return self.button.isChecked()

    def _on_toggled(self, open_: bool) -> None:
        self.button.set_icon("caret-down" if open_ else "caret-right")
        self._inside.setVisible(open_)
        self.unfolded.emit(open_)
