"""Learn from what was brought in: the person's own words in conversations they had elsewhere.

The reader reads every message they typed, many at a time: what a batch states is embedded in one
call and stored in one transaction, together with how far the reading has come. It can end at any
point and begin again there, without loss and without learning anything twice.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any

from app.domain.conversation import Message
from app.domain.ids import new_id
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark
from app.domain.memory import Origin
from app.errors import NotFound
from app.memory.learn.batch import Terms
from app.memory.learn.context import LearningContext
from app.memory.learn.message_reader import MessageInContext, ReadMessage

ACTOR = "read"
AT_ONCE = 64
_PAGE = 256


@dataclass(frozen=True, slots=True)
class ImportReadState:
    """How far a reading has come; what its checkpoint holds.

    Attributes:
        batch: What one "Undo" undoes.
        at: Which of the conversations it is at.
        after: The last of its messages that was read.
    """

    batch: str
    at: int = 0
    after: int = 0
    figures: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TypedMessage:
    """A message of the person, with the place of its conversation in the list and its agent."""

    at: int
    agent_pk: int
    said: MessageInContext


class Read:
    """Reads conversations that were brought in."""

    def __init__(self, given: LearningContext) -> None:
        self._context = given
        self._settings, self._remember = given.settings, given.remember
        self._messages = given.store.messages

    def run(
        self, conversation_ids: Sequence[str], checkpoint: Mapping[str, Any], mark: Mark
    ) -> Generator[Progress, None, JobResult]:
        """Learn from conversations; nothing where learning is off, or one may not be learnt from.

        Args:
            conversation_ids: Which.
            checkpoint: How far an earlier run came.
            mark: Saves how far this one has come.
        """
        if not self._settings().extraction.enabled:
            return JobResult()
        state = ImportReadState(**(checkpoint or {"batch": new_id(self._context.clock())}))
        total = self._messages.typed_in(conversation_ids)
        messages = self._typed(conversation_ids, state.at, state.after)
        while True:
            done = state.figures.get("messages", 0)
            yield Progress("Learning from what you imported", done, max(total, done))
            batch = list(islice(messages, AT_ONCE))
            if not batch:
                return self._context.done(state.batch, state.figures)
            state = self._kept(state, batch, mark)

    def _typed(self, ids: Sequence[str], at: int, after: int) -> Iterator[TypedMessage]:
        """Yield what the person typed in conversations, from where an earlier run stopped."""
        for number in range(at, len(ids)):
            try:
                talk = self._context.store.conversations.get(ids[number])
            except NotFound:
                continue
            messages = self._said_in(talk.id) if talk.mode.learns else ()
            for said in self._remember.reader.in_order(messages):
                read = number == at and said.message.pk <= after
                if said.message.teaches and not read:
                    yield TypedMessage(number, talk.agent_pk, said)

    def _said_in(self, conversation_id: str) -> Iterator[Message]:
        """Yield the messages of a conversation, a page at a time."""
        after = 0
        while page := self._messages.after(conversation_id, after, _PAGE):
            yield from page
            after = page[-1].pk

    def _kept(
        self, state: ImportReadState, batch: Sequence[TypedMessage], mark: Mark
    ) -> ImportReadState:
        """Remember what a batch states, and that it was read, in one transaction."""
        extraction = self._settings().extraction
        terms = Terms(state.batch, extraction, Origin.IMPORT, ACTOR, (), extraction.ask_first)
        prepared = self._remember.prepare(self._heard(batch), terms)
        with self._context.store.transaction():
            found = self._remember.keep(prepared).figures | {"messages": len(batch)}
            figures = {name: state.figures.get(name, 0) + n for name, n in found.items()}
            last = batch[-1]
            after = replace(state, at=last.at, after=last.said.message.pk, figures=figures)
            mark(asdict(after))
        return after

    def _heard(self, batch: Sequence[TypedMessage]) -> list[ReadMessage]:
        return self._remember.reader.read_all([(one.said, one.agent_pk) for one in batch])
