"""The turns that are built: a stretch of the conversation, made and dropped a little at a time."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.ids import Clock
from app.gui.chat.cards.answer_view import AnswerView
from app.gui.chat.cards.message_view import MessageView
from app.gui.chat.cards.person_view import PersonView
from app.gui.chat.intents import Intents
from app.gui.chat.model import ChatTurn, TranscriptModel
from app.gui.chat.pacing import REST, Slices, Steps
from app.gui.chat.scrolling import Position
from app.gui.theme import Theme
from app.gui.widgets import named, vbox
from app.gui.widgets.filling import drop

PAGE = 60
"""How many turns are built at once."""

MOST = 240
"""How many turns are kept built; those far from the view are dropped."""

MARGIN = 16
TOP, _BOTTOM = 28, 24
_AT_ONCE = 3
_HEAVY = 150


class Stretch(QObject):
    """Builds views of turns into a page, as wide as ``width`` returns.

    Attributes:
        first: The row of the first view.
        views: The views, top to bottom.
    """

    built = Signal()  # everything that was to be built is there
    live_built = Signal(str)  # the view of an answer in the making was built; the turn's key

    def __init__(
        self,
        theme: Theme,
        model: TranscriptModel,
        intents: Intents,
        clock: Clock,
        position: Position,
        width: Callable[[], int],
        host: QVBoxLayout,
    ) -> None:
        super().__init__(host.parentWidget())
        self._theme, self._model, self._intents, self._clock = theme, model, intents, clock
        self._position, self._width, self._host = position, width, host
        self.first = 0
        self.views: list[MessageView] = []
        self._slices = Slices(self)
        self._slices.finished.connect(self.built)
        self._past = Slices(self)
        self._page = self._begin_page()

    @property
    def end(self) -> int:
        """The row after the last view."""
        return self.first + len(self.views)

    @property
    def complete(self) -> bool:
        """Whether the newest turn is built."""
        return self.end == self._model.rowCount()

    @property
    def busy(self) -> bool:
        """Whether there is more to build."""
        return self._slices.busy

    def view_of(self, key: str) -> MessageView | None:
        """Return the view of a turn, if it is built."""
        return next((view for view in self.views if view.turn.key == key), None)

    def fit(self) -> None:
        """Make every view as wide as there is room."""
        width = self._width()
        for view in self.views:
            view.fit(width)

    def settle(self) -> None:
        """Let every view have its place now."""
        self._column.activate()

    def mark_newest(self) -> None:
        """Let the newest answer alone keep its foot."""
        complete = self.complete
        for view in self.views:
            view.keep_foot(complete and view is self.views[-1] and isinstance(view, AnswerView))

    # The page.

    def _begin_page(self) -> QWidget:
        page = named(QWidget(), "transcript_page")
        page.setAutoFillBackground(False)
        self._column = vbox(..., of=page, margins=(MARGIN, TOP, MARGIN, _BOTTOM), spacing=2)
        self._host.addWidget(page)
        return page

    def _clear(self) -> None:
        """Begin an empty page; what was on the old one goes a little at a time.

        A page with thousands of widgets is moved out of sight, since hiding them takes long.
        """
        if not self.views:
            return
        old, views, self.views = self._page, self.views, []
        with self._position.held():
            self._host.removeWidget(old)
            if sum(view.weight for view in views) > _HEAVY:
                old.move(0, -old.height())
            else:
                old.hide()
            self._page = self._begin_page()
        before = self._past.steps
        self._past.start(_gone(before, old, views), now=False)

    # The model changed.

    def update(self, first: int, last: int) -> None:
        """Show the turns of some rows as they are now."""
        for row in range(max(first, self.first), min(last + 1, self.end)):
            self.views[row - self.first].show_turn(self._model.turns[row])
        self.mark_newest()

    def append(self, first: int, last: int) -> None:
        """Build the turns of rows that came after all others."""
        for row in range(first, last + 1):
            self._add(len(self.views), self._model.turns[row])

    def remove(self, first: int, last: int) -> None:
        """Drop the views of rows that go away."""
        for row in range(min(last, self.end - 1), first - 1, -1):
            if row >= self.first:
                self._drop(row - self.first)
        self.first = min(self.first, first)

    # Building, a little at a time.

    def rebuild(self, first: int, end: int) -> None:
        """Build some rows and drop all others."""
        self._slices.stop()
        self.first = end
        self._clear()
        self._slices.start(self._build(first, end), now=end - first > 0)

    def _build(self, first: int, end: int) -> Steps:
        """Build turns upwards from the newest, so that the end is there at once."""
        for row in range(end - 1, first - 1, -1):
            self._add(0, self._model.turns[row])
            self.first = row
            if row == end - 1:
                self.mark_newest()
            yield
            while self._drawing() >= _AT_ONCE:
                yield

    def build_above(self) -> None:
        """Build more of what came before."""
        first = max(0, self.first - PAGE)
        if self.first and not self.busy:
            self._slices.start(self._build_up(first))

    def _build_up(self, first: int) -> Steps:
        for row in range(self.first - 1, first - 1, -1):
            self._add(0, self._model.turns[row])
            self.first = row
            if len(self.views) > MOST:
                self._drop(len(self.views) - 1)
            yield
            while self._drawing() >= _AT_ONCE:
                yield

    def build_below(self) -> None:
        """Build more of what comes after."""
        if self.end < self._model.rowCount() and not self.busy:
            self._slices.start(self._build_down(min(self._model.rowCount(), self.end + PAGE)))

    def _build_down(self, end: int) -> Steps:
        for row in range(self.end, end):
            self._add(len(self.views), self._model.turns[row])
            if len(self.views) > MOST:
                height = self.views[0].height() + self._column.spacing()
                self._drop(0)
                self.first += 1
                self._position.shift(-height)
            yield
        self.mark_newest()

    def _drawing(self) -> int:
        """Return how many answers are still being drawn."""
        return sum(isinstance(view, AnswerView) and view.body.busy for view in self.views)

    def _add(self, at: int, turn: ChatTurn) -> None:
        view: MessageView
        if turn.own:
            view = PersonView(self._theme, self._intents, turn)
        else:
            view = AnswerView(self._theme, self._intents, turn, self._clock)
        view.fit(self._width())
        self.views.insert(at, view)
        above = at == 0 and len(self.views) > 1 and not self._position.follow
        self._column.insertWidget(at, view, 0, Qt.AlignmentFlag.AlignHCenter)
        view.show()
        if above:
            self._column.activate()
            self._position.shift(view.height() + self._column.spacing())
        if turn.live:
            self.live_built.emit(turn.key)

    def _drop(self, at: int) -> None:
        view = self.views.pop(at)
        self._column.removeWidget(view)
        drop(view)


def _gone(before: Steps | None, page: QWidget, views: list[MessageView]) -> Steps:
    """Delete the views of a page one by one, then the page, after what else was being deleted."""
    yield from before or ()
    for view in views:
        while isinstance(view, AnswerView) and view.body.shed():
            yield REST
        view.deleteLater()
        yield REST
    page.deleteLater()
