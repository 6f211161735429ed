"""A button that folds something out and in."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.gui.theme import Theme
from app.gui.widgets import Button, named, vbox


class DetailsFold(QWidget):
    """A button, and below it what belongs to it, folded at first."""

    unfolded = Signal(bool)  # what belongs to it is shown now, or not any more; whether it is

    def __init__(self, theme: Theme, title: str, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.button = Button(theme, title, f"{name}_toggle", "fold", "caret-right")
        self.button.setCheckable(True)
        self.button.toggled.connect(self._on_toggled)
        inside = named(QWidget(), f"{name}_inside")
        inside.hide()
        self.body = vbox(of=inside, margins=(2, 2, 2, 0), spacing=2)
        self._inside = inside
        vbox(self.button, inside, of=self, margins=0, spacing=0)

    @property
    def open(self) -> bool:
        """Whether it is folded out."""
        return self.button.isChecked()

    def _on_toggled(self, open_: bool) -> None:
        self.button.set_icon("caret-down" if open_ else "caret-right")
        self._inside.setVisible(open_)
        self.unfolded.emit(open_)
