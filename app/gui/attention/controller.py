"""What the screen of what waits does: lists it, and does what the person decides."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.domain.contradiction import Contradiction, Settlement
from app.domain.ids import Clock, utc_now
from app.domain.language.text import counted
from app.gui.attention import wording
from app.gui.attention.pane import AttentionPane
from app.gui.bridge import Bridge
from app.gui.controller import PageController
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services


class AttentionController(PageController[AttentionPane]):
    """Connects the screen with the services."""

    # where something was said: conversation id, message id
    message_requested = Signal(str, str)
    memory_requested = Signal(str)  # a memory should be shown: its id

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(services, bridge, AttentionPane(theme), parent, clock)
        self.pane.accepted.connect(self._on_accepted)
        self.pane.rejected.connect(self._on_rejected)
        self.pane.settled.connect(self._on_settled)
        self.pane.foreign_accepted.connect(self._on_foreign_accepted)
        self.pane.learner_retried.connect(self._on_learner_retried)
        self.pane.place_requested.connect(self.message_requested)
        self.pane.memory_requested.connect(self.memory_requested)
        self.pane.closed.connect(self._load)
        self._load()

    # What the main window asks of every screen.

    def _concerned(self, changes: Changes) -> bool:
        what = (changes.memories, changes.batches, changes.profile, changes.settings)
        return any(what) or changes.everything

    def focus_first(self) -> None:
        """Put the keyboard on the first button."""
        (self.pane.first_button() or self.pane).setFocus()

    # Lists.

    def _read(self) -> Any:
        attention = self._services.attention
        pairs = [(pair, attention.merge_text(pair)) for pair in attention.contradictions()]
        told = attention.foreign(), attention.late_backups(), attention.given_up()
        return attention.proposals(), pairs, *told

    def _show(self, found: Any) -> None:
        proposals, pairs, *told = found
        self.pane.show_waiting(proposals, pairs, self._clock(), *told)

    # What the person decides.

    @Slot(object, str)
    def _on_accepted(self, ids: Sequence[str], text: str) -> None:
        done = f"Remembered {counted(len(ids), 'memory')}."
        self._change(lambda: self._services.attention.accept(ids, text), done)

    @Slot(object)
    def _on_rejected(self, ids: Sequence[str]) -> None:
        done = f"Rejected {counted(len(ids), 'memory')}; not proposed again."
        self._change(lambda: self._services.attention.reject(ids), done)

    @Slot(object, object, str, str)
    def _on_settled(self, pair: Contradiction, how: Settlement, text: str, memory_id: str) -> None:
        attention = self._services.attention
        self._change(
            lambda: attention.settle(pair, how, text, memory_id), wording.settled(pair, how, text)
        )

    @Slot()
    def _on_foreign_accepted(self) -> None:
        done = "Accepted: everything stands as it is now."
        self._change(self._services.attention.accept_foreign, done)

    @Slot()
    def _on_learner_retried(self) -> None:
        self._change(self._services.attention.learn_again, "The model may learn again.")

    def _change(self, work: Callable[[], Changes], done: str) -> None:
        """Do what was decided, say so, and offer to take it back."""

        def told(changes: Changes) -> None:
            notice, batches = self.pane.notice, sorted(changes.batches)
            if len(batches) == 1:
                notice.say(done, "accent", "Undo", lambda: self._undo(batches[0]))
            else:
                notice.say(done, "accent")

        self._run(work, told)

    def _fail(self, error: Exception) -> None:
        super()._fail(error)
        self.pane.not_saved()
        self._load()
