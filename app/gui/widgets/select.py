"""Choosing one of a few: a drop-down list, and a button that opens a menu."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QSizePolicy, QStyle, QWidget

from app.domain.language.text import shown
from app.gui.theme import Theme
from app.gui.widgets.foreign import caption
from app.gui.widgets.naming import named

CARET = 12


class Select(QComboBox):
    """A drop-down list that does not turn under a passing mouse wheel."""

    def __init__(self, theme: Theme, title: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        named(self, name, title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        named(self.view(), f"{name}_list", title)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the list and its caret."""
        super().paintEvent(event)
        draw_caret(self, self._theme, 10)


class MenuButton(QPushButton):
    """A ``plain`` or ``ghost`` button with a caret, which opens a menu."""

    def __init__(self, theme: Theme, text: str, name: str, kind: str = "plain") -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName(name)
        self.setProperty("kind", kind)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._menu = named(QMenu(self), f"{name}_menu")
        self.clicked.connect(self._open)
        self.say(text)

    def menu(self) -> QMenu:
        """Return the menu, to put actions in."""
        return self._menu

    def say(self, text: str) -> None:
        """Show other words."""
        self.setText(caption(text))
        self.setAccessibleName(shown(text))
        self._menu.setAccessibleName(shown(text))

    def _open(self) -> None:
        below = self.rect().bottomLeft() + QPoint(0, 4)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            below = self.rect().bottomRight() + QPoint(-self._menu.sizeHint().width(), 4)
        self._menu.popup(self.mapToGlobal(below))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Down and Enter too."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button and its caret."""
        super().paintEvent(event)
        draw_caret(self, self._theme, 8)


def draw_caret(widget: QWidget, theme: Theme, margin: int) -> None:
    """Draw a caret at the trailing edge of a widget."""
    box = QRect(widget.width() - CARET - margin, (widget.height() - CARET) // 2, CARET, CARET)
    painter = QPainter(widget)
    box = QStyle.visualRect(widget.layoutDirection(), widget.rect(), box)
    theme.icon("caret-down", "muted").paint(painter, box)
