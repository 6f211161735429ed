"""The drawer that says why an answer came out as it did: cited, in the prompt, found, and lost."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from app.domain.ids import Clock
from app.gui.chat.model import ChatTurn, sources
from app.gui.theme import Theme
from app.gui.trace.finds import Finds
from app.gui.trace.scores import ScoreList
from app.gui.trace.sent import SentFold
from app.gui.trace.source import TraceSource
from app.gui.trace.steps import Steps
from app.gui.trace.wording import recall_line
from app.gui.widgets import IconButton, Label, ScrolledPage, SegmentedControl, hbox, named, vbox

WIDTH = 316
_MARGIN = 16


class WhyDrawer(QWidget):
    """The drawer at the trailing edge."""

    closed = Signal()  # the person puts it away
    source_opened = Signal(object, object)  # a card was clicked; the Source, and the card

    def __init__(self, theme: Theme, parent: QWidget, clock: Clock) -> None:
        super().__init__(parent)
        named(self, "why_drawer", "Why this answer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "drawer")
        self._theme = theme
        self._turn: ChatTurn | None = None
        self._asked = ""
        self._tabs = SegmentedControl(
            (("cited", "Cited"), ("prompt", "In the prompt"), ("found", "Found")),
            "What to show",
            "why_tabs",
        )
        self._tabs.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tabs.chosen.connect(self._on_tab_chosen)
        self._finds = Finds(theme, clock)
        self._finds.source_opened.connect(self.source_opened)
        self._steps = Steps(theme)
        self.sent = SentFold(theme)
        self._scores = ScoreList(theme)
        self._foot = Label("", "secondary", wrap=True, name="why_foot")
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        close = IconButton(self._theme, "x", "Close", "why_close", then=self.closed)
        head = hbox((Label("Why this answer", "strong", name="why_title"), 1), close)
        page = ScrolledPage("why_page")
        inside = vbox(
            self._finds,
            self._foot,
            self._scores,
            self._steps,
            self.sent,
            ...,
            of=page,
            margins=(_MARGIN, 4, _MARGIN, _MARGIN),
            spacing=14,
        )
        scroll = named(QScrollArea(), "why_scroll", "Results")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(page)
        scroll.viewport().setAutoFillBackground(False)
        self._inside, self._bar = inside, scroll.verticalScrollBar()
        self._bar.rangeChanged.connect(self._on_range_changed)
        page.setAutoFillBackground(False)
        top = vbox(head, self._tabs, margins=(_MARGIN, 12, _MARGIN, 8), spacing=12)
        vbox(top, (scroll, 1), of=self, margins=0, spacing=0)

    def show_turn(self, turn: ChatTurn | None, asked: str = "") -> None:
        """Show why an answer to ``asked`` came out as it did; None where there is no answer."""
        if turn == self._turn and turn is not None and asked == self._asked:
            return
        self._asked = asked
        other = turn is None or self._turn is None or turn.key != self._turn.key
        self._turn = turn
        cited, prompt = (len(self._chosen(tab)) for tab in ("cited", "prompt"))
        found = turn.recall.recall.found if turn and turn.recall else 0
        self._tabs.relabel("cited", f"Cited {cited}")
        self._tabs.relabel("prompt", f"In the prompt {prompt}")
        self._tabs.relabel("found", f"Found {found:,}")
        if other:
            self._tabs.choose("cited" if cited else "prompt" if prompt else "found")
        self._show_cards()

    def choose(self, tab: str) -> None:
        """Show what was cited, what stood in the prompt, or all that was found."""
        self._tabs.choose(tab)
        self._show_cards()

    def _chosen(self, tab: str) -> list[TraceSource]:
        if self._turn is None or self._turn.recall is None:
            return []
        found = [replace(source, asked=self._asked) for source in sources(self._turn)]
        if tab == "cited":
            return [source for source in found if source.cited]
        if tab == "prompt":
            return [source for source in found if source.number]
        return [*found, *(TraceSource(hit) for hit in self._turn.recall.recall.dropped)]

    def _on_range_changed(self, least: int, most: int) -> None:
        """Keep the cards as wide as the tabs, whether or not there is a scroll bar beside them."""
        taken = self._bar.sizeHint().width() if most > least else 0
        self._inside.setContentsMargins(_MARGIN, 4, max(0, _MARGIN - taken), _MARGIN)

    def _on_tab_chosen(self, _tab: str) -> None:
        self._show_cards()

    def _show_cards(self) -> None:
        self._foot.setText(self._sentence())
        self._scores.show_scores(self._turn.scores if self._turn else ())
        stored = self._turn.recall if self._turn else None
        lost = stored.recall.lost if stored else 0
        self._finds.show_sources(self._chosen(self._tabs.current), lost)
        self._steps.show_recall(stored.recall if stored else None)
        there = self._turn is not None and not self._turn.live
        self.sent.show_answer(self._turn.message if self._turn and there else None)

    def _sentence(self) -> str:
        turn = self._turn
        if turn is None:
            return "Ask something, and you will see here what the answer is based on."
        if turn.recall is None:
            return "Nothing was recalled for this answer."
        nothing = {
            "cited": "The answer cites no memory. ",
            "prompt": "No memory was close enough to be used. ",
            "found": "Nothing was found. ",
        }
        empty = not self._chosen(self._tabs.current)
        told = nothing[self._tabs.current] if empty else ""
        sentences = [*turn.recall.recall.degraded]
        took = turn.recall.recall.took
        sentences += [took.words] if took is not None else []
        return " ".join(
            [told + recall_line(turn.recall.recall, len(turn.recall.in_prompt)), *sentences]
        )
