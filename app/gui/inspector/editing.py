"""Writes memories: opens the editor, saves what was written, and shows what stands in its way."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.domain.changes import Changes
from app.domain.memory import Memory
from app.errors import Conflict
from app.gui.bridge import Bridge
from app.gui.inspector.details import Details
from app.gui.inspector.pane import InspectorPane

if TYPE_CHECKING:
    from app.services.memories import MemoriesService


class Editing(QObject):
    """Connects the editor with the memories."""

    def __init__(
        self,
        memories: "MemoriesService",
        bridge: Bridge,
        pane: InspectorPane,
        details: Details,
        sentence: Callable[[Exception], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._memories, self._bridge, self._pane = memories, bridge, pane
        self._details, self._sentence = details, sentence
        pane.side.saved.connect(self._on_saved)
        pane.side.taken.connect(self._on_other_taken)
        pane.side.cancelled.connect(self.leave)

    def edit(self, memory: Memory | None) -> None:
        """Open the editor for a memory, or for a new one."""
        if self._pane.keeps_editor():
            return
        self._pane.side.editor.edit(memory)
        self._pane.side.show_editor()
        self._pane.bring_side()
        self._pane.side.editor.text.setFocus()

    def leave(self) -> None:
        """Close the editor, and show again what stood there."""
        side, table = self._pane.side, self._pane.table
        if side.detail.memory is None:
            side.show_hint(of_finds=self._pane.trying)
        else:
            side.show_detail()
        self._details.follow()
        if table.model().rowCount():
            table.setFocus()
        if side.detail.memory is None:
            self._pane.put_side_away()

    def _on_saved(self, memory: Memory | None, fields: Mapping[str, Any]) -> None:
        def save() -> Changes:
            if memory is None:
                return self._memories.add(**fields)
            return self._memories.edit(memory.id, memory.revision, fields)

        self._bridge.run(save, self._on_stored, self._on_not_stored)

    def _on_stored(self, changes: Changes) -> None:
        if len(changes.memories) == 1 and self._pane.side.editor.memory is None:
            self._details.load(next(iter(changes.memories)))
        self.leave()
        if changes.said:
            self._pane.notice.say(" ".join(sorted(changes.said)), tone="warn")

    def _on_not_stored(self, error: Exception) -> None:
        editor = self._pane.side.editor
        if isinstance(error, Conflict) and editor.memory:
            memory_id = editor.memory.id
            self._bridge.run(
                lambda: self._memories.detail(memory_id),
                lambda detail: editor.show_conflict(detail.memory),
                lambda other: editor.refuse(self._sentence(other)),
            )
        else:
            editor.refuse(self._sentence(error))

    def _on_other_taken(self) -> None:
        if memory := self._pane.side.editor.memory:
            self._details.load(memory.id)
        self.leave()
