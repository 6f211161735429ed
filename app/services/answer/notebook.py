"""Answer without a language model, and carry out orders about memory, with or without one.

The learnt reader says what the person does with a message. Orders are carried out at once where it
is clear what is meant, as one batch that "Undo" takes back; what was told is learnt before the
answer is given, so that the answer can say what became of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from app.conversation import notebook
from app.domain.changes import Changes
from app.domain.conversation import Conversation, Message, Part, PartOrigin
from app.domain.ids import Clock
from app.domain.language.question import asks, only_asks, questions
from app.domain.language.reading import Act
from app.domain.language.text import normalise
from app.domain.memory import Scope, Status
from app.domain.recall import Query
from app.domain.reply import (
    NEEDS_MODEL,
    Became,
    Reply,
    StatementOutcome,
    became,
)
from app.errors import ModelError
from app.memory.answer.answering import Answerer, Answers
from app.memory.answer.orders import Orders
from app.memory.answer.referring import behind_dropping, lets_drop
from app.memory.learn.message_reader import ReadMessage
from app.memory.learn.remember import Learned, Remember
from app.memory.reading.language import is_foreign
from app.memory.reading.words import words
from app.memory.recall.compose import Recaller
from app.memory.text.asides import is_pleasant
from app.providers.base import Understanding
from app.services.answer.attached import AttachedDocuments
from app.services.answer.ordering import Ordering
from app.services.answer.quoting import DocumentQuotes
from app.services.history import HistoryService
from app.services.memories import MemoriesService
from app.services.undo import UndoService
from app.services.upkeep.queue import QueueService
from app.settings.spec import Settings
from app.store.store import Store

ORDERED = frozenset({Act.FORGET, Act.DELETE_ABOUT, Act.UNDO, Act.STOP_INSTRUCT, Act.ASK_KNOWN})
ASKED = frozenset({Act.ASK, Act.KNOW})
CANDIDATES = 40
MOST_ASKED = 4  # questions of one message
SURE = 0.5
SURE_OF_ALL = 0.9
ASKS_TOO = 0.2
SURE_OF_ASIDE = 0.7
SURE_OF_WORK = 0.8
GREETS = 3  # words
MAY_ASK = 0.1
_FORGETS = (Act.FORGET, Act.DELETE_ABOUT)
_MEANS_NOTHING = frozenset({notebook.NOTHING_MEANT, notebook.NOTHING_ABOUT})
_LANGUAGES_TOLD = "other_languages_told"


class NotebookService:
    """Answers from memory alone.

    Args:
        queue: Where the indexing of what is new is queued.
    """

    def __init__(
        self,
        store: Store,
        remember: Remember,
        recaller: Recaller,
        memories: MemoriesService,
        history: HistoryService,
        undo: UndoService,
        queue: QueueService,
        models: Callable[[], Understanding],
        settings: Callable[[], Settings],
        clock: Clock,
    ) -> None:
        self._remember = remember
        self._recaller = recaller
        self._queue = queue
        self._memories = store.memories
        self._journal = store.journal
        self._meta = store.meta
        self._messages = store.messages
        self._quotes = DocumentQuotes(AttachedDocuments(store.documents, store.messages))
        self.answerer = Answerer(store, models)
        orders = Orders(store, recaller, models)
        self._ordering = Ordering(store, recaller, memories, history, undo, self.answerer, orders)
        self._settings = settings
        self._clock = clock

    def ordered(self, talk: Conversation, message: Message) -> Reply | None:
        """Carry out the order about memory that a message is; None where it is none.

        Raises:
            ModelError: The reader does not answer.
        """
        message, dropped = _without_dropping(message)
        heard = self._ordering.settled(message, self._heard(talk, message))
        if (reply := self._ordered(talk, message, heard)) or not (
            dropped and self._learns(talk, message)
        ):
            return reply
        told = self._remember.learn(message.id, heard, as_read=True)  # nobody reads it again
        return (
            Reply(notebook.LEFT, changes=told.changes, became=told.became) if told.became else None
        )

    def reply(self, talk: Conversation, message: Message) -> Reply:
        """Answer a message from memory alone, having learnt from it."""
        try:
            message, dropped = _without_dropping(message)
            heard = self._ordering.settled(message, self._heard(talk, message))
            if ordered := self._ordered(talk, message, heard):
                return ordered
            reply = self._replied(talk, message, heard, dropped=dropped)
            return self._quotes.added(message, self._messages.before(message.id), reply)
        except ModelError as error:
            return Reply(str(error), heard=False)

    def quoted(self, talk: Conversation, message: Message) -> Reply:
        """Answer a message by what is known of it, word for word, and learn nothing from it."""
        try:
            reply = _quoting(self._found(talk, message, self._heard(talk, message)))
        except ModelError as error:
            reply = Reply(str(error))
        return replace(reply, heard=False)

    def unread(self, message: Message) -> str:
        """Return why nothing is learnt from a message in another language, the first time."""
        new = is_foreign(message.typed) and self._meta.first(_LANGUAGES_TOLD)
        return notebook.OTHER_LANGUAGES if new else ""

    def _ordered(self, talk: Conversation, message: Message, heard: ReadMessage) -> Reply | None:
        act, sure = heard.reading.acts[0]
        if act in _FORGETS:  # which of the two, is of less weight
            sure = sum(dict(heard.reading.acts).get(one, 0.0) for one in _FORGETS)
        bare = words().my.issuperset(normalise(heard.reading.target).split())
        vague = act is Act.ASK_KNOWN and bare  # "Tell me something."
        if act not in ORDERED or sure < (SURE_OF_ALL if vague else SURE) or heard.foreign:
            return None
        query = self._query(talk, message)
        reply = self._ordering.carried_out(message, heard, query)
        if reply.text in _MEANS_NOTHING and (_asking(heard) >= MAY_ASK or asks(message.typed)):
            return None  # "Is there anything he must not be given?" orders nothing
        if reply.text in _MEANS_NOTHING and act in _FORGETS:
            reply = self._ordering.only_said(message, heard, query) or reply
        beside = Learned() if act is Act.UNDO else self._told_beside(talk, message, heard)
        changes = reply.changes | beside.changes | self._queue.enqueue_index()
        return replace(reply, changes=changes, became=beside.became)

    def _told_beside(self, talk: Conversation, message: Message, heard: ReadMessage) -> Learned:
        """Learn what a message tells beside its order: "Forget my car. I'm allergic to latex"."""
        learns = self._learns(talk, message)
        beside = self._remember.reader.beside_order(heard) if learns else heard
        if not (learns and beside.candidates):
            return Learned()
        return self._remember.learn(message.id, beside, as_read=True)

    def _replied(
        self, talk: Conversation, message: Message, heard: ReadMessage, *, dropped: bool
    ) -> Reply:
        learns = self._learns(talk, message)
        before = self._became_before(message)
        learned = self._remember.learn(message.id, heard) if learns else Learned()
        changes = learned.changes | self._queue.enqueue_index()  # of the message at least
        changes |= self._queue.enqueue_learn_more(message.id) if learned.more else Changes()
        told = (*before, *learned.became)
        act = _done(message, heard)
        if act in ASKED or _asks_too(heard):
            found = self._found(talk, message, heard)
            sure = bool(found.told) and (act in ASKED or found.told[0].sure >= SURE_OF_ASIDE)
            if sure or act is Act.ASK:
                return replace(_quoting(found), changes=changes, became=told)
        polite = act is Act.CHAT and not told and greets(message.text)
        text = notebook.chatted(message.text) if polite else ""
        if not told and (lets_drop(message.typed) or (dropped and act in (Act.CHAT, Act.TELL))):
            text = notebook.LEFT
        works = act is Act.WORK and (not told or heard.reading.acts[0][1] >= SURE_OF_WORK)
        if act in ASKED or works:
            own = act in ASKED and _asks_of_own(message.typed)
            text = notebook.UNKNOWN if own else NEEDS_MODEL
        if not told and (not text or (heard.foreign and learns)):
            why = self.unread(message) if learns else _not_learnt(message)
            told = (Became(StatementOutcome.ONLY_HERE, why=why),)
        return Reply(text, changes=changes, became=told)

    def _learns(self, talk: Conversation, message: Message) -> bool:
        return self._settings().extraction.enabled and talk.mode.learns and not message.aside

    def _became_before(self, message: Message) -> Sequence[Became]:
        """Return what a message brought before, where it is answered again; as it is now."""
        return [
            became(memory, "; ".join(old.text for old in self._memories.replaces(memory.id)))
            for memory in self._memories.by_ids(self._made_by(message))
            if memory.status is not Status.FORGOTTEN
        ]

    def _made_by(self, message: Message) -> list[str]:
        """Return which memories a message made."""
        entries = self._journal.of_message(message.id)
        return list(dict.fromkeys(e.memory_id for e in entries if e.op == "insert"))

    def _found(self, talk: Conversation, message: Message, heard: ReadMessage) -> Answers:
        """Return what answers a message; what it told itself answers nothing.

        Where it asks several things, each is answered by itself.
        """
        if not (talk.mode.reads and self._settings().rag.enabled):
            return Answers()
        asked = message.typed or message.text
        several = heard.reading.several
        apart = [] if several else questions(asked)[:MOST_ASKED]
        each = [self._answering(talk, message, one, one) for one in apart] if apart[1:] else []
        told = {one.told[0].hit.id: one.told[0] for one in each if one.told}
        if len(told) > 1:
            return Answers(list(told.values()), more=[n for one in each for n in one.before])
        whole = self._answering(talk, message, message.text, asked, several=several)
        return whole if whole.told else next((one for one in each if one.told), whole)

    def _answering(
        self,
        talk: Conversation,
        message: Message,
        sought: str,
        asked: str,
        *,
        several: bool = False,
    ) -> Answers:
        """Return what answers a question of a message, from what recall finds for some words."""
        query = Query(sought, Scope(talk.agent_pk), self._clock(), frozenset({message.id}))
        own = self._made_by(message)
        nominated = self._recaller.nominated(query, CANDIDATES).hits
        hits = [hit for hit in nominated if hit.memory is None or hit.memory.id not in own]
        return self.answerer.found(asked, hits, several=several)

    def _query(self, talk: Conversation, message: Message) -> Query:
        seen = frozenset({message.id})
        return Query(message.text, Scope(talk.agent_pk), self._clock(), seen)

    def _heard(self, talk: Conversation, message: Message) -> ReadMessage:
        return self._remember.reader.read(self._remember.reader.in_context(message), talk.agent_pk)


def _without_dropping(message: Message) -> tuple[Message, bool]:
    """Return a message without the words that let a matter drop before it goes on, if it does."""
    rest = behind_dropping(message.typed)
    if not rest:
        return message, False
    others = [part for part in message.parts if part.origin is not PartOrigin.TYPED]
    return replace(message, parts=(Part(rest, PartOrigin.TYPED), *others)), True


def _not_learnt(message: Message) -> str:
    return notebook.NOT_THIS if message.aside else notebook.NOT_LEARNING


def _quoting(found: Answers) -> Reply:
    text = notebook.answered(found.told, found.perhaps, found.before, counted=found.counted)
    return Reply(text, found.hits, more=found.more)


def greets(text: str) -> bool:
    """Return whether small talk wants an answer rather than a receipt: "hi", "how are you?"."""
    thanks = notebook.chatted(text) == notebook.WELCOME
    return thanks or is_pleasant(text) or ("?" not in text and len(text.split()) <= GREETS)


def _asks_too(heard: ReadMessage) -> bool:
    """Return whether a message that tells or chats asks something as well."""
    if heard.reading.act is Act.CHAT:
        return asks(heard.typed)
    return heard.reading.act is Act.TELL and (_asking(heard) >= ASKS_TOO or "?" in heard.typed)


def _asks_of_own(text: str) -> bool:
    """Return whether a question is about something of the person's: "What's my favourite film?"."""
    return not words().my.isdisjoint(normalise(text).split())


def _asking(heard: ReadMessage) -> float:
    """Return how likely a message asks something."""
    chances = dict(heard.reading.acts)
    return chances.get(Act.ASK, 0.0) + chances.get(Act.KNOW, 0.0)


def _done(message: Message, heard: ReadMessage) -> Act:
    """Return what a message does; one that is not in the person's own words can only ask.

    So does one that may want all that is known, of which that is not sure enough to be carried out.
    One in a language that cannot be read asks where it has a question mark, and else tells.
    """
    if heard.foreign:
        return Act.ASK if "?" in heard.typed else Act.TELL
    if heard.typed:
        act, typed = heard.reading.act, heard.typed
        own = act is Act.CHAT and _asks_of_own(typed) and not is_pleasant(typed)  # "how's my dad"
        return Act.ASK if (own or act is Act.ASK_KNOWN) and asks(typed) else act
    return Act.ASK if only_asks(message.text) else Act.TELL
