"""An answer in the making, and how it stands among what is already kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from app.domain.conversation import Message, Part, PartOrigin, Role
from app.domain.events import Answered, ChatEvent, Notice, Recalled, Stored, Token
from app.domain.ids import Clock, new_id
from app.domain.recall import StoredRecall
from app.gui.chat.model import Thread, Turn, turns_of
from app.jobs.operation import Ticket

NO_ANSWER = "This message has no answer yet."
_CHARS_PER_TOKEN = 4


@dataclass(eq=False)
class Live:
    """One answer in the making.

    Attributes:
        key: What stands for its id until it has one.
        ticket: What to stop it by.
        question: The person's message, once it is kept.
        answer: The answer, once it is kept.
    """

    key: str
    started: Clock
    ticket: Ticket | None = None
    question: Message | None = None
    answer: Message | None = None
    recall: StoredRecall | None = None
    notices: tuple[str, ...] = ()
    pieces: list[str] = field(default_factory=list)
    first_at: float = 0.0

    @classmethod
    def begin(cls, clock: Clock) -> "Live":
        """Return one that has only just been asked for."""
        return cls(f"live:{new_id(clock())}", clock)

    def take(self, event: ChatEvent) -> None:
        """Take in what happened."""
        match event:
            case Stored():
                self.question = event.message
            case Recalled():
                ids = tuple(hit.id for hit in event.in_prompt)
                self.recall = StoredRecall("", self.key, event.recall, ids)
            case Notice():
                self.notices += (event.text,)
            case Token():
                self.first_at = self.first_at or perf_counter()
                self.pieces.append(event.text)
            case Answered():
                self.answer = event.message
                self.recall = event.recall or self.recall

    @property
    def per_second(self) -> float:
        """How many tokens come each second; 0 before that can be said."""
        took = perf_counter() - self.first_at if self.first_at else 0.0
        return (len(self.pieces) - 1) / took if took > 0.5 and len(self.pieces) > 1 else 0.0

    def turn(self) -> Turn:
        """Return it as the transcript shows it."""
        if self.answer is not None:
            return Turn(self.answer, self.recall, notices=self.notices)
        question = self.question
        message = Message(
            self.key,
            question.conversation_id if question else "",
            Role.ASSISTANT,
            (Part("".join(self.pieces), PartOrigin.MODEL),),
            self.started(),
            parent_id=question.id if question else None,
        )
        return Turn(message, self.recall, notices=self.notices, live=True)


def with_question(thread: Thread, question: Message) -> Thread:
    """Return the thread once the person's message is kept; what came after is another branch."""
    ids = [message.id for message in thread.messages]
    end = ids.index(question.parent_id) + 1 if question.parent_id in ids else 0
    return replace(thread, messages=[*thread.messages[:end], question])


def with_answer(thread: Thread, live: Live) -> Thread:
    """Return the thread with the answer that has just been kept."""
    if live.answer is None:
        return thread
    recalls = {**thread.recalls}
    if live.recall is not None:
        recalls[live.answer.id] = live.recall
    return replace(thread, messages=[*thread.messages, live.answer], recalls=recalls)


def composed(
    thread: Thread,
    live: Live | None,
    failures: Mapping[str, str],
    notices: Mapping[str, tuple[str, ...]],
) -> list[Turn]:
    """Return what the transcript shows: what is kept, then the answer in the making.

    Args:
        thread: What is kept.
        live: The answer in the making.
        failures: Why a message of the person's has no answer, by its id.
        notices: What to say beside an answer, by its id.
    """
    turns = [
        replace(turn, notices=notices[turn.key]) if turn.key in notices else turn
        for turn in turns_of(thread)
    ]
    if live is not None and live.question is not None and live.answer is None:
        return [*turns, live.turn()]
    if live is None and turns and turns[-1].own:
        turns[-1] = replace(turns[-1], failure=failures.get(turns[-1].key, NO_ANSWER))
    return turns


def tokens_in(messages: Sequence[Message]) -> int:
    """Return about how many tokens the messages have."""
    return sum(len(message.text) for message in messages) // _CHARS_PER_TOKEN
