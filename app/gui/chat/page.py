"""What is open on the chat screen: the conversation, the answer in the making, what went wrong."""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.conversation import Conversation, MemoryMode, Message
from app.domain.ids import Clock
from app.gui.chat.cards.live import Live
from app.gui.chat.composer.meter import filling
from app.gui.chat.model import ChatTurn, Thread
from app.gui.chat.pane import ChatPane

NO_ANSWER = "This message has no answer yet."
STOPPED = "Stopped before the answer began."


class ChatPage:
    """Keeps the pane in step with what is kept and what is in the making; runs nothing itself.

    Attributes:
        id: The open conversation; empty while a new one has no message.
        mode: What it may do with memory.
        shown: Whether there is something to show; not while a conversation is fetched.
        lives: Answers in the making, by conversation; a new one's is under the empty id.
        model: The id of the model that answers.
        window: How many tokens the model sees at once; 0 where nobody counts.
    """

    def __init__(self, pane: ChatPane, clock: Clock) -> None:
        self.pane = pane
        self.clock = clock
        self.id = ""
        self.mode = MemoryMode.REMEMBERS
        self.shown = False
        self.lives: dict[str, Live] = {}
        self.model, self.window = "", 0
        self._failures: dict[str, str] = {}
        self._too_large: set[str] = set()
        self._notices: dict[str, tuple[str, ...]] = {}
        self._why = ""
        self.begin_new()

    @property
    def live(self) -> Live | None:
        """The answer in the making in the open conversation."""
        return self.lives.get(self.id)

    # Another conversation.

    def begin_new(self) -> None:
        """Show an empty conversation."""
        self.begin_opening("")
        self.shown = True
        self.pane.header.title.say("", editable=False)
        self.set_mode(MemoryMode.REMEMBERS)
        self.pane.show_loading(False)
        self._show_rest()

    def begin_opening(self, conversation_id: str) -> None:
        """Show that a conversation is being fetched."""
        self.id, self.shown, self._why = conversation_id, False, ""
        self.mode = MemoryMode.REMEMBERS  # until it is known
        self.pane.model.restart([])
        self.pane.show_loading(True)

    def show(self, thread: Thread) -> None:
        """Show a conversation for the first time."""
        self.shown = True
        self.entitle(thread.conversation)
        self.pane.model.restart(self._dressed(thread.turns))
        self._show_rest()
        self.pane.show_loading(False)

    def update(self, thread: Thread) -> None:
        """Show a later state of the open conversation."""
        self.entitle(thread.conversation)
        self.pane.model.update(self._dressed(thread.turns))
        self._show_rest()

    def entitle(self, talk: Conversation) -> None:
        """Show whose conversation this is: its title and mode."""
        self.id = talk.id
        self.pane.header.title.say(talk.title, editable=True)
        self.set_mode(talk.mode)

    def set_mode(self, mode: MemoryMode) -> None:
        """Show what the conversation may do with memory."""
        self.mode = mode
        self.pane.set_mode(mode, begun=bool(self.id))

    @property
    def passing(self) -> bool:
        """Whether the open conversation is deleted once it is left."""
        return self.mode is MemoryMode.TEMPORARY

    def _dressed(self, turns: Sequence[ChatTurn]) -> list[ChatTurn]:
        """Return the turns with what only this window knows of them."""
        dressed = list(turns)
        for row, turn in enumerate(dressed):
            if turn.key in self._notices:
                dressed[row] = replace(turn, notices=(*turn.notices, *self._notices[turn.key]))
        if self.live is not None:
            return self.live.over(dressed)
        if dressed and dressed[-1].own:
            dressed[-1] = self._unanswered(dressed[-1])
        return dressed

    def _unanswered(self, turn: ChatTurn) -> ChatTurn:
        failure = self._failures.get(turn.key)
        if failure:
            return replace(turn, failure=failure, too_large=turn.key in self._too_large)
        return replace(turn, unanswered=NO_ANSWER if failure is None else STOPPED)

    # The answer in the making.

    def question_kept(self, live: Live) -> None:
        """Show the person's message, now that it is safe, and that an answer is coming."""
        if self.live is not live or live.question is None or not self.shown:
            return
        model, question = self.pane.model, live.question
        row = model.row_of(question.id)
        if row < 0:
            row = model.row_of(question.parent_id or "") + 1
        model.replace_from(row, [ChatTurn(question), live.turn()])
        self._show_rest()
        self.pane.transcript.to_newest()

    def live_changed(self, live: Live) -> None:
        """Show what was recalled, or a notice."""
        row = self.pane.model.row_of(live.key)
        if self.live is live and row >= 0:
            self.pane.model.put(row, live.turn())
            self._show_why()

    def live_working(self, live: Live) -> None:
        """Show what the model is at before its first word."""
        if self.live is live:
            self.pane.transcript.say_waiting(live.key, live.doing)
            self.show_meter()

    def answer_kept(self, live: Live) -> None:
        """Show the answer as it is kept."""
        if live.answer is None:
            return
        if live.notices:
            self._notices[live.answer.id] = live.notices
        row = self.pane.model.row_of(live.key)
        if self.live is live and row >= 0:
            self.pane.model.put(row, live.turn())
            self._show_rest()

    def live_ended(self, live: Live, failure: str = "", *, too_large: bool = False) -> None:
        """Show that nothing more comes; without a failure it was stopped, or is answered."""
        here = self.live is live
        self.lives = {key: other for key, other in self.lives.items() if other is not live}
        if live.question is not None and live.answer is None:
            self._failures[live.question.id] = failure
            (self._too_large.add if too_large else self._too_large.discard)(live.question.id)
        if not here:
            return
        model = self.pane.model
        if (row := model.row_of(live.key)) >= 0:
            model.replace_from(row, [])
            if model.turns and model.turns[-1].own:
                model.put(len(model.turns) - 1, self._unanswered(model.turns[-1]))
        self._show_rest()

    # What there is to see beside the turns.

    def _show_rest(self) -> None:
        self.pane.composer.set_busy(self.live is not None)
        self.show_meter()
        self._show_why()

    def show_meter(self) -> None:
        """Show how much of the model's window is used, and how fast it writes."""
        turns = self.pane.model.turns
        self.pane.composer.meter.show_filling(filling(turns, self.live, self.model, self.window))

    def model_changed(self, model: str, window: int) -> None:
        """Take note of who answers, and how much it sees at once."""
        self.model, self.window = model, window
        self._show_rest()

    def show_why(self, answer_id: str, tab: str = "") -> None:
        """Show why an answer came out as it did, on a tab of the drawer if one is named."""
        self._why = answer_id
        self._show_why()
        if tab:
            self.pane.drawer.choose(tab)
        self.pane.show_why(True)

    def _show_why(self) -> None:
        turns = self.pane.model.turns
        row = self.pane.model.row_of(self._why) if self._why else -1
        chosen = turns[row] if row >= 0 else None
        if chosen is None or (turns and turns[-1].live):
            chosen = next((turn for turn in reversed(turns) if turn.recall is not None), None)
        at = self.pane.model.row_of(chosen.key) if chosen else 0
        asked = turns[at - 1].message.typed if at > 0 and turns[at - 1].own else ""
        self.pane.drawer.show_turn(chosen, asked)

    def last_own(self) -> Message | None:
        """Return the person's last message."""
        found = (turn.message for turn in reversed(self.pane.model.turns) if turn.own)
        return next(found, None)
