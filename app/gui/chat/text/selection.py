"""Lets one sweep of the mouse select across several texts, as if they were one."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent

from app.gui.chat.text.view import TextView

_MOUSE = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove)


class SpanSelection(QObject):
    """The selection over the texts of one message, top to bottom."""

    def __init__(self, views: Callable[[], Sequence[TextView]], parent: QObject) -> None:
        super().__init__(parent)
        self._views = views
        self._origin: TextView | None = None
        self._anchor = 0

    def watch(self, view: TextView) -> None:
        """Take a text into the selection."""
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    def text(self) -> str:
        """Return what is selected, one paragraph between the texts."""
        return "\n\n".join(text for view in self._views() if (text := view.selected_text()))

    def clear(self) -> None:
        """Select nothing."""
        for view in self._views():
            view.clear_selection()

    def select_all(self) -> None:
        """Select everything."""
        for view in self._views():
            view.select(0, -1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the mouse beyond the text it was pressed in; copy all of what is selected."""
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(event)
        if kind not in _MOUSE or not isinstance(event, QMouseEvent):
            return False
        view = watched.parent()
        if not isinstance(view, TextView):
            return False
        if kind == QEvent.Type.MouseButtonPress:
            self._on_pressed(view, event)
            return False
        held = bool(event.buttons() & Qt.MouseButton.LeftButton)
        return held and self._origin is view and self._on_dragged(event.globalPosition().toPoint())

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.text())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        else:
            return False
        return True

    def _on_pressed(self, view: TextView, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        for other in self._views():
            if other is not view:
                other.clear_selection()
        self._origin = view
        self._anchor = view.cursorForPosition(event.position().toPoint()).position()

    def _on_dragged(self, where: QPoint) -> bool:
        """Select from where it began to ``where``; false leaves it to the text itself."""
        views = list(self._views())
        if self._origin not in views:
            return False
        first, last = views.index(self._origin), _nearest(views, where)
        if first == last:
            for view in views:
                if view is not self._origin:
                    view.clear_selection()
            return False
        down = last > first
        self._origin.select(self._anchor, -1 if down else 0)
        at = views[last].cursorForPosition(views[last].viewport().mapFromGlobal(where)).position()
        views[last].select(0, at) if down else views[last].select(at, -1)
        low, high = sorted((first, last))
        for number, view in enumerate(views):
            if low < number < high:
                view.select(0, -1)
            elif number < low or number > high:
                view.clear_selection()
        return True


def _nearest(views: Sequence[TextView], where: QPoint) -> int:
    """Return which text is at that height, or the nearest one above."""
    below = [n for n, view in enumerate(views) if view.mapToGlobal(QPoint(0, 0)).y() <= where.y()]
    return below[-1] if below else 0
