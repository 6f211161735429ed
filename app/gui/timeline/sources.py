"""Who wrote memories, what came in bursts, from what they come, and forgetting a whole source."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.history import (
    AuditReport,
    Burst,
    ForgettingPreview,
    MemorySource,
    SourceKind,
    Writer,
)
from app.domain.language.text import counted
from app.gui.inspector.wording import short_date
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    Card,
    Header,
    IconButton,
    Label,
    NoticeBar,
    ScrolledColumn,
    fill,
    filling,
    hbox,
    named,
    pile,
    vbox,
)

WIDTH = 720
_KINDS = {
    SourceKind.CONVERSATION: "Conversation",
    SourceKind.DOCUMENT: "Document",
    SourceKind.IMPORT: "Import",
    SourceKind.JOB: "Nightly work",
    SourceKind.CLIENT: "Program",
}
_ROADS = {
    "user_typed": "written on the Memory page",
    "user_edited": "put into your words",
    "conversation": "from conversations",
    "import": "imported",
    "client": "through another program",
}
_NAMES = {"user": "You", "dream": "Dreams", "consolidate": "Consolidation", "review": "Reviews"}


class TimelineSourceCard(Card):
    """One source; pressed, it says what forgetting it would concern, and asks."""

    asked = Signal()  # what rests on it alone should be told
    forgotten = Signal()  # it should be forgotten

    def __init__(self, theme: Theme, source: MemorySource, now: datetime) -> None:
        super().__init__(f"source_{source.id}", margin=14)
        self.source = source
        title = _who(source.title) if source.kind is SourceKind.JOB else source.title or "Untitled"
        self._forget = Button(theme, "Forget all…", f"forget_{source.id}", "link", then=self.asked)
        self._forget.setAccessibleName(f"Forget all from: {title}")
        self._forget.setVisible(source.active > 0)
        self._words = Label("", "secondary", wrap=True, name=f"holding_{source.id}")
        self._sure = Button(theme, "Forget", f"sure_{source.id}", "primary", then=self.forgotten)
        self._cancel = Button(theme, "Keep", f"keep_{source.id}", then=self._put_away)
        self._question = QWidget()
        self._lay_out(theme, title, now)
        self._question.hide()

    def _lay_out(self, theme: Theme, title: str, now: datetime) -> None:
        source = self.source
        last = f" · last {short_date(source.last_at, now)}" if source.last_at else ""
        held = f"{counted(source.count, 'memory')}, {_used(source.active, source.count)}"
        about = f"{_KINDS[source.kind]} · {held}{last}"
        words = vbox(
            Label(title, "row", wrap=True, name=f"title_{source.id}"),
            Label(about, "secondary", wrap=True, name=f"about_{source.id}"),
            spacing=2,
        )
        self.body.addLayout(hbox((words, 1), self._forget))
        hbox((self._words, 1), self._cancel, self._sure, of=self._question, margins=(0, 4, 0, 0))
        self.body.addWidget(self._question)

    def ask(self, holding: ForgettingPreview) -> None:
        """Say what would be forgotten and what would stay, and ask."""
        self._words.setText(_concerned(holding))
        self._sure.setVisible(bool(holding.memories))
        self._question.show()
        self._forget.hide()
        (self._sure if holding.memories else self._cancel).setFocus()

    def _put_away(self) -> None:
        self._question.hide()
        self._forget.show()
        self._forget.setFocus()


class SourcesPage(QWidget):
    """Who wrote what, and from what it came."""

    closed = Signal()  # it should be put away
    asked = Signal(object)  # what forgetting a source concerns should be told: the Source
    forgotten = Signal(object)  # a source should be forgotten: the Source
    batch_requested = Signal(str)  # a burst should be undone: its batch

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        named(self, "sources", "Where memories come from")
        self.back = IconButton(theme, "arrow-left", "Back to the timeline", "sources_back")
        self.back.clicked.connect(self.closed)
        self.notice = NoticeBar(theme, "sources_notice")
        self._cards: dict[str, TimelineSourceCard] = {}
        self._totals = Label("", "muted", wrap=True, name="sources_totals")
        self._writers, self._bursts, self._sources = (QVBoxLayout() for _ in range(3))
        header = Header("Where memories come from", "sources_header")
        header.row.insertWidget(0, self.back)
        scrolled = ScrolledColumn("sources", WIDTH, 8)
        scrolled.column.addWidget(self._totals)
        for title, name, rows in (
            ("Who wrote", "writers", self._writers),
            ("Added in bulk", "bursts", self._bursts),
            ("Sources", "sources_list", self._sources),
        ):
            fill(scrolled.column, 14, Label(title, "heading", name=f"{name}_title"))
            rows.setSpacing(8)
            scrolled.column.addLayout(rows)
        pile(self, header, self.notice, scrolled, growing=scrolled)

    def show_report(self, report: AuditReport, now: datetime) -> None:
        """Show who wrote what, what came in bursts, and every source."""
        changes = counted(report.changes, "change")
        used = _used(report.active, report.memories)
        self._totals.setText(f"{counted(report.memories, 'memory')}, {used}; {changes}.")
        written = [
            Label(_written(one, now), "body", wrap=True, name="writer") for one in report.writers
        ]
        self._fill(self._writers, written, "Nobody yet.")
        bursts = [self._burst(burst, number, now) for number, burst in enumerate(report.bursts)]
        self._fill(self._bursts, bursts, "Nobody but you added many at once.")
        self._cards = {}
        for source in report.sources:
            card = self._cards[source.name] = TimelineSourceCard(self._theme, source, now)
            card.asked.connect(lambda source=source: self.asked.emit(source))
            card.forgotten.connect(lambda source=source: self.forgotten.emit(source))
        self._fill(self._sources, list(self._cards.values()), "Nothing yet.")

    def ask(self, source: MemorySource, holding: ForgettingPreview) -> None:
        """Say what forgetting a source concerns, and ask."""
        if card := self._cards.get(source.name):
            card.ask(holding)

    def _burst(self, burst: Burst, number: int, now: datetime) -> QWidget:
        words = _rushed(burst, now)
        card = Card(f"burst_{number}", margin=14)
        row = hbox((Label(words, "body", wrap=True, name=f"burst_{number}_words"), 1))
        if len(burst.batches) == 1:
            undo = Button(self._theme, "Undo", f"burst_{number}_undo", "link")
            undo.setAccessibleName(f"Undo: {words}")
            undo.clicked.connect(lambda: self.batch_requested.emit(burst.batches[0]))
            row.addWidget(undo)
        card.body.addLayout(row)
        return card

    @staticmethod
    def _fill(rows: QVBoxLayout, lines: Sequence[QWidget], nothing: str) -> None:
        filling.clear(rows)
        for line in lines or [Label(nothing, "muted", name="sources_none")]:
            filling.add(rows, line)


def _written(one: Writer, now: datetime) -> str:
    who, road = _who(one.actor), _ROADS.get(one.origin, "")
    told = f"{who}{f', {road}' if road else ''}: {counted(one.written, 'memory')}"
    return f"{told}, {_used(one.active, one.written)}, {_span(one.first_at, one.last_at, now)}"


def _used(active: int, count: int) -> str:
    """Return how many of them are in use."""
    if active == 0:
        return "none in use" if count > 1 else "not in use"
    if active == count:
        return "all in use" if count > 1 else "in use"
    return f"{active:,} in use"


def _rushed(burst: Burst, now: datetime) -> str:
    span = _span(burst.first_at, burst.last_at, now)
    return f"{_who(burst.actor)}: {counted(burst.count, 'memory')}, {span}"


def _who(actor: str) -> str:
    return _NAMES.get(actor, actor[:1].upper() + actor[1:])


def _span(first: datetime, last: datetime, now: datetime) -> str:
    begun, ended = short_date(first, now), short_date(last, now)
    return ended if begun == ended else f"{begun} to {ended}"


def _concerned(holding: ForgettingPreview) -> str:
    goes = counted(len(holding.memories), "memory") if holding.memories else "Nothing"
    parts = [f"{goes} would be forgotten."]
    if holding.elsewhere:
        parts.append(
            f"You said {counted(len(holding.elsewhere), 'memory')} elsewhere too, which would stay."
        )
    if holding.protected:
        parts.append(
            f"{counted(len(holding.protected), 'memory')} would stay, pinned or confirmed by you."
        )
    if holding.derived:
        many = counted(len(holding.derived), "observation")
        parts.append(f"{many} drawn from them would be redrawn or removed.")
    return " ".join([*parts, "You can undo it."] if holding.memories else parts)
