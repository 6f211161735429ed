"""Connects the inspector's pane with the services; shows what comes back, and refreshes by id."""

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.domain.changes import Changes
from app.domain.ids import Clock, utc_now
from app.domain.language.text import counted
from app.domain.memory import Status
from app.errors import AppError
from app.gui.bridge import Bridge
from app.gui.controller import PageController
from app.gui.inspector.details import Details
from app.gui.inspector.doing import DryRuns, MemoryChanges
from app.gui.inspector.editing import Editing
from app.gui.inspector.model import MemoryTableModel
from app.gui.inspector.pane import InspectorPane
from app.gui.inspector.query import SearchQuery
from app.gui.inspector.reading import MemoryList, Surroundings
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

DRAWN_MS = 40  # the empty screen is drawn before workers and window share the interpreter
_log = logging.getLogger(__name__)


class InspectorController(PageController[InspectorPane]):
    """The inspector as one screen of the window."""

    # a message should be shown where it was said: conversation id, message id (empty for the
    # end of it)
    message_requested = Signal(str, str)
    reembed_requested = Signal()  # what another embedder made should be embedded anew, now

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
        clock: Clock = utc_now,
    ) -> None:
        model = MemoryTableModel(clock=clock)
        super().__init__(services, bridge, InspectorPane(theme, model, clock), parent, clock)
        self.model = model
        self._order = ""
        self._query = SearchQuery()
        pane, memories = self.pane, services.memories
        self.model.setParent(pane)
        self._details = Details(memories, bridge, pane, self.model, clock, self)
        self._editing = Editing(memories, bridge, pane, self._details, self._told, self)
        self._list = MemoryList(memories, bridge, self.model, self)
        self._changes = MemoryChanges(services, bridge, theme, pane, clock, self._list)
        self._around = Surroundings(services, bridge, pane, self)
        self._dry_runs = DryRuns(services, bridge, pane.dry_run, self._told, self)
        theme.changed.connect(self._on_theme_changed)
        self._connect()
        QTimer.singleShot(DRAWN_MS, self, self._begin)

    def _begin(self) -> None:
        self._list.show(self._query.as_filter(self._order))
        self._around.refresh()

    def _connect(self) -> None:
        pane, table, detail = self.pane, self.pane.table, self.pane.side.detail
        pane.search.searched.connect(self._on_searched)
        pane.search.add_requested.connect(self.add_memory)
        pane.search.clear_requested.connect(self._changes.clear)
        pane.empty.acted.connect(self.add_memory)
        pane.undo_requested.connect(self._on_undo_requested)
        pane.redo_requested.connect(self._changes.redo)
        table.selected.connect(self._on_selected)
        table.order_chosen.connect(self._on_order_chosen)
        table.wanted.connect(self._on_table_wanted)
        pane.bulk.wanted.connect(self._changes.change_selected)
        detail.wanted.connect(self._on_detail_wanted)
        detail.undo_requested.connect(self._changes.undo)
        detail.message_opened.connect(self.message_requested)
        detail.memory_opened.connect(self.show_memory)
        self._list.loaded.connect(self._on_loaded)
        for part in (self._list, self._changes, self._around, self._details):
            part.failed.connect(self._fail)
        self._dry_runs.memory_opened.connect(self.show_memory)
        self._dry_runs.message_opened.connect(self.message_requested)
        self._around.reembed_requested.connect(self.reembed_requested)
        self._around.take_over_requested.connect(
            lambda: self._changes.take_over(self._query.as_filter())
        )

    # What the window asks of a screen.

    def apply_changes(self, changes: Changes) -> None:
        """Refresh the rows, the detail and the counts that the changes concern."""
        touched = changes.memories | (self.model.ids() if changes.everything else frozenset())
        if touched or changes.everything:
            self._list.refresh(touched, self.pane.table.visible_pages)
        self._details.apply_changes(changes)
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
            self._editing.leave()
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
        self._details.load(memory_id, bring=True)

    def add_memory(self) -> None:
        """Open the editor for a new memory."""
        self._editing.edit(None)

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
        if count:
            self._details.reselect()

    def _mention_forgotten(self, count: int) -> None:
        """Where nothing was found, look whether it was forgotten."""
        if count or self._query.statuses:
            return
        query = self._query
        forgotten = replace(query.as_filter(), statuses=frozenset({Status.FORGOTTEN}))

        def tell(number: int) -> None:
            if number and query == self._query:
                verb = "matches" if number == 1 else "match"
                verb = verb if query.narrows else "can be restored"
                words = f"{counted(number, 'forgotten memory')} {verb}."
                self.pane.notice.say(words, "Show", self.pane.search.show_forgotten, "accent")

        self._run(lambda: self._services.memories.count(forgotten), tell)

    def _on_selected(self, count: int) -> None:
        several = count > 1
        if several:
            self.pane.bulk.show_selection(count, self.pane.table.selected_memories())
        self.pane.show_bulk(several)

    def _on_theme_changed(self) -> None:
        self.pane.side.detail.redraw()

    # What is wanted done.

    def _on_table_wanted(self, wish: str) -> None:
        current = self.pane.table.current()
        if wish == "edit":
            if current and current.status is not Status.FORGOTTEN:
                self._editing.edit(current)
        else:
            self._changes.change_selected(wish)

    def _on_detail_wanted(self, wish: str) -> None:
        memory = self.pane.side.detail.memory
        if memory is None:
            return
        if wish == "edit":
            self._editing.edit(memory)
        else:
            self._changes.change([memory.id], wish)

    def _on_undo_requested(self) -> None:
        if self._around.last_batch:
            self._changes.undo(self._around.last_batch)

    def _told(self, error: Exception) -> str:
        if isinstance(error, AppError):
            return str(error)
        _log.error("the inspector met an error", exc_info=error)
        return "Something went wrong. What is stored is safe; please try again."
