"""The bar at the top of a screen: its name, and what belongs beside it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.gui.widgets.boxes import hbox
from app.gui.widgets.labels import Label

HEIGHT = 52


class Header(QWidget):
    """A bar with a title at its start.

    Attributes:
        title: The title's label.
        row: Its layout, to add to.
    """

    def __init__(self, title: str, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "header")
        self.setMinimumHeight(HEIGHT)
        self.title = Label(title, "title", name=f"{name}_title")
        self.row = hbox(self.title, ..., of=self, margins=(20, 8, 20, 8), spacing=10)
