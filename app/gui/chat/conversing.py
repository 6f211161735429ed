"""Sends messages and follows the answers, one per conversation, whatever page is open."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.domain.conversation import MemoryMode, Part
from app.domain.events import Answered, ChatEvent, MessageStored, Token
from app.domain.jobs.operation import Operation
from app.domain.jobs.working import Working
from app.errors import Cancelled, TooLong, Unshared
from app.gui.bridge import Bridge, WorkQueue
from app.gui.chat.cards.live import Live
from app.gui.chat.page import ChatPage

if TYPE_CHECKING:
    from app.services.services import Services

_RATE_EVERY = 8
_WAITS = "This will be sent once the answer in another conversation is finished."
_UNKNOWN = "Something unexpected went wrong."

Start = Callable[[Event], Operation]


class Conversing(QObject):
    """Answers in the making."""

    begun = Signal(str)  # a new conversation has got its first message; its id
    stored = Signal()  # a message that was written here is safe
    refused = Signal(str)  # a message could not be kept; the sentence that says why
    # nothing may go to a server before the person said what may; its address, and the message's id
    unshared = Signal(str, str)
    ended = Signal(str)  # an answer ended, one way or another; the conversation's id

    def __init__(
        self, services: "Services", bridge: Bridge, page: ChatPage, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self._page = page
        page.pane.transcript.live_built.connect(self._on_live_built)

    def send(self, parts: Sequence[Part], *, aside: bool = False) -> None:
        """Send a message in the open conversation, or begin one with it.

        Args:
            parts: The message.
            aside: Whether nothing of it is to be remembered.
        """
        services, page, talk = self._services, self._page, self._page.id or None
        if talk or page.mode is MemoryMode.REMEMBERS:
            self._start(lambda stop: services.chat.send(talk, parts, stop, aside=aside))
        else:
            self._start(partial(_begun_in, services, page.mode, parts, aside))

    def edit(self, message_id: str, parts: Sequence[Part], *, aside: bool = False) -> None:
        """Say something else in place of an earlier message."""
        self._start(lambda stop: self._services.chat.edit(message_id, parts, stop, aside=aside))

    def retry(self, message_id: str) -> None:
        """Answer a message that has no answer."""
        self._start(lambda stop: self._services.chat.retry(message_id, stop))

    def answer_without(self, message_id: str) -> None:
        """Answer a message without its long parts."""
        self._start(lambda stop: self._services.chat.retry(message_id, stop, without=True))

    def regenerate(self, answer_id: str, model: str = "") -> None:
        """Answer again, with another model if one is named."""
        self._start(lambda stop: self._services.chat.regenerate(answer_id, stop, model=model))

    def stop(self) -> bool:
        """Stop the answer in the open conversation; say whether there was any."""
        live = self._page.live
        if live is None or live.ticket is None or live.ticket.cancelled.is_set():
            return False
        live.ticket.cancel()
        return True

    def leave(self, conversation_id: str) -> None:
        """Have a temporary conversation deleted that the person leaves."""
        if (live := self._page.lives.get(conversation_id)) is not None and live.ticket:
            live.ticket.cancel()
        self._bridge.run(partial(self._services.conversations.leave, conversation_id))

    def _start(self, start: Start) -> None:
        """Begin on a worker, which asks for the service: building that takes too long for here."""
        page = self._page
        if page.live is not None:
            return
        live = Live.begin(page.clock)
        if page.lives:
            page.pane.notice.say(_WAITS, tone="accent")
        page.lives[page.id] = live
        page.pane.composer.set_busy(True)
        live.ticket = self._bridge.submit(
            start,
            on_event=partial(self._on_event, live),
            on_result=partial(self._on_result, live),
            on_error=partial(self._on_error, live),
            lane=WorkQueue.INTERACTIVE,
        )

    def _on_event(self, live: Live, event: ChatEvent) -> None:
        live.take(event)
        if isinstance(event, MessageStored):
            self._on_stored(live, event)
        elif isinstance(event, Working):
            self._page.live_working(live)
        elif isinstance(event, Token):
            self._page.pane.transcript.append(live.key, event.text)
            if len(live.pieces) % _RATE_EVERY == 0 and self._page.live is live:
                self._page.show_meter()
        elif isinstance(event, Answered):
            self._page.answer_kept(live)
        else:
            self._page.live_changed(live)

    def _on_live_built(self, key: str) -> None:
        """Let a view that was built late catch up with what came before."""
        for live in self._page.lives.values():
            if live.key == key:
                self._page.live_changed(live)

    def _on_stored(self, live: Live, event: MessageStored) -> None:
        """Move from a page without a conversation to the one that now exists."""
        page, talk = self._page, event.conversation
        if page.lives.get("") is live:
            page.lives[talk.id] = page.lives.pop("")
            if not page.id:
                page.entitle(talk)
                self.begun.emit(talk.id)
            elif talk.mode is MemoryMode.TEMPORARY:  # it was left before it had begun
                self.leave(talk.id)
        if page.live is live:
            page.pane.notice.hide()
            page.question_kept(live)
            self.stored.emit()

    def _on_result(self, live: Live, _changes: Any) -> None:
        conversation = live.question.conversation_id if live.question else ""
        self._page.live_ended(live)
        if conversation:
            self.ended.emit(conversation)

    def _on_error(self, live: Live, error: Exception) -> None:
        if isinstance(error, Cancelled):
            self._on_result(live, None)
            return
        sentence = self._bridge.told(error, _UNKNOWN)
        here = self._page.live is live
        self._page.live_ended(live, sentence, too_large=isinstance(error, TooLong))
        if isinstance(error, Unshared) and live.question is not None and here:
            self.unshared.emit(error.address, live.question.id)
        if live.question is None and here:
            self.refused.emit(f"Not sent: {sentence} Your words are still here.")


def _begun_in(
    services: "Services", mode: MemoryMode, parts: Sequence[Part], aside: bool, cancel: Event
) -> Operation:
    """Begin a conversation in a memory mode other than the usual one."""
    services.restriction.expect_none()
    talk = services.conversations.create(mode)
    changes = yield from services.chat.send(talk.id, parts, cancel, aside=aside)
    return changes
