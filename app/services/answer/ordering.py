"""Carry out an order about memory that a message is, as one batch that "Undo" takes back."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from app.conversation import notebook
from app.domain.changes import Changes
from app.domain.conversation import Message, Receipt, Role
from app.domain.language.question import asks_what
from app.domain.language.reading import Act
from app.domain.memory import JournalEntry, Memory, MemoryFilter, Status, Trust
from app.domain.reason import Reason
from app.domain.recall import Hit, HitKind, Query, changed
from app.domain.reply import MEANT, PERHAPS_MEANT, STAYS, AnswerEvidence, OrderTarget, Reply
from app.memory.answer.answering import Answerer
from app.memory.answer.orders import Orders, ends_a_rule, naming
from app.memory.answer.referring import asks_for_rules, keeps, lets_drop, means_last
from app.memory.learn.message_reader import ReadMessage
from app.memory.recall.compose import Recaller
from app.memory.recall.own_word import own_first
from app.memory.text.novelty import content
from app.memory.text.pretence import after_the_end
from app.services.history import HistoryService
from app.services.memories import MemoriesService
from app.services.undo import UndoService
from app.store.store import Store

CANDIDATES = 40
MAY_UNDO = 0.04
BRIEF = 6  # words
JUST_NOW = timedelta(minutes=10)
_REASON = re.compile(r"[,;–—]\s")


class Ordering:
    """Carries out orders.

    Args:
        orders: What finds the memories that an order means.
    """

    def __init__(
        self,
        store: Store,
        recaller: Recaller,
        memories: MemoriesService,
        history: HistoryService,
        undo: UndoService,
        answerer: Answerer,
        orders: Orders,
    ) -> None:
        self._recaller = recaller
        self._rows = memories
        self._history = history
        self._undo = undo
        self._answerer = answerer
        self._orders = orders
        self._memories = store.memories
        self._messages = store.messages
        self._journal = store.journal
        self._search = store.words

    def settled(self, message: Message, heard: ReadMessage) -> ReadMessage:
        """Return what a message does, where its words or what was done before tell that better."""
        if keeps(message.typed):
            heard = replace(heard, candidates=())  # "never mind, keep it" states nothing
        act = self._settled(message, heard)
        if act is None or heard.foreign:
            return heard
        return replace(heard, reading=replace(heard.reading, acts=((act, 1.0),)))

    def _settled(self, message: Message, heard: ReadMessage) -> Act | None:
        text = message.typed
        if heard.said.pretending and heard.reading.act is Act.UNDO and after_the_end(text):
            return Act.CHAT  # "back to normal" ends the game
        if self._takes_back(message, heard):
            return Act.UNDO
        if heard.reading.act is Act.UNDO and ends_a_rule(text):
            return Act.STOP_INSTRUCT
        if lets_drop(text):  # "forget it" may mean what was said, or nothing at all
            return Act.FORGET if means_last(text) and self._just_told(message) else Act.CHAT
        if means_last(text):
            return Act.FORGET
        return Act.ASK_KNOWN if asks_for_rules(text) else None

    def carried_out(self, message: Message, heard: ReadMessage, query: Query) -> Reply:
        """Do what a message orders, once however often it is answered.

        Args:
            message: The message.
            heard: What it orders.
            query: Who orders it, and when.
        """
        if done := self._done_before(message):
            return done
        act, target = heard.reading.act, heard.reading.target
        if act is Act.UNDO:
            if self._means_another(target):
                return Reply(notebook.NOTHING_UNDONE)
            undone = self._undo.undo_last(message.id)
            return Reply("\n\n".join([undone.sentence, *undone.refused]), changes=undone.changes)
        if act is Act.ASK_KNOWN:
            return self._known(message, target, query)
        meant, nothing = self._meant(message, act, target, query)
        if not (meant.clear or meant.doubtful):
            return Reply(nothing)
        ids = [memory.id for memory in meant.clear]
        changes = self._rows.forget(ids, message.id, meant.left) if ids else Changes()
        rest = [m for m in self._memories.by_ids(list(changes.memories)) if m.id not in ids]
        stays = [memory for memory in rest if memory.text in meant.left.values()]
        return replace(self._shown(meant, stays), changes=changes)

    def _just_told(self, message: Message) -> bool:
        """Return whether what the person said just before a message was remembered."""
        before = self._said_before(message)
        last = self._last_receipts(message)
        return bool(before and last) and before[-1] == last[0].message_id

    def _meant(
        self, message: Message, act: Act, target: str, query: Query
    ) -> tuple[OrderTarget, str]:
        """Return what is to be forgotten or ended, and what is told where that is nothing."""
        if act is Act.STOP_INSTRUCT:
            meant = self._orders.rule_meant(message.text, target, query.scope)
            return meant, notebook.NO_RULE
        if means_last(message.typed):
            ids = [i for one in self._last_receipts(message) for i, _ in one.memories]
            return OrderTarget(self._memories.by_ids(ids)), notebook.NOTHING_REMEMBERED_HERE
        meant = OrderTarget()
        if act is Act.DELETE_ABOUT:
            whom = self._whom(message, target, query)
            meant = self._orders.about(whom, query, replaced=True) if whom else OrderTarget()
        if not meant.clear:
            found = self._orders.meant(message.text, target, query)
            meant = found if found.clear or found.doubtful else meant
        return meant, notebook.NOTHING_MEANT

    def _last_receipts(self, message: Message) -> list[Receipt]:
        """Return what the latest message before one that had anything remembered brought."""
        said = self._said_before(message)
        standing = [
            one
            for one in self._journal.receipts(message.conversation_id)
            if one.message_id in said and self._in_use(one)
        ]
        last = max(standing, key=lambda one: said.index(one.message_id), default=None)
        return [one for one in standing if last and one.message_id == last.message_id]

    def _in_use(self, receipt: Receipt) -> bool:
        memories = self._memories.by_ids([id_ for id_, _ in receipt.memories])
        return any(memory.status is Status.ACTIVE for memory in memories)

    def _said_before(self, message: Message) -> list[str]:
        """Return the person's messages before one on its branch, oldest first."""
        before = self._messages.before(message.id)
        return [one.id for one in before if one.role is Role.USER]

    def only_said(self, message: Message, heard: ReadMessage, query: Query) -> Reply | None:
        """Return where words stand that are to be forgotten and are in no memory; None if nowhere.

        What is asked for most stands in what was said today, and would be told again.
        """
        target = heard.reading.target or message.text
        hits = self._recaller.nominated(replace(query, text=target), CANDIDATES).hits
        said = [hit for hit in hits if hit.kind is HitKind.MESSAGE]
        found = [one for one in self._answerer.found(target, said, at_all=True).told if one.own]
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
        return replace(self._shown(OrderTarget(memories)), text=notebook.DONE_ALREADY)

    def _shown(self, meant: OrderTarget, stays: Sequence[Memory] = ()) -> Reply:
        """Return what an order means as it is now, to be shown, and what stays of it."""
        clear = self._memories.by_ids([memory.id for memory in meant.clear])
        hits = [*self._hits(clear, MEANT), *self._hits(stays, STAYS)]
        hits += self._hits(meant.doubtful, PERHAPS_MEANT)
        return Reply("", hits, meant=OrderTarget(clear, meant.doubtful, meant.left))

    def _known(self, message: Message, target: str, query: Query) -> Reply:
        if asks_for_rules(message.typed):
            rules = self._orders.rules(query.scope)
            return Reply(notebook.ruled(rules), self._hits(rules[: notebook.MOST_TOLD], MEANT))
        found = list(self._orders.about(target, query).clear) if target else []
        own = not target or target.lower() in ("me", "myself", "mich", "mir", "mí", "moi", "mij")
        if own and not found:
            wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}))
            said = replace(wanted, trusts=frozenset(t for t in Trust if t.is_own))
            found = [*self._rows.list(said, 0, 100), *self._rows.list(wanted, 0, 100)]
            found = list({memory.id: memory for memory in found}.values())
        found = own_first(sorted(found, key=lambda one: not (one.safety and one.trust.is_own)))
        hits = self._hits(found, MEANT)
        more = [AnswerEvidence(hit.text, hit, 1.0) for hit in hits[notebook.MOST_TOLD :]]
        text = notebook.known(found, "" if own else target)
        return Reply(text, hits[: notebook.MOST_TOLD], more=more)

    def _hits(self, memories: Sequence[Memory], reason: Reason) -> list[Hit]:
        """Return memories as finds, with why they are among them."""
        found = self._search.hydrate([memory.pk for memory in memories])
        hits = (found.get((HitKind.MEMORY, memory.pk)) for memory in memories)
        return [changed(hit, reasons=(reason,)) for hit in hits if hit is not None]

    def _takes_back(self, message: Message, heard: ReadMessage) -> bool:
        """Return whether a message may take back what was just forgotten, and names it or nothing.

        "No, keep the thing about the dentist" says "the thing about" as one who orders something
        forgotten does; what it names tells which of the two is meant. "No wait, keep that" may be
        small talk, but not right after an order.
        """
        kept = keeps(message.typed)
        if kept and any(entry.op == "undo" for entry in self._journal.of_message(message.id)):
            return True
        may_undo = dict(heard.reading.acts).get(Act.UNDO, 0.0) >= MAY_UNDO
        if not kept and (not may_undo or asks_what(message.typed)):
            return False
        last = next(iter(self._journal.to_undo(2)), "")
        entries = [entry for entry in self._journal.of_batch(last) if entry.op == "forget"]
        if not entries or message.created_at - entries[-1].at > JUST_NOW:
            return False
        if kept or (heard.reading.act is Act.CHAT and len(message.typed.split()) <= BRIEF):
            return True
        gone = self._memories.by_ids([entry.memory_id for entry in entries])
        named = content(message.typed).words
        if not ends_a_rule(message.typed) and naming(message.typed) & self._named_by(entries):
            return True
        return any(named & content(memory.text).words for memory in gone)

    def _named_by(self, entries: Sequence[JournalEntry]) -> frozenset[str]:
        """Return the words by which orders named what they changed."""
        orders = {entry.message_id for entry in entries if entry.message_id}
        texts = (self._messages.get(order).typed for order in orders)
        return frozenset(word for text in texts for word in naming(text))
