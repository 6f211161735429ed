"""The conversation on the page: a window on its turns, of which only the newest are built at first.

A conversation may have ten thousand turns; widgets exist for the stretch around what is seen. They
are made a few at a time between frames, newest first, and more are made when the person scrolls up.
"""

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.domain.ids import Clock
from app.gui.chat.cards.answer_view import AnswerView
from app.gui.chat.cards.message_view import MessageView
from app.gui.chat.intents import Intents
from app.gui.chat.model import TranscriptModel
from app.gui.chat.scrolling import Position
from app.gui.chat.stretch import MARGIN, PAGE, TOP, Stretch
from app.gui.chat.text.code import CodeView
from app.gui.theme import Theme
from app.gui.widgets import IconButton, named, vbox

COLUMN = 680
_NEAR = 400


class Transcript(QScrollArea):
    """Shows a TranscriptModel.

    Attributes:
        stretch: The turns that are built.
    """

    built = Signal()  # everything that was to be built is there
    live_built = Signal(str)  # the view of an answer in the making was built; the turn's key
    moved = Signal()  # the person scrolled

    def __init__(
        self, theme: Theme, model: TranscriptModel, intents: Intents, clock: Clock
    ) -> None:
        super().__init__()
        named(self, "transcript", "Conversation")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme = theme
        self._model = model
        self._position = Position(self.verticalScrollBar())
        self._wanted = ""
        self._to_focus = False
        inside = named(QWidget(), "transcript_host")
        inside.setAutoFillBackground(False)
        host = vbox(of=inside, margins=0)
        self.setWidget(inside)
        self.stretch = Stretch(theme, model, intents, clock, self._position, self._width, host)
        self.viewport().setAutoFillBackground(False)
        self._newest = IconButton(theme, "arrow-down", "Newest message", "to_newest")
        self._newest.setParent(self)
        self._newest.setProperty("kind", "float")
        self._newest.clicked.connect(self.to_newest)
        self._newest.hide()
        self._connect()

    def _connect(self) -> None:
        self._model.modelReset.connect(self._on_reset)
        self._model.dataChanged.connect(self._on_changed)
        self._model.rowsInserted.connect(self._on_inserted)
        self._model.rowsAboutToBeRemoved.connect(self._on_removed)
        self._theme.changed.connect(self._on_theme_changed)
        self.stretch.built.connect(self._on_built)
        self.stretch.live_built.connect(self.live_built)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    # What is asked of it.

    @property
    def views(self) -> list[MessageView]:
        """The turns that are built, top to bottom."""
        return list(self.stretch.views)

    def append(self, key: str, text: str) -> None:
        """Add a piece to an answer in the making."""
        view = self.stretch.view_of(key)
        if isinstance(view, AnswerView):
            view.append(text)

    def say_waiting(self, key: str, words: str) -> None:
        """Say what is being done before the first word of an answer comes."""
        view = self.stretch.view_of(key)
        if isinstance(view, AnswerView) and not view.body.source:
            view.say_waiting(words)

    def last_code(self) -> CodeView | None:
        """Return the newest piece of code."""
        for view in reversed(self.stretch.views):
            if isinstance(view, AnswerView) and (found := view.code_views()):
                return found[-1]
        return None

    def show_message(self, key: str) -> None:
        """Scroll to a message, wherever it is."""
        row = self._model.row_of(key)
        if row < 0:
            return
        self._position.follow, self._to_focus = False, True
        self._wanted = key
        if not self.stretch.first <= row < self.stretch.end:
            self.stretch.rebuild(max(0, row - PAGE // 3), min(self._model.rowCount(), row + PAGE))
        elif not self.stretch.busy:
            self._reach()

    @Slot()
    def to_newest(self) -> None:
        """Scroll to the end and stay there."""
        self._position.follow, self._wanted = True, ""
        if not self.stretch.complete:
            self._on_reset()
        self._position.move_to(self.verticalScrollBar().maximum())

    # The model changed.

    @Slot()
    def _on_reset(self) -> None:
        self._position.follow, self._wanted = True, ""
        rows = self._model.rowCount()
        self.stretch.rebuild(max(0, rows - PAGE), rows)

    @Slot()
    def _on_theme_changed(self) -> None:
        """Build what is there anew, in other colours or another size."""
        if not self._position.follow and (seen := self._seen()) is not None:
            self._wanted = seen.turn.key
        self.stretch.rebuild(self.stretch.first, self.stretch.end)

    def _seen(self) -> MessageView | None:
        top = self.verticalScrollBar().value()
        views = self.stretch.views
        return next((view for view in views if view.geometry().bottom() > top), None)

    @Slot(QModelIndex, QModelIndex)
    def _on_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self.stretch.update(first.row(), last.row())

    @Slot(QModelIndex, int, int)
    def _on_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        if first != self.stretch.end or self.stretch.busy:
            if self._position.follow:
                self._on_reset()
            return
        self.stretch.append(first, last)
        if self._model.turns[last].live or self._model.turns[first].own:
            self._position.follow = True
        self.stretch.mark_newest()

    @Slot(QModelIndex, int, int)
    def _on_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.stretch.remove(first, last)

    @Slot()
    def _on_built(self) -> None:
        self._reach()
        self.built.emit()

    def _reach(self) -> None:
        """Scroll to the message that was asked for."""
        view = self.stretch.view_of(self._wanted) if self._wanted else None
        if view is not None:
            self.stretch.settle()
            self._position.move_to(max(0, view.y() - TOP))
            if self._to_focus:
                view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._wanted, self._to_focus = "", False

    # The page moves.

    def showEvent(self, event: QShowEvent) -> None:
        """Leave as much room before the column as the scroll bar takes after it."""
        super().showEvent(event)
        self.setViewportMargins(self.verticalScrollBar().sizeHint().width(), 0, 0, 0)

    def _width(self) -> int:
        return max(200, min(COLUMN, self.viewport().width() - 2 * MARGIN))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the column to the window."""
        super().resizeEvent(event)
        self.stretch.fit()
        size = self._newest.sizeHint()
        self._newest.move(
            (self.width() - size.width()) // 2, self.height() - size.height() - MARGIN
        )

    @Slot(int, int)
    def _on_range_changed(self, _low: int, high: int) -> None:
        self.verticalScrollBar().setEnabled(high > 0)
        if self._position.follow:
            self._position.move_to(high)

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        at_end = self._position.at_end
        if not self._position.moving:
            self.moved.emit()
            self._position.follow = at_end and self.stretch.complete
        self._newest.setVisible(not at_end)
        if value < _NEAR:
            self.stretch.build_above()
        elif value > self.verticalScrollBar().maximum() - _NEAR:
            self.stretch.build_below()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move from message to message with Alt and the arrows, to the ends with Home and End."""
        key = event.key()
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.move_focus(-1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_End:
            self.to_newest()
        elif key == Qt.Key.Key_Home:
            self.verticalScrollBar().setValue(0)
        else:
            super().keyPressEvent(event)

    def move_focus(self, step: int) -> None:
        """Put the keyboard on the message above or below."""
        views = self.stretch.views
        if not views:
            return
        now = next((n for n, view in enumerate(views) if view.hasFocus()), len(views))
        view = views[max(0, min(len(views) - 1, now + step))]
        view.setFocus(Qt.FocusReason.TabFocusReason)
        self.ensureWidgetVisible(view, 0, TOP)
