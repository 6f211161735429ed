"""The chat screen's controller: opens conversations and keeps the page in step with the vault."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from app.domain.changes import Changes
from app.domain.conversation import Message
from app.domain.ids import Clock, utc_now
from app.domain.model import ChatInfo
from app.errors import NotFound
from app.gui.bridge import Bridge, WorkQueue
from app.gui.chat.branching import Branching
from app.gui.chat.context_browser import ContextBrowser
from app.gui.chat.conversing import Conversing
from app.gui.chat.document_desk import DocumentDesk
from app.gui.chat.drafting import Drafting
from app.gui.chat.memory_desk import MemoryDesk
from app.gui.chat.model import Thread, turns_of
from app.gui.chat.modes import ModeChanges
from app.gui.chat.page import ChatPage
from app.gui.chat.pane import ChatPane
from app.gui.chat.text.highlight import load_lexers
from app.gui.chat.text.markdown import parser
from app.gui.chat.text.style import MODELS
from app.gui.sharing.controller import SharingDesk
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

NOT_OPENED = "This conversation could not be opened. What is stored is safe."


class ChatController(QObject):
    """Connects the chat screen with the services.

    Attributes:
        pane: The screen's widget.
    """

    # another conversation is open now, or a new one has begun; its id
    conversation_opened = Signal(str)
    memory_requested = Signal(str)  # the person wants to see a memory among all others; its id
    models_requested = Signal()  # the person wants to choose who answers

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self._theme = theme
        self.pane = ChatPane(theme, clock)
        self._page = ChatPage(self.pane, clock)
        self._conversing = Conversing(services, bridge, self._page, self)
        self._drafting = Drafting(services, bridge, self._page, self._conversing, self)
        self._modes = ModeChanges(services, bridge, self._page)
        self._branching = Branching(services, bridge, self.pane)
        self._documents = DocumentDesk(services, bridge, self.pane, theme, self)
        self._desk = MemoryDesk(services, bridge, self.pane, theme, self)
        self._sharing = SharingDesk(services, bridge, theme, self.pane)
        self._fetching = ""
        self._stale = False
        self._target = ""
        self._connect()
        self._fetch_model()

    def warm(self) -> None:
        """Load what draws answers before the first one comes."""
        self._bridge.run(_warm, lane=WorkQueue.BACKGROUND)

    def _connect(self) -> None:
        header, composer, intents = self.pane.header, self.pane.composer, self.pane.intents
        header.renamed.connect(self._on_renamed)
        header.models_wanted.connect(self.models_requested)
        composer.meter.opened.connect(self._on_context_wanted)
        composer.stopped.connect(self._conversing.stop)
        intents.regenerate.connect(self._conversing.regenerate)
        intents.regenerate_with.connect(self._branching.ask_for_model)
        intents.fork.connect(self._branching.fork)
        self._branching.model_chosen.connect(self._conversing.regenerate)
        self._branching.forked.connect(self.open)
        intents.retry.connect(self._conversing.retry)
        intents.answer_without.connect(self._conversing.answer_without)
        intents.switch_branch.connect(self._on_switch_branch)
        intents.show_why.connect(self._page.show_why)
        intents.follow_link.connect(self._on_link_followed)
        intents.show_found.connect(lambda answer_id: self._page.show_why(answer_id, "found"))
        self.pane.source_card.conversation_wanted.connect(self.open)
        self.pane.source_card.memory_wanted.connect(self._on_memory_wanted)
        self._conversing.begun.connect(self.conversation_opened)
        self._conversing.ended.connect(self._on_ended)
        self._conversing.unshared.connect(self._on_unshared)
        self.pane.drawer.sent.requested.connect(self._on_sent_requested)

    # What the window asks for.

    def open(self, conversation_id: str, message_id: str = "") -> None:
        """Open a conversation, at a message if one is named."""
        self.pane.source_card.close_card()
        if conversation_id == self._page.id and self._page.shown:
            if message_id:
                self.pane.transcript.show_message(message_id)
            return
        self._leave()
        self._target = message_id
        self._page.begin_opening(conversation_id)
        self._fetch(conversation_id)

    def start_new(self) -> None:
        """Show an empty conversation; it comes into being with its first message."""
        self._leave()
        self._page.begin_new()
        self._drafting.restore("")
        self.focus_first()

    def unsaved(self) -> Callable[[], object]:
        """Return what keeps words that were written last, to be called before the vault closes.

        A temporary conversation is deleted instead.
        """
        if self._page.passing and self._page.id:
            return partial(self._services.conversations.leave, self._page.id)
        return self._drafting.unsaved()

    def _leave(self) -> None:
        """Put away the conversation that was open; one that is temporary is deleted."""
        self._drafting.leave()
        self.pane.notice.hide()
        if self._page.passing and self._page.id:
            self._conversing.leave(self._page.id)

    def apply_changes(self, changes: Changes) -> None:
        """Refresh what the changes concern."""
        if changes.models or any(key.startswith(("chat.", "models.")) for key in changes.settings):
            self._fetch_model()
        if changes.memories or changes.conversations or changes.everything:
            self.pane.drawer.sent.forget()
        here = self._page.id
        if not here or self._page.live is not None:
            return
        touched = here in changes.conversations or changes.memories or changes.batches
        if touched or changes.everything:
            self._fetch(here)

    def focus_first(self) -> None:
        """Put the keyboard into the composer."""
        self.pane.composer.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def escape(self) -> bool:
        """Close a card, stop editing or the answer, close the drawer: the first there is."""
        return (
            self.pane.close_card()
            or self._drafting.cancel_editing()
            or self._conversing.stop()
            or self.pane.close_drawer()
        )

    # Fetching.

    def _fetch(self, conversation_id: str) -> None:
        if self._fetching == conversation_id:
            self._stale = True
            return
        self._fetching, self._stale = conversation_id, False
        self._bridge.run(
            partial(_fetched, self._services, conversation_id),
            self._on_fetched,
            partial(self._on_not_fetched, conversation_id),
        )

    def _arrived(self, conversation_id: str) -> None:
        if self._fetching == conversation_id:
            self._fetching = ""

    def _on_fetched(self, thread: Thread) -> None:
        self._arrived(thread.conversation.id)
        if thread.conversation.id != self._page.id:
            return
        if not self._page.shown:
            self._page.show(thread)
            self._drafting.restore(thread.draft)
            self.conversation_opened.emit(thread.conversation.id)
        elif self._page.live is None:
            self._page.update(thread)
        if self._target:
            self.pane.transcript.show_message(self._target)
            self._target = ""
        if self._stale:
            self._fetch(thread.conversation.id)

    def _on_not_fetched(self, conversation_id: str, error: Exception) -> None:
        self._arrived(conversation_id)
        if conversation_id != self._page.id:
            return
        if isinstance(error, NotFound):
            self._drafting.drop()
            self.start_new()
            return
        self._page.begin_new()
        sentence = self._bridge.told(error, NOT_OPENED)
        self.pane.notice.say(sentence, "Try again", lambda: self.open(conversation_id))

    def _on_ended(self, conversation_id: str) -> None:
        if conversation_id == self._page.id:
            self._fetch(conversation_id)

    def _fetch_model(self) -> None:
        current, newest = self._services.library.current, self._fetch_model
        self._bridge.run(current, self._on_model, self._on_no_model, newest=newest)

    def _on_model(self, info: ChatInfo) -> None:
        place = "on this computer" if info.local else "on a server"
        self.pane.header.set_model(info.name, place if info.weights else "")
        self._page.model_changed(info.id, info.context_tokens if info.weights else 0)

    def _on_no_model(self, error: Exception) -> None:
        self.pane.header.set_model("Choose a model")
        self._bridge.told(error, "")

    # What the person does.

    def _on_renamed(self, title: str) -> None:
        self._bridge.run(partial(self._services.conversations.rename, self._page.id, title))

    def _on_link_followed(self, address: str) -> None:
        if address == MODELS:
            self.models_requested.emit()

    def _on_switch_branch(self, message: Message, step: int) -> None:
        if self._page.live is None:
            self._bridge.run(partial(_switched, self._services, message, step))

    def _on_context_wanted(self) -> None:
        if self._page.id:
            given = self._services, self._bridge, self._theme, self._page.id, self.pane
            ContextBrowser(*given).open()

    def _on_unshared(self, address: str, message_id: str) -> None:
        again = partial(self._conversing.retry, message_id)
        self._sharing.ask(address, message_id, again)

    def _on_sent_requested(self, answer_id: str) -> None:
        show = partial(self.pane.drawer.sent.show_sent, answer_id)
        self._bridge.run(partial(self._services.conversations.sent, answer_id), show)

    def _on_memory_wanted(self, memory_id: str) -> None:
        self.pane.source_card.close_card()
        self.memory_requested.emit(memory_id)


def _fetched(services: "Services", conversation_id: str) -> Thread:
    rows = services.conversations
    messages = rows.messages(conversation_id)
    turns = turns_of(
        messages,
        rows.receipts(conversation_id),
        rows.recalls(conversation_id),
        rows.outcomes(messages),
        rows.tool_uses(conversation_id),
        services.scoring.of_conversation(conversation_id),
    )
    return Thread(rows.get(conversation_id), turns, rows.draft(conversation_id))


def _switched(services: "Services", message: Message, step: int) -> Changes:
    versions = [version.id for version in services.conversations.versions(message.id)]
    at = versions.index(message.id) + step
    return services.conversations.switch_branch(versions[max(0, min(at, len(versions) - 1))])


def _warm() -> None:
    """Load what draws answers before the first one comes, off the window's thread."""
    parser()
    load_lexers()
