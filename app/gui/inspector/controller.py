"""Connects the inspector's pane with the services; shows what comes back, and refreshes by id."""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.domain.changes import Changes
from app.domain.ids import Clock, utc_now
from app.domain.memory import Memory, MemoryDetail, MemoryFilter, Status
from app.errors import AppError, Conflict, NotFound
from app.gui.bridge import Bridge, WorkQueue
from app.gui.inspector.changing import MemoryChanges
from app.gui.inspector.loading import MemoryList
from app.gui.inspector.model import MemoryTableModel
from app.gui.inspector.pane import InspectorPane
from app.gui.inspector.query import SearchQuery
from app.gui.inspector.surroundings import Surroundings
from app.gui.inspector.trying import DryRuns
from app.gui.inspector.wording import counted
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

REST_MS = 60
DRAWN_MS = 40  # the empty screen is drawn before workers and window share the interpreter
_log = logging.getLogger(__name__)


class InspectorController(QObject):
    """The inspector as one screen of the window.

    Signals:
        message_requested: A message should be shown where it was said.
                           args: conversation id, message id (empty for the end of it)
        reembed_requested: What another embedder made should be embedded anew, now.
    """

    message_requested = Signal(str, str)
    reembed_requested = Signal()

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(parent)
        self._services, self._bridge, self._clock = services, bridge, clock
        self._order = ""
        self._query = SearchQuery()
        self._asked_for = ""
        self._detail_number = 0
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(REST_MS)
        self._resting.timeout.connect(self._on_row_rested)
        self.model = MemoryTableModel(clock=clock)
        self.pane = InspectorPane(theme, self.model, clock)
        self.model.setParent(self.pane)
        self._list = MemoryList(services.memories, bridge, self.model, self)
        self._changes = MemoryChanges(services, bridge, theme, self.pane, clock, self._list)
        self._around = Surroundings(services, bridge, self.pane, self)
        self._dry_runs = DryRuns(services, bridge, self.pane.dry_run, self._sentence, self)
        theme.changed.connect(self._on_theme_changed)
        self._connect()
        QTimer.singleShot(DRAWN_MS, self, self._begin)

    def _begin(self) -> None:
        self._list.show(self._query.as_filter(self._order))
        self._around.refresh()

    def _connect(self) -> None:
        pane, table, detail = self.pane, self.pane.table, self.pane.side.detail
        side = self.pane.side
        pane.search.searched.connect(self._on_searched)
        pane.search.add_requested.connect(self.add_memory)
        pane.search.clear_requested.connect(self._changes.clear)
        pane.empty.acted.connect(self.add_memory)
        pane.undo_requested.connect(self._on_undo_requested)
        pane.redo_requested.connect(self._changes.redo)
        pane.mode_changed.connect(self._on_mode_changed)
        table.moved.connect(self._on_row_changed)
        table.opened.connect(self._on_row_opened)
        table.selected.connect(self._on_selected)
        table.order_chosen.connect(self._on_order_chosen)
        table.wanted.connect(self._on_table_wanted)
        pane.bulk.wanted.connect(self._changes.change_selected)
        detail.wanted.connect(self._on_detail_wanted)
        detail.undo_requested.connect(self._changes.undo)
        detail.message_opened.connect(self.message_requested)
        detail.memory_opened.connect(self.show_memory)
        side.saved.connect(self._on_saved)
        side.taken.connect(self._on_other_taken)
        side.cancelled.connect(self._leave_editor)
        self._list.loaded.connect(self._on_loaded)
        self._list.failed.connect(self._on_failed)
        self._changes.failed.connect(self._on_failed)
        self._around.failed.connect(self._on_failed)
        self._dry_runs.memory_opened.connect(self.show_memory)
        self._dry_runs.message_opened.connect(self.message_requested)
        self._around.reembed_requested.connect(self.reembed_requested)
        self._around.take_over_requested.connect(
            lambda: self._changes.take_over(self._query.as_filter())
        )

    # What the window asks of a screen.

    def apply_changes(self, changes: Changes) -> None:
        """Refresh the rows, the detail and the counts that the changes concern."""
        shown = self.pane.side.detail.memory
        touched = changes.memories | (self.model.ids() if changes.everything else frozenset())
        if touched or changes.everything:
            self._list.refresh(touched, self.pane.table.visible_pages)
        stale = changes.everything or self._quoted_in(changes.conversations)
        if shown and (stale or shown.id in changes.memories):
            self._load_detail(shown.id)
        self._around.apply_changes(changes)
        self._dry_runs.apply_changes(changes)

    def focus_first(self) -> None:
        """Put the keyboard on the search line, or on that of the dry runs."""
        self.pane.focus_first()

    def try_recall(self) -> None:
        """Show what would be recalled, and let the person ask."""
        self.pane.show_dry_run(True)

    def escape(self) -> bool:
        """Leave the editor, the detail, the dry runs or the selection, whichever is topmost."""
        if self.pane.side.editing:
            self._leave_editor()
            return True
        if self.pane.put_side_away():
            return True
        if self.pane.trying:
            self.pane.show_dry_run(False)
            return True
        if self.pane.table.selected_count() > 1:
            self.pane.table.clearSelection()
            return True
        return False

    def show_memory(self, memory_id: str) -> None:
        """Show one memory in full, also if the list does not have it."""
        row = self.model.row_of(memory_id)
        if row is not None:
            self.pane.table.select_row(row)
        self._load_detail(memory_id, bring=True)

    def add_memory(self) -> None:
        """Open the editor for a new memory."""
        if self._keeps_editor():
            return
        self.pane.side.editor.edit(None)
        self.pane.side.show_editor()
        self.pane.bring_side()
        self.pane.side.editor.text.setFocus()

    # The list.

    def _on_searched(self, query: SearchQuery) -> None:
        if query != self._query:
            self._query = query
            self._list.show(query.as_filter(self._order))

    def _on_order_chosen(self, order: str) -> None:
        self._order = order
        self._list.show(self._query.as_filter(order))

    def _on_loaded(self, count: int) -> None:
        if count:
            self.pane.show_rows()
        else:
            self.pane.show_empty(narrowed=self._query.narrows)
        self._around.show_found(count, narrowed=self._query.narrows)
        self._mention_forgotten(count)
        shown = self.pane.side.detail.memory
        if count and shown and not self.pane.table.currentIndex().isValid():
            row = self.model.row_of(shown.id)
            if row is not None:
                self.pane.table.select_row(row)

    def _mention_forgotten(self, count: int) -> None:
        """Where nothing was found, look whether it was forgotten."""
        if count or self._query.statuses:
            return
        query, wanted = self._query, self._query.as_filter()
        fields = {name: getattr(wanted, name) for name in MemoryFilter.__dataclass_fields__}
        forgotten = MemoryFilter(**fields | {"statuses": frozenset({Status.FORGOTTEN})})

        def tell(number: int) -> None:
            if number and query == self._query:
                verb = "matches" if number == 1 else "match"
                words = f"{counted(number, 'forgotten memory', 'forgotten memories')} {verb}."
                self.pane.notice.say(words, "Show", self.pane.search.show_forgotten, "accent")

        memories = self._services.memories
        self._bridge.run(lambda: memories.count(forgotten), tell, self._on_failed, WorkQueue.DESK)

    # The detail.

    def _on_selected(self, count: int) -> None:
        several = count > 1
        if several:
            self.pane.bulk.show_selection(count, self.pane.table.selected_memories())
        self.pane.show_bulk(several)

    def _on_row_changed(self) -> None:
        if self.pane.table.current() and not self._keeps_editor():
            self._resting.start()  # not for every row that a held key runs over

    def _on_row_rested(self) -> None:
        memory = self.pane.table.current()
        if memory and not self.pane.trying:
            self._load_detail(memory.id)

    def _on_mode_changed(self) -> None:
        """Show nothing beside a dry run until a find is chosen, and the row again after it."""
        self._resting.stop()
        self._detail_number += 1  # what is on its way belongs to what stood here before
        current = None if self.pane.trying else self.pane.table.current()
        if current and not self.pane.side.editing:
            self._load_detail(current.id)
            return
        self._clear_detail()
        if not self.pane.side.editing:
            self.pane.put_side_away()

    def _clear_detail(self) -> None:
        self._asked_for = ""
        self.pane.side.detail.clear()
        if not self.pane.side.editing:
            self.pane.side.show_hint(of_finds=self.pane.trying)

    def _on_row_opened(self) -> None:
        memory = self.pane.table.current()
        if memory and not self._keeps_editor():
            self._load_detail(memory.id, bring=True)

    def _load_detail(self, memory_id: str, *, bring: bool = False) -> None:
        self._resting.stop()
        self._asked_for = memory_id
        self._detail_number += 1
        number = self._detail_number

        def take(detail: MemoryDetail) -> None:
            if number == self._detail_number:
                self._show_detail(detail, bring)

        def fail(error: Exception) -> None:
            if number == self._detail_number:
                self._lose_detail(error)

        memories = self._services.memories
        self._bridge.run(lambda: memories.detail(memory_id), take, fail, WorkQueue.DESK)

    def _show_detail(self, detail: MemoryDetail, bring: bool) -> None:
        side = self.pane.side
        side.detail.show_detail(detail, self._clock())
        if not side.editing:
            side.show_detail()
        if bring:
            self.pane.bring_side()

    def _lose_detail(self, error: Exception) -> None:
        self._clear_detail()
        if not isinstance(error, NotFound):
            self._on_failed(error)

    def _quoted_in(self, conversations: frozenset[str]) -> bool:
        return bool(conversations & self.pane.side.detail.conversations)

    def _on_theme_changed(self) -> None:
        self.pane.side.detail.redraw()

    # The editor.

    def _keeps_editor(self) -> bool:
        """Say whether words that were not saved keep the editor open."""
        side = self.pane.side
        if not side.editing:
            return False
        if side.editor.dirty:
            side.editor.refuse("Save this or cancel it first.")
            self.pane.bring_side()
            return True
        side.show_detail()
        return False

    def _edit(self, memory: Memory) -> None:
        if self._keeps_editor():
            return
        self.pane.side.editor.edit(memory)
        self.pane.side.show_editor()
        self.pane.bring_side()
        self.pane.side.editor.text.setFocus()

    def _leave_editor(self) -> None:
        side = self.pane.side
        if side.detail.memory is None:
            side.show_hint(of_finds=self.pane.trying)
        else:
            side.show_detail()
        current = None if self.pane.trying else self.pane.table.current()
        if current and current.id != self._asked_for:
            self._load_detail(current.id)
        if self.model.rowCount():
            self.pane.table.setFocus()
        if side.detail.memory is None:
            self.pane.put_side_away()

    def _on_saved(self, memory: Memory | None, fields: Mapping[str, Any]) -> None:
        memories = self._services.memories

        def save() -> Changes:
            if memory is None:
                return memories.add(**fields)
            return memories.edit(memory.id, memory.revision, fields)

        self._bridge.run(save, self._on_stored, self._on_not_stored, WorkQueue.DESK)

    def _on_stored(self, changes: Changes) -> None:
        if len(changes.memories) == 1 and self.pane.side.editor.memory is None:
            self._load_detail(next(iter(changes.memories)))
        self._leave_editor()
        if changes.said:
            self.pane.notice.say(" ".join(sorted(changes.said)), tone="warn")

    def _on_not_stored(self, error: Exception) -> None:
        editor = self.pane.side.editor
        if isinstance(error, Conflict) and editor.memory:
            memories, memory_id = self._services.memories, editor.memory.id
            self._bridge.run(
                lambda: memories.detail(memory_id),
                lambda detail: editor.show_conflict(detail.memory),
                lambda other: editor.refuse(self._sentence(other)),
                WorkQueue.DESK,
            )
        else:
            editor.refuse(self._sentence(error))

    def _on_other_taken(self) -> None:
        if memory := self.pane.side.editor.memory:
            self._load_detail(memory.id)
        self._leave_editor()

    # What is wanted done.

    def _on_table_wanted(self, wish: str) -> None:
        current = self.pane.table.current()
        if wish == "edit":
            if current and current.status is not Status.FORGOTTEN:
                self._edit(current)
        else:
            self._changes.change_selected(wish)

    def _on_detail_wanted(self, wish: str) -> None:
        memory = self.pane.side.detail.memory
        if memory is None:
            return
        if wish == "edit":
            self._edit(memory)
        else:
            self._changes.change([memory.id], wish)

    def _on_undo_requested(self) -> None:
        if self._around.last_batch:
            self._changes.undo(self._around.last_batch)

    # Errors.

    def _on_failed(self, error: Exception) -> None:
        self.pane.notice.say(self._sentence(error), tone="danger")

    @staticmethod
    def _sentence(error: Exception) -> str:
        if isinstance(error, AppError):
            return str(error)
        _log.error("the inspector met an error", exc_info=error)
        return "Something went wrong. What is stored is safe; please try again."
