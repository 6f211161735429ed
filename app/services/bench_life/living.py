"""Live one life with the real services, on a clock that is put forward; then ask and order.

Every message goes the way of the chat and is learnt from by the background job. Every question and
every order is the first message of a conversation of its own, as in the window.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event
from time import perf_counter

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.events import Answered, Stored
from app.domain.memory import Memory, MemoryFilter
from app.domain.progress import Progress
from app.services.bench_extract import NO_MODEL
from app.services.bench_life.script import Ask, Fact, Life, Order
from app.services.services import Services
from app.store.conversations import Conversations
from app.store.journal import Journal
from app.store.recalls import Recalls
from app.store.vault import Vault


@dataclass(slots=True)
class Moment:
    """A clock that is put forward by hand."""

    now: datetime

    def __call__(self) -> datetime:
        """Return how late it is."""
        return self.now


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered to a message.

    Attributes:
        text: The answer as the person reads it, receipts included.
        did: What was done to rows of memory because of it, as the journal names it.
        milliseconds: From sending to the whole answer.
        more: What "more" below the answer opens.
    """

    text: str
    did: frozenset[str]
    milliseconds: float
    more: str = ""


@dataclass(slots=True)
class Lived:
    """What became of a life.

    Attributes:
        told: The reply to each message of the talk.
        memories: Every memory when all was told.
        sources: The index of the message that each memory rests on, by its id.
        asked: The reply to each question.
        ordered: The reply to each order, with every memory afterwards.
    """

    life: Life
    told: list[Reply] = field(default_factory=list)
    memories: Sequence[Memory] = ()
    sources: dict[str, int] = field(default_factory=dict)
    asked: list[tuple[Ask, Reply]] = field(default_factory=list)
    ordered: list[tuple[Order, Reply, Sequence[Memory]]] = field(default_factory=list)

    def since(self, memory: Memory, fact: Fact) -> bool:
        """Return whether a memory was told by the message that ended a fact, or later."""
        said = self.sources.get(memory.id)
        return fact.until is not None and said is not None and said >= fact.until


class Living:
    """Lives one life.

    Args:
        life: What is told, asked and ordered.
        services: A fresh profile.
        vault: Its vault.
        moment: Its clock.
    """

    def __init__(self, life: Life, services: Services, vault: Vault, moment: Moment) -> None:
        self._life = life
        self._services = services
        self._moment = moment
        self._rows = Conversations(vault)
        self._journal = Journal(vault)
        self._recalls = Recalls(vault)
        self._talks: dict[str, str] = {}
        self._messages: list[str] = []

    def live(self, learn_from: str = "") -> Generator[Progress, None, Lived]:
        """Tell, ask and order everything; a model may learn beside the reader."""
        self._services.preferences.set("chat.model", NO_MODEL)
        self._services.preferences.set("extraction.learn_from", learn_from)
        lived = Lived(self._life)
        total = len(self._life.talk) + len(self._life.asks) + len(self._life.orders)
        for number in range(len(self._life.talk)):
            yield Progress(f"{self._life.id}: telling", number, total)
            lived.told.append((yield from self._tell(number)))
        self._moment.now = self._life.today
        lived.memories = self._all()
        lived.sources = self._sources(lived.memories)
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

    def _tell(self, number: int) -> Generator[Progress, None, Reply]:
        told = self._life.talk[number]
        self._moment.now = told.at
        talk = self._talks.get(told.talk)
        if told.assistant:
            talk = talk or self._rows.create().id
            spoken = (Part(told.assistant, PartOrigin.MODEL),)
            self._rows.add_message(talk, Role.ASSISTANT, spoken)
        parts = [Part(told.said, PartOrigin.TYPED)]
        if told.pasted:
            parts.append(Part(told.pasted, PartOrigin.PASTED))
        reply = yield from self._say(talk, parts, told.talk)
        return reply

    def _say(
        self, talk: str | None, parts: Sequence[Part], label: str = ""
    ) -> Generator[Progress, None, Reply]:
        """Send a message and do all the work that waits."""
        before, started, answer = self._journal.tail(), perf_counter(), ""
        message = answered = ""
        for event in self._services.chat.send(talk, parts, Event()):
            if isinstance(event, Stored):
                message = event.message.id
                if label:
                    self._talks[label] = event.conversation.id
            elif isinstance(event, Answered):
                answer, answered = event.message.text, event.message.id
        took = (perf_counter() - started) * 1000
        yield from self._services.background.run()
        if label:
            self._messages.append(message)
        return Reply(answer, self._journal.done_since(before), took, self._more(answered))

    def _more(self, answer: str) -> str:
        stored = self._recalls.of_answer(answer) if answer else None
        return "\n".join(hit.text for hit in stored.recall.hits) if stored else ""

    def _all(self) -> Sequence[Memory]:
        return self._services.memories.list(MemoryFilter(order="oldest"), 0, -1)

    def _sources(self, memories: Sequence[Memory]) -> dict[str, int]:
        place = {message: number for number, message in enumerate(self._messages)}
        return {m.id: place[m.source_id] for m in memories if m.source_id in place}
