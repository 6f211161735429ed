"""What the timeline does: reads days and moments, and what was known on the day looked at."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.domain.ids import Clock, utc_now
from app.domain.memory import MemoryFilter, Status
from app.gui.bridge import Bridge
from app.gui.controller import PageController
from app.gui.theme import Theme
from app.gui.timeline.auditing import Auditing
from app.gui.timeline.pane import TimelinePane

if TYPE_CHECKING:
    from app.services.services import Services

LISTED = 100
IN_USE = MemoryFilter(statuses=frozenset({Status.ACTIVE}))


class TimelineController(PageController[TimelinePane]):
    """Connects the timeline with the services."""

    memory_requested = Signal(str)  # a memory should be shown: its id

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(services, bridge, TimelinePane(theme), parent, clock)
        self._asked = 0
        self.pane.day_chosen.connect(self._load_day)
        self.pane.memory_requested.connect(self.memory_requested)
        self.pane.undo_requested.connect(self._on_undo_requested)
        self.pane.redo_requested.connect(self._on_redo_requested)
        self.pane.searched.connect(lambda _words: self._load_day(self.pane.slider.day))
        self.pane.sources_requested.connect(self._on_sources_requested)
        self.pane.sources.closed.connect(self.escape)
        self._auditing = Auditing(services, bridge, self.pane.sources, clock, self)
        self._load()

    # What the main window asks of every screen.

    def apply_changes(self, changes: Changes) -> None:
        """Read again what the changes concern."""
        if changes.memories or changes.batches or changes.everything:
            self._load()
            if self.pane.shows_sources:
                self._auditing.load()

    def focus_first(self) -> None:
        """Put the keyboard on the slider, or on the way back to it."""
        (self.pane.sources.back if self.pane.shows_sources else self.pane.slider).setFocus()

    def escape(self) -> bool:
        """Go back from the sources, or to today."""
        if self.pane.shows_sources:
            self.pane.show_sources(False)
            self.pane.where.setFocus()
            return True
        slider = self.pane.slider
        moved = slider.value() < slider.maximum()
        slider.setValue(slider.maximum())
        return moved

    @Slot()
    def _on_sources_requested(self) -> None:
        self._auditing.load()
        self.pane.show_sources(True)
        self.pane.sources.back.setFocus()

    # Reading.

    def _read(self) -> Any:
        history, undo = self._services.history, self._services.undo
        span = history.span()
        return span, history.days() if span else (), undo.can_undo(), undo.can_redo()

    def _show(self, found: Any) -> None:
        span, days, undo, redo = found
        first = span[0].astimezone().date() if span else None
        last = max(self._today(), span[1].astimezone().date()) if span else None
        self.pane.show_days(first, last, days)
        self.pane.show_undo(undo, redo)
        if span:
            self._load_day(self.pane.slider.day)

    @Slot(object)
    def _load_day(self, day: date) -> None:
        self._asked += 1
        number, history = self._asked, self._services.history
        until = datetime.combine(day + timedelta(days=1), time()).astimezone()

        wanted = replace(IN_USE, text=self.pane.search.text().strip())

        def read() -> Any:
            at = min(until, self._clock())
            known = history.as_of(at, wanted, 0, LISTED)
            return history.timeline(None, until, LISTED), known, history.count_as_of(at, wanted)

        def show(found: Any) -> None:
            if number == self._asked:
                done, known, total = found
                self.pane.show_day(done, known, total, self._clock())

        self._bridge.run(read, show)

    def _today(self) -> date:
        return self._clock().astimezone().date()

    # Undo and redo.

    @Slot()
    def _on_undo_requested(self) -> None:
        self._take(self._services.undo.undo_last)

    @Slot()
    def _on_redo_requested(self) -> None:
        self._take(self._services.undo.redo_last)

    def _take(self, work: Callable[[], Any]) -> None:
        def told(outcome: Any) -> None:
            words = " ".join([outcome.sentence, *outcome.refused])
            self.pane.notice.say(words, "warn" if outcome.refused else "accent")

        self._bridge.run(work, told)
