"""What is open on the chat screen: the conversation, the answer in the making, what went wrong."""

from dataclasses import replace

from app.domain.conversation import MemoryMode, Message
from app.domain.ids import Clock
from app.gui.chat.live import Live, composed, tokens_in, with_answer, with_question
from app.gui.chat.model import Thread, Turn
from app.gui.chat.pane import ChatPane


class Page:
    """Keeps the pane in step with what is kept and what is in the making; runs nothing itself.

    Attributes:
        id: The open conversation; empty while a new one has no message.
        mode: What it may do with memory.
        thread: What is kept of it; None while it is fetched, or before there is anything.
        lives: Answers in the making, by conversation; a new one's is under the empty id.
        window: How many tokens the model sees at once; 0 where nobody counts.
    """

    def __init__(self, pane: ChatPane, clock: Clock) -> None:
        self.pane = pane
        self.clock = clock
        self.id = ""
        self.mode = MemoryMode.REMEMBERS
        self.thread: Thread | None = None
        self.lives: dict[str, Live] = {}
        self.window = 0
        self._failures: dict[str, str] = {}
        self._notices: dict[str, tuple[str, ...]] = {}
        self._why = ""
        self._used = 0
        self.begin_new()

    @property
    def live(self) -> Live | None:
        """The answer in the making in the open conversation."""
        return self.lives.get(self.id)

    # Another conversation.

    def begin_new(self) -> None:
        """Show an empty conversation."""
        self.begin_opening("")
        self.pane.header.title.say("", editable=False)
        self.set_mode(MemoryMode.REMEMBERS)
        self.pane.show_loading(False)
        self.refresh()

    def begin_opening(self, conversation_id: str) -> None:
        """Show that a conversation is being fetched."""
        self.id, self.thread, self._why = conversation_id, None, ""
        self.pane.model.restart([])
        self.pane.show_loading(True)

    def show(self, thread: Thread) -> None:
        """Show a conversation for the first time."""
        self._keep(thread)
        self.pane.model.restart(self._turns())
        self._show_rest()
        self.pane.show_loading(False)

    def update(self, thread: Thread) -> None:
        """Show a later state of the open conversation."""
        self._keep(thread)
        self.refresh()

    def _keep(self, thread: Thread) -> None:
        self.thread, self.id = thread, thread.conversation.id
        self.pane.header.title.say(thread.conversation.title, editable=True)
        self.set_mode(thread.conversation.mode)

    def set_mode(self, mode: MemoryMode) -> None:
        """Show what the conversation may do with memory."""
        self.mode = mode
        self.pane.set_mode(mode)

    # The answer in the making.

    def question_kept(self, live: Live, thread: Thread | None) -> None:
        """Show the person's message, now that it is safe, and that an answer is coming."""
        if self.live is live and live.question is not None:
            start = thread or self.thread
            if start is not None:
                self._keep(with_question(start, live.question))
            self.refresh()
            self.pane.transcript.to_newest()

    def live_changed(self, live: Live) -> None:
        """Show what was recalled, or a notice."""
        row = self.pane.model.row_of(live.key)
        if self.live is live and row >= 0:
            self.pane.model.put(row, live.turn())
            self._show_why()

    def answer_kept(self, live: Live) -> None:
        """Show the answer as it is kept."""
        if live.answer is None:
            return
        if live.notices:
            self._notices[live.answer.id] = live.notices
        row = self.pane.model.row_of(live.key)
        if self.live is live and self.thread is not None:
            if row >= 0:
                self.pane.model.put(row, live.turn())
            self.thread = with_answer(self.thread, live)
            self._show_rest()

    def live_ended(self, live: Live, failure: str = "") -> None:
        """Show that nothing more comes."""
        self.lives = {key: other for key, other in self.lives.items() if other is not live}
        if live.question is not None and failure:
            self._failures[live.question.id] = failure
        self.refresh()

    # What there is to see.

    def refresh(self) -> None:
        """Bring the page up to date."""
        if self.thread is not None:
            self.pane.model.update(self._turns())
        self._show_rest()

    def _turns(self) -> list[Turn]:
        if self.thread is None:
            return []
        return composed(self.thread, self.live, self._failures, self._notices)

    def _show_rest(self) -> None:
        self.pane.composer.set_busy(self.live is not None)
        self._used = tokens_in(self.thread.messages) if self.thread else 0
        self.show_meter()
        self._show_why()

    def show_meter(self) -> None:
        """Show how much of the model's window is used, and how fast it writes."""
        used = self._used
        if self.live is not None:
            used += len(self.live.pieces)
        speed = self.live.per_second if self.live is not None else 0.0
        self.pane.composer.set_meter(min(used, self.window), self.window, speed)

    def show_why(self, answer_id: str) -> None:
        """Show why an answer came out as it did."""
        self._why = answer_id
        self._show_why()
        self.pane.show_why(True)

    def _show_why(self) -> None:
        turns = self.pane.model.turns
        row = self.pane.model.row_of(self._why) if self._why else -1
        chosen = turns[row] if row >= 0 else None
        if chosen is None or (self.live is not None and turns and turns[-1].live):
            chosen = next((turn for turn in reversed(turns) if turn.recall is not None), None)
        self.pane.drawer.show_turn(chosen)

    def last_own(self) -> Message | None:
        """Return the person's last message."""
        found = (turn.message for turn in reversed(self.pane.model.turns) if turn.own)
        return next(found, None)

    def renamed(self, title: str) -> None:
        """Remember a title that is being stored."""
        if self.thread is not None:
            talk = replace(self.thread.conversation, title=title)
            self.thread = replace(self.thread, conversation=talk)
