"""An answer in the making, and how it stands among what is already kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from app.domain.conversation import Message, Part, PartOrigin, Role
from app.domain.events import (
    Answered,
    ChatEvent,
    MessageStored,
    Notice,
    Recalled,
    Token,
    ToolEvent,
)
from app.domain.ids import Clock, new_id
from app.domain.jobs.operation import Ticket
from app.domain.jobs.working import Working
from app.domain.prompting.tools import ToolUse
from app.domain.recall import StoredRecall
from app.gui.chat.model import ChatTurn

LOOKING, THINKING = "Looking for memories…", "Thinking…"


@dataclass(eq=False)
class Live:
    """One answer in the making.

    Attributes:
        key: What stands for its id until it has one.
        ticket: What to stop it by.
        question: The person's message, once it is kept.
        answer: The answer, once it is kept.
        working: What the model was last heard to be at before it wrote.
    """

    key: str
    started: Clock
    ticket: Ticket | None = None
    question: Message | None = None
    answer: Message | None = None
    recall: StoredRecall | None = None
    notices: tuple[str, ...] = ()
    working: Working | None = None
    pieces: list[str] = field(default_factory=list)
    first_at: float = 0.0
    uses: tuple[ToolUse, ...] = ()

    @classmethod
    def begin(cls, clock: Clock) -> "Live":
        """Return one that has only just been asked for."""
        return cls(f"live:{new_id(clock())}", clock)

    def take(self, event: ChatEvent) -> None:
        """Take in what happened."""
        match event:
            case MessageStored():
                self.question = event.message
            case Recalled():
                ids = tuple(hit.id for hit in event.in_prompt)
                self.recall, self.notices = StoredRecall("", self.key, event.recall, ids), ()
            case Notice():
                self.notices += (event.text,)
            case Working():
                self.working = event
            case ToolEvent():
                before = [use for use in self.uses if use.result is not None]
                self.uses = (*before, event.use)
            case Token():
                self.first_at = self.first_at or perf_counter()
                self.pieces.append(event.text)
            case Answered():
                self.answer = event.message
                self.recall = event.recall or self.recall

    @property
    def doing(self) -> str:
        """What is being done before the first word comes, for the person."""
        words = self.working.words if self.working else ""
        return words or (LOOKING if self.recall is None else THINKING)

    @property
    def per_second(self) -> float:
        """How many tokens come each second; 0 before that can be said."""
        took = perf_counter() - self.first_at if self.first_at else 0.0
        return (len(self.pieces) - 1) / took if took > 0.5 and len(self.pieces) > 1 else 0.0

    def turn(self) -> ChatTurn:
        """Return it as the transcript shows it."""
        if self.answer is not None:
            return ChatTurn(self.answer, self.recall, notices=self.notices, uses=self.uses)
        question = self.question
        message = Message(
            self.key,
            question.conversation_id if question else "",
            Role.ASSISTANT,
            (Part("".join(self.pieces), PartOrigin.MODEL),),
            self.started(),
            parent_id=question.id if question else None,
        )
        turn = ChatTurn(message, self.recall, notices=self.notices, live=True, doing=self.doing)
        return replace(turn, uses=self.uses)

    def over(self, turns: Sequence[ChatTurn]) -> list[ChatTurn]:
        """Return the turns with this answer in place of whatever else followed its question."""
        if self.question is None:
            return list(turns)
        keys = [turn.key for turn in turns]
        if self.question.id in keys:
            return [*turns[: keys.index(self.question.id) + 1], self.turn()]
        return [*turns, ChatTurn(self.question), self.turn()]
