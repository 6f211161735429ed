"""Erase a memory or a conversation out of the living vault: inventory first, then redaction.

What is found is literal: rows that hold the memory's text or one of the quotes it rests on. The
person's words are redacted in place, so that the conversation around them still reads. Tombstones
(keyed digests) keep what was erased from being learnt again. Proving that nothing remains in the
file is the erasure service's part.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.domain.changes import Changes
from app.domain.conversation import Role
from app.domain.erasure import Copy, Inventory
from app.domain.memory import Memory
from app.domain.text import clipped, normalise
from app.errors import NotFound
from app.store.conversations import Conversations
from app.store.copies import Copies, Found
from app.store.memories import Memories
from app.store.recalls import Recalls
from app.store.tombstones import Tombstones
from app.store.vault import Vault

ERASED, ERASED_TITLE = "[erased]", "Untitled"
SHORTEST = 4
MOST_NEEDLES = 400
_WORD = re.compile(r"\w[\w'’-]*")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be erased.

    Attributes:
        inventory: What the person sees and ticks.
        texts: The words themselves; what the scan looks for.
    """

    inventory: Inventory
    texts: tuple[str, ...]


class Eraser:
    """Makes inventories and carries them out, inside the vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._memories = Memories(vault)
        self._conversations = Conversations(vault)
        self._recalls = Recalls(vault)
        self._tombstones = Tombstones(vault)
        self._copies = Copies(vault)

    def of_memory(self, memory_id: str) -> Plan:
        """Return every copy of a memory and of the words it rests on."""
        memory = self._memories.get(memory_id)
        evidence = self._memories.evidence(memory_id)
        texts = _distinct([memory.text, *(e.quote for e in evidence)])
        sources = {e.message_id for e in evidence if e.message_id}
        copies = [Copy(f"memory:{memory.id}", "memory", _memory_label(memory), required=True)]
        copies += [_message_copy(f, f.id in sources) for f in self._copies.messages(texts)]
        copies += [
            Copy(f"memory:{f.id}", "memory", f"Another memory: “{clipped(f.text, 80)}”")
            for f in self._copies.memories(texts)
            if f.id != memory.id
        ]
        copies += _titles_and_drafts(self._copies, texts)
        used = len(self._recalls.answers_with(memory_id))
        if used:
            label = f"The trace of {used} answer{'s' if used > 1 else ''} that used it"
            copies.append(Copy("trace", "trace", label, required=True))
        copies.append(Copy("journal", "journal", "Its history", required=True))
        return Plan(Inventory("Erase this memory", tuple(copies)), tuple(texts))

    def of_conversation(self, conversation_id: str) -> Plan:
        """Return what a conversation holds, and the memories that rest on it alone."""
        talk = self._conversations.get(conversation_id)
        title = clipped(talk.title or ERASED_TITLE, 80)
        label = f"“{title}” with {talk.message_count:,} messages, on all its branches"
        copies = [Copy(f"conversation:{talk.id}", "conversation", label, required=True)]
        copies += [
            Copy(f"memory:{f.id}", "memory", f"What was learnt here: “{clipped(f.text, 80)}”")
            for f in self._copies.resting_on(talk.id)
        ]
        texts = _distinct([talk.title, *(m.text for m in self._all_messages(talk.id))])
        return Plan(Inventory("Erase this conversation", tuple(copies)), tuple(texts))

    def carry_out(self, plan: Plan, ticked: frozenset[str]) -> tuple[list[str], Changes]:
        """Erase what is required or ticked, in one transaction.

        Returns:
            A line for each thing that is gone, and what views should refresh.
        """
        chosen = [c for c in plan.inventory.copies if c.required or c.key in ticked]
        changes = Changes()
        with self._vault.write():
            for copy in chosen:
                changes |= self._erased(copy, plan.texts)
            if any(copy.kind == "evidence" for copy in chosen):
                self._copies.redact_quotes(longest_first(plan.texts), ERASED)
        return [copy.label for copy in chosen], changes

    def _erased(self, copy: Copy, texts: Sequence[str]) -> Changes:
        row_id = copy.key.partition(":")[2]
        if copy.kind == "memory":
            self._remove_memory(row_id)
            return Changes(memories=frozenset({row_id}))
        if copy.kind in ("evidence", "message", "answer"):
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

    def gone(self, plan: Plan) -> tuple[list[str], list[str]]:
        """Return the texts that should be found nowhere now, and those the person kept a copy of.

        Single words count too, where no living row holds them.
        """
        kept = [t for t in plan.texts if self._copies.occurs(t)]
        away = [t for t in plan.texts if t not in kept]
        words = {w.group() for t in away for w in _WORD.finditer(t) if len(w.group()) > SHORTEST}
        away += [w for w in sorted(words)[:MOST_NEEDLES] if not self._copies.occurs(w)]
        return away, kept

    def _remove_conversation(self, conversation_id: str) -> None:
        ids = [m.id for m in self._all_messages(conversation_id)]
        self._copies.forget_jobs(ids)
        self._copies.drop_evidence(conversation_id)
        self._conversations.delete(conversation_id)

    def _remove_memory(self, memory_id: str) -> None:
        try:
            memory = self._memories.get(memory_id)
        except NotFound:
            return
        self._tombstones.add(memory.text)
        for item in self._memories.evidence(memory_id):
            self._tombstones.add(item.quote)
        self._memories.delete(memory_id)

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


def occurrences(text: str, needles: Sequence[str]) -> list[tuple[int, int]]:
    """Return where any of the needles occurs in a text, whatever its case, without overlaps."""
    spans: list[tuple[int, int]] = []
    for needle in longest_first(needles):
        for match in re.finditer(re.escape(needle), text, re.IGNORECASE):
            if all(match.end() <= start or match.start() >= end for start, end in spans):
                spans.append(match.span())
    return sorted(spans)


def longest_first(texts: Sequence[str]) -> list[str]:
    """Return the texts that say something, longer ones before what they may contain."""
    return sorted((t for t in texts if t.strip()), key=len, reverse=True)


def _distinct(texts: Iterable[str]) -> list[str]:
    seen: dict[str, str] = {}
    for text in texts:
        if len(text.strip()) >= SHORTEST:
            seen.setdefault(normalise(text), text.strip())
    return list(seen.values())


def _memory_label(memory: Memory) -> str:
    return f"The memory “{clipped(memory.text, 80)}”, its words and meaning vectors"


def _message_copy(found: Found, evidence: bool) -> Copy:
    where = f"in “{clipped(found.title or ERASED_TITLE, 40)}”, {found.at:%d %b %Y}"
    quote = f"“{clipped(found.text, 80)}”"
    if found.role is Role.ASSISTANT:
        return Copy(f"message:{found.id}", "answer", f"An answer that quotes it {where}: {quote}")
    if evidence:
        return Copy(f"message:{found.id}", "evidence", f"Your words {where}: {quote}")
    return Copy(f"message:{found.id}", "message", f"The same words {where}: {quote}")


def _titles_and_drafts(copies: Copies, texts: Sequence[str]) -> list[Copy]:
    titles = [
        Copy(f"title:{f.id}", "title", f"The title “{clipped(f.text, 60)}”")
        for f in copies.titles(texts)
    ]
    drafts = [
        Copy(f"draft:{f.id}", "draft", f"An unsent draft in “{clipped(f.title, 60)}”")
        for f in copies.drafts(texts)
    ]
    return titles + drafts
