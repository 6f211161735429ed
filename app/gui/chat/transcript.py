"""The conversation on the page: a window on its turns, of which only the newest are built at first.

A conversation may have ten thousand turns; widgets exist for the stretch around what is seen. They
are made a few at a time between frames, newest first, and more are made when the person scrolls up.
"""

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.domain.ids import Clock
from app.gui.chat.cards.answer_view import AnswerView
from app.gui.chat.cards.message_view import MessageView
from app.gui.chat.cards.person_view import PersonView
from app.gui.chat.intents import Intents
from app.gui.chat.model import ChatTurn, TranscriptModel
from app.gui.chat.pacing import REST, Slices, Steps
from app.gui.chat.text.code import CodeView
from app.gui.theme import Theme
from app.gui.widgets import IconButton, named

COLUMN = 680
PAGE = 60
"""How many turns are built at once."""

MOST = 240
"""How many turns are kept built; those far from the view are dropped."""

_MARGIN = 16
_TOP, _BOTTOM = 28, 24
_NEAR = 400
_AT_ONCE = 3
_HEAVY = 150
_STUCK = 24


class Transcript(QScrollArea):
    """Shows a TranscriptModel.

    Signals:
        built: Everything that was to be built is there.
        live_built: The view of an answer in the making was built; the turn's key.
        moved: The person scrolled.
    """

    built = Signal()
    live_built = Signal(str)
    moved = Signal()

    def __init__(
        self, theme: Theme, model: TranscriptModel, intents: Intents, clock: Clock
    ) -> None:
        super().__init__()
        self.setObjectName("transcript")
        self.setAccessibleName("Conversation")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme = theme
        self._model = model
        self._intents = intents
        self._clock = clock
        self._first = 0
        self._views: list[MessageView] = []
        self._follow = True
        self._moving = False
        self._wanted = ""
        self._to_focus = False
        self._slices = Slices(self)
        self._slices.finished.connect(self._on_built)
        self._past = Slices(self)
        host = named(QWidget(), "transcript_host")
        host.setAutoFillBackground(False)
        self._host = QVBoxLayout(host)
        self._host.setContentsMargins(0, 0, 0, 0)
        self.setWidget(host)
        self._page = self._begin_page()
        self.viewport().setAutoFillBackground(False)
        self._newest = IconButton(theme, "arrow-down", "Newest message", "to_newest")
        self._newest.setParent(self)
        self._newest.setProperty("kind", "float")
        self._newest.clicked.connect(self.to_newest)
        self._newest.hide()
        self._connect()

    def _begin_page(self) -> QWidget:
        page = named(QWidget(), "transcript_page")
        page.setAutoFillBackground(False)
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(_MARGIN, _TOP, _MARGIN, _BOTTOM)
        self._column.setSpacing(2)
        self._column.addStretch(1)
        self._host.addWidget(page)
        return page

    def _clear(self) -> None:
        """Begin an empty page; what was on the old one goes a little at a time.

        A page with thousands of widgets is moved out of sight, since hiding them takes long.
        """
        if not self._views:
            return
        old, views, self._views = self._page, self._views, []
        self._moving = True
        self._host.removeWidget(old)
        if sum(view.weight for view in views) > _HEAVY:
            old.move(0, -old.height())
        else:
            old.hide()
        self._page = self._begin_page()
        self._moving = False
        before = self._past.steps
        self._past.start(_gone(before, old, views), now=False)

    def _connect(self) -> None:
        self._model.modelReset.connect(self._on_reset)
        self._model.dataChanged.connect(self._on_changed)
        self._model.rowsInserted.connect(self._on_inserted)
        self._model.rowsAboutToBeRemoved.connect(self._on_removed)
        self._theme.changed.connect(self._on_theme_changed)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    # What is asked of it.

    @property
    def views(self) -> list[MessageView]:
        """The turns that are built, top to bottom."""
        return list(self._views)

    def view_of(self, key: str) -> MessageView | None:
        """Return the view of a turn, if it is built."""
        return next((view for view in self._views if view.turn.key == key), None)

    def append(self, key: str, text: str) -> None:
        """Add a piece to an answer in the making."""
        view = self.view_of(key)
        if isinstance(view, AnswerView):
            view.append(text)

    def say_waiting(self, key: str, words: str) -> None:
        """Say what is being done before the first word of an answer comes."""
        view = self.view_of(key)
        if isinstance(view, AnswerView) and not view.body.source:
            view.say_waiting(words)

    def last_code(self) -> CodeView | None:
        """Return the newest piece of code."""
        for view in reversed(self._views):
            if isinstance(view, AnswerView) and (found := view.code_views()):
                return found[-1]
        return None

    def show_message(self, key: str) -> None:
        """Scroll to a message, wherever it is."""
        row = self._model.row_of(key)
        if row < 0:
            return
        self._follow, self._to_focus = False, True
        self._wanted = key
        if not self._first <= row < self._first + len(self._views):
            self._rebuild(max(0, row - PAGE // 3), min(self._model.rowCount(), row + PAGE))
        elif not self._slices.busy:
            self._reach()

    @Slot()
    def to_newest(self) -> None:
        """Scroll to the end and stay there."""
        self._follow, self._wanted = True, ""
        if self._first + len(self._views) < self._model.rowCount():
            self._on_reset()
        self._scroll_to(self.verticalScrollBar().maximum())

    # The model changed.

    @Slot()
    def _on_reset(self) -> None:
        self._follow, self._wanted = True, ""
        rows = self._model.rowCount()
        self._rebuild(max(0, rows - PAGE), rows)

    @Slot()
    def _on_theme_changed(self) -> None:
        """Build what is there anew, in other colours or another size."""
        if not self._follow and (seen := self._seen()) is not None:
            self._wanted = seen.turn.key
        self._rebuild(self._first, self._first + len(self._views))

    def _seen(self) -> MessageView | None:
        top = self.verticalScrollBar().value()
        return next((view for view in self._views if view.geometry().bottom() > top), None)

    @Slot(QModelIndex, QModelIndex)
    def _on_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        for row in range(first.row(), last.row() + 1):
            at = row - self._first
            if 0 <= at < len(self._views):
                self._views[at].show_turn(self._model.turns[row])
        self._mark_newest()

    @Slot(QModelIndex, int, int)
    def _on_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        if first != self._first + len(self._views) or self._slices.busy:
            if self._follow:
                self._on_reset()
            return
        for row in range(first, last + 1):
            self._add(len(self._views), self._model.turns[row])
        if self._model.turns[last].live or self._model.turns[first].own:
            self._follow = True
        self._mark_newest()

    @Slot(QModelIndex, int, int)
    def _on_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        for row in range(min(last, self._first + len(self._views) - 1), first - 1, -1):
            if row >= self._first:
                self._drop(row - self._first)
        self._first = min(self._first, first)

    # Building, a little at a time.

    def _rebuild(self, first: int, end: int) -> None:
        self._slices.stop()
        self._first = end
        self._clear()
        self._slices.start(self._build(first, end), now=end - first > 0)

    def _build(self, first: int, end: int) -> Steps:
        """Build turns upwards from the newest, so that the end is there at once."""
        for row in range(end - 1, first - 1, -1):
            self._add(0, self._model.turns[row])
            self._first = row
            if row == end - 1:
                self._mark_newest()
            yield
            while self._drawing() >= _AT_ONCE:
                yield

    def _build_above(self) -> None:
        first = max(0, self._first - PAGE)
        if self._first and not self._slices.busy:
            self._slices.start(self._build_up(first))

    def _build_up(self, first: int) -> Steps:
        for row in range(self._first - 1, first - 1, -1):
            self._add(0, self._model.turns[row])
            self._first = row
            if len(self._views) > MOST:
                self._drop(len(self._views) - 1)
            yield
            while self._drawing() >= _AT_ONCE:
                yield

    def _build_below(self) -> None:
        end = self._first + len(self._views)
        if end < self._model.rowCount() and not self._slices.busy:
            self._slices.start(self._build_down(min(self._model.rowCount(), end + PAGE)))

    def _build_down(self, end: int) -> Steps:
        for row in range(self._first + len(self._views), end):
            self._add(len(self._views), self._model.turns[row])
            if len(self._views) > MOST:
                height = self._views[0].height() + self._column.spacing()
                self._drop(0)
                self._first += 1
                self._shift(-height)
            yield
        self._mark_newest()

    def _drawing(self) -> int:
        """Return how many answers are still being drawn."""
        return sum(isinstance(view, AnswerView) and view.body.busy for view in self._views)

    def _add(self, at: int, turn: ChatTurn) -> None:
        view: MessageView
        if turn.own:
            view = PersonView(self._theme, self._intents, turn)
        else:
            view = AnswerView(self._theme, self._intents, turn, self._clock)
        view.fit(self._width())
        self._views.insert(at, view)
        above = at == 0 and len(self._views) > 1 and not self._follow
        self._column.insertWidget(at, view, 0, Qt.AlignmentFlag.AlignHCenter)
        view.show()
        if above:
            self._column.activate()
            self._shift(view.height() + self._column.spacing())
        if turn.live:
            self.live_built.emit(turn.key)

    def _shift(self, pixels: int) -> None:
        """Keep what is seen where it is, while the page grows or shrinks above it."""
        bar = self.verticalScrollBar()
        bar.setMaximum(bar.maximum() + max(0, pixels))
        self._scroll_to(bar.value() + pixels)

    def _scroll_to(self, value: int) -> None:
        self._moving = True
        self.verticalScrollBar().setValue(value)
        self._moving = False

    def _drop(self, at: int) -> None:
        view = self._views.pop(at)
        self._column.removeWidget(view)
        view.hide()
        view.deleteLater()

    def _on_built(self) -> None:
        self._reach()
        self.built.emit()

    def _reach(self) -> None:
        """Scroll to the message that was asked for."""
        view = self.view_of(self._wanted) if self._wanted else None
        if view is not None:
            self._column.activate()
            self._scroll_to(max(0, view.y() - _TOP))
            if self._to_focus:
                view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._wanted, self._to_focus = "", False

    def _mark_newest(self) -> None:
        at_end = self._first + len(self._views) == self._model.rowCount()
        for view in self._views:
            view.keep_foot(at_end and view is self._views[-1] and isinstance(view, AnswerView))

    # The page moves.

    def showEvent(self, event: QShowEvent) -> None:
        """Leave as much room before the column as the scroll bar takes after it."""
        super().showEvent(event)
        self.setViewportMargins(self.verticalScrollBar().sizeHint().width(), 0, 0, 0)

    def _width(self) -> int:
        return max(200, min(COLUMN, self.viewport().width() - 2 * _MARGIN))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the column to the window."""
        super().resizeEvent(event)
        width = self._width()
        for view in self._views:
            view.fit(width)
        size = self._newest.sizeHint()
        self._newest.move(
            (self.width() - size.width()) // 2, self.height() - size.height() - _MARGIN
        )

    @Slot(int, int)
    def _on_range_changed(self, _low: int, high: int) -> None:
        self.verticalScrollBar().setEnabled(high > 0)
        if self._follow:
            self._scroll_to(high)

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        at_end = value >= bar.maximum() - _STUCK
        if not self._moving:
            self.moved.emit()
            self._follow = at_end and self._first + len(self._views) == self._model.rowCount()
        self._newest.setVisible(not at_end)
        if value < _NEAR:
            self._build_above()
        elif value > bar.maximum() - _NEAR:
            self._build_below()

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
        if not self._views:
            return
        now = next((n for n, view in enumerate(self._views) if view.hasFocus()), len(self._views))
        view = self._views[max(0, min(len(self._views) - 1, now + step))]
        view.setFocus(Qt.FocusReason.TabFocusReason)
        self.ensureWidgetVisible(view, 0, _TOP)


def _gone(before: Steps | None, page: QWidget, views: list[MessageView]) -> Steps:
    """Delete the views of a page one by one, then the page, after what else was being deleted."""
    yield from before or ()
    for view in views:
        while isinstance(view, AnswerView) and view.body.shed():
            yield REST
        view.deleteLater()
        yield REST
    page.deleteLater()
