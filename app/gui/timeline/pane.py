"""The timeline's widgets: the slider over days, what happened, and what was known then."""

from collections.abc import Sequence
from datetime import date, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.domain.history import Day, TimelineMoment
from app.domain.language.text import counted
from app.domain.memory import Memory, Status
from app.domain.trace import STATUSES
from app.gui.inspector.wording import long_date, short_date
from app.gui.theme import Theme
from app.gui.timeline.slider import DaySlider
from app.gui.timeline.sources import SourcesPage
from app.gui.timers import timer
from app.gui.widgets import (
    Button,
    CardButton,
    Chip,
    EmptyState,
    Header,
    Label,
    NoticeBar,
    Scroll,
    ScrolledPage,
    SearchField,
    filling,
    hbox,
    named,
    pile,
    tip,
    vbox,
)

REST_MS = 90
_ACTORS = {"user": "you", "dream": "a dream", "consolidate": "consolidation", "review": "a review",
           "compact": "thinning", "import": "an import"}  # fmt: skip


class RowButton(CardButton):
    """Two lines that can be pressed."""

    def __init__(self, theme: Theme, title: str, words: str, name: str) -> None:
        super().__init__(name, QVBoxLayout())
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(f"{title.rstrip('.')}. {words}")
        self.body.setContentsMargins(8, 7, 8, 8)
        self.body.setSpacing(1)
        self.body.addWidget(Label(title, "body", wrap=True, name=f"{name}_title"))
        self.body.addWidget(Label(words, "small", wrap=True, name=f"{name}_words"))
        self.keep_mouse()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is under the mouse or has the keyboard, and a line below."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            focus = self.hasFocus()
            painter.setPen(self._theme.colour("accent") if focus else Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("hover"))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 6, 6)
        else:
            foot = self.rect().adjusted(8, self.height() - 1, -8, 0)
            painter.fillRect(foot, self._theme.colour("border"))


class TimelinePane(QWidget):
    """What happened day by day, and what was known."""

    day_chosen = Signal(object)  # a day is looked at: the date
    memory_requested = Signal(str)  # a memory should be shown: its id
    undo_requested = Signal()  # the last change should be undone
    redo_requested = Signal()  # the last undone change should be done again
    sources_requested = Signal()  # who wrote what, and from what it came, should be shown
    searched = Signal(str)  # only what has these words should be listed as known: the words

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        named(self, "timeline", "Timeline")
        self.notice = NoticeBar(theme, "timeline_notice")
        self.slider = DaySlider(theme)
        self.day = Label("", "heading", wrap=True, name="timeline_day")
        self.count = Chip("", "neutral", "timeline_count")
        self.today = Button(theme, "Today", "timeline_today")
        self.undo = Button(theme, "Undo", "timeline_undo", icon="arrow-u-up-left")
        self.redo = Button(theme, "Redo", "timeline_redo", icon="arrow-u-up-right")
        ends = ("timeline_first", "timeline_last")
        self.where = Button(theme, "Where it comes from", "timeline_sources", "ghost")
        self.search = SearchField(theme, "Search", "timeline_search")
        self.search.setAccessibleName("Search what was known")
        self.sources = SourcesPage(theme)
        self._pages = named(QStackedWidget(), "timeline_pages")
        self._ends = [Label("", "small", name=name) for name in ends]
        self._done = _list("timeline_done")
        self._known = _list("timeline_known")
        self._known_title = Label("", "section", wrap=True, name="timeline_known_title")
        self._places = named(QStackedWidget(), "timeline_places")
        self._rest = timer(self, REST_MS, lambda: self.day_chosen.emit(self.slider.day))
        self._lay_out()
        self.show_undo(None, None)
        self.slider.valueChanged.connect(self._on_moved)
        self.where.clicked.connect(self.sources_requested)
        self.search.searched.connect(self.searched)
        self.today.clicked.connect(lambda: self.slider.setValue(self.slider.maximum()))
        for button, signal, key in (
            (self.undo, self.undo_requested, QKeySequence.StandardKey.Undo),
            (self.redo, self.redo_requested, QKeySequence.StandardKey.Redo),
        ):
            button.clicked.connect(signal)
            within = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(key, self, button.click, context=within)

    def _lay_out(self) -> None:
        header = Header("Timeline", "timeline_header")
        for button in (self.where, self.undo, self.redo):
            header.row.addWidget(button)
        self.nothing = EmptyState(
            self._theme, "clock", "No history yet",
            "What Loci remembers, changes and forgets appears here day by day.", "timeline_nothing",
        )  # fmt: skip
        for place in (self.nothing, self._body()):
            self._places.addWidget(place)
        page = named(QWidget(), "timeline_page")
        pile(page, header, self.notice, self._places, growing=self._places)
        for one in (page, self.sources):
            self._pages.addWidget(one)
        pile(self, self._pages, growing=self._pages)

    def _body(self) -> QWidget:
        head = hbox(self.day, self.count, ..., self.today)
        ends = hbox(self._ends[0], ..., self._ends[1])
        columns = hbox(spacing=28)
        done = Label("What happened until then", "section", name="timeline_done_title")
        self.search.setMaximumWidth(236)
        for title, rows in ((done, self._done), (self._known_title, self._known)):
            side, over = QVBoxLayout(), QHBoxLayout()
            side.setSpacing(4)
            title.setContentsMargins(8, 0, 0, 0)
            title.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading)
            title.setMinimumHeight(self.search.sizeHint().height())
            over.addWidget(title, 1)
            if rows is self._known:
                over.addWidget(self.search, 1)
            side.addLayout(over)
            side.addWidget(Scroll(rows, f"{rows.objectName()}_scroll"), 1)
            columns.addLayout(side, 1)
        body = named(QWidget(), "timeline_body")
        vbox(head, self.slider, ends, 6, (columns, 1), of=body, margins=(32, 18, 32, 12), spacing=8)
        return body

    def show_sources(self, on: bool) -> None:
        """Show where memories come from, or the days again."""
        self._pages.setCurrentIndex(int(on))

    @property
    def shows_sources(self) -> bool:
        """Whether the page of sources stands in front."""
        return self._pages.currentIndex() == 1

    def show_days(self, first: date | None, last: date | None, days: Sequence[Day]) -> None:
        """Show how much happened when; nothing where nothing ever did."""
        self._places.setCurrentIndex(int(first is not None))
        if first is None or last is None:
            return
        self.slider.show_days(first, last, days)
        for label, day in zip(self._ends, (first, last), strict=True):
            label.setText(f"{day.day} {day:%b %Y}")
        self._say_day()

    def show_undo(self, undo: str | None, redo: str | None) -> None:
        """Show what can be undone and done again."""
        for button, word, what in ((self.undo, "Undo", undo), (self.redo, "Redo", redo)):
            button.setEnabled(what is not None)
            button.setToolTip(tip(what or f"Nothing to {word.lower()}"))
            button.setAccessibleName(f"{word}: {what}" if what else word)

    def show_day(
        self, done: Sequence[TimelineMoment], known: Sequence[Memory], total: int, now: datetime
    ) -> None:
        """Show what happened until the day, and what was known at its end."""
        found = bool(self.search.text())
        self.count.say(
            f"{counted(total, 'memory')} found"
            if found
            else f"Loci knew {counted(total, 'memory')}"
        )
        more = f", the newest {len(known):,}" if total > len(known) else ""
        self._known_title.setText(f"What Loci knew then{more}")
        _fill(self._done, [self._moment(one, number) for number, one in enumerate(done)])
        _fill(self._known, [self._memory(memory, now) for memory in known])

    def _moment(self, one: TimelineMoment, number: int) -> RowButton:
        who = _ACTORS.get(one.actor, one.actor)
        undone = " · undone since" if one.undone else ""
        row = RowButton(
            self._theme, one.sentence, f"{long_date(one.at)}, by {who}{undone}", f"done_{number}"
        )
        row.clicked.connect(lambda: self.memory_requested.emit(one.memory_id))
        return row

    def _memory(self, memory: Memory, now: datetime) -> RowButton:
        words = [short_date(memory.created_at, now)]
        if memory.proof_count is not None:
            words.append("observation")
        if memory.status is not Status.ACTIVE:
            words.append(STATUSES[memory.status])
        if memory.pinned:
            words.append("pinned")
        row = RowButton(self._theme, memory.text, " · ".join(words), f"known_{memory.id}")
        row.clicked.connect(lambda: self.memory_requested.emit(memory.id))
        return row

    def _on_moved(self) -> None:
        self._say_day()
        self._rest.start()  # not for every day that a held key or the mouse runs over

    def _say_day(self) -> None:
        day = self.slider.day
        words = f"{day.day} {day:%B %Y}"
        self.day.setText(f"As of {words}")
        self.slider.setAccessibleName(f"As of {words}")
        self.today.setEnabled(self.slider.value() < self.slider.maximum())


def _list(name: str) -> QWidget:
    widget = ScrolledPage(name)
    vbox(of=widget, margins=(0, 0, 8, 0), spacing=0)
    return widget


def _fill(widget: QWidget, lines: Sequence[QWidget]) -> None:
    rows = widget.layout()
    assert isinstance(rows, QVBoxLayout)
    filling.clear(rows)
    for line in lines:
        filling.add(rows, line)
    rows.addStretch(1)
