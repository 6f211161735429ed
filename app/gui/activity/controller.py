"""What the activity screen does: lists work and runs, starts, stops, pauses and undoes."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.domain.ids import Clock, utc_now
from app.domain.jobs.progress import Progress
from app.gui.activity.pane import ActivityPane
from app.gui.activity.scores import DAYS
from app.gui.bridge import Bridge
from app.gui.controller import PageController
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

LISTED = 30
CONSOLIDATE = "consolidate"


class ActivityController(PageController[ActivityPane]):
    """Connects the activity screen with the services."""

    settings_requested = Signal()  # the settings of nightly work
    stop_requested = Signal()  # whatever runs in the background should stop
    memory_requested = Signal(str)  # a memory should be shown: its id

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(services, bridge, ActivityPane(theme), parent, clock)
        self._batch = self._previewed = self._doing = ""
        pane, changes = self.pane, self.pane.changes
        changes.closed.connect(self.escape)
        changes.start_requested.connect(self._on_start_requested)
        changes.undo_requested.connect(self._on_undo_requested)
        changes.memory_requested.connect(self.memory_requested)
        pane.settings_requested.connect(self.settings_requested)
        pane.changes_requested.connect(self.show_changes)
        pane.pause_requested.connect(self._on_pause_requested)
        pane.preview_requested.connect(self.show_preview)
        pane.start_requested.connect(self._on_start_requested)
        pane.stop_requested.connect(self._on_stop_requested)
        pane.undo_requested.connect(self._on_undo_requested)
        pane.retry_requested.connect(self._on_retry_requested)
        pane.leave_requested.connect(self._on_leave_requested)
        pane.foot.stopped.connect(self.stop_requested)
        self._load()

    # What the main window asks of every screen.

    def apply_changes(self, changes: Changes) -> None:
        """List again what the changes concern."""
        if changes.jobs or changes.batches or changes.settings or changes.everything:
            self._load()
            self._load_changes()
        if self._previewed and (changes.everything or changes.memories):
            self.show_preview(self._previewed)

    def focus_first(self) -> None:
        """Put the keyboard on the switch that pauses everything, or on the way back."""
        (self.pane.changes.back if self._opened() else self.pane.pause).setFocus()

    def escape(self) -> bool:
        """Go back from what a run changed."""
        was_open = self._opened()
        self._batch = self._previewed = ""
        self.pane.show_changes(False)
        if was_open:
            self.focus_first()
        return was_open

    @Slot(str)
    def show_changes(self, batch: str) -> None:
        """Show what a run changed."""
        self._batch, self._previewed = batch, ""
        self._load_changes()

    @Slot(str)
    def show_preview(self, kind: str) -> None:
        """Show what a kind of work would do now."""
        self._batch, self._previewed = "", kind

        def read() -> Any:
            return self._services.upkeep.preview(kind), self._services.background.title(kind)

        def show(found: Any) -> None:
            planned, title = found
            if kind == self._previewed:
                self.pane.changes.show_planned(kind, title, planned)
                self.pane.show_changes(True)

        self._run(read, show)

    def _opened(self) -> bool:
        """Return whether a page stands in front of the lists."""
        return bool(self._batch or self._previewed)

    def show_progress(self, progress: Progress | None) -> None:
        """Show what runs in the foot; None puts it away."""
        if progress is None:
            self.pane.foot.finish()
        else:
            self.pane.foot.show_progress(progress)
        doing = progress.label if progress else ""
        if doing != self._doing:
            self._doing = doing
            self._load()

    # Lists.

    def _read(self) -> Any:
        upkeep, title = self._services.upkeep, self._services.background.title
        runs = [(run, title(run.kind)) for run in upkeep.history(LISTED)]
        undone = self._services.undo.taken_back(run.batch for run, _ in runs)
        paused = self._services.preferences.values().upkeep.paused
        spent = self._services.spending.month()
        aside = self._services.failed_jobs.list()
        scored = self._services.scoring.by_day(DAYS)
        return upkeep.standings(), aside, paused, runs, undone, spent, scored

    def _show(self, found: Any) -> None:
        standings, aside, paused, runs, undone, spent, scored = found
        now = self._clock()
        self.pane.show_set_aside(aside, now)
        self.pane.show_standings(standings, paused=paused, now=now)
        self.pane.show_runs(runs, undone, now)
        self.pane.show_spent(spent)
        self.pane.scores.show_days(scored, now.astimezone().date())

    def _load_changes(self) -> None:
        batch = self._batch
        if not batch:
            return

        def read() -> Any:
            steps = self._services.history.of_batch(batch)
            folds: Any = ()
            if any(step.entry.actor == CONSOLIDATE for step in steps):
                folds = self._services.consolidation.diff(batch)
            actor = steps[0].entry.actor if steps else ""
            return steps, folds, self._services.background.title(actor)

        def show(found: Any) -> None:
            steps, folds, title = found
            if batch == self._batch:
                self.pane.changes.show_changes(batch, title, steps, folds)
                self.pane.show_changes(True)

        self._run(read, show)

    # What the person wants.

    @Slot(bool)
    def _on_pause_requested(self, on: bool) -> None:
        self._run(lambda: self._services.preferences.set("upkeep.paused", on))

    @Slot(str)
    def _on_start_requested(self, kind: str) -> None:
        self.escape()
        self._run(lambda: self._services.upkeep.start(kind))

    @Slot(str)
    def _on_stop_requested(self, kind: str) -> None:
        self._run(lambda: self._services.upkeep.cancel(kind))

    @Slot(str)
    def _on_retry_requested(self, job_id: str) -> None:
        self._run(lambda: self._services.failed_jobs.try_again(job_id))

    @Slot(str)
    def _on_leave_requested(self, job_id: str) -> None:
        self._run(lambda: self._services.failed_jobs.leave(job_id))

    @Slot(str)
    def _on_undo_requested(self, batch: str) -> None:
        self._undo(batch, lambda: self.pane.changes.notice if self._opened() else self.pane.notice)
