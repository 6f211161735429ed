"""What is being written: drafts kept per conversation, earlier messages edited."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from app.domain.conversation import Message, Part
from app.gui.bridge import Bridge
from app.gui.chat.composer import drafts
from app.gui.chat.conversing import Conversing
from app.gui.chat.page import ChatPage

if TYPE_CHECKING:
    from app.services.services import Services

DRAFT_MS = 700
EDITING = "Editing an earlier message; what follows it stays in another branch."


class Drafting(QObject):
    """Keeps what is written and not sent, and sends it."""

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        page: ChatPage,
        conversing: Conversing,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self._page = page
        self._conversing = conversing
        self._composer = page.pane.composer
        self._chip = self._composer.mode_chip
        self._unsent: dict[str, list[Part]] = {}
        self._aside: set[str] = set()  # where what is written is not to be remembered
        self._editing: Message | None = None
        self._quiet = False
        self._timer = QTimer(self, singleShot=True, interval=DRAFT_MS)
        self._timer.timeout.connect(self.save)
        self._composer.edited.connect(self._on_edited)
        self._composer.sent.connect(self._on_sent)
        self._composer.last_wanted.connect(self._on_last_wanted)
        self._composer.editing_cancelled.connect(self.cancel_editing)
        page.pane.intents.edit.connect(self.edit)
        conversing.stored.connect(self._on_stored)
        conversing.refused.connect(self._composer.show_error)

    # Drafts.

    def restore(self, stored: str) -> None:
        """Show what was being written in the conversation that is open now."""
        self._chip.set_aside(self._page.id in self._aside)
        parts = self._unsent.get(self._page.id)
        self._write(drafts.decode(stored) if parts is None else parts)

    def leave(self) -> None:
        """Keep what is written, before another conversation is opened; not of a temporary one."""
        self.cancel_editing()
        if self._page.passing:
            self.drop()
            return
        self._note_aside()
        if self._timer.isActive():
            self._timer.stop()
            self.save()

    def unsaved(self) -> Callable[[], object]:
        """Return what keeps words that were written last, to be called before the vault closes."""
        self.cancel_editing()
        conversation, waits = self._page.id, self._timer.isActive() and not self._page.passing
        self._timer.stop()
        if not waits or not conversation:
            return lambda: None
        text = drafts.encode([part for part in self._composer.parts() if not part.name])
        return partial(self._services.conversations.set_draft, conversation, text)

    def drop(self) -> None:
        """Keep nothing for a conversation that is gone."""
        self._timer.stop()
        self._unsent.pop(self._page.id, None)
        self._aside.discard(self._page.id)

    def save(self) -> None:
        """Keep what is written."""
        if self._editing is not None:
            return
        parts, conversation = self._composer.parts(), self._page.id
        self._unsent[conversation] = parts
        if conversation and not self._page.passing:
            text = drafts.encode([part for part in parts if not part.name])
            self._bridge.run(partial(self._services.conversations.set_draft, conversation, text))

    def _note_aside(self) -> None:
        if self._chip.aside:
            self._aside.add(self._page.id)
        else:
            self._aside.discard(self._page.id)

    def _on_edited(self) -> None:
        if not self._quiet and self._editing is None:
            self._timer.start()

    def _write(self, parts: Sequence[Part]) -> None:
        self._quiet = True
        self._composer.set_parts(parts)
        self._quiet = False

    # Sending.

    def _on_sent(self, parts: Sequence[Part]) -> None:
        if self._editing is not None:
            self._conversing.edit(self._editing.id, parts, aside=self._chip.aside)
        else:
            self._conversing.send(parts, aside=self._chip.aside)

    def _on_stored(self) -> None:
        """Clear the field, now that the message is safe."""
        self._timer.stop()
        if self._editing is not None:
            self.cancel_editing()
            return
        self._chip.set_aside(False)
        self._aside -= {"", self._page.id}
        before = self._unsent.pop("", None), self._unsent.pop(self._page.id, None)
        self._write([])
        if any(before):
            self.save()

    # Earlier messages.

    def edit(self, message: Message) -> None:
        """Put an earlier message into the field."""
        if self._page.live is not None:
            return
        if self._editing is None:
            self.save()
            self._note_aside()
            self._timer.stop()
        self._editing = message
        self._chip.set_aside(message.aside)
        self._composer.show_editing(EDITING)
        self._write(message.parts)
        self._composer.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def cancel_editing(self) -> bool:
        """Go back to what was being written; say whether anything was being edited."""
        if self._editing is None:
            return False
        self._editing = None
        self._composer.show_editing("")
        self._chip.set_aside(self._page.id in self._aside)
        self._write(self._unsent.get(self._page.id, []))
        return True

    def _on_last_wanted(self) -> None:
        if (message := self._page.last_own()) is not None:
            self.edit(message)
