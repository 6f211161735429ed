"""Hear what messages of the person state and order, in the light of what led up to them.

What is said in a game of pretence states nothing, and what may be said in one, or was a joke, is
in doubt. What is said off the record, or in a language the reader was not taught, states nothing
either, and a short answer counts with its question. The learnt reader tells the rest
(``app.memory.reading``); where it does not answer, nothing is stated and the message can still be
found.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app.domain.conversation import Message, Role
from app.domain.language.question import only_asks, wants_work
from app.domain.language.reading import Act, Change, Reading, Statement, StatementKind
from app.domain.language.text import clipped
from app.domain.limits import LONGEST_MESSAGE
from app.domain.memory import SAFETY, Candidate, MemoryType
from app.errors import ModelError
from app.memory.reading import naming, wording
from app.memory.reading.corrections import corrected
from app.memory.reading.joining import points_back, sentences
from app.memory.reading.language import is_foreign
from app.memory.reading.reader import Reader
from app.memory.screen.gate import is_clean
from app.memory.text.asides import is_pleasant, jokes, takes_back, unkept, without_order
from app.memory.text.playing import Game, How
from app.providers.base import Understanding
from app.store.messages import Messages

LOOKED_BACK = 200
_NEAR = 12
_BRANCHES = 512
SURE = 0.55
SURE_BESIDE = 0.8
SURE_IT_ASKS = 0.85
LONGEST_NOTE = 1000
_ORDERS = frozenset(
    {Act.FORGET, Act.DELETE_ABOUT, Act.UNDO, Act.STOP_INSTRUCT, Act.ASK_KNOWN, Act.ASK, Act.KNOW}
)
_QUESTIONS = (Act.ASK, Act.KNOW, Act.WORK)
_IN_PLAY = "It may belong to the game."
_IN_JEST = "It may be a joke."
_TYPES = {
    StatementKind.FACT: MemoryType.SEMANTIC,
    StatementKind.TASTE: MemoryType.SEMANTIC,
    StatementKind.EVENT: MemoryType.EPISODIC,
    StatementKind.PLAN: MemoryType.EPISODIC,
    StatementKind.RULE: MemoryType.PROCEDURAL,
}
_CATEGORIES = {
    StatementKind.TASTE: "preference",
    StatementKind.RULE: "preference",
    StatementKind.EVENT: "event",
}


@dataclass(frozen=True, slots=True)
class MessageInContext:
    """A message and what led up to it.

    Attributes:
        message: The message.
        earlier: The last few before it on its branch, oldest first.
        game: The game of pretence that is on when it begins.
    """

    message: Message
    earlier: tuple[Message, ...] = ()
    game: Game = Game()

    @property
    def pretending(self) -> bool:
        """Whether a game of pretence is on when it begins."""
        return self.game.left > 0

    @property
    def asked(self) -> str:
        """What the assistant said just before."""
        last = self.earlier[-1] if self.earlier else None
        return last.text if last is not None and last.role is Role.ASSISTANT else ""


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """What a message states and orders.

    Attributes:
        said: The message and what led up to it.
        agent_pk: Whom it was said to.
        typed: Its words that may count; empty where all of them belong to a game.
        candidates: What the words state, in order.
        reading: What the person does with the message.
        plays: Whether it begins a game or a piece of fiction, in which nothing is stated.
        foreign: Whether its words are in a language in which nothing can be told of them.
        doubtful: Why what it states has to wait: that it may have been said in a game, or as a
            joke; empty where it has not.
        unkept: Whether the person wants nothing of it remembered.
    """

    said: MessageInContext
    agent_pk: int
    typed: str = ""
    candidates: tuple[Candidate, ...] = ()
    reading: Reading = Reading()
    plays: bool = False
    foreign: bool = False
    doubtful: str = ""
    unkept: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether a model would find no more in it: a question or an order that states nothing.

        No model is given such a message, neither at once nor by a review.
        """
        chance = sum(chance for act, chance in self.reading.acts if act in _ORDERS)
        alone = chance >= SURE_IT_ASKS and not sentences(self.typed)[1:]
        asks = alone or (only_asks(self.typed) and not wants_work(self.typed))
        silent = self.plays or self.foreign or self.unkept or not self.typed
        return silent or (asks and not self.reading.statements)


class MessageReader:
    """Hears messages of a vault.

    Args:
        messages: Where what came before a message is read.
    """

    def __init__(self, messages: Messages, models: Callable[[], Understanding]) -> None:
        self._messages = messages
        self._reader = Reader(models)

    def in_context(self, message: Message) -> MessageInContext:
        """Return a message with what led up to it.

        Raises:
            ModelError: The reader does not answer.
        """
        from app.memory.text.pretence import game_on

        before = self._messages.before(message.id, LOOKED_BACK)
        earlier = [one for one in before if not one.aside]  # nothing is understood by those
        turns = ((m.role is Role.USER, _own(m)) for m in before)
        return MessageInContext(message, tuple(earlier[-_NEAR:]), game_on(turns, self._read))

    def in_order(self, messages: Iterable[Message]) -> Iterator[MessageInContext]:
        """Yield the messages of one conversation with what led up to each.

        Args:
            messages: From the first on; each after the one it answers.

        Raises:
            ModelError: The reader does not answer.
        """
        from app.memory.text.pretence import after

        games: dict[str, Game] = {}
        near: dict[str, tuple[Message, ...]] = {}
        for message in messages:
            parent = message.parent_id or ""
            before, earlier = games.get(parent, Game()), near.get(parent, ())
            yield MessageInContext(message, earlier, before)
            person = message.role is Role.USER
            games[message.id] = after(before, self._read, person=person, text=_own(message))
            near[message.id] = earlier if message.aside else (*earlier, message)[-_NEAR:]
            if len(near) > _BRANCHES:
                near.pop(next(iter(near)))

    def noted(self, text: str, at: datetime) -> Candidate:
        """Return what the person wrote in order to have it kept: their words as they stand.

        Only its kind, whether it matters for safety and the day it names are read; where the reader
        cannot tell it is a fact.
        """
        words = _tidied(text)
        plain = Candidate(text=words, quote=text, extra={"explicit": True})
        if is_foreign(text):
            return plain
        try:
            (reading,) = self._reader.read([naming.NamedMessage(text, at)])
        except ModelError:
            return plain
        if not reading.statements:
            return plain
        first = reading.statements[0]
        read = _candidate(first, Act.REMEMBER)
        tags = (SAFETY,) if any(one.safety for one in reading.statements) else ()
        days = (one.occurred_at for one in reading.statements if one.occurred_at)
        return replace(read, text=words, quote=text, tags=tags, occurred_at=next(days, None))

    def beside_order(self, heard: ReadMessage) -> ReadMessage:
        """Return what a message that is an order tells in other sentences.

        "Forget Tom. I'm 40 now." As a whole it orders; its sentences are read again, each alone.

        Raises:
            ModelError: The reader does not answer.
        """
        apart = [] if heard.plays or heard.unkept else sentences(heard.typed)
        found: list[Candidate] = []
        at = heard.said.message.created_at.astimezone()
        read = (
            self._reader.read([naming.NamedMessage(one, at) for one in apart]) if apart[1:] else []
        )
        for reading in read:
            if reading.act not in _ORDERS:
                told = (s for s in reading.statements if s.sure >= SURE_BESIDE)
                found += [_candidate(s, reading.act) for s in told if not points_back(s.text)]
        return replace(heard, candidates=tuple(found))

    def read(self, said: MessageInContext, agent_pk: int) -> ReadMessage:
        """Return what a message states and orders.

        Raises:
            ModelError: The reader does not answer.
        """
        return self.read_all([(said, agent_pk)])[0]

    def read_all(self, said: Sequence[tuple[MessageInContext, int]]) -> list[ReadMessage]:
        """Return what several messages state and order, each said to an agent.

        Raises:
            ModelError: The reader does not answer.
        """
        counting = [self._counting(one) for one, _ in said]
        asking = [
            naming.NamedMessage(
                without_order(text) or text, one.message.created_at.astimezone(), _asked(one)
            )
            for (_, text), (one, _) in zip(counting, said, strict=True)
            if text.strip()
        ]
        read = iter(self._reader.read(asking))
        return [
            _heard(one, agent_pk, *how, next(read) if how[1].strip() else Reading())
            for how, (one, agent_pk) in zip(counting, said, strict=True)
        ]

    def _counting(self, said: MessageInContext) -> tuple[How, str]:
        """Return how a message goes on with a game that is on, and its words that may count."""
        from app.memory.text.pretence import counting

        return counting(said.message.typed[:LONGEST_MESSAGE], said.game, self._read)

    def _read(self, text: str) -> Reading:
        """Return what a message by itself does and states."""
        (reading,) = self._reader.read([naming.NamedMessage(text, datetime.now(UTC))])
        return reading


def _heard(
    said: MessageInContext, agent_pk: int, how: How, text: str, reading: Reading
) -> ReadMessage:
    """Return what the words of a message that may count state, as they were read.

    Args:
        said: The message and what led up to it.
        agent_pk: Whom it was said to.
        how: How it goes on with a game that is on.
        text: Its words that may count.
        reading: What was read in them, but for an order to remember nothing of it.
    """
    from app.memory.text.pretence import plays

    doubtful = _IN_PLAY if how is not How.LEFT else _IN_JEST if jokes(text) else ""
    least = SURE_BESIDE if how is not How.LEFT else SURE
    game, foreign, off = plays(text), is_foreign(text), unkept(text)
    if off and takes_back(text):
        reading, off = Reading(((Act.FORGET, 1.0),)), False
    elif off:
        reading = replace(reading, statements=())
    elif not (game or foreign):
        reading = _as_asked(text, reading)
    stated = [one for one in reading.statements if one.sure >= least and not (game or foreign)]
    if reading.act is Act.CORRECT:
        stated = [_in_place(one, said) for one in stated]
    candidates = tuple(_candidate(one, reading.act) for one in stated)
    typed = text if text.strip() else ""
    return ReadMessage(
        said, agent_pk, typed, candidates, reading, game, foreign, doubtful, unkept=off
    )


def _as_asked(text: str, reading: Reading) -> Reading:
    """Return a message that does nothing but ask as one that asks, whatever it sounds like.

    "¿Dónde trabajo?" sounds like small talk to the reader; "how are you?" is.
    """
    told = reading.statements or reading.act not in (Act.TELL, Act.CHAT)
    if told or not only_asks(text) or wants_work(text) or is_pleasant(text):
        return reading
    acts = [(act, chance) for act, chance in reading.acts if act in _QUESTIONS]
    total = sum(chance for _, chance in acts)
    acts = [(act, chance / total) for act, chance in acts] if total else [(Act.ASK, 1.0)]
    return replace(reading, acts=tuple(acts))


def _tidied(text: str) -> str:
    """Return what somebody noted, on one line, as they wrote it."""
    return clipped(text, LONGEST_NOTE)


def _asked(said: MessageInContext) -> str:
    """Return what was asked before a message, since a short answer is kept with its question.

    What Loci answers without a model asks nothing, and no order gets into memory as a question.
    """
    last = said.earlier[-1] if said.earlier else None
    if last is None or last.model == "notebook":
        return ""
    return said.asked if is_clean(wording.question(said.asked)) else ""


def _said_before(said: MessageInContext) -> str:
    """Return what the person wrote last before a message, in the same conversation."""
    return next((one.typed for one in reversed(said.earlier) if one.role is Role.USER), "")


def _in_place(one: Statement, said: MessageInContext) -> Statement:
    """Return a correction with what it is of, where that was said in the message before."""
    kind = one.kind if one.kind in (StatementKind.TASTE, StatementKind.RULE) else StatementKind.FACT

    def dated(text: str) -> str:
        return wording.with_dates(text, said.message.created_at.astimezone(), kind)

    text, former = corrected(one.text, _said_before(said), one.instead_of, dated)
    return replace(one, text=text, instead_of=tuple(dict.fromkeys((*former, *one.instead_of))))


def _candidate(statement: Statement, act: Act) -> Candidate:
    """Return a statement as it may become a memory; a correction is of what was said before."""
    extra: dict[str, object] = {"change": statement.change} if statement.change else {}
    if act is Act.CORRECT:
        extra |= {"change": Change.NEW, "corrects": True}
    if statement.instead_of:
        extra["instead_of"] = statement.instead_of
    rule = statement.kind is StatementKind.RULE
    if act is Act.REMEMBER or (act is Act.INSTRUCT and rule):
        extra["explicit"] = True  # else a password that is only mentioned would be kept
    return Candidate(
        text=statement.text,
        quote=statement.quote,
        type=_TYPES[statement.kind],
        category=_CATEGORIES.get(statement.kind, "fact"),
        tags=(SAFETY,) if statement.safety else (),
        occurred_at=statement.occurred_at,
        instruction=rule,
        extra=extra,
    )


def _own(message: Message) -> str:
    own = message.typed if message.role is Role.USER else message.text
    return own[:LONGEST_MESSAGE]
