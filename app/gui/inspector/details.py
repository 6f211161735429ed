"""Shows beside the table, in full, the memory that was chosen there or among the finds."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.memory import MemoryDetail
from app.errors import NotFound
from app.gui.bridge import Bridge
from app.gui.inspector.model import MemoryTableModel
from app.gui.inspector.pane import InspectorPane
from app.gui.timers import timer

if TYPE_CHECKING:
    from app.services.memories import MemoriesService

REST_MS = 60


class Details(QObject):
    """Follows the current row; what is asked for last is shown, whatever comes first.

    Attributes:
        asked_for: The id of the memory that was asked for last; empty for none.
    """

    failed = Signal(object)  # one could not be read: the exception

    def __init__(
        self,
        memories: "MemoriesService",
        bridge: Bridge,
        pane: InspectorPane,
        model: MemoryTableModel,
        clock: Clock,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._memories, self._bridge, self._clock = memories, bridge, clock
        self._pane, self._model = pane, model
        self.asked_for = ""
        self._number = 0
        self._resting = timer(self, REST_MS, self._on_row_rested)
        pane.mode_changed.connect(self._on_mode_changed)
        pane.table.moved.connect(self._on_row_changed)
        pane.table.opened.connect(self._on_row_opened)

    def apply_changes(self, changes: Changes) -> None:
        """Read the memory that is shown again, where the changes concern it."""
        detail = self._pane.side.detail
        stale = changes.everything or changes.conversations & detail.conversations
        if detail.memory and (stale or detail.memory.id in changes.memories):
            self.load(detail.memory.id)

    def load(self, memory_id: str, *, bring: bool = False) -> None:
        """Show a memory, also one not listed; ``bring`` uncovers it over the table."""
        self._resting.stop()
        self.asked_for = memory_id
        self._number += 1
        number = self._number

        def take(detail: MemoryDetail) -> None:
            if number == self._number:
                self._show(detail, bring)

        def fail(error: Exception) -> None:
            if number == self._number:
                self._lose(error)

        self._bridge.run(lambda: self._memories.detail(memory_id), take, fail)

    def follow(self) -> None:
        """Show the current row's memory, unless that was asked for already."""
        current = None if self._pane.trying else self._pane.table.current()
        if current and current.id != self.asked_for:
            self.load(current.id)

    def reselect(self) -> None:
        """Make the row of what is shown the current one again, after the list was read anew."""
        shown = self._pane.side.detail.memory
        if shown and not self._pane.table.currentIndex().isValid():
            row = self._model.row_of(shown.id)
            if row is not None:
                self._pane.table.select_row(row)

    def _on_row_changed(self) -> None:
        if self._pane.table.current() and not self._pane.keeps_editor():
            self._resting.start()  # not for every row that a held key runs over

    def _on_row_rested(self) -> None:
        memory = self._pane.table.current()
        if memory and not self._pane.trying:
            self.load(memory.id)

    def _on_row_opened(self) -> None:
        memory = self._pane.table.current()
        if memory and not self._pane.keeps_editor():
            self.load(memory.id, bring=True)

    def _on_mode_changed(self) -> None:
        """Show nothing beside a dry run until a find is chosen, and the row again after it."""
        self._resting.stop()
        self._number += 1  # what is on its way belongs to what stood here before
        current = None if self._pane.trying else self._pane.table.current()
        if current and not self._pane.side.editing:
            self.load(current.id)
            return
        self._clear()
        if not self._pane.side.editing:
            self._pane.put_side_away()

    def _clear(self) -> None:
        self.asked_for = ""
        self._pane.side.detail.clear()
        if not self._pane.side.editing:
            self._pane.side.show_hint(of_finds=self._pane.trying)

    def _show(self, detail: MemoryDetail, bring: bool) -> None:
        side = self._pane.side
        side.detail.show_detail(detail, self._clock())
        if not side.editing:
            side.show_detail()
        if bring:
            self._pane.bring_side()

    def _lose(self, error: Exception) -> None:
        self._clear()
        if not isinstance(error, NotFound):
            self.failed.emit(error)
