"""Live one life with the real services, on a clock that is put forward; then ask and order.

Every message goes the way of the chat and is learnt from by the background job. Every question and
every order is the first message of a conversation of its own, as in the window. No model answers
while the life is told, so that the same is known whichever model answers afterwards.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Event
from time import perf_counter

from app.bench.extract import NO_MODEL
from app.bench.life.script import Ask, LifeFact, LifeScript, Order
from app.bench.opened import HandClock
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.events import Answered, ChatEvent, MessageStored, Recalled, Token
from app.domain.jobs.progress import Progress
from app.domain.memory import DEFAULT_SCOPE, Memory, MemoryFilter
from app.domain.recall import Hit
from app.domain.trace import OUTDATED
from app.errors import ModelError
from app.services.services import Services
from app.store.store import Store


@dataclass(frozen=True, slots=True)
class LifeReply:
    """What was answered to a message.

    Attributes:
        text: The answer as the person reads it, receipts included.
        did: What was done to rows of memory because of it, as the journal names it.
        milliseconds: From sending to the whole answer.
        more: What "more" below the answer opens.
        streamed: What a model wrote as it came, whatever became of it.
        hits: What stood in the model's prompt.
        changed: What was found as well, and left out of it as no longer so.
        failed: Why nothing was answered, in a sentence.
    """

    text: str
    did: frozenset[str]
    milliseconds: float
    more: str = ""
    streamed: str = ""
    hits: Sequence[Hit] = ()
    changed: Sequence[Hit] = ()
    failed: str = ""


@dataclass(slots=True)
class LifeResult:
    """What became of a life.

    Attributes:
        told: The reply to each message of the talk.
        memories: Every memory when all was told.
        sources: The index of the message that each memory rests on, by its id.
        asked: The reply to each question.
        ordered: The reply to each order, with every memory afterwards.
    """

    life: LifeScript
    told: list[LifeReply] = field(default_factory=list)
    memories: Sequence[Memory] = ()
    sources: dict[str, int] = field(default_factory=dict)
    asked: list[tuple[Ask, LifeReply]] = field(default_factory=list)
    ordered: list[tuple[Order, LifeReply, Sequence[Memory]]] = field(default_factory=list)

    def since(self, memory: Memory, fact: LifeFact) -> bool:
        """Return whether a memory was told by the message that ended a fact, or later."""
        said = self.sources.get(memory.id)
        return fact.until is not None and said is not None and said >= fact.until


class Living:
    """Lives one life with a fresh profile and its clock."""

    def __init__(
        self, life: LifeScript, services: Services, store: Store, moment: HandClock
    ) -> None:
        self._life = life
        self._services = services
        self._moment = moment
        self._rows = store.conversations
        self._messages = store.messages
        self._journal = store.journal
        self._recalls = store.recalls
        self._talks: dict[str, str] = {}
        self._sent: list[str] = []

    def live(
        self, learn_from: str = "", answer_with: str = ""
    ) -> Generator[Progress, None, LifeResult]:
        """Tell, ask and order everything, with models by their settings; empty for none."""
        self._choose(NO_MODEL, learn_from)
        lived = LifeResult(self._life)
        total = len(self._life.talk) + len(self._life.asks) + len(self._life.orders)
        for number in range(len(self._life.talk)):
            yield Progress(f"{self._life.id}: telling", number, total)
            lived.told.append((yield from self._tell(number)))
        self._moment.now = self._life.today
        lived.memories = self._all()
        lived.sources = self._sources(lived.memories)
        if answer_with:
            self._choose(answer_with, learn_from or NO_MODEL)
        for ask in self._life.asks:
            yield Progress(f"{self._life.id}: asking", len(lived.told) + len(lived.asked), total)
            self._moment.now += timedelta(seconds=30)
            said = [Part(ask.question, PartOrigin.TYPED)]
            lived.asked.append((ask, (yield from self._say(None, said))))
        for order in self._life.orders:
            yield Progress(f"{self._life.id}: ordering")
            self._moment.now += timedelta(seconds=30)
            reply = yield from self._say(None, [Part(order.said, PartOrigin.TYPED)])
            lived.ordered.append((order, reply, self._all()))
        return lived

    def _choose(self, answers: str, learns: str) -> None:
        """Let models answer and learn; what they answer depends on no chance."""
        chosen = {"chat.model": answers, "extraction.learn_from": learns, "chat.temperature": 0.0}
        for key, value in chosen.items():
            self._services.preferences.set(key, value)

    def _tell(self, number: int) -> Generator[Progress, None, LifeReply]:
        told = self._life.talk[number]
        self._moment.now = told.at
        talk = self._talks.get(told.talk)
        if told.assistant:
            talk = talk or self._rows.create(DEFAULT_SCOPE.agent_pk).id
            spoken = (Part(told.assistant, PartOrigin.MODEL),)
            self._messages.add(talk, Role.ASSISTANT, spoken)
        parts = [Part(told.said, PartOrigin.TYPED)]
        if told.pasted:
            parts.append(Part(told.pasted, PartOrigin.PASTED))
        reply = yield from self._say(talk, parts, told.talk)
        return reply

    def _say(
        self, talk: str | None, parts: Sequence[Part], label: str = ""
    ) -> Generator[Progress, None, LifeReply]:
        """Send a message and do all the work that waits."""
        before, started = self._journal.tail(), perf_counter()
        heard = _Heard()
        try:
            for event in self._services.chat.send(talk, parts, Event()):
                heard.take(event)
        except ModelError as error:
            heard.failed = str(error)
        took = (perf_counter() - started) * 1000
        yield from self._services.background.run()
        if label:
            self._talks[label] = heard.talk
            self._sent.append(heard.message)
        return LifeReply(
            heard.answer,
            self._journal.done_since(before),
            took,
            self._more(heard.answered),
            heard.streamed,
            heard.hits,
            heard.changed,
            heard.failed,
        )

    def _more(self, answer: str) -> str:
        stored = self._recalls.of_answer(answer) if answer else None
        return "\n".join(hit.text for hit in stored.recall.hits) if stored else ""

    def _all(self) -> Sequence[Memory]:
        return self._services.memories.list(MemoryFilter(order="oldest"), 0, -1)

    def _sources(self, memories: Sequence[Memory]) -> dict[str, int]:
        place = {message: number for number, message in enumerate(self._sent)}
        return {m.id: place[m.source_id] for m in memories if m.source_id in place}


@dataclass(slots=True)
class _Heard:
    """What was heard while a message was answered."""

    talk: str = ""
    message: str = ""
    answered: str = ""
    answer: str = ""
    streamed: str = ""
    hits: Sequence[Hit] = ()
    changed: Sequence[Hit] = ()
    failed: str = ""

    def take(self, event: ChatEvent) -> None:
        """Take in what happened next."""
        if isinstance(event, MessageStored):
            self.talk, self.message = event.conversation.id, event.message.id
        elif isinstance(event, Recalled):
            self.hits = event.in_prompt
            self.changed = [hit for hit in event.recall.dropped if hit.dropped == OUTDATED]
        elif isinstance(event, Token):
            self.streamed += event.text
        elif isinstance(event, Answered):
            self.answer, self.answered = event.message.text, event.message.id
