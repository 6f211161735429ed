"""Does what a person asks for in the inspector: changes to memories, and dry recalls.

A change (pin, take over, forget, restore, erase, clear, undo) is one call of a service on a worker
thread. What it changed is published by the bridge, and comes back to the screen like every other
change. Of dry recalls one is under way, and only the newest question is answered.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.domain.changes import Changes
from app.domain.erasure import MOST_AT_ONCE, Proof
from app.domain.ids import Clock
from app.domain.memory import MemoryFilter
from app.domain.recall import HitKind, Recall
from app.gui.bridge import Bridge
from app.gui.erasure.dialog import ErasureDialog
from app.gui.inspector.clear_dialog import ClearDialog
from app.gui.inspector.dry_run import DryRunPage
from app.gui.inspector.pane import InspectorPane
from app.gui.inspector.reading import MemoryList
from app.gui.theme import Theme
from app.gui.trace.source import TraceSource

if TYPE_CHECKING:
    from app.services.services import Services
    from app.services.undo import Undone


class MemoryChanges(QObject):
    """Carries out what a person wants done with memories."""

    failed = Signal(object)  # something could not be done: the exception

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        pane: InspectorPane,
        clock: Clock,
        rows: MemoryList,
    ) -> None:
        super().__init__(pane)
        self._services, self._bridge, self._theme = services, bridge, theme
        self._pane, self._clock, self._rows = pane, clock, rows

    def change_selected(self, wish: str) -> None:
        """Do something with every selected row, here or not."""
        here = self._pane.table.selected_memories()
        if here is not None:
            self.change([memory.id for memory in here], wish)
        else:
            ranges = self._pane.table.selected_ranges()
            self._rows.ids_in(ranges, lambda ids: self.change(ids, wish))

    def change(self, ids: Sequence[str], wish: str) -> None:
        """Pin, unpin, take over, forget, restore or erase these memories."""
        if not ids:
            return
        if wish == "erase":
            self.erase(ids)
            return
        memories = self._services.memories
        work: dict[str, Callable[[], Changes]] = {
            "pin": lambda: memories.pin(ids, True),
            "unpin": lambda: memories.pin(ids, False),
            "mine": lambda: memories.take_over(ids),
            "forget": lambda: memories.forget(ids),
            "restore": lambda: memories.restore(ids),
        }
        self._pane.notice.hide()
        self._bridge.run(work[wish], None, self.failed.emit)

    def take_over(self, wanted: MemoryFilter) -> None:
        """Trust all that imports claimed and that passes a filter like what the person said."""
        memories = self._services.memories
        self._pane.notice.hide()
        self._bridge.run(
            lambda: memories.take_over(memories.claimed(wanted)),
            None,
            self.failed.emit,
        )

    def undo(self, batch: str) -> None:
        """Undo a change, and show why some of it could not be."""
        self._pane.notice.hide()
        undo = self._services.undo
        self._bridge.run(lambda: undo.undo(batch), self._on_undone, self.failed.emit)

    def redo(self) -> None:
        """Do again what was undone last, unless something newer was done."""
        self._pane.notice.hide()
        self._bridge.run(self._services.undo.redo_last, self._on_done_again, self.failed.emit)

    def _on_done_again(self, outcome: "Undone") -> None:
        if outcome.refused or not outcome.changes:
            self._pane.notice.say(" ".join([outcome.sentence, *outcome.refused]), tone="warn")

    def _on_undone(self, outcome: tuple[Changes, Sequence[str]]) -> None:
        _, refused = outcome
        if refused:
            more = f" and {len(refused) - 2:,} more" if len(refused) > 2 else ""
            self._pane.notice.say(" ".join(refused[:2]) + more, tone="warn")

    def erase(self, ids: Sequence[str]) -> None:
        """Open the dialog that erases these memories for good."""
        if len(ids) > MOST_AT_ONCE:
            words = f"Erase at most {MOST_AT_ONCE} memories at a time; {len(ids):,} are selected."
            self._pane.notice.say(words, tone="warn")
            return
        erasure = self._services.erasure
        dialog = ErasureDialog(
            lambda: erasure.looking_for_memories(ids),
            lambda ticked, _typed: erasure.erase_memories(ids, ticked),
            self._bridge,
            self._theme,
            parent=self._pane.window(),
        )
        quoted = Changes(frozenset(ids), self._pane.side.detail.conversations)
        dialog.erased.connect(lambda proof: self._on_erased(proof, quoted))
        dialog.open()

    def _on_erased(self, proof: Proof, expected: Changes) -> None:
        if not proof.changes:
            self._bridge.publish(expected)

    def clear(self) -> None:
        """Open the dialog that forgets by type and period."""
        dialog = ClearDialog(self._theme, self._clock, self._pane.window())
        memories = self._services.memories

        def count(wanted: MemoryFilter) -> None:
            self._bridge.run(
                lambda: memories.clear_count(wanted),
                lambda number: dialog.show_count(wanted, number),
                dialog.refuse,
            )

        def forget(wanted: MemoryFilter) -> None:
            self._bridge.run(lambda: memories.clear(wanted), dialog.finish, dialog.refuse)

        dialog.count_requested.connect(count)
        dialog.confirmed.connect(forget)
        dialog.open()


class DryRuns(QObject):
    """Connects the page of dry runs with the services."""

    memory_opened = Signal(str)  # a memory should be shown; its id
    # a message should be shown; conversation id, message id
    message_opened = Signal(str, str)

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        page: DryRunPage,
        sentence: Callable[[Exception], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services, self._bridge, self._page = services, bridge, page
        self._sentence = sentence
        self._text = ""
        self._running = self._stale = False
        page.asked.connect(self._on_asked)
        page.source_opened.connect(self._on_source_opened)

    def apply_changes(self, changes: Changes) -> None:
        """Ask again where the changes may have changed what is recalled."""
        tuned = any(key.startswith(("rag.", "models.")) for key in changes.settings)
        if self._text and (changes.memories or changes.models or changes.everything or tuned):
            self._ask()

    def _on_asked(self, text: str) -> None:
        if text == self._text:
            return
        self._text = text
        if text:
            self._page.show_looking()
            self._ask()
        else:
            self._page.show_hint()

    def _ask(self) -> None:
        if self._running:
            self._stale = True
            return
        self._running, self._stale = True, False
        memories, text = self._services.memories, self._text
        self._bridge.run(
            lambda: memories.recall(text),
            partial(self._on_recalled, text),
            partial(self._on_failed, text),
        )

    def _on_recalled(self, text: str, recall: Recall) -> None:
        if self._is_wanted(text):
            self._page.show_recall(recall, text)

    def _on_failed(self, text: str, error: Exception) -> None:
        if self._is_wanted(text):
            self._page.show_error(self._sentence(error))

    def _is_wanted(self, text: str) -> bool:
        """Say whether this is what stands in the field; if that has changed, ask for it."""
        self._running = False
        if self._text and self._stale:
            self._ask()
        return text == self._text

    def _on_source_opened(self, source: TraceSource, _card: QWidget) -> None:
        hit = source.hit
        if hit.kind is HitKind.MEMORY:
            self.memory_opened.emit(hit.id)
        elif hit.conversation_id:
            self.message_opened.emit(hit.conversation_id, hit.id)
