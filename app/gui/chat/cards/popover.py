"""A small card over the page, beside what it was asked from; a press elsewhere closes it."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from app.gui.widgets import vbox

_GAP = 6
_EDGE = 8


class Popover(QFrame):
    """A card that floats over its parent."""

    closed = Signal()  # it went away

    def __init__(self, parent: QWidget, name: str, width: int) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("surface", "popover")
        self.setFixedWidth(width)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.body = vbox(of=self, margins=(14, 12, 14, 12), spacing=8)
        self._anchor = QRect()
        self._from: QWidget | None = None
        self.hide()

    def open_at(self, where: QRect, came_from: QWidget | None = None) -> None:
        """Show the card below ``where`` (on the screen), or above it where there is no room."""
        self._anchor, self._from = where, came_from
        self.show()
        self.raise_()
        self.settle()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self._watch(True)

    def settle(self) -> None:
        """Find the place again, after the card grew or shrank."""
        parent = self.parentWidget()
        if parent is None or not self.isVisible():
            return
        self.body.activate()
        self.resize(self.width(), self.body.totalHeightForWidth(self.width()))
        corner = parent.mapFromGlobal(self._anchor.bottomLeft())
        left = max(_EDGE, min(corner.x(), parent.width() - self.width() - _EDGE))
        top = corner.y() + _GAP
        if top + self.height() > parent.height() - _EDGE:
            top = parent.mapFromGlobal(self._anchor.topLeft()).y() - _GAP - self.height()
        self.move(QPoint(left, max(_EDGE, top)))

    def close_card(self) -> None:
        """Put the card away, and the keyboard back where it was."""
        if not self.isVisible():
            return
        self._watch(False)
        inside = self.isAncestorOf(QApplication.focusWidget() or self) or self.hasFocus()
        self.hide()
        if inside and self._from is not None and self._from.isVisible():
            self._from.setFocus(Qt.FocusReason.PopupFocusReason)
        self._from = None
        self.closed.emit()

    def _watch(self, on: bool) -> None:
        if (app := QApplication.instance()) is not None:
            app.installEventFilter(self) if on else app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close on a press anywhere else, and on Escape."""
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            here = self.mapFromGlobal(event.globalPosition().toPoint())
            if isinstance(watched, QWidget) and not self.rect().contains(here):
                self.close_card()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.close_card()
                return True
        return False
