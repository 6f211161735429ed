"""Answer a message: keep it, recall, build the prompt, stream, keep the answer, learn later.

The person's message is committed before anything else happens. The answer, its trace and the job
that learns from the message are committed together. Stopping keeps what came; a failure keeps the
message and says what happened. Which memories helped is noted, if at all, once the answer is out.
"""

import logging
from collections.abc import Callable, Generator, Sequence
from datetime import timedelta
from threading import Event

from app.conversation import context, titles
from app.domain.changes import Changes
from app.domain.conversation import Conversation, Message, Part, Role
from app.domain.events import ChatEvent, Notice, Recalled, Stored
from app.domain.ids import Clock
from app.domain.limits import LONGEST_MESSAGE, TOO_LONG
from app.domain.memory import Scope
from app.domain.quoting import parted
from app.domain.recall import Hit, HitKind, Query, Recall
from app.domain.reply import Reply
from app.errors import Cancelled, ModelError, Refused
from app.memory.reading.reader import LONGEST
from app.memory.recall.compose import Recaller, trusted
from app.providers.base import LONGEST_TEXT
from app.providers.host import ModelHost
from app.providers.learner import who_learns
from app.services.answering import Answering, Draft, Turn
from app.services.background import learn_job
from app.services.notebook import NotebookService
from app.services.preferences import PreferencesService
from app.services.work import LEARN
from app.settings.spec import Settings
from app.store.conversations import Conversations
from app.store.jobs import JobRows
from app.store.links import Asked, Links
from app.store.meta import Meta
from app.store.restriction import Restriction
from app.store.search import Search
from app.store.vault import Vault

log = logging.getLogger(__name__)

NOT_SHOWN = "The model cannot read so much at once: {:,} characters in the middle were left out."
NOT_READ = "For what to remember, only the first {:,} characters that you typed are read now."
NOT_EMBEDDED = (
    "Only the first {:,} characters of it can be found by meaning; all of it, by its words."
)
PATIENCE = timedelta(minutes=10)
MOST_PINNED = 20

Run = Generator[ChatEvent, None, Changes]


class ChatService:
    """Sends messages and streams answers."""

    def __init__(
        self,
        vault: Vault,
        recaller: Recaller,
        host: ModelHost,
        preferences: PreferencesService,
        clock: Clock,
        notebook: NotebookService,
        person_wrote: Callable[[], None] = lambda: None,
    ) -> None:
        self._vault = vault
        self._notebook = notebook
        self._person_wrote = person_wrote
        self._restriction = Restriction(vault)
        self._conversations = Conversations(vault)
        self._links = Links(vault)
        self._search = Search(vault)
        self._jobs = JobRows(vault)
        self._meta = Meta(vault)
        self._answering = Answering(vault, host, notebook, clock)
        self._recaller = recaller
        self._host = host
        self._preferences = preferences
        self._clock = clock

    def send(self, conversation_id: str | None, parts: Sequence[Part], cancel: Event) -> Run:
        """Keep a message and answer it; without a conversation, one is begun.

        Raises:
            Refused: There is nothing in the message, or too much, or processing is restricted.
            ModelError: The model did not answer at all; the message is kept.
        """
        self._restriction.expect_none()
        _must_be_a_message(parts)
        with self._vault.write():
            talk = (
                self._conversations.create()
                if conversation_id is None
                else self._conversations.get(conversation_id)
            )
            question = self._conversations.add_message(talk.id, Role.USER, parted(parts))
            self._queue_learning(question)
            self._entitle(talk, question)
        changes = yield from self._answered(talk.id, question, cancel)
        return changes

    def edit(self, message_id: str, parts: Sequence[Part], cancel: Event) -> Run:
        """Say something else in place of an earlier message: a new branch; the old one stays."""
        self._restriction.expect_none()
        _must_be_a_message(parts)
        old = self._conversations.message(message_id)
        with self._vault.write():
            question = self._conversations.add_message(
                old.conversation_id, Role.USER, parted(parts), parent_id=old.parent_id
            )
            self._queue_learning(question)
        changes = yield from self._answered(old.conversation_id, question, cancel)
        return changes

    def retry(self, message_id: str, cancel: Event) -> Run:
        """Answer a message that has no answer yet."""
        question = self._conversations.message(message_id)
        changes = yield from self._answered(question.conversation_id, question, cancel)
        return changes

    def regenerate(self, answer_id: str, cancel: Event) -> Run:
        """Answer again; the earlier answer stays as another branch."""
        answer = self._conversations.message(answer_id)
        if answer.role is not Role.ASSISTANT or answer.parent_id is None:
            raise Refused("Only an answer can be given again.")
        question = self._conversations.message(answer.parent_id)
        changes = yield from self._answered(answer.conversation_id, question, cancel)
        return changes

    def _answered(self, conversation_id: str, question: Message, cancel: Event) -> Run:
        self._restriction.expect_none()
        touched = Changes(conversations=frozenset({conversation_id}), jobs=True)
        self._person_wrote()
        try:
            yield Stored(self._conversations.get(conversation_id), question)
            reply = self._by_notebook(conversation_id, question)
            if reply is not None:
                touched |= reply.changes
            turn = self._noted(self._prepared(conversation_id, question, reply))
            for sentence in turn.recall.degraded:
                yield Notice(sentence)
            yield Recalled(turn.recall, turn.prompt.hits)
        except Cancelled:
            return touched
        draft = Draft()
        turn = yield from self._answering.streamed(turn, draft, cancel)
        answered = self._answering.kept(turn, draft)
        if answered is not None:
            yield answered
            self._answering.note_what_helped(turn, draft)
        return touched

    def _by_notebook(self, conversation_id: str, question: Message) -> Reply | None:
        """Return the answer that needs no model: any where there is none, else that to an order."""
        talk = self._conversations.get(conversation_id)
        if not self._host.chat_info().weights:
            return self._notebook.reply(talk, question)
        try:
            return self._notebook.ordered(talk, question)
        except ModelError as error:
            log.info("a message was not read for orders: %s", type(error).__name__)
            return None

    def _prepared(self, conversation_id: str, question: Message, reply: Reply | None) -> Turn:
        settings, info = self._preferences.values(), self._host.chat_info()
        talk = self._conversations.get(conversation_id)
        if reply is not None:
            return Turn(talk, question, settings).replied(reply)
        history = self._conversations.before(question.id)
        window = context.Window(info.context_tokens, settings.chat.max_answer_tokens)
        pinned = self._pinned(talk, settings) if info.weights else []
        visible = (
            context.visible(history, window, question, settings, pinned) if info.weights else []
        )
        recall = Recall()
        if settings.rag.enabled and talk.mode.reads:
            seen = frozenset({question.id, *(m.id for m in visible)})
            recall = self._recaller.recall(
                Query(question.text, Scope(talk.agent_pk), self._clock(), seen)
            )
        prompt = context.build(question, history, recall.hits, settings, window, pinned=pinned)
        return Turn(talk, question, settings, prompt.told(recall), prompt, model_id=info.id)

    def _noted(self, turn: Turn) -> Turn:
        """Return a turn whose trace says what of its message nothing reads, and why."""
        learns = turn.settings.extraction.enabled and turn.talk.mode.learns
        notes = [NOT_SHOWN.format(turn.prompt.left_out)] if turn.prompt.left_out else []
        if learns and len(turn.question.typed) > LONGEST:
            notes.append(NOT_READ.format(LONGEST))
        elif len(turn.question.text) > LONGEST_TEXT:
            notes.append(NOT_EMBEDDED.format(LONGEST_TEXT))
        if learns and turn.reply is None and (why := self._notebook.unread(turn.question)):
            notes.append(why)
        why = who_learns(turn.settings, self._host.folder).why if learns else ""
        if why and self._meta.first(f"told {why}"):  # once of each model
            notes.append(why)
        return turn.noting(*notes)

    def _pinned(self, talk: Conversation, settings: Settings) -> list[Hit]:
        """Return the memories that stand in every prompt of a conversation that reads."""
        if not talk.mode.reads:
            return []
        asked = Asked(Scope(talk.agent_pk), trusted(settings.rag), self._clock())
        found = [one.pk for one in self._links.pinned(asked, (), MOST_PINNED)]
        hits = self._search.hydrate(found)
        return [hits[key] for pk in found if (key := (HitKind.MEMORY, pk)) in hits]

    def _queue_learning(self, question: Message) -> None:
        """Note that the message is to be learnt from, even if nothing answers or all ends here."""
        later = self._clock() + PATIENCE
        self._jobs.enqueue(LEARN, f"{LEARN}:{question.id}", learn_job(question.id), later)

    def _entitle(self, talk: Conversation, question: Message) -> None:
        if not talk.title and talk.message_count == 0:
            own = titles.from_message(question.typed)
            title = own or titles.from_message(question.text)
            self._conversations.rename(talk.id, title, by_user=False)


def _must_be_a_message(parts: Sequence[Part]) -> None:
    if not any(part.text.strip() for part in parts):
        raise Refused("There is nothing to send.")
    length = sum(len(part.text) for part in parts)
    if length > LONGEST_MESSAGE:
        raise Refused(TOO_LONG.format(LONGEST_MESSAGE, length))
