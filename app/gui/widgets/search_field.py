"""A search line: magnifying glass, clear button, a hint of its shortcut, and patience."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QToolButton

from app.gui.theme import Theme
from app.gui.timers import timer
from app.gui.widgets.foreign import tip
from app.gui.widgets.labels import Label
from app.gui.widgets.naming import named

PATIENCE_MS = 150
WORDS_FROM = 36  # where the words begin, after the glass


class SearchField(QLineEdit):
    """A line that says what is searched for once the fingers rest."""

    searched = Signal(str)  # the text to search for; empty when it was cleared
    left_down = Signal()  # the person pressed Down, to walk into the results

    def __init__(self, theme: Theme, placeholder: str, name: str, shortcut: str = "") -> None:
        super().__init__()
        self._theme = theme
        named(self, name, placeholder)
        self.setPlaceholderText(placeholder)
        self._glass = QAction(self)
        self._add(self._glass, "Search", QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction("Clear", self)
        self._clear.triggered.connect(self.clear)
        self._hint = Label(shortcut, "key", name=f"{name}_shortcut")
        self._hint.setParent(self)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._shortcut = shortcut
        self.setToolTip(tip(shortcut))
        self._timer = timer(self, PATIENCE_MS, self._on_timer_ended)
        self.textChanged.connect(self._on_text_changed)
        self.returnPressed.connect(self._on_timer_ended)
        theme.changed.connect(self._draw)
        self._draw()

    def _add(self, action: QAction, title: str, position: QLineEdit.ActionPosition) -> None:
        self.addAction(action, position)
        for button in self.findChildren(QToolButton):
            if not button.objectName():
                named(button, f"{self.objectName()}_{title.lower()}", title)

    def _draw(self) -> None:
        self._glass.setIcon(self._theme.icon("magnifying-glass", "muted"))
        self._clear.setIcon(self._theme.icon("x", "muted"))
        self._place_hint()

    def _on_text_changed(self, text: str) -> None:
        self._place_hint()
        if text and self._clear not in self.actions():
            self._add(self._clear, "Clear", QLineEdit.ActionPosition.TrailingPosition)
        elif not text:
            self.removeAction(self._clear)
            self._on_timer_ended()
            return
        self._timer.start()

    def _on_timer_ended(self) -> None:
        self._timer.stop()
        self.searched.emit(self.text().strip())

    def event(self, event: QEvent) -> bool:
        """Leave Undo and Redo to the screen while nothing typed here could be undone."""
        if isinstance(event, QKeyEvent) and self._is_idle(event):
            event.ignore()
            return False
        return super().event(event)

    def _is_idle(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Undo):
            return not self.isUndoAvailable()
        return event.matches(QKeySequence.StandardKey.Redo) and not self.isRedoAvailable()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear with Escape, walk on with Down."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.left_down.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the hint at the trailing edge."""
        super().resizeEvent(event)
        self._place_hint()

    def _place_hint(self) -> None:
        """Show the hint where nothing is written, and where it covers no words."""
        size = self._hint.sizeHint()
        left = self.width() - size.width() - 10
        words = self.fontMetrics().horizontalAdvance(self.placeholderText()) + WORDS_FROM
        self._hint.setVisible(bool(self._shortcut) and not self.text() and words < left)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = 10
        top = (self.height() - size.height()) // 2
        self._hint.setGeometry(QRect(left, top, size.width(), size.height()))
