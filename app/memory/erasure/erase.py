"""Erase a memory or a conversation out of the living vault: carry out what was planned.

``app.memory.erasure.stock`` and ``app.memory.erasure.elsewhere`` make the plan. The person's words
are redacted in place, so that the conversation around them still reads. Tombstones (keyed digests)
keep what was erased from being learnt again. Proving that nothing remains in the file is the
erasure service's part; what is left because the person kept it, or because it is too common, is
said here.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from app.domain.changes import Changes
from app.domain.erasure import Copy, Inventory
from app.domain.jobs.progress import Progress
from app.domain.language.text import ERASED, clipped
from app.errors import NotFound
from app.memory.change.lineage import Lineage
from app.memory.erasure.elsewhere import ErasureElsewhere
from app.memory.erasure.restated import Restated
from app.memory.erasure.sought import Sought
from app.memory.erasure.stock import ERASED_TITLE, ErasurePlan, Passages, Stock
from app.memory.text import distinctive
from app.memory.text.distinctive import OF_ANOTHER
from app.memory.text.novelty import canonical
from app.memory.text.passages import SHORTEST, longest_first, occurrences
from app.store.store import Store

MOST_NEEDLES = 400
MOST_NAMED = 50
PERHAPS = "only may tell of the same"
_WORD = re.compile(r"\w[\w'’-]*")
_FEWEST_SPACES = 2
_FEWEST_DIGITS = 5


@dataclass(frozen=True, slots=True)
class ErasureOutcome:
    """What the scan should find nowhere after an erasure.

    Attributes:
        needles: Texts and words.
        left: What stays that holds or says it, and why, in sentences.
        places: Where a text still lies although it should not.
    """

    needles: tuple[str, ...]
    left: tuple[str, ...]
    places: tuple[str, ...]


class Eraser:
    """Makes inventories and carries them out, inside the vault.

    Args:
        restated: Looks for what says the same in other words; None looks for none.
    """

    def __init__(self, store: Store, restated: Restated | None = None) -> None:
        self._store = store
        self._memories = store.memories
        self._conversations = store.conversations
        self._messages = store.messages
        self._documents = store.documents
        self._tombstones = store.tombstones
        self._copies = store.occurrences
        self._holding = store.holding
        self._journal = store.journal
        self._lineage = Lineage(store)
        self._stock = Stock(store)
        self._elsewhere = ErasureElsewhere(store, restated)

    def of_memories(self, memory_ids: Sequence[str], about: Sequence[str] = ()) -> ErasurePlan:
        """Return the same of several memories as one; and of a name, where that is to go."""
        return self._stock.of_memories(memory_ids, about)

    def of_conversation(self, conversation_id: str) -> ErasurePlan:
        """Return what a conversation holds, the memories that rest on it alone, and theirs."""
        return self._stock.of_conversation(conversation_id)

    def with_elsewhere(
        self, plan: ErasurePlan, marks: frozenset[str] | None = None
    ) -> Generator[Progress, None, ErasurePlan]:
        """Return a plan with every other place that holds it, says it or was derived from it.

        Args:
            plan: What goes.
            marks: What is distinctive of it; None where that is not known yet.
        """
        return self._elsewhere.added(plan, marks)

    def like(self, plan: ErasurePlan, made: ErasurePlan) -> ErasurePlan:
        """Return a plan for this vault with what a plan for another, which it is a copy of, adds.

        Args:
            plan: What goes from this one.
            made: What goes from the other.
        """
        here = {copy.key: copy for copy in plan.inventory.copies}
        copies = [copy for copy in made.inventory.copies if copy.key in made.passages or copy.why]
        more = [copy for copy in copies if copy.key not in here]
        inventory = Inventory(plan.inventory.title, (*here.values(), *more))
        keys = {**made.passages, **plan.passages}
        passages = {
            key: made.passages.get(key, Passages()) | plan.passages.get(key, Passages())
            for key in keys
        }
        return replace(plan, inventory=inventory, passages=passages, marks=made.marks)

    def carry_out(self, plan: ErasurePlan, ticked: frozenset[str]) -> tuple[list[str], Changes]:
        """Erase what is required or ticked, in one transaction.

        Returns:
            A line for each thing that is gone, and what views should refresh.
        """
        chosen = _chosen(plan, ticked)
        changes = Changes()
        with self._store.transaction():
            kept, kept_marks = self._kept(plan, ticked)
            out = {text for passages in plan.passages.values() for text in passages.texts}
            for copy in chosen:
                if copy.kind == "memory" and copy.follows:
                    continue  # it went with what it follows
                changes |= self._erased(copy, plan)
            away = [t for t in self._away(plan, ticked, kept) if not plan.whole or t in out]
            marks = [mark for mark in plan.marks if mark not in kept_marks]
            words = {mark: distinctive.pattern(mark).pattern for mark in longest_first(marks)}
            self._copies.redact_told(longest_first(away), ERASED, words)
        return [copy.line for copy in chosen], changes

    def _erased(self, copy: Copy, plan: ErasurePlan) -> Changes:
        kind, _, row_id = copy.key.partition(":")
        out = plan.passages.get(copy.key, Passages())
        try:
            if kind == "memory":
                return Changes(memories=frozenset({row_id, *self._remove_memory(row_id)}))
            if kind == "whole":
                text = self._messages.get(row_id).text
                row_id = self._redact(row_id, Passages((text,)))
            elif kind == "quote":
                row_id = self._redact(row_id.partition("/")[0], out)
            elif kind == "message":
                row_id = self._redact(row_id, Passages((*plan.needles, *out.texts), out.words))
            elif kind == "passage":
                text = self._documents.passage(row_id).text
                out = replace(out, texts=(*plan.needles, *out.texts))
                row_id = self._documents.redact(row_id, _spans(text, out))
            elif kind == "conversation":
                self._remove_conversation(row_id)
            elif kind == "title":
                self._conversations.rename(row_id, ERASED_TITLE)
            elif kind == "draft":
                self._conversations.set_draft(row_id, "")
            else:
                return Changes()
        except NotFound:  # it is not in this copy of the vault, or went with another row
            return Changes()
        return Changes(conversations=frozenset({row_id}))

    def outcome(
        self, plan: ErasurePlan, ticked: frozenset[str], shown: frozenset[str] | None = None
    ) -> ErasureOutcome:
        """Return what should be found nowhere now, and what is left.

        A text is left out only for a row that the person kept, never because some row holds it:
        such a row was missed, and its place is told. Single words of the texts count too, where no
        row may say them.

        Args:
            plan: What went.
            ticked: Keys of what the person chose.
            shown: Keys of what they could choose; None if that is all of the plan.
        """
        kept, _ = self._kept(plan, ticked)
        away = [
            text
            for text in self._away(plan, ticked, kept)
            if " " in text or not self._copies.written_by_us(text)
        ]
        elsewhere = [t for t in away if not self._tells(plan, t) and self._copies.occurs(t)]
        away = [text for text in away if text not in elsewhere]
        places = dict.fromkeys(place for text in away for place in self._copies.places(text))
        words = {w.group() for t in away for w in _WORD.finditer(t) if len(w.group()) > SHORTEST}
        marks = sorted(plan.marks, key=len, reverse=True)
        single = list(dict.fromkeys((*marks, *sorted(words))))
        alone = [
            word
            for word in single[:MOST_NEEDLES]
            if word not in away
            and not self._copies.occurs(word)
            and not self._copies.written_by_us(word)
        ]
        needles = [one for one in (*away, *alone) if _is_known_by_itself(one)]
        left = (
            *self._left(plan, ticked, shown),
            *_said_elsewhere(elsewhere),
            *self._unlisted(plan, ticked),
            *_not_searched(len(single)),
            *_too_short([mark for mark in plan.marks if not _is_known_by_itself(mark)]),
        )
        return ErasureOutcome(tuple(needles), left, tuple(places))

    @staticmethod
    def _tells(plan: ErasurePlan, text: str) -> bool:
        """Return whether a text that still lies somewhere must be of what went.

        Whole messages of a conversation, and sentences without a distinctive word, may well be said
        of something else.
        """
        if text in plan.needles:
            return not plan.whole
        return any(distinctive.pattern(mark).search(text) for mark in plan.marks)

    def _away(self, plan: ErasurePlan, ticked: frozenset[str], kept: Sequence[str]) -> list[str]:
        """Return the texts that nothing should hold now: those that go, and what goes elsewhere."""
        chosen = {copy.key for copy in _chosen(plan, ticked)}
        passages = [t for key, out in plan.passages.items() if key in chosen for t in out.texts]
        more = [text for text in passages if text.count(" ") >= _FEWEST_SPACES]
        return [text for text in dict.fromkeys((*plan.needles, *more)) if text not in kept]

    def _kept(self, plan: ErasurePlan, ticked: frozenset[str]) -> tuple[list[str], list[str]]:
        """Return the texts and marks in rows that stay because the person left them unticked."""
        chosen = {copy.key for copy in _chosen(plan, ticked)}
        rows = [
            row
            for copy in plan.inventory.copies
            if copy.key not in chosen
            for row in self._said(copy.key, plan)
        ]
        rows += [text for out in plan.passages.values() for text in out.stays]
        passages = [t for out in plan.passages.values() for t in out.texts]
        texts = dict.fromkeys((*plan.needles, *passages))
        return (
            [text for text in texts if any(occurrences(row, [text]) for row in rows)],
            [m for m in plan.marks if any(map(distinctive.pattern(m).search, rows))],
        )

    def _left(
        self, plan: ErasurePlan, ticked: frozenset[str], shown: frozenset[str] | None
    ) -> Iterator[str]:
        """Yield a line for each place that stays, and why."""
        chosen = {copy.key for copy in _chosen(plan, ticked)}
        kept = [
            copy
            for copy in plan.inventory.copies
            if copy.key not in chosen and not copy.fixed and self._said(copy.key, plan)
        ]
        for copy in kept[:MOST_NAMED]:
            yours = "You kept it" if copy.ticked else "It was not ticked"
            seen = shown is None or copy.key in shown
            yield f"{yours if seen else 'It came up after you chose'}: {copy.line}"
        if rest := kept[MOST_NAMED:]:
            yield f"{len(rest):,} more places that the inventory listed were not ticked."
        for key in sorted(chosen & plan.passages.keys()):
            for text in plan.passages[key].stays:
                why = OF_ANOTHER if text in plan.passages[key].others else PERHAPS
                yield f"“{clipped(text, 100)}” stays in a message, since it {why}."
        for copy in plan.inventory.copies:
            if copy.fixed:
                yield copy.label
        if plan.blind:
            yield plan.blind

    def _unlisted(self, plan: ErasurePlan, ticked: frozenset[str]) -> Iterator[str]:
        """Yield a line for each distinctive word in rows that the inventory did not list."""
        _, kept = self._kept(plan, ticked)
        gone = {copy.key.partition(":")[2] for copy in plan.inventory.copies}
        for mark in plan.marks[:MOST_NEEDLES]:
            held = distinctive.pattern(mark)
            rows = Sought(self._holding).holding(mark)
            if mark in kept or not rows:
                continue
            if number := sum(r.id not in gone and bool(held.search(r.text)) for r in rows):
                places = f"{number:,} place{'s' if number > 1 else ''}"
                yield f"“{clipped(mark, 40)}” still stands in {places} not listed before."

    def _said(self, key: str, plan: ErasurePlan) -> list[str]:
        kind, _, row_id = key.partition(":")
        try:
            if kind == "quote":
                text = self._messages.get(row_id.partition("/")[0]).text
                return [one for one in plan.passages[key].texts if one in text]
            if kind in ("message", "whole"):
                return [self._messages.get(row_id).text]
            if kind == "passage":
                return [self._documents.passage(row_id).text]
            if kind == "memory":
                memory = self._memories.get(row_id)
                return [memory.text, *([memory.value] if isinstance(memory.value, str) else [])]
            if kind == "title":
                return [self._conversations.get(row_id).title]
            return [self._conversations.draft(row_id)] if kind == "draft" else []
        except NotFound:
            return []

    def _remove_conversation(self, conversation_id: str) -> None:
        ids = [m.id for m in self._copies.messages_of(conversation_id)]
        self._copies.forget_jobs(ids)
        self._copies.drop_evidence(conversation_id)
        self._tombstones.add_conversation(conversation_id)
        self._conversations.delete(conversation_id)

    def _remove_memory(self, memory_id: str) -> list[str]:
        """Remove a memory and what was drawn from it; return the ids of what changed with it."""
        try:
            memory = self._memories.get(memory_id)
        except NotFound:
            return []
        drawn = self._lineage.before_erasure(memory_id)
        quotes = [item.quote for item in self._memories.evidence(memory_id) if item.quote]
        past = [str(e.before.get("text", "")) for e in self._journal.of_memory(memory_id)]
        for text in {memory.text, *quotes, *past} - {""}:
            self._tombstones.add(text, content=canonical(text))
        self._memories.delete(memory_id)
        return drawn

    def _redact(self, message_id: str, out: Passages) -> str:
        """Take passages out of a message; return the conversation's id."""
        message = self._messages.get(message_id)
        spans = _spans(message.text, out)
        for start, end in spans:
            self._tombstones.add(message.text[start:end], message_id, (start, end))
        self._copies.forget_jobs([message_id])
        self._messages.redact(message_id, spans)
        return message.conversation_id


def _spans(text: str, out: Passages) -> list[tuple[int, int]]:
    """Return what of a text goes, from start to end."""
    spans = occurrences(text, out.texts)
    for word in out.words:
        spans += [found.span() for found in distinctive.pattern(word).finditer(text)]
    return spans


def _chosen(plan: ErasurePlan, ticked: frozenset[str]) -> list[Copy]:
    """Return the copies that go: what is required or ticked, and what follows it."""
    copies = plan.inventory.copies
    going = {c.key for c in copies if c.required or (c.key in ticked and not c.follows)}
    return [c for c in copies if not c.fixed and (c.key in going or c.follows & going)]


def _not_searched(number: int) -> list[str]:
    """Say that more single words went than the scan looks for."""
    line = f"The scan looked for the first {MOST_NEEDLES:,} of its {number:,} words alone."
    return [line] if number > MOST_NEEDLES else []


def _is_known_by_itself(text: str) -> bool:
    """Return whether a text is long enough to be told from the bytes of ids, times and vectors."""
    return len(text) >= _FEWEST_DIGITS or not (
        text.isdigit() or (text.islower() and len(text) < SHORTEST)
    )


def _too_short(texts: Sequence[str]) -> list[str]:
    """Say what was looked for in rows alone."""
    named = ", ".join(f"“{text}”" for text in texts[:MOST_NAMED])
    line = (
        f"{named}: too short to be told from other bytes of the file, so only rows were searched."
    )
    return [line] if texts else []


def _said_elsewhere(texts: Sequence[str]) -> list[str]:
    """Say that whole messages of a conversation stand in others, word for word."""
    more = f" and {len(texts) - 1:,} more messages" if len(texts) > 1 else ""
    return [
        f"“{clipped(text, 60)}”{more} also stood elsewhere in the same words; nothing in them tells"
        " them apart, so they were left."
        for text in texts[:1]
    ]
