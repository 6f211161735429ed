"""Learn from what the person types, and keep what they ask to be kept.

Only the person's own typed words are evidence. What the assistant said, what was pasted or
attached, and what was recalled can be understood by, but proves nothing; so no memory can confirm
itself by being quoted back. The person may still ask for such a text to be kept: it is then trusted
as far as they vouched for it, with the origin it has and a link to its message in place of a quote.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, Protocol

from app.domain.changes import Changes
from app.domain.conversation import Conversation, Message
from app.domain.ids import Clock, new_id
from app.domain.language.quoting import others
from app.domain.language.text import clipped
from app.domain.memory import Candidate, MemoryType, Origin
from app.domain.reply import Became, StatementOutcome, became
from app.errors import Conflict, ModelError, NotFound, Refused
from app.memory.change.branches import ReplacedMessages
from app.memory.change.comparing import Comparer
from app.memory.change.nearby import Nearby
from app.memory.change.source import Provenance, in_doubt, road, within
from app.memory.learn import llm_extract
from app.memory.learn.batch import BatchOutcome, Prepared, Terms
from app.memory.learn.entailment import Entailment
from app.memory.learn.filing import Filed, Filing
from app.memory.learn.learner import PATIENCE, LearningModel, Lender
from app.memory.learn.message_reader import MessageReader, ReadMessage
from app.memory.learn.replies import Item, beyond
from app.memory.suppression import SuppressionList
from app.memory.text import novelty
from app.providers.base import Embedder, Embedding, PromptTurn, Purpose, Sampling, Understanding
from app.settings.spec import Settings
from app.store.store import Store

log = logging.getLogger(__name__)

_LONGEST = 1000
_ASKED = "asked to remember"


class LearningModels(Lender, Protocol):
    """The models that learning may use."""

    @property
    def embedder(self) -> Embedder:
        """Return the embedder in use."""

    @property
    def understanding(self) -> Understanding:
        """Return what reads messages and judges pairs of texts."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was remembered.

    Attributes:
        changes: What views should refresh; empty where nothing was learnt.
        batch: What "Undo" undoes; empty where nothing is new and nothing was replaced.
        became: What became of each statement.
        heard: What the message states and orders; None where it was not read.
        more: Whether the learning model is to be asked what else is said.
    """

    changes: Changes = Changes()
    batch: str = ""
    became: tuple[Became, ...] = ()
    heard: ReadMessage | None = None
    more: bool = False


class Remember:
    """Turns typed words into memories."""

    def __init__(
        self, store: Store, models: LearningModels, settings: Callable[[], Settings], clock: Clock
    ) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._clock = clock
        self._conversations = store.conversations
        self._messages = store.messages
        self._memories = store.memories
        self._journal = store.journal
        self._suppression = SuppressionList(store)
        self._restriction = store.restriction
        self._vectors = store.vectors
        comparer = Comparer(lambda: models.understanding)
        nearby = Nearby(store, lambda: models.embedder, comparer, clock)
        self._filing = Filing(store, nearby, clock)
        self._replaced = ReplacedMessages(store, clock)
        self._entailment = Entailment(lambda: models.understanding)
        self.reader = MessageReader(store.messages, lambda: models.understanding)
        self.learner = LearningModel(store.trials, models)

    def learn(
        self, message_id: str, heard: ReadMessage | None = None, *, as_read: bool = False
    ) -> Learned:
        """Remember what the reader understands of a message; a second run changes nothing.

        No model is asked, so that nothing waits for one; ``learn_more`` does that. A message that
        no longer exists teaches nothing.

        Args:
            message_id: Which.
            heard: What it states, where that was read already.
            as_read: Whether only that counts, and no model is to be asked.

        Raises:
            ModelError: The reader does not answer.
        """
        found = self._to_learn(message_id)
        if found is None:
            return Learned()
        heard = heard or self._heard(*found)
        more = not (as_read or heard.is_whole) and self.learner.info() is not None
        learned = self._stored(heard)
        if closed := self._replaced.close(found[0], learned.batch or new_id(self._clock())):
            touched = Changes(memories=frozenset(memory.id for memory in closed))
            learned = replace(learned, changes=learned.changes | touched)
        if heard.unkept:
            learned = Learned(became=(Became(StatementOutcome.ONLY_HERE),))
        return replace(learned, heard=heard, more=more)

    def learn_more(self, message_id: str, cancel: Event) -> Learned:
        """Remember what the learning model finds in a message beside what was read: one batch.

        Raises:
            Cancelled: ``cancel`` was set, or the model was needed for something more urgent.
            ModelError: The reader does not answer.
        """
        found = self._to_learn(message_id)
        heard = self._heard(*found) if found else None
        if heard is None or heard.is_whole:
            return Learned()
        more = replace(heard, candidates=self._beyond(heard, cancel))
        both = (*heard.candidates, *more.candidates)
        return replace(self._stored(more), heard=replace(heard, candidates=both))

    def prepare(self, heard: Sequence[ReadMessage], terms: Terms) -> Prepared:
        """Screen what messages state, and embed it all at once, before anything is locked."""
        screened = {
            (one.said.message.id, candidate.text): self._screened(candidate, one, terms)
            for one in heard
            for candidate in one.candidates
        }
        may = [pair for pair in screened.values() if not isinstance(pair, str)]
        texts = list(dict.fromkeys(candidate.text for candidate, _ in may))
        embeddings, embedder_pk = self._embedded(texts)
        known = dict(zip(texts, embeddings, strict=True))
        return Prepared(heard, terms, screened, known, embedder_pk)

    def keep(self, prepared: Prepared) -> BatchOutcome:
        """Remember what messages state, in one transaction; a second time changes nothing.

        Raises:
            Refused: Processing is restricted.
        """
        kept, refused = list[tuple[Candidate, Filed]](), list[str]()
        with self._store.transaction():
            self._restriction.expect_none()
            for one in prepared.heard:
                for candidate in self._new(one):
                    filed = self._kept(candidate, one, prepared)
                    if isinstance(filed, str):
                        refused.append(filed)
                    else:
                        kept.append((candidate, filed))
        return BatchOutcome(kept, refused)

    def remember_text(
        self,
        text: str,
        agent_pk: int,
        *,
        type: MemoryType | None = None,  # noqa: A002 - the field's name
        key: str | None = None,
        value: Any = None,
        tags: Sequence[str] = (),
        pinned: bool = False,
    ) -> Learned:
        """Remember what the person wrote for this very purpose, as one memory.

        What is plainly another's in it makes it a text of theirs, kept as it stands.

        Raises:
            Refused: There is nothing in it, or it must not be stored.
        """
        now = self._clock()
        own = not others(_something(text))
        words = clipped(text, _LONGEST)
        candidate = Candidate(text=words, quote=words)
        if own:
            candidate = self.reader.noted(_something(text), now.astimezone())
        if type is not None and type is not MemoryType.SEMANTIC:
            candidate = replace(candidate, type=type)
        if key:
            candidate = replace(candidate, key=key, value=value, extra={})
        origin = Origin.USER_TYPED if own else Origin.DOCUMENT
        source = Provenance(
            origin, now, new_id(now), agent_pk, tags=tuple(tags), pinned=pinned, quoted=own
        )
        return self._file([(candidate, source)])

    def remember_selection(self, message_id: str, selection: str = "") -> Learned:
        """Remember a message, or the part of it that was selected, because the person asked.

        What they typed is understood like a note of theirs. Any other text is kept as it stands,
        as a fact and never as an instruction.

        Raises:
            NotFound: The message no longer exists.
            Refused: There is nothing in it, or it must not be stored.
        """
        message = self._messages.get(message_id)
        talk = self._conversations.get(message.conversation_id)
        whole = message.typed if message.typed.strip() else message.text
        words = clipped(_something(selection or whole), _LONGEST)
        origin = road(message, words)
        own = origin is Origin.USER_TYPED
        candidates = [Candidate(text=words, quote=words)]
        if own:
            candidates = [self.reader.noted(words, message.created_at.astimezone())]
        source = Provenance(
            origin,
            message.created_at,
            new_id(self._clock()),
            talk.agent_pk,
            message.id,
            reason=_ASKED,
            quoted=own,
        )
        return self._file([(candidate, source) for candidate in candidates])

    def keep_note(self, candidate: Candidate, source: Provenance) -> Learned:
        """Remember what a model wrote down and the person's words support, beside what is known.

        Raises:
            Refused: It must not be stored.
        """
        candidate, source = self._filing.screened(candidate, source)
        (embedding,), embedder_pk = self._embedded([candidate.text])
        settings = self._settings().extraction
        with self._store.transaction():
            self._restriction.expect_none()
            filed = self._filing.file(candidate, source, settings, embedding, embedder_pk)
        return self._learned([filed], source.batch)

    # -- what may be learnt ------------------------------------------------------------------------

    def _may_learn(self, message: Message, talk: Conversation) -> bool:
        return self._settings().extraction.enabled and talk.mode.learns and message.teaches

    # -- what a message says -----------------------------------------------------------------------

    def _to_learn(self, message_id: str) -> tuple[Message, Conversation] | None:
        """Return a message that may be learnt from, with its conversation."""
        try:
            message = self._messages.get(message_id)
            talk = self._conversations.get(message.conversation_id)
        except NotFound:
            return None
        over = self._replaced.is_over(message)
        return (message, talk) if self._may_learn(message, talk) and not over else None

    def _heard(self, message: Message, talk: Conversation) -> ReadMessage:
        return self.reader.read(self.reader.in_context(message), talk.agent_pk)

    def _beyond(self, heard: ReadMessage, cancel: Event) -> tuple[Candidate, ...]:
        """Return what a model understands a message to state beside what was read."""

        def ask(prompt: list[PromptTurn], sampling: Sampling) -> list[Item] | None:
            return self.learner.asked(prompt, sampling, cancel, PATIENCE)

        limit = self._settings().extraction.max_facts_per_turn
        at, asked = heard.said.message.created_at.astimezone(), heard.said.asked
        proposed = llm_extract.proposals(ask, heard.typed, at, limit, answer=asked)
        return tuple(beyond(heard.candidates, self.believed(proposed, heard)))

    def believed(self, proposed: Sequence[Candidate], heard: ReadMessage) -> list[Candidate]:
        """Return what a model proposes and what the person typed supports."""
        at = heard.said.message.created_at.astimezone()
        return [] if heard.foreign else self._entailment.believed(proposed, heard.typed, at)

    # -- keeping it --------------------------------------------------------------------------------

    def _new(self, heard: ReadMessage) -> Iterator[Candidate]:
        """Yield what a message states, except what was written from it before."""
        found = heard.candidates
        done = [
            str(entry.after.get("text", ""))
            for entry in (self._journal.of_message(heard.said.message.id) if found else ())
            if entry.op == "insert" and entry.after.get("origin") != Origin.DOCUMENT
        ]
        for candidate in found:
            if not any(novelty.says_no_more(candidate.text, text) for text in done):
                yield candidate

    def _kept(self, candidate: Candidate, heard: ReadMessage, prepared: Prepared) -> Filed | str:
        """Remember one statement; return why not, where it must not be."""
        message = heard.said.message
        if why := self._suppression.refuses(candidate, message, heard.agent_pk):
            return why
        at, screened = (message.id, candidate.text), prepared.screened
        pair = screened[at] if at in screened else self._screened(candidate, heard, prepared.terms)
        if isinstance(pair, str):
            return pair
        candidate, source = pair
        embedding, embedder_pk = prepared.embeddings.get(candidate.text), prepared.embedder_pk
        if candidate.text not in prepared.embeddings:
            (embedding,), embedder_pk = self._embedded([candidate.text])
        try:
            with self._store.transaction():
                settings = prepared.terms.settings
                filed = self._filing.file(candidate, source, settings, embedding, embedder_pk)
        except (Conflict, Refused) as error:  # one statement costs no other
            log.info("a statement was not kept (%s)", type(error).__name__)
            return str(error)
        return filed

    def _screened(
        self, candidate: Candidate, heard: ReadMessage, terms: Terms
    ) -> tuple[Candidate, Provenance] | str:
        """Return a statement as it may be stored, with its source; else why it must not be."""
        message = heard.said.message
        source = terms.source(candidate, message.created_at, message.id, heard.agent_pk)
        source = within(source, message.typed, candidate.quote)
        source = in_doubt(source, message.typed, candidate.quote)
        if heard.doubtful:
            source = replace(source, proposed=True, waits=heard.doubtful)
        try:
            return self._filing.screened(candidate, source)
        except Refused as error:
            return str(error)

    def _file(self, pairs: Sequence[tuple[Candidate, Provenance]]) -> Learned:
        """Remember what the person asked for.

        Raises:
            Refused: It must not be stored.
        """
        settings = self._settings().extraction
        pairs = [self._filing.screened(one, replace(source, asked=True)) for one, source in pairs]
        embeddings, embedder_pk = self._embedded([candidate.text for candidate, _ in pairs])
        filed: list[Filed] = []
        with self._store.transaction():
            for (candidate, source), embedding in zip(pairs, embeddings, strict=True):
                one = self._filing.file(
                    candidate, source, settings, embedding, embedder_pk, asked=True
                )
                filed.append(one)
        return self._learned(filed, pairs[0][1].batch)

    def _stored(self, heard: ReadMessage) -> Learned:
        """Remember what a message states, as one batch."""
        settings = self._settings().extraction
        terms = Terms(new_id(self._clock()), settings, ask_first=settings.ask_first)
        kept = self.keep(self.prepare([heard], terms))
        learned = self._learned([filed for _, filed in kept.filed], terms.batch)
        refused = [Became(StatementOutcome.REFUSED, why=why) for why in dict.fromkeys(kept.refused)]
        return replace(learned, became=(*learned.became, *refused))

    def _learned(self, filed: Sequence[Filed], batch: str) -> Learned:
        written = any(one.written or one.replaced for one in filed)
        touched = {one.memory.id for one in filed} | {i for one in filed for i in one.closed}
        batches = frozenset({batch}) if written else frozenset[str]()
        said = frozenset(one.said for one in filed if one.said)
        changes = Changes(memories=frozenset(touched), batches=batches, said=said)
        told = tuple(self._became(one) for one in filed)
        return Learned(changes, batch if written else "", told)

    def _became(self, filed: Filed) -> Became:
        was = "; ".join(old.text for old in self._memories.by_ids(filed.replaced))
        return became(filed.memory, was, written=filed.written)

    def _embedded(self, texts: Sequence[str]) -> tuple[list[Embedding | None], int]:
        """Embed statements for comparison; without an embedder only equal texts are the same."""
        if not texts:
            return [], 0
        try:
            embedder = self._models.embedder
            found = embedder.embed(texts, Purpose.PASSAGE)
            embedder_pk = self._vectors.use(embedder.info.id, embedder.info.dims)
        except ModelError as error:
            log.info("statements were compared by their words (%s)", type(error).__name__)
            return [None] * len(texts), 0
        return list(found), embedder_pk


def _something(text: str) -> str:
    if not text.strip():
        raise Refused("There is nothing to remember in an empty text.")
    return text.strip()
