"""The activity screen's widgets; it says what the person wants and knows nothing of how."""

from collections.abc import Collection, Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.domain.jobs.spending import Spent
from app.domain.jobs.upkeep import JobRun, RunOutcome, SetAside
from app.gui.activity import wording
from app.gui.activity.changes import ChangesPage
from app.gui.activity.scores import ScoresSection
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    Chip,
    Header,
    Label,
    NoticeBar,
    ProgressFoot,
    ScrolledColumn,
    Switch,
    fill,
    filling,
    hbox,
    named,
    pile,
    vbox,
)
from app.services.upkeep.upkeep import JobStatus

WIDTH = 720
ASIDE = "Could not be done"


class ActivityRow(QWidget):
    """A title and what is said of it at the left, any widgets at the right, a line below."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "row")
        self.title = Label("", "row", wrap=True, name=f"{name}_title")
        self.words = Label("", "secondary", wrap=True, name=f"{name}_words")
        self.more = Label("", "small", wrap=True, name=f"{name}_more")
        words = QVBoxLayout()
        words.setSpacing(3)
        for label in (self.title, self.words, self.more):
            words.addWidget(label)
        self.row = hbox((words, 1), of=self, margins=(0, 12, 0, 13), spacing=10)

    def say(self, title: str, words: str, more: str = "") -> None:
        """Show other words."""
        self.title.setText(title)
        for label, text in ((self.words, words), (self.more, more)):
            label.setText(text)
            label.setVisible(bool(text))


class WorkLine(ActivityRow):
    """One kind of nightly work."""

    preview_requested = Signal(str)  # its kind
    start_requested = Signal(str)  # its kind
    stop_requested = Signal(str)  # its kind

    def __init__(self, theme: Theme, kind: str) -> None:
        super().__init__(f"work_{kind}")
        self.kind = kind
        self.preview = Button(theme, "Preview", f"preview_{kind}", "link")
        self.start = Button(theme, "Run now", f"run_{kind}", icon="play")
        self.stop = Button(theme, "Stop", f"stop_{kind}", icon="stop")
        self.preview.clicked.connect(lambda: self.preview_requested.emit(self.kind))
        self.start.clicked.connect(lambda: self.start_requested.emit(self.kind))
        self.stop.clicked.connect(lambda: self.stop_requested.emit(self.kind))
        fill(self.row, self.preview, self.start, self.stop)

    def show_standing(self, one: JobStatus, now: datetime) -> None:
        """Show how it stands."""
        self.say(one.title, one.about, wording.standing_words(one, now))
        for button in (self.preview, self.start, self.stop):
            button.setAccessibleName(f"{button.text()}: {one.title}")
        busy = one.queued or one.running
        self.preview.setVisible(one.foreseen and not busy)
        waits = one.queued and bool(one.waiting)
        self.start.setVisible(one.startable and (not busy or waits))
        self.stop.setVisible(busy)


class RunLine(ActivityRow):
    """One run of the history."""

    changes_requested = Signal(str)  # the batch of what it changed
    undo_requested = Signal(str)  # the batch of what it changed

    def __init__(
        self, theme: Theme, run: JobRun, title: str, now: datetime, *, undone: bool = False
    ) -> None:
        super().__init__(f"run_{run.id}")
        self.say(title, wording.circumstances(run, now), wording.run_words(run))
        words, tone = ("Undone", "neutral") if undone else wording.outcome_words(run)
        if run.batch and run.outcome is not RunOutcome.RUNNING:
            began = wording.moment(run.started_at, now)
            offers = [("See changes", "see", self.changes_requested)]
            offers += [] if undone else [("Undo", "undo", self.undo_requested)]
            for word, name, signal in offers:
                button = Button(theme, word, f"{name}_{run.id}", "link")
                button.setAccessibleName(f"{word} of {title}, {began}")
                button.clicked.connect(lambda _=False, do=signal: do.emit(run.batch))
                self.row.addWidget(button)
        self.row.addWidget(Chip(words, tone, f"outcome_{run.id}"))


class AsideLine(ActivityRow):
    """Work that could not be done."""

    retry_requested = Signal(str)  # its id
    leave_requested = Signal(str)  # its id

    def __init__(self, theme: Theme, one: SetAside, now: datetime) -> None:
        super().__init__(f"aside_{one.id}")
        self.say(one.title, one.about, f"{one.error} Last tried {wording.moment(one.at, now)}.")
        for word, name, signal in (
            ("Leave it", "leave", self.leave_requested),
            ("Try again", "retry", self.retry_requested),
        ):
            button = Button(theme, word, f"{name}_{one.id}", "link")
            button.setAccessibleName(f"{word}: {one.title}, {one.about}")
            button.clicked.connect(lambda _=False, do=signal: do.emit(one.id))
            self.row.addWidget(button)


class SpentLine(ActivityRow):
    """What one kind of work took in a month."""

    def __init__(self, one: Spent, number: int) -> None:
        super().__init__(f"spent_{number}")
        self.say(wording.purpose_words(one.purpose), wording.tokens_words(one))
        self.row.addWidget(Label(wording.cost_words(one), "body", name=f"cost_{number}"))


class ActivityPane(QWidget):
    """What runs by itself, what ran, and what it took."""

    pause_requested = Signal(bool)  # whether everything is to be paused
    preview_requested = Signal(str)  # a kind of work
    start_requested = Signal(str)  # a kind of work
    stop_requested = Signal(str)  # a kind of work
    changes_requested = Signal(str)  # a batch
    undo_requested = Signal(str)  # a batch
    settings_requested = Signal()  # the settings of nightly work
    retry_requested = Signal(str)  # the id of work that was set aside
    leave_requested = Signal(str)  # the id of work that was set aside

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        named(self, "activity", "Activity")
        self.notice = NoticeBar(theme, "activity_notice")
        self.pause = Switch(theme, "Pause everything", "pause_everything")
        self.pause.clicked.connect(self.pause_requested)
        self.settings = Button(theme, "Settings…", "upkeep_settings", "ghost", "gear-six")
        self.settings.clicked.connect(self.settings_requested)
        self.foot = ProgressFoot(theme, "activity_foot")
        self.changes = ChangesPage(theme)
        self._pages = named(QStackedWidget(), "activity_pages")
        self._works: dict[str, WorkLine] = {}
        self._aside = _column("set_aside")
        self._work = _column("nightly_work")
        self._runs = _column("runs")
        self._spent = _column("spent")
        self.scores = ScoresSection(theme)
        self._lay_out()

    def _lay_out(self) -> None:
        scrolled = ScrolledColumn("activity", WIDTH, 4)
        scrolled.column.addWidget(self._aside)
        for title, about, rows in (
            ("Scheduled work", "Nightly work starts when you are idle and pauses when you write.",
             self._work),
            ("Recent work", "", self._runs),
            ("Model use this month", "", self._spent),
        ):  # fmt: skip
            name = rows.objectName()
            scrolled.column.addWidget(Label(title, "heading", name=f"{name}_title"))
            if about:
                label = Label(about, "muted", wrap=True, name=f"{name}_about")
                scrolled.column.addWidget(label)
            fill(scrolled.column, rows, 24)
        scrolled.column.addWidget(self.scores)
        listed = named(QWidget(), "activity_lists")
        pile(listed, self._header(), self.notice, scrolled, growing=scrolled)
        self._pages.addWidget(listed)
        self._pages.addWidget(self.changes)
        pile(self, self._pages, self.foot, growing=self._pages)

    def _header(self) -> Header:
        header = Header("Activity", "activity_header")
        label = Label("Pause everything", "secondary", name="pause_label")
        label.setBuddy(self.pause)
        for widget in (self.settings, label, self.pause):
            header.row.addWidget(widget)
        return header

    def show_changes(self, on: bool) -> None:
        """Show what a run changed, or the lists again."""
        self._pages.setCurrentIndex(int(on))

    def show_standings(self, found: Sequence[JobStatus], *, paused: bool, now: datetime) -> None:
        """Show what runs by itself, and when."""
        self.pause.setChecked(paused)
        self.pause.settle()
        for one in found:
            if one.kind not in self._works:
                line = self._works[one.kind] = WorkLine(self._theme, one.kind)
                line.preview_requested.connect(self.preview_requested)
                line.start_requested.connect(self.start_requested)
                line.stop_requested.connect(self.stop_requested)
                _rows(self._work).addWidget(line)
            self._works[one.kind].show_standing(one, now)

    def show_set_aside(self, found: Sequence[SetAside], now: datetime) -> None:
        """Show what could not be done; nothing where all of it could."""
        lines: list[QWidget] = [Label(ASIDE, "heading", name="set_aside_title")] if found else []
        for one in found:
            line = AsideLine(self._theme, one, now)
            line.retry_requested.connect(self.retry_requested)
            line.leave_requested.connect(self.leave_requested)
            lines.append(line)
        _fill(self._aside, lines, "")

    def show_runs(
        self, runs: Sequence[tuple[JobRun, str]], undone: Collection[str], now: datetime
    ) -> None:
        """Show what was done, newest first, with the title of its work; ``undone`` are batches."""
        lines: list[QWidget] = []
        for run, title in runs:
            line = RunLine(self._theme, run, title, now, undone=run.batch in undone)
            line.changes_requested.connect(self.changes_requested)
            line.undo_requested.connect(self.undo_requested)
            lines.append(line)
        _fill(self._runs, lines, "Nothing has run yet.")

    def show_spent(self, spent: Sequence[Spent]) -> None:
        """Show what models took."""
        lines = [SpentLine(one, number) for number, one in enumerate(spent)]
        _fill(self._spent, lines, "No model was used.")


def _column(name: str) -> QWidget:
    widget = named(QWidget(), name)
    vbox(of=widget, margins=0, spacing=0)
    return widget


def _rows(widget: QWidget) -> QVBoxLayout:
    rows = widget.layout()
    assert isinstance(rows, QVBoxLayout)
    return rows


def _fill(widget: QWidget, lines: Sequence[QWidget], nothing: str) -> None:
    """Put other lines in place of those there are, or a sentence where there is none."""
    rows = _rows(widget)
    filling.clear(rows)
    for line in lines:
        filling.add(rows, line)
    if not lines and nothing:
        empty = Label(nothing, "muted", name=f"{widget.objectName()}_none")
        empty.setContentsMargins(0, 8, 0, 8)
        filling.add(rows, empty)
