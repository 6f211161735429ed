"""Erase a memory or a conversation out of the living vault: inventory first, then redaction.

What is found is literal, save closing punctuation: rows that hold what the memory says or ever
said, or one of the quotes it rests on. The person's words are redacted in place, so that the
conversation around them still reads. Tombstones (keyed digests) keep what was erased from being
learnt again. Proving that nothing remains in the file is the erasure service's part.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.domain.changes import Changes
from app.domain.conversation import Role
from app.domain.erasure import Copy, Inventory
from app.domain.memory import Memory
from app.domain.text import ERASED, clipped, normalise
from app.errors import NotFound
from app.memory.archive import excerpt, is_list
from app.memory.lineage import Lineage
from app.memory.novelty import canonical
from app.memory.passages import SHORTEST, distinct, longest_first, named_after, occurrences
from app.store.conversations import Conversations
from app.store.copies import Copies, Found
from app.store.journal import Journal
from app.store.memories import Memories
from app.store.recalls import Recalls
from app.store.tombstones import Tombstones
from app.store.vault import Vault

ERASED_TITLE = "Untitled"
MOST_NEEDLES = 400
_WORD = re.compile(r"\w[\w'’-]*")
_PIECE = re.compile(r"[^\W_]+|[^\w\s`*#>|~-]")
_SPREAD = r"[\s`*_#>|~-]*"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be erased.

    Attributes:
        inventory: What the person sees and ticks.
        texts: The statements themselves; rows that hold one are ticked.
        values: What the statements are about, such as a name; other rows may well mention it.
        whole: Whether a whole conversation goes, whose words may well stand in others.
    """

    inventory: Inventory
    texts: tuple[str, ...]
    values: tuple[str, ...] = ()
    whole: bool = False

    @property
    def needles(self) -> tuple[str, ...]:
        """What the scan looks for and a redaction takes out."""
        return (*self.texts, *self.values)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the scan should find nowhere after an erasure.

    Attributes:
        needles: Texts and words.
        kept: Texts in rows that the person chose to keep.
        places: Where a text still lies although it should not.
    """

    needles: tuple[str, ...]
    kept: tuple[str, ...]
    places: tuple[str, ...]


class Eraser:
    """Makes inventories and carries them out, inside the vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._memories = Memories(vault)
        self._conversations = Conversations(vault)
        self._recalls = Recalls(vault)
        self._tombstones = Tombstones(vault)
        self._copies = Copies(vault)
        self._journal = Journal(vault)
        self._lineage = Lineage(vault)

    def of_memory(self, memory_id: str) -> Plan:
        """Return every copy of a memory, of what it rests on, and of what was drawn from it."""
        memory = self._memories.get(memory_id)
        drawn_from = self._memories.by_ids(memory.source_ids)
        evidence = [e for m in (memory, *drawn_from) for e in self._memories.evidence(m.id)]
        past = [v for e in self._journal.of_memory(memory_id) for v in (e.before, e.after)]
        old = [str(values["text"]) for values in past if values.get("text")]
        sources = {e.message_id for e in evidence if e.message_id}
        stated = [m.text for m in drawn_from]
        drawn = self._lineage.erased_with(memory_id)
        said = distinct([memory.text, *old, *stated, *(e.quote for e in evidence)])
        told = self._told(memory, old, drawn)
        texts = list(dict.fromkeys([*said, *told, *self._as_written(said, sources)]))
        about = [v for v in (memory.value, *(p.get("value") for p in past)) if isinstance(v, str)]
        values = distinct(about, texts)
        copies = [Copy(f"memory:{memory.id}", "memory", _memory_label(memory), required=True)]
        copies += [_drawn_copy(one, "it") for one in drawn]
        ids = (memory.id, *(one.id for one in drawn))
        used = list(dict.fromkeys(a for i in ids for a in self._recalls.answers_with(i)))
        quoted = {e.message_id for e in evidence if e.message_id and e.quote}
        copies += self._message_copies(texts, values, quoted, used)
        copies += self._sources(sources, copies)
        copies += [
            Copy(
                f"memory:{f.id}",
                "memory",
                f"Another memory: “{clipped(f.text, 80)}”",
                ticked=bool(occurrences(f.text, texts)),
            )
            for f in self._copies.memories([*texts, *values])
            if f.id not in ids
        ]
        copies += self._titles_and_drafts(texts, values, copies)
        if used:
            label = f"The trace of {len(used)} answer{'s' if len(used) > 1 else ''} that used it"
            copies.append(Copy("trace", "trace", label, required=True))
        copies.append(Copy("journal", "journal", "Its history", required=True))
        return Plan(Inventory("Erase this memory", tuple(copies)), tuple(texts), tuple(values))

    def _told(self, memory: Memory, old: Sequence[str], drawn: Sequence[Memory]) -> list[str]:
        """Return how lists and summaries word it or did, but for what others say too."""
        summaries = [m for m in drawn if m.proof_count is None and not is_list(m)]
        ids = {i for summary in summaries for i in summary.source_ids}
        others = {normalise(m.text) for m in self._memories.by_ids(sorted(ids))}
        worded = [m.text for m in summaries if normalise(m.text) not in others]
        begun = [excerpt(text) for text in (memory.text, *old)]
        said = [*begun, *worded, *self._lineage.said_before(memory.id)]
        return distinct(said, [memory.text, *old])

    def of_conversation(self, conversation_id: str) -> Plan:
        """Return what a conversation holds, the memories that rest on it alone, and theirs."""
        talk = self._conversations.get(conversation_id)
        title = clipped(talk.title or ERASED_TITLE, 80)
        label = f"“{title}” with {talk.message_count:,} messages, on all its branches"
        copies = [Copy(f"conversation:{talk.id}", "conversation", label, required=True)]
        learnt = self._copies.resting_on(talk.id)
        copies += [
            Copy(f"memory:{f.id}", "memory", f"What was learnt here: “{clipped(f.text, 80)}”")
            for f in learnt
        ]
        copies += self._drawn_from([f.id for f in learnt])
        texts = distinct([talk.title, *(m.text for m in self._all_messages(talk.id))])
        inventory = Inventory("Erase this conversation", tuple(copies))
        return Plan(inventory, tuple(texts), whole=True)

    def _drawn_from(self, memory_ids: Sequence[str]) -> list[Copy]:
        """Return what was made of memories which may stay; it goes where one of them does."""
        if not self._lineage.erased_with(*memory_ids):
            return []
        drawn: dict[str, Memory] = {}
        leads: dict[str, set[str]] = {}
        for memory_id in memory_ids:
            for one in self._lineage.erased_with(memory_id):
                drawn[one.id] = one
                leads.setdefault(one.id, set()).add(f"memory:{memory_id}")
        return [
            replace(
                _drawn_copy(one, "what was learnt here"),
                required=False,
                follows=frozenset(leads[one.id]),
            )
            for one in sorted(drawn.values(), key=lambda memory: memory.pk)
        ]

    def carry_out(self, plan: Plan, ticked: frozenset[str]) -> tuple[list[str], Changes]:
        """Erase what is required or ticked, in one transaction.

        Returns:
            A line for each thing that is gone, and what views should refresh.
        """
        copies = plan.inventory.copies
        going = {c.key for c in copies if c.required or (c.key in ticked and not c.follows)}
        chosen = [c for c in copies if c.key in going or c.follows & going]
        changes = Changes()
        with self._vault.write():
            for copy in chosen:
                if not copy.follows:  # else it went with what it follows
                    changes |= self._erased(copy, plan.needles)
            if not plan.whole:
                kept = self._kept(plan, ticked)
                away = [text for text in plan.needles if text not in kept]
                self._copies.redact_told(longest_first(away), ERASED)
        return [copy.label for copy in chosen], changes

    def _erased(self, copy: Copy, texts: Sequence[str]) -> Changes:
        row_id = copy.key.partition(":")[2]
        if copy.kind == "memory":
            return Changes(memories=frozenset({row_id, *self._remove_memory(row_id)}))
        if copy.key.startswith("whole:"):
            row_id = self._redact(row_id, [self._conversations.message(row_id).text])
        elif copy.kind in ("evidence", "message", "answer"):
            row_id = self._redact(row_id, texts)
        elif copy.kind == "conversation":
            self._remove_conversation(row_id)
        elif copy.kind == "title":
            self._conversations.rename(row_id, ERASED_TITLE)
        elif copy.kind == "draft":
            self._conversations.set_draft(row_id, "")
        else:
            return Changes()
        return Changes(conversations=frozenset({row_id}))

    def outcome(self, plan: Plan, ticked: frozenset[str]) -> Outcome:
        """Return what should be found nowhere now.

        A text is left out only for a row that the person kept, never because some row holds it:
        such a row was missed, and its place is told. Single words of the texts count too, where no
        row may say them.
        """
        kept = self._kept(plan, ticked)
        away = [
            text
            for text in plan.needles
            if text not in kept and (" " in text or not self._copies.written_by_us(text))
        ]
        places = dict.fromkeys(place for text in away for place in self._copies.places(text))
        words = {w.group() for t in away for w in _WORD.finditer(t) if len(w.group()) > SHORTEST}
        alone = [
            word
            for word in sorted(words)[:MOST_NEEDLES]
            if word not in away
            and not self._copies.occurs(word)
            and not self._copies.written_by_us(word)
        ]
        return Outcome((*away, *alone), tuple(kept), tuple(places))

    def _kept(self, plan: Plan, ticked: frozenset[str]) -> list[str]:
        """Return the texts in rows that stay because the person left them unticked.

        What a whole conversation said may be said in others, which nobody asked to erase.
        """
        if plan.whole:
            return [text for text in plan.needles if self._copies.occurs(text)]
        copies = [c for c in plan.inventory.copies if not c.required and c.key not in ticked]
        rows = [row for copy in copies for row in self._said(copy.key)]
        return [text for text in plan.needles if any(occurrences(r, [text]) for r in rows)]

    def _said(self, key: str) -> list[str]:
        kind, _, row_id = key.partition(":")
        try:
            if kind in ("message", "whole"):
                return [self._conversations.message(row_id).text]
            if kind == "memory":
                memory = self._memories.get(row_id)
                return [memory.text, *([memory.value] if isinstance(memory.value, str) else [])]
            if kind == "title":
                return [self._conversations.get(row_id).title]
            return [self._conversations.draft(row_id)] if kind == "draft" else []
        except NotFound:
            return []

    def _message_copies(
        self, texts: Sequence[str], values: Sequence[str], quoted: set[str], used: Sequence[str]
    ) -> list[Copy]:
        """Return messages that say it, then answers that used it in other words."""
        found = self._copies.messages([*texts, *values])
        copies = [
            _message_copy(f, f.id in quoted, bool(occurrences(f.text, texts)) or f.id in used)
            for f in found
        ]
        for answer_id in used:
            if all(f.id != answer_id for f in found):
                text = clipped(self._conversations.message(answer_id).text, 80)
                label = f"An answer that used it: “{text}”"
                copies.append(Copy(f"whole:{answer_id}", "answer", label, ticked=False))
        return copies

    def _sources(self, sources: set[str], copies: Sequence[Copy]) -> list[Copy]:
        """Return the messages it comes from that write it as nothing else here does."""
        listed = {copy.key.partition(":")[2] for copy in copies}
        messages = [self._conversations.message(source) for source in sorted(sources - listed)]
        return [
            Copy(f"whole:{m.id}", "message", f"The message it is from: “{clipped(m.text, 80)}”")
            for m in messages
            if not m.redacted
        ]

    def _as_written(self, texts: Sequence[str], sources: Iterable[str]) -> list[str]:
        """Return how the messages that texts come from write them, with line breaks and marks.

        What was kept of an answer or a document is one line of plain words.
        """
        patterns = [_SPREAD.join(map(re.escape, _PIECE.findall(text))) for text in texts]
        messages = [self._conversations.message(source).text for source in sorted(sources)]
        return [
            found.group()
            for pattern in patterns
            if _SPREAD in pattern
            for message in messages
            for found in re.finditer(pattern, message)
        ]

    def _titles_and_drafts(
        self, texts: Sequence[str], values: Sequence[str], copies: Sequence[Copy]
    ) -> list[Copy]:
        """Return titles and drafts that say it, and titles that were cut from its words."""
        ids = [c.key.partition(":")[2] for c in copies if c.key.startswith("message:") and c.ticked]
        titles = {f.id: (f, bool(occurrences(f.text, texts))) for f in self._copies.titles(texts)}
        for message_id, opened in self._copies.first_of(ids).items():
            if named_after(opened.text, self._conversations.message(message_id).text, texts):
                titles[opened.id] = (opened, True)
        for mention in self._copies.titles(values):
            titles.setdefault(mention.id, (mention, False))
        result = [
            Copy(f"title:{f.id}", "title", f"The title “{clipped(f.text, 60)}”", ticked)
            for f, ticked in titles.values()
        ]
        for f in self._copies.drafts([*texts, *values]):
            label = f"An unsent draft in “{clipped(f.title, 60)}”"
            said = bool(occurrences(f.text, texts))
            result.append(Copy(f"draft:{f.id}", "draft", label, said))
        return result

    def _remove_conversation(self, conversation_id: str) -> None:
        ids = [m.id for m in self._all_messages(conversation_id)]
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

    def _redact(self, message_id: str, texts: Sequence[str]) -> str:
        """Take the texts out of a message; return the conversation's id."""
        message = self._conversations.message(message_id)
        spans = occurrences(message.text, texts)
        for start, end in spans:
            self._tombstones.add(message.text[start:end], message_id, (start, end))
        self._copies.forget_jobs([message_id])
        self._conversations.redact(message_id, spans)
        return message.conversation_id

    def _all_messages(self, conversation_id: str) -> Iterable[Found]:
        return self._copies.messages_of(conversation_id)


def _drawn_copy(one: Memory, source: str) -> Copy:
    what = "A summary" if one.proof_count is None else "An observation"
    told = f"{what} drawn from {source}"
    if is_list(one):
        told = f"A list of archived memories, written anew without {source}"
    label = f"{told}: “{clipped(one.text, 80)}”"
    return Copy(f"memory:{one.id}", "memory", label, required=True)


def _memory_label(memory: Memory) -> str:
    return f"The memory “{clipped(memory.text, 80)}”, its words and meaning vectors"


def _message_copy(found: Found, evidence: bool, ticked: bool) -> Copy:
    where = f"in “{clipped(found.title or ERASED_TITLE, 40)}”, {found.at:%d %b %Y}"
    quote = f"“{clipped(found.text, 80)}”"
    if found.role is Role.ASSISTANT:
        kind, what = "answer", f"An answer that {'quotes' if ticked else 'mentions'} it"
    elif evidence:
        kind, what = "evidence", "Your words"
    else:
        kind, what = "message", "The same words" if ticked else "A mention"
    key = f"message:{found.id}"
    return Copy(key, kind, f"{what} {where}: {quote}", ticked or evidence)
