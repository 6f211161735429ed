"""Answer a message: keep it, recall, build the prompt, stream, keep the answer, learn later.

The person's message is committed before anything else happens. The answer, its trace and the job
that learns from the message are committed together. Stopping keeps what came; a failure keeps the
message and says what happened. Which memories helped is noted, if at all, once the answer is out.
"""

import logging
from collections.abc import Callable, Generator, Sequence
from datetime import timedelta
from threading import Event

from app.conversation import titles
from app.domain.changes import Changes
from app.domain.conversation import Conversation, MemoryMode, Message, Part, Role, Standing
from app.domain.events import ChatEvent, MessageStored
from app.domain.ids import Clock
from app.domain.jobs.kinds import LEARN
from app.domain.language.quoting import parted
from app.domain.limits import LONGEST_MESSAGE, TOO_LONG
from app.domain.memory import DEFAULT_SCOPE, Scope
from app.domain.recall import Hit, HitKind, Query, Recall
from app.domain.reply import Reply
from app.domain.sharing.rule import SharingRule, setting_of
from app.errors import Cancelled, ModelError, Refused
from app.memory.reading.reader import LONGEST
from app.memory.recall.compose import Recaller, trusted
from app.providers.base import LONGEST_TEXT
from app.providers.host import ModelHost
from app.providers.learner import is_small, who_learns
from app.providers.sharing import SETTING, address_of, rule_for
from app.services.answer.allowed import allowed, may_go
from app.services.answer.answering import Answering
from app.services.answer.as_it_is import as_it_is
from app.services.answer.asking import AnswerDraft, AnswerTurn
from app.services.answer.attached import AttachedDocuments
from app.services.answer.fitting import Fitting, Material
from app.services.answer.notebook import NotebookService
from app.services.context.compaction import ContextCompaction
from app.services.context.views import ContextViews
from app.services.preferences import PreferencesService
from app.services.tools.turn import ToolOffers
from app.services.upkeep.queue import learn_job
from app.services.upkeep.scoring import ScoringService
from app.settings.spec import Settings
from app.settings.table import replace
from app.store.journal.sent import Turns
from app.store.links import LinkScope
from app.store.store import Store

log = logging.getLogger(__name__)

NOT_READ = "To learn from it, only the first {:,} characters that you typed are read now."
NOT_EMBEDDED = (
    "Only the first {:,} characters of it can be found by meaning; all of it, by its words."
)
PATIENCE = timedelta(minutes=10)
MOST_PINNED = 20
MOST_ASIDE = 20  # messages before the one that names a conversation

Run = Generator[ChatEvent, None, Changes]


class ChatService:
    """Sends messages and streams answers."""

    def __init__(
        self,
        store: Store,
        recaller: Recaller,
        host: ModelHost,
        preferences: PreferencesService,
        clock: Clock,
        notebook: NotebookService,
        views: ContextViews,
        compaction: ContextCompaction,
        tools: ToolOffers,
        scoring: ScoringService,
        person_wrote: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._notebook = notebook
        self._views = views
        self._compaction = compaction
        self._tools = tools
        self._scoring = scoring
        self._person_wrote = person_wrote
        self._restriction = store.restriction
        self._conversations = store.conversations
        self._messages = store.messages
        self._links = store.links
        self._search = store.words
        self._jobs = store.jobs
        self._meta = store.meta
        self._attached = AttachedDocuments(store.documents, store.messages)
        self._answering = Answering(store, host, notebook, clock)
        self._recaller = recaller
        self._host = host
        self._preferences = preferences
        self._clock = clock

    def send(
        self,
        conversation_id: str | None,
        parts: Sequence[Part],
        cancel: Event,
        *,
        aside: bool = False,
    ) -> Run:
        """Keep a message and answer it; without a conversation, one is begun.

        Args:
            conversation_id: The conversation.
            parts: The message.
            cancel: Stops it.
            aside: Whether nothing of it is to be remembered.

        Raises:
            Refused: There is nothing in the message, or too much, or processing is restricted.
            ModelError: The model did not answer at all; the message is kept.
        """
        self._restriction.expect_none()
        _must_be_a_message(parts)
        with self._store.transaction():
            talk = (
                self._conversations.create(DEFAULT_SCOPE.agent_pk)
                if conversation_id is None
                else self._conversations.get(conversation_id)
            )
            question = self._messages.add(
                talk.id, Role.USER, parted(parts), standing=_standing(aside)
            )
            self._queue_learning(talk, question)
            self._entitle(talk, question)
        changes = yield from self._answered(talk.id, question, cancel)
        return changes

    def edit(
        self, message_id: str, parts: Sequence[Part], cancel: Event, *, aside: bool = False
    ) -> Run:
        """Say something else in place of an earlier message: a new branch; the old one stays.

        Args:
            message_id: The earlier message.
            parts: What is said now.
            cancel: Stops it.
            aside: Whether nothing of it is to be remembered.
        """
        self._restriction.expect_none()
        _must_be_a_message(parts)
        old = self._messages.get(message_id)
        with self._store.transaction():
            question = self._messages.add(
                old.conversation_id,
                Role.USER,
                parted(parts),
                parent_id=old.parent_id,
                standing=_standing(aside),
            )
            self._queue_learning(self._conversations.get(old.conversation_id), question)
        changes = yield from self._answered(old.conversation_id, question, cancel)
        return changes

    def retry(self, message_id: str, cancel: Event, *, without: bool = False) -> Run:
        """Answer a message that has no answer yet.

        Args:
            message_id: The message.
            cancel: Stops it.
            without: Whether the model is not shown its long parts: the model refuses them.
        """
        question = self._messages.get(message_id)
        talk_id = question.conversation_id
        changes = yield from self._answered(talk_id, question, cancel, without=without)
        return changes

    def preview(self, message_id: str, rule: SharingRule, cancel: Event) -> Turns:
        """Return what would be sent to answer a message if a rule held; nothing of it is sent.

        Raises:
            ModelError: The model cannot be asked how much it reads, or reads too little.
        """
        question, settings = self._messages.get(message_id), self._preferences.values()
        talk, model_id = self._conversations.get(question.conversation_id), settings.chat.model
        tried = replace(settings, SETTING, setting_of({address_of(model_id): rule}))
        turn = AnswerTurn(talk, question, tried, model_id=model_id)
        with self._host.chat(cancel=cancel, seed=talk.id, rule=rule) as model:
            fitting = Fitting(model, self._material(turn, without=False), {}, cancel)
            turns = model.outgoing(fitting.fitted().prompt.turns)
        return [(one.role, one.content) for one in turns]

    def regenerate(self, answer_id: str, cancel: Event, *, model: str = "") -> Run:
        """Answer again; the earlier answer stays as another branch.

        Args:
            answer_id: The earlier answer.
            cancel: Stops it.
            model: Who answers this time; empty for who answers always.
        """
        answer = self._messages.get(answer_id)
        if answer.role is not Role.ASSISTANT or answer.parent_id is None:
            raise Refused("Only an answer can be given again.")
        question = self._messages.get(answer.parent_id)
        talk_id = answer.conversation_id
        changes = yield from self._answered(talk_id, question, cancel, chosen=model)
        return changes

    def _answered(
        self,
        conversation_id: str,
        question: Message,
        cancel: Event,
        *,
        without: bool = False,
        chosen: str = "",
    ) -> Run:
        self._restriction.expect_none()
        touched = Changes(conversations=frozenset({conversation_id}), jobs=True)
        self._person_wrote()
        try:
            yield MessageStored(self._conversations.get(conversation_id), question)
            reply = self._by_notebook(conversation_id, question, chosen)
            turn, draft = self._begun(conversation_id, question, reply, chosen), AnswerDraft()
            if reply is not None:
                touched |= reply.changes
                yield from self._answering.replied(turn, draft)
        except Cancelled:
            return touched
        if reply is None:
            material = self._material(turn, without=without)
            turn = yield from self._answering.streamed(turn, material, draft, cancel)
        for use in draft.uses:
            touched |= use.result.changes if use.result else Changes()
        answered = self._answering.kept(turn, draft)
        if answered is not None:
            yield answered
            self._compaction.enqueue_if_due(conversation_id)
            self._scoring.enqueue_if_drawn(turn.talk, answered.message)
            self._answering.note_what_helped(turn, draft)
        return touched

    def _by_notebook(self, conversation_id: str, question: Message, chosen: str) -> Reply | None:
        """Return the answer that needs no model: any where there is none, else that to an order."""
        talk = self._conversations.get(conversation_id)
        if not self._host.chat_info(choice=chosen).weights:
            return self._notebook.reply(talk, question)
        try:
            return self._notebook.ordered(talk, question)
        except ModelError as error:
            log.info("a message was not read for orders: %s", type(error).__name__)
            return None

    def _begun(
        self, conversation_id: str, question: Message, reply: Reply | None, chosen: str
    ) -> AnswerTurn:
        """Return what an answer is made from; its trace says what of the message nothing reads."""
        settings, info = self._preferences.values(), self._host.chat_info(choice=chosen)
        talk = self._conversations.get(conversation_id)
        learns = settings.extraction.enabled and talk.mode.learns and not question.aside
        notes = []
        if learns and len(question.typed) > LONGEST:
            notes.append(NOT_READ.format(LONGEST))
        elif len(question.text) > LONGEST_TEXT:
            notes.append(NOT_EMBEDDED.format(LONGEST_TEXT))
        unread = self._notebook.unread(question) if learns and reply is None else ""
        idle = who_learns(settings, self._host.folder, self._host.learnt).why if learns else ""
        notes += [unread] if unread else []
        notes += [idle] if idle and self._meta.first(f"told {idle}") else []  # once of each model
        if reply is not None:
            return AnswerTurn(talk, question, settings).replied(reply).noting(*notes)
        return AnswerTurn(talk, question, settings, tuple(notes), model_id=info.id, chosen=chosen)

    def _material(self, turn: AnswerTurn, *, without: bool) -> Material:
        """Return what the prompt of a turn is made of, once a model says how much fits."""
        talk, question, settings = turn.talk, turn.question, turn.settings
        rule = rule_for(turn.model_id, settings.models.sharing)

        def recalled(visible: Sequence[Message]) -> Recall:
            if not (settings.rag.enabled and talk.mode.reads):
                return Recall()
            seen = frozenset({question.id, *(message.id for message in visible)})
            query = Query(question.text, Scope(talk.agent_pk), self._clock(), seen)
            recall = self._recaller.recall(query)
            small = is_small(turn.model_id, self._host.folder, self._host.learnt)
            judging = self._notebook.answerer if small else None
            return allowed(as_it_is(question, recall, judging), rule)

        info = self._host.chat_info(choice=turn.chosen)
        history = self._views.before(question, info.context_tokens)
        pinned = may_go(self._pinned(talk, settings), rule)
        tools = self._tools.to(turn.model_id, talk, question, history, rule)
        return Material(
            question,
            history,
            settings,
            pinned,
            recalled,
            without,
            tools.toolbox,
            self._attached.read,
        )

    def _pinned(self, talk: Conversation, settings: Settings) -> list[Hit]:
        """Return the memories that stand in every prompt of a conversation that reads."""
        if not talk.mode.reads:
            return []
        asked = LinkScope(Scope(talk.agent_pk), trusted(settings.rag), self._clock())
        found = [one.pk for one in self._links.pinned(asked, (), MOST_PINNED)]
        hits = self._search.hydrate(found)
        return [hits[key] for pk in found if (key := (HitKind.MEMORY, pk)) in hits]

    def _queue_learning(self, talk: Conversation, question: Message) -> None:
        """Note that the message is to be learnt from, even if nothing answers or all ends here."""
        if question.aside or talk.mode is MemoryMode.TEMPORARY:
            return
        later = self._clock() + PATIENCE
        self._jobs.enqueue(LEARN, f"{LEARN}:{question.id}", learn_job(question.id), later)

    def _entitle(self, talk: Conversation, question: Message) -> None:
        """Name a conversation after its first message that may be remembered.

        Titles are recalled with what is said under them.
        """
        if talk.title or question.aside or talk.message_count > MOST_ASIDE:
            return
        if all(one.aside for one in self._messages.before(question.id)):
            own = titles.from_message(question.typed)
            title = own or titles.from_message(question.text)
            self._conversations.rename(talk.id, title, by_user=False)


def _standing(aside: bool) -> Standing:
    return Standing.ASIDE if aside else Standing.OWN


def _must_be_a_message(parts: Sequence[Part]) -> None:
    if not any(part.text.strip() for part in parts):
        raise Refused("There is nothing to send.")
    length = sum(len(part.text) for part in parts)
    if length > LONGEST_MESSAGE:
        raise Refused(TOO_LONG.format(LONGEST_MESSAGE, length))
