"""What was learnt in the background and waits for the person: accept, edit, or reject.

What is accepted takes the place of what it was meant to replace. What is rejected is not proposed
again, in whatever words. In whatever order they are accepted, what was said last holds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.domain.ids import Clock, new_id
from app.domain.memory import Candidate, JournalEntry, Memory, Proposal, Status, Trust
from app.errors import NotFound, Refused
from app.memory.change.beside import is_besides
from app.memory.change.comparing import Compared
from app.memory.change.nearby import Nearby
from app.memory.change.replacing import Replacing
from app.memory.change.superseding import over
from app.memory.safety import handed_on
from app.memory.screen.gate import Gate
from app.memory.suppression import SuppressionList
from app.memory.text import novelty
from app.store.memories import Note
from app.store.proposals import Proposals
from app.store.store import Store

ACCEPT, REJECT = "accept", "reject"
WAITING = frozenset({Status.PROPOSED, Status.QUARANTINED})
_LOOKED_AT = 200

Moment = tuple[datetime, datetime, int]


class ProposalDecisions:
    """The proposals of one vault.

    Args:
        nearby: Finds and compares the memories most like one.
    """

    def __init__(self, store: Store, nearby: Nearby, clock: Clock) -> None:
        self._store = store
        self._nearby = nearby
        self._clock = clock
        self._memories = store.memories
        self._gate = Gate(store)
        self._waiting = store.proposals
        self._suppression = SuppressionList(store)
        self._replacing = Replacing(store, nearby)

    def waiting(self, conversation_id: str = "", limit: int = -1) -> Sequence[Proposal]:
        """Return what waits, newest first; of one conversation, where one is named.

        A limit below 0 means all.
        """
        return self._waiting.list(conversation_id, limit)

    def count(self) -> int:
        """Return how many wait."""
        return self._waiting.count()

    def accept(self, ids: Sequence[str], text: str = "") -> str:
        """Remember proposals, in the order in which they were said; return what undoes it.

        One that is older than what holds its place already goes into the history. Another text for
        it is said now.

        Args:
            ids: Which.
            text: Another text for it, where it is only one.

        Returns:
            The batch.

        Raises:
            NotFound: One of them does not wait any more.
            Refused: There is more than one to give a text to.
        """
        if text and len(ids) != 1:
            raise Refused("A text can be given to one memory at a time.")
        note = Note("user", ACCEPT, new_id(self._clock()))
        with self._store.transaction():
            for memory in sorted(self._proposed(ids), key=self._said):
                said = self._reworded(memory, text.strip()) if text.strip() else {}
                for gone in _turned_away(memory, said):
                    self._suppression.reject(gone, memory.agent_pk)
                standing = self._make_room(memory, note, text.strip())
                self._gate.update(memory.id, standing | said, note, typed=True, asked=True)
        return note.batch

    def reject(self, ids: Sequence[str]) -> str:
        """Put proposals away so that they are not made again; return the batch that undoes it."""
        batch = new_id(self._clock())
        with self._store.transaction():
            for memory in self._proposed(ids):
                note = Note("user", REJECT, batch)
                self._memories.update(memory.id, {"status": Status.FORGOTTEN}, note)
                self._suppression.reject(memory.text, memory.agent_pk)
        return batch

    def _proposed(self, ids: Sequence[str]) -> list[Memory]:
        found = [m for m in self._memories.by_ids(ids) if m.status in WAITING]
        if len(found) != len(set(ids)):
            raise NotFound("What you chose no longer needs a decision.")
        return found

    def _said(self, memory: Memory) -> Moment:
        """Return when a memory was said last, by which the newest is known."""
        said = [one.created_at for one in self._memories.evidence(memory.id)]
        return max(said, default=memory.created_at), memory.created_at, memory.pk

    def _reworded(self, memory: Memory, text: str) -> dict[str, Any]:
        """Return a proposal as the person words it; a value that it says no more goes."""
        said: dict[str, Any] = {"text": text}
        if memory.key and not novelty.says_no_more(str(memory.value or ""), text):
            said["value"] = None
        return said

    def _make_room(self, memory: Memory, note: Note, text: str) -> dict[str, Any]:
        """Close what a proposal was meant to replace, and return how it stands itself then.

        What was said later is never closed: the proposal was true before. Another text for it is
        said now.
        """
        active = {"status": Status.ACTIVE, "status_reason": ""}
        old = self._meant(memory, text)
        if old is None or old.id == memory.id:
            return active
        said, before = self._said(memory), self._said(old)
        if not text and before > said:
            return {
                "status": Status.SUPERSEDED,
                "status_reason": "",
                "superseded_by": old.id,
                "valid_to": before[0],
            }
        closed = self._replacing.close(old, memory, said[0], note)
        return active | {"tags": handed_on(memory.tags, closed)}

    def _meant(self, memory: Memory, text: str) -> Memory | None:
        """Return what holds the key of a proposal, or what cannot hold beside it.

        Of two, the one said last is compared as the newer. What somebody else said never takes the
        place of what the person did.
        """
        if memory.key:
            return self._memories.by_key(memory.agent_pk, memory.key)
        if is_besides(text or memory.text):
            return None
        for one in self._nearby.compared(memory, text=text):
            old, said = one.memory, text or memory.text
            foreign = old.trust.is_own and not memory.trust.is_own
            if old.status is not Status.ACTIVE or foreign:
                continue
            found: Compared | None = one
            if not text and self._said(old) > self._said(memory):
                found, said = self._nearby.between(old, memory), old.text
            if found is not None and over(said, [found], said_to_change=False):
                return old
        return None


def turned_away(entry: JournalEntry, memory: Memory) -> list[str]:
    """Return what a change said that the person does not want: it is not proposed again."""
    if entry.op == REJECT:
        return [memory.text]
    if entry.op != ACCEPT or "text" not in entry.before:
        return []
    return _turned_away(replace(memory, text=str(entry.before["text"])), entry.after)


def _turned_away(memory: Memory, said: Mapping[str, Any]) -> list[str]:
    """Return the old text of a proposal that says something else now."""
    text = str(said.get("text", memory.text))
    return [] if novelty.adds_nothing(text, memory.text) else [memory.text]


class Seen:
    """Knows what was proposed in the words of a statement, so that it is not proposed twice."""

    def __init__(self, proposals: Proposals) -> None:
        self._waiting = proposals

    def waiting(self, candidate: Candidate, agent_pk: int, trust: Trust) -> Memory | None:
        """Return the proposal that says the same, unless it is trusted less or set aside."""
        for memory in self._waiting.memories(agent_pk, _LOOKED_AT):
            trusted = memory.status is Status.PROPOSED and memory.trust.rank >= trust.rank
            if trusted and novelty.adds_nothing(candidate.text, memory.text):
                return memory
        return None
