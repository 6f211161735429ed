"""What a person does with memories from within the chat: look, correct, forget, undo, remember."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.domain.changes import Changes
from app.domain.conversation import Receipt
from app.domain.erasure import MOST_AT_ONCE
from app.domain.memory import Memory
from app.errors import Conflict
from app.gui.bridge import Bridge
from app.gui.chat.pane import ChatPane
from app.gui.erasure.dialog import ErasureDialog
from app.gui.exception_hook import MISHAP
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services


class MemoryDesk(QObject):
    """Connects the cards and receipts with the memories."""

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        pane: ChatPane,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._memories = services.memories
        self._undoing = services.undo
        self._conversations = services.conversations
        self._erasure = services.erasure
        self._theme = theme
        self._bridge = bridge
        self._pane = pane
        card, intents = pane.source_card, pane.intents
        card.detail_wanted.connect(self._on_detail_wanted)
        card.saved.connect(self._on_saved)
        card.forgotten.connect(self._on_forgotten)
        card.restored.connect(self._on_restored)
        card.remember_wanted.connect(self.remember)
        intents.undo_receipt.connect(self._on_undo_receipt)
        intents.remember.connect(self.remember)
        intents.forget_meant.connect(self._on_forget_meant)
        intents.unforget.connect(self._on_unforget)
        intents.erase.connect(self._on_erase)
        intents.leave_out.connect(self._on_leave_out)

    def remember(self, message_id: str, selection: str = "") -> None:
        """Remember a message, or a part of it, because the person says so."""
        self._pane.source_card.close_card()
        self._bridge.run(
            partial(self._memories.remember_message, message_id, selection),
            on_result=self._on_remembered,
            on_error=self._say_error,
        )

    def _on_remembered(self, changes: Changes) -> None:
        if changes.batches:
            (batch, *_) = changes.batches
            words = ["Stored.", *sorted(changes.said)] if changes.said else ["Remembered."]
            self._say(" ".join(words), "Undo", partial(self._undo, batch))
        else:
            self._say("Loci knew that already.")

    def _on_detail_wanted(self, memory_id: str) -> None:
        card = self._pane.source_card
        self._bridge.run(
            partial(self._memories.detail, memory_id), card.show_detail, self._on_card_failed
        )

    def _on_saved(self, memory: Memory, text: str) -> None:
        self._bridge.run(
            partial(self._memories.edit, memory.id, memory.revision, {"text": text}),
            lambda _changes: self._pane.source_card.close_card(),
            self._on_card_failed,
        )

    def _on_forgotten(self, memory_id: str) -> None:
        self._pane.source_card.close_card()
        self._bridge.run(
            partial(self._memories.forget, [memory_id]),
            lambda _changes: self._say("Forgotten.", "Undo", lambda: self._on_restored(memory_id)),
            self._say_error,
        )

    def _on_restored(self, memory_id: str) -> None:
        self._pane.source_card.close_card()
        self._bridge.run(partial(self._memories.restore, [memory_id]), on_error=self._say_error)

    # What an order about memory meant.

    def _on_forget_meant(self, memory_id: str, message_id: str) -> None:
        forget = partial(self._memories.forget, [memory_id], message_id or None)
        self._bridge.run(forget, on_error=self._say_error)

    def _on_unforget(self, ids: Sequence[str]) -> None:
        self._bridge.run(partial(self._memories.unforget, ids), on_error=self._say_error)

    def _on_leave_out(self, answer_id: str, memory_id: str) -> None:
        leave = partial(self._conversations.leave_out, answer_id, memory_id)
        self._bridge.run(leave, on_error=self._say_error)

    def _on_erase(self, ids: Sequence[str]) -> None:
        if len(ids) > MOST_AT_ONCE:
            self._say(
                f"Erase at most {MOST_AT_ONCE} memories at a time, under Memory.", tone="warn"
            )
            return
        erasure = self._erasure
        ErasureDialog(
            partial(erasure.looking_for_memories, ids),
            lambda ticked, _typed: erasure.erase_memories(ids, ticked),
            self._bridge,
            self._theme,
            parent=self._pane.window(),
        ).open()

    # Undo.

    def _on_undo_receipt(self, receipt: Receipt) -> None:
        self._undo(receipt.batch)

    def _undo(self, batch: str) -> None:
        self._bridge.run(partial(self._undoing.undo, batch), self._on_undone, self._say_error)

    def _on_undone(self, result: tuple[Changes, list[str]]) -> None:
        if refusals := result[1]:
            self._say(" ".join(refusals), tone="warn")

    def _on_card_failed(self, error: Exception) -> None:
        sentence = self._bridge.told(error, MISHAP)
        if isinstance(error, Conflict) and error.current:
            sentence = f"{sentence} It now says: “{error.current}”"
        self._pane.source_card.show_error(sentence)

    def _say_error(self, error: Exception) -> None:
        self._say(self._bridge.told(error, MISHAP), tone="danger")

    def _say(
        self,
        sentence: str,
        action: str = "",
        then: Callable[[], Any] | None = None,
        tone: str = "accent",
    ) -> None:
        self._pane.notice.say(sentence, action, then, tone)
