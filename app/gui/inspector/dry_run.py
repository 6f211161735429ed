"""A dry run: a field to ask in, and what would be recalled for it, without an answer.

Nothing is stored and nothing counts as used.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.domain.ids import Clock
from app.domain.recall import Recall
from app.gui.theme import Theme
from app.gui.trace.finds import Finds
from app.gui.trace.source import TraceSource
from app.gui.trace.steps import Steps
from app.gui.trace.wording import dry_run_line, nothing_passed
from app.gui.widgets import (
    Card,
    EmptyState,
    IconButton,
    Label,
    Scroll,
    ScrolledPage,
    SearchField,
    fill,
    hbox,
    named,
    vbox,
)

WIDTH = 800
_HINT = (
    "Ask something as you would in a conversation and see what an answer would draw on, and why."
    " Nothing is stored, and nothing counts as used."
)


class DryRunPage(QWidget):
    """The field, and below it what would be recalled."""

    asked = Signal(str)  # something stands in the field, or nothing any more; the text
    source_opened = Signal(object, object)  # a find was clicked; the Source, and its card
    closed = Signal()  # it should be put away

    def __init__(self, theme: Theme, clock: Clock) -> None:
        super().__init__()
        named(self, "dry_run", "See what would be recalled")
        self._theme = theme
        self.field = SearchField(theme, "What would you recall for …?", "dry_run_text")
        self.close_button = IconButton(theme, "x", "Back to the memories", "dry_run_close")
        self.summary = Label("", "small", wrap=True, name="dry_run_summary")
        self.problem = Label("", "warn", wrap=True, name="dry_run_problem")
        self.nothing = Card("dry_run_nothing", "accent")
        self.reason = Label("", "body", wrap=True, name="dry_run_reason")
        self.finds = Finds(theme, clock)
        self.steps = Steps(theme)
        self._hint = EmptyState(theme, "brain", "Try a recall", _HINT, "dry_run_hint")
        self._places = named(QStackedWidget(), "dry_run_places")
        self._lay_out()
        self.field.searched.connect(self.asked)
        self.field.left_down.connect(self._enter_finds)
        self.close_button.clicked.connect(self.closed)
        self.finds.source_opened.connect(self.source_opened)
        self.show_hint()

    def _lay_out(self) -> None:
        title = Label("Nothing would be recalled", "strong", name="dry_run_nothing_title")
        fill(self.nothing.body, title, self.reason)
        inside = ScrolledPage("dry_run_inside")
        vbox(
            self.summary,
            self.problem,
            self.nothing,
            self.finds,
            self.steps,
            ...,
            of=inside,
            margins=(20, 0, 20, 16),
            spacing=10,
        )
        inside.setMaximumWidth(WIDTH)
        self._scroll = Scroll(inside, "dry_run_scroll")
        for place in (self._hint, self._scroll):
            self._places.addWidget(place)
        row = hbox((self.field, 1), self.close_button, margins=(20, 14, 16, 10), spacing=6)
        vbox(row, (self._places, 1), of=self, margins=0, spacing=0)

    def show_hint(self) -> None:
        """Show what this is for."""
        self.summary.setText("")
        self.finds.show_sources([])
        self._places.setCurrentWidget(self._hint)

    def show_looking(self) -> None:
        """Show that it is being looked for; what was found before stays until then."""
        self.summary.setText("Looking…")

    def show_recall(self, recall: Recall, asked: str) -> None:
        """Show what would be recalled for a question."""
        self.summary.setText(dry_run_line(recall))
        self._tell_problem(" ".join(recall.degraded))
        self.nothing.setVisible(not recall.hits)
        if not recall.hits:
            self.reason.setText(nothing_passed(recall))
        numbered = enumerate(recall.hits, start=1)
        through = [TraceSource(hit, number, asked=asked) for number, hit in numbered]
        found = [*through, *(TraceSource(hit) for hit in recall.dropped)]
        self.finds.show_sources(found, recall.lost, told=not recall.hits)
        self.steps.show_recall(recall)
        self._scroll.verticalScrollBar().setValue(0)
        self._places.setCurrentWidget(self._scroll)

    def show_error(self, sentence: str) -> None:
        """Say why it could not be looked for."""
        self.summary.setText("")
        self._tell_problem(sentence)
        self.nothing.hide()
        self.finds.show_sources([])
        self.steps.show_recall(None)
        self._places.setCurrentWidget(self._scroll)

    def _tell_problem(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def _enter_finds(self) -> None:
        card = self.finds.findChild(QWidget, "why_card")
        if card is not None:
            card.setFocus()
