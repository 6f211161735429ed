"""Answer without a language model, and carry out orders about memory, with or without one.

The learnt reader says what the person does with a message. Orders are carried out at once where it
is clear what is meant, as one batch that "Undo" takes back; what was told is learnt before the
answer is given, so that the answer can say what became of it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from app.conversation import notebook
from app.domain.changes import Changes
from app.domain.conversation import Conversation, Message
from app.domain.ids import Clock
from app.domain.memory import JournalEntry, Memory, MemoryFilter, Scope, Status, Trust
from app.domain.question import asks, only_asks
from app.domain.reading import Act
from app.domain.recall import Hit, HitKind, Query, changed
from app.domain.reply import (
    MEANT,
    PERHAPS_MEANT,
    STAYS,
    Became,
    Evidence,
    Meant,
    Outcome,
    Reply,
    became,
)
from app.domain.text import normalise
from app.errors import ModelError
from app.memory.answering import Answerer, Found
from app.memory.asides import is_pleasant
from app.memory.hearing import Heard
from app.memory.novelty import content
from app.memory.orders import Orders, ends_a_rule, naming
from app.memory.reading.language import is_foreign
from app.memory.reading.words import words
from app.memory.recall.compose import Recaller
from app.memory.recall.own_word import own_first
from app.memory.remember import Learned, Remember
from app.providers.base import Understanding
from app.services.background import BackgroundService
from app.services.history import HistoryService
from app.services.memories import MemoriesService
from app.settings.spec import Settings
from app.store.conversations import Conversations
from app.store.journal import Journal
from app.store.memories import Memories
from app.store.meta import Meta
from app.store.search import Search
from app.store.vault import Vault

ORDERED = frozenset({Act.FORGET, Act.DELETE_ABOUT, Act.UNDO, Act.STOP_INSTRUCT, Act.ASK_KNOWN})
ASKED = frozenset({Act.ASK, Act.KNOW})
CANDIDATES = 40
SURE = 0.5
SURE_OF_ALL = 0.9
ASKS_TOO = 0.2
SURE_OF_ASIDE = 0.7
SURE_OF_WORK = 0.8
MAY_UNDO = 0.04
BRIEF = 6  # words
GREETS = 3  # words
MAY_ASK = 0.1
JUST_NOW = timedelta(minutes=10)
_FORGETS = (Act.FORGET, Act.DELETE_ABOUT)
_MEANS_NOTHING = frozenset({notebook.NOTHING_MEANT, notebook.NOTHING_ABOUT})
_REASON = re.compile(r"[,;–—]\s")
_LANGUAGES_TOLD = "other_languages_told"


class NotebookService:
    """Answers from memory alone.

    Args:
        vault: The vault.
        remember: What learns.
        recaller: What finds.
        memories: What forgets.
        history: What undoes.
        background: Where the indexing of what is new is queued.
        models: Returns the models that understand.
        settings: Returns the settings of the moment.
        clock: The present.
    """

    def __init__(
        self,
        vault: Vault,
        remember: Remember,
        recaller: Recaller,
        memories: MemoriesService,
        history: HistoryService,
        background: BackgroundService,
        models: Callable[[], Understanding],
        settings: Callable[[], Settings],
        clock: Clock,
    ) -> None:
        self._remember = remember
        self._recaller = recaller
        self._rows = memories
        self._history = history
        self._background = background
        self._memories = Memories(vault)
        self._conversations = Conversations(vault)
        self._journal = Journal(vault)
        self._meta = Meta(vault)
        self._search = Search(vault)
        self.answerer = Answerer(vault, models)
        self._orders = Orders(vault, recaller, models)
        self._settings = settings
        self._clock = clock

    def ordered(self, talk: Conversation, message: Message) -> Reply | None:
        """Carry out the order about memory that a message is; None where it is none.

        Raises:
            ModelError: The reader does not answer.
        """
        return self._ordered(talk, message, self._heard(talk, message))

    def reply(self, talk: Conversation, message: Message) -> Reply:
        """Answer a message from memory alone, having learnt from it."""
        try:
            heard = self._heard(talk, message)
            if ordered := self._ordered(talk, message, heard):
                return ordered
            return self._replied(talk, message, heard)
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

    def _ordered(self, talk: Conversation, message: Message, heard: Heard) -> Reply | None:
        if self._takes_back(message, heard):
            undo = (Act.UNDO, 1.0)
            heard = replace(heard, reading=replace(heard.reading, acts=(undo,)))
        elif heard.reading.act is Act.UNDO and ends_a_rule(message.typed):
            ends = (Act.STOP_INSTRUCT, 1.0)
            heard = replace(heard, reading=replace(heard.reading, acts=(ends,)))
        act, sure = heard.reading.acts[0]
        if act in _FORGETS:  # which of the two, is of less weight
            sure = sum(dict(heard.reading.acts).get(one, 0.0) for one in _FORGETS)
        vague = act is Act.ASK_KNOWN and not heard.reading.target  # "Tell me something."
        if act not in ORDERED or sure < (SURE_OF_ALL if vague else SURE) or heard.foreign:
            return None
        reply = self._carried_out(talk, message, heard)
        if reply.text in _MEANS_NOTHING and (_asking(heard) >= MAY_ASK or asks(message.typed)):
            return None  # "Is there anything he must not be given?" orders nothing
        if reply.text in _MEANS_NOTHING and act in _FORGETS:
            reply = self._only_said(talk, message, heard) or reply
        beside = Learned() if act is Act.UNDO else self._told_beside(talk, message, heard)
        changes = reply.changes | beside.changes | self._background.index_soon()
        return replace(reply, changes=changes, became=beside.became)

    def _told_beside(self, talk: Conversation, message: Message, heard: Heard) -> Learned:
        """Learn what a message tells beside its order: "Forget my car. I'm allergic to latex"."""
        learns = self._settings().extraction.enabled and talk.mode.learns
        beside = self._remember.hearing.beside_order(heard) if learns else heard
        if not (learns and beside.candidates):
            return Learned()
        return self._remember.learn(message.id, beside, as_read=True)

    def _takes_back(self, message: Message, heard: Heard) -> bool:
        """Return whether a message may take back what was just forgotten, and names it or nothing.

        "No, keep the thing about the dentist" says "the thing about" as one who orders something
        forgotten does; what it names tells which of the two is meant. "No wait, keep that" may be
        small talk, but not right after an order.
        """
        if dict(heard.reading.acts).get(Act.UNDO, 0.0) < MAY_UNDO or heard.foreign:
            return False
        last = next(iter(self._journal.to_undo(2)), "")
        entries = [entry for entry in self._journal.of_batch(last) if entry.op == "forget"]
        if not entries or message.created_at - entries[-1].at > JUST_NOW:
            return False
        if heard.reading.act is Act.CHAT and len(message.typed.split()) <= BRIEF:
            return True
        gone = self._memories.by_ids([entry.memory_id for entry in entries])
        named = content(message.typed).words
        if not ends_a_rule(message.typed) and naming(message.typed) & self._named_by(entries):
            return True
        return any(named & content(memory.text).words for memory in gone)

    def _named_by(self, entries: Sequence[JournalEntry]) -> frozenset[str]:
        """Return the words by which orders named what they changed."""
        orders = {entry.message_id for entry in entries if entry.message_id}
        texts = (self._conversations.message(order).typed for order in orders)
        return frozenset(word for text in texts for word in naming(text))

    def _replied(self, talk: Conversation, message: Message, heard: Heard) -> Reply:
        learns = self._settings().extraction.enabled and talk.mode.learns
        before = self._became_before(message)
        learned = self._remember.learn(message.id, heard) if learns else Learned()
        changes = learned.changes | self._background.index_soon()  # of the message at least
        changes |= self._background.learn_more_soon(message.id) if learned.more else Changes()
        told = (*before, *learned.became)
        act = _done(message, heard)
        if act in ASKED or _asks_too(heard):
            found = self._found(talk, message, heard)
            sure = bool(found.told) and (act in ASKED or found.told[0].sure >= SURE_OF_ASIDE)
            if sure or act is Act.ASK:
                return replace(_quoting(found), changes=changes, became=told)
        polite = act is Act.CHAT and not told and greets(message.text)
        text = notebook.chatted(message.text) if polite else ""
        works = act is Act.WORK and (not told or heard.reading.acts[0][1] >= SURE_OF_WORK)
        if act in ASKED or works:
            own = act in ASKED and _asks_of_own(message.typed)
            text = notebook.UNKNOWN if own else notebook.NEEDS_MODEL
        if not told and (not text or (heard.foreign and learns)):
            why = self.unread(message) if learns else notebook.NOT_LEARNING
            told = (Became(Outcome.ONLY_HERE, why=why),)
        return Reply(text, changes=changes, became=told)

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

    def _found(self, talk: Conversation, message: Message, heard: Heard) -> Found:
        """Return what answers a message; what it told itself answers nothing."""
        if not (talk.mode.reads and self._settings().rag.enabled):
            return Found()
        nominated = self._recaller.nominated(self._query(talk, message), CANDIDATES).hits
        own = self._made_by(message)
        hits = [hit for hit in nominated if hit.memory is None or hit.memory.id not in own]
        several = heard.reading.several
        return self.answerer.found(message.typed or message.text, hits, several=several)

    def _query(self, talk: Conversation, message: Message) -> Query:
        seen = frozenset({message.id})
        return Query(message.text, Scope(talk.agent_pk), self._clock(), seen)

    def _heard(self, talk: Conversation, message: Message) -> Heard:
        return self._remember.hearing.heard(self._remember.hearing.said(message), talk.agent_pk)

    # -- orders ------------------------------------------------------------------------------------

    def _carried_out(self, talk: Conversation, message: Message, heard: Heard) -> Reply:
        if done := self._done_before(message):
            return done
        act, target = heard.reading.act, heard.reading.target
        query = self._query(talk, message)
        if act is Act.UNDO:
            if self._means_another(target):
                return Reply(notebook.NOTHING_UNDONE)
            undone = self._history.undo_last(message.id)
            return Reply("\n\n".join([undone.sentence, *undone.refused]), changes=undone.changes)
        if act is Act.ASK_KNOWN:
            return self._known(target, query)
        nothing, meant = notebook.NOTHING_MEANT, Meant()
        if act is Act.STOP_INSTRUCT:
            meant = self._orders.rule_meant(message.text, target, query.scope)
            nothing = notebook.NO_RULE
        elif act is Act.DELETE_ABOUT:
            whom = self._whom(message, target, query)
            meant = self._orders.about(whom, query, replaced=True) if whom else Meant()
        if not (meant.clear or act is Act.STOP_INSTRUCT):
            meant = self._orders.meant(message.text, target, query)
        if not (meant.clear or meant.doubtful):
            return Reply(nothing)
        ids = [memory.id for memory in meant.clear]
        changes = self._rows.forget(ids, message.id, meant.left) if ids else Changes()
        rest = [m for m in self._memories.by_ids(list(changes.memories)) if m.id not in ids]
        stays = [memory for memory in rest if memory.text in meant.left.values()]
        return replace(self._shown(meant, stays), changes=changes)

    def _only_said(self, talk: Conversation, message: Message, heard: Heard) -> Reply | None:
        """Return where words stand that are to be forgotten and are in no memory; None if nowhere.

        What is asked for most stands in what was said today, and would be told again.
        """
        query = self._query(talk, message)
        target = heard.reading.target or message.text
        hits = self._recaller.nominated(replace(query, text=target), CANDIDATES).hits
        said = [hit for hit in hits if hit.kind is HitKind.MESSAGE]
        found = [one for one in self.answerer.found(target, said).told if one.own]
        if not found:
            return None
        return Reply(notebook.only_said(found), [one.hit for one in found])

    def _means_another(self, target: str) -> bool:
        """Return whether what is to be undone is named, and is not what was done last."""
        last = next(iter(self._journal.to_undo(2)), "")
        entries = self._journal.of_batch(last)
        touched = self._memories.by_ids(list(dict.fromkeys(e.memory_id for e in entries)))
        if naming(target) & self._named_by(entries):
            return False  # "keep Dr Haddad", who was named when it was to be forgotten
        return bool(touched) and not self._orders.concerns(target, touched)

    def _whom(self, message: Message, target: str, query: Query) -> str:
        """Return whom or what all is to go about: the words that name it, else the names in it.

        A name behind a comma only gives the reason: "all about the beetles, Rei cries over them".
        """
        order = _REASON.split(message.text, maxsplit=1)[0]
        return target or " ".join(sorted(self._orders.named(order, query.scope)))

    def _done_before(self, message: Message) -> Reply | None:
        """Return what an order did when it was carried out; None where it was not yet."""
        entries = self._journal.of_message(message.id)
        if undone := [entry.batch for entry in entries if entry.op == "undo"]:
            (step, *_) = self._history.of_batch(undone[0])
            return Reply(f"{notebook.DONE_ALREADY} {step.sentence}.")
        gone = [entry.memory_id for entry in entries if entry.op == "forget"]
        memories = self._memories.by_ids(list(dict.fromkeys(gone)))
        if not memories:
            return None
        return replace(self._shown(Meant(memories)), text=notebook.DONE_ALREADY)

    def _shown(self, meant: Meant, stays: Sequence[Memory] = ()) -> Reply:
        """Return what an order means as it is now, to be shown, and what stays of it."""
        clear = self._memories.by_ids([memory.id for memory in meant.clear])
        hits = [*self._hits(clear, MEANT), *self._hits(stays, STAYS)]
        hits += self._hits(meant.doubtful, PERHAPS_MEANT)
        return Reply("", hits, meant=Meant(clear, meant.doubtful, meant.left))

    def _known(self, target: str, query: Query) -> Reply:
        found = list(self._orders.about(target, query).clear) if target else []
        own = not target or target.lower() in ("me", "myself", "mich", "mir", "mí", "moi", "mij")
        if own and not found:
            wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}))
            said = replace(wanted, trusts=frozenset(t for t in Trust if t.is_own))
            found = [*self._rows.list(said, 0, 100), *self._rows.list(wanted, 0, 100)]
            found = list({memory.id: memory for memory in found}.values())
        hits = self._hits(found := own_first(found), MEANT)
        more = [Evidence(hit.text, hit, 1.0) for hit in hits[notebook.MOST_TOLD :]]
        text = notebook.known(found, "" if own else target)
        return Reply(text, hits[: notebook.MOST_TOLD], more=more)

    def _hits(self, memories: Sequence[Memory], reason: str) -> list[Hit]:
        """Return memories as finds, with why they are among them."""
        found = self._search.hydrate([memory.pk for memory in memories])
        hits = (found.get((HitKind.MEMORY, memory.pk)) for memory in memories)
        return [changed(hit, reasons=(reason,)) for hit in hits if hit is not None]


def _quoting(found: Found) -> Reply:
    text = notebook.answered(found.told, found.perhaps, found.before, counted=found.counted)
    return Reply(text, found.hits, more=found.more)


def greets(text: str) -> bool:
    """Return whether small talk wants an answer rather than a receipt: "hi", "how are you?"."""
    thanks = notebook.chatted(text) == notebook.WELCOME
    return thanks or is_pleasant(text) or ("?" not in text and len(text.split()) <= GREETS)


def _asks_too(heard: Heard) -> bool:
    """Return whether a message that tells or chats asks something as well."""
    if heard.reading.act is Act.CHAT:
        return asks(heard.typed)
    return heard.reading.act is Act.TELL and (_asking(heard) >= ASKS_TOO or "?" in heard.typed)


def _asks_of_own(text: str) -> bool:
    """Return whether a question is about something of the person's: "What's my favourite film?"."""
    return not words().my.isdisjoint(normalise(text).split())


def _asking(heard: Heard) -> float:
    """Return how likely a message asks something."""
    chances = dict(heard.reading.acts)
    return chances.get(Act.ASK, 0.0) + chances.get(Act.KNOW, 0.0)


def _done(message: Message, heard: Heard) -> Act:
    """Return what a message does; one that is not in the person's own words can only ask.

    So does one that may want all that is known, of which that is not sure enough to be carried out.
    One in a language that cannot be read asks where it has a question mark, and else tells.
    """
    if heard.foreign:
        return Act.ASK if "?" in heard.typed else Act.TELL
    if heard.typed:
        act = heard.reading.act
        return Act.ASK if act is Act.ASK_KNOWN and asks(heard.typed) else act
    return Act.ASK if only_asks(message.text) else Act.TELL
