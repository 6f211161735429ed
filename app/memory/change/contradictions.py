"""Find memories that contradict each other, and do what the person decides about them.

Nothing is closed here by itself: both memories stay, marked, until the person has decided. Where a
newer statement plainly replaces an older one, filing has done that already, and it can be undone.
"""

from collections.abc import Callable, Generator
from dataclasses import replace
from datetime import datetime
from threading import Event
from typing import Any

from app.domain.contradiction import Clash, Contradiction, Settlement
from app.domain.ids import Clock, new_id
from app.domain.jobs.progress import Progress
from app.domain.memory import Memory, MemoryFilter, MemoryType, Scope, Status
from app.errors import Refused
from app.memory.change.comparing import Relation
from app.memory.change.lineage import Lineage
from app.memory.change.nearby import Nearby
from app.memory.change.replacing import Replacing
from app.memory.change.superseding import rivals
from app.memory.safety import handed_on
from app.memory.screen.gate import Gate
from app.memory.text import novelty
from app.store.memories import Note
from app.store.store import Store

IN_USE = frozenset({Status.ACTIVE, Status.PROPOSED})
PAGE = 64


class Inbox:
    """The contradictions of one vault.

    Args:
        nearby: Finds and compares the memories most like one.
    """

    def __init__(self, store: Store, nearby: Nearby, clock: Clock) -> None:
        self._store = store
        self._nearby = nearby
        self._clock = clock
        self._rows = store.contradictions
        self._memories = store.memories
        self._gate = Gate(store)
        self._lineage = Lineage(store)
        self._replacing = Replacing(store, nearby)

    def waiting(self, agent_pk: int) -> list[Contradiction]:
        """Return what waits for the person, newest first."""
        return self._rows.open(agent_pk)

    def count(self, agent_pk: int) -> int:
        """Return how many wait for the person."""
        return self._rows.count(agent_pk)

    def look(
        self, agent_pk: int, note: Note, after: int, cancel: Event, came: Callable[[int, int], None]
    ) -> Generator[Progress, None, None]:
        """Compare every memory with those most like it, and note what contradicts.

        Args:
            agent_pk: Whose memories.
            note: Who looks, for the journal.
            after: The last memory that an earlier look came to.
            cancel: Stops it.
            came: Is told how far it came: to which memory, and with how many new contradictions.
        """
        wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}), order="oldest")
        total = self._memories.count(Scope(agent_pk), wanted)
        offset = 0
        while page := self._memories.list(Scope(agent_pk), wanted, offset, PAGE):
            offset += len(page)
            new = [one for one in page if one.pk > after and _states(one)]
            came(page[-1].pk, sum(self._compared(memory, agent_pk, note) for memory in new))
            yield Progress("Looking for contradictions", offset, total)
        self._tidy(agent_pk, note)

    def between(self, newer: Memory, older: Memory, kind: Clash, note: Note) -> bool:
        """Note that two memories contradict each other, and mark both; call it in a transaction."""
        return self._rows.note(older.pk, newer.pk, kind, note)

    def settle(
        self, contradiction_id: str, how: Settlement, text: str = "", memory_id: str = ""
    ) -> str:
        """Do what the person decided; return the batch that undoes it.

        What is closed leaves its other contradictions to the one that is kept.

        Args:
            contradiction_id: Which.
            how: What to keep; ``EDIT`` gives one of the two another text and keeps both, and the
                pair waits on if they contradict each other even so; ``MERGE`` makes the newer one
                say what both said.
            text: The text, for those two.
            memory_id: Which one is edited; the newer where none is named.

        Raises:
            Refused: There is no text where one is needed.
            NotFound: The contradiction is gone.
        """
        pair = self._rows.get(contradiction_id)
        if how in (Settlement.EDIT, Settlement.MERGE) and not text.strip():
            raise Refused("A memory needs a text.")
        batch = new_id(self._clock())
        with self._store.transaction():
            if how is Settlement.EDIT:
                self._edit(pair, memory_id or pair.newer.id, text.strip(), batch)
            else:
                self._decide(pair, how, text.strip(), batch)
        return batch

    def _edit(self, pair: Contradiction, memory_id: str, text: str, batch: str) -> None:
        note = Note("user", Settlement.EDIT, batch)
        edited = self._gate.update(memory_id, {"text": text}, note, typed=True, asked=True)
        self._lineage.after_edit(memory_id, note)
        is_older = memory_id == pair.older.id
        older, newer = (edited, pair.newer) if is_older else (pair.older, edited)
        if not self._still(replace(pair, older=older, newer=newer)):
            self._keep_both(pair, note)
            self._rows.settle(pair, Settlement.EDIT, note)

    def _decide(self, pair: Contradiction, how: Settlement, text: str, batch: str) -> None:
        note = Note("user", how, batch)
        self._rows.settle(pair, how, note)
        if how is Settlement.KEEP_BOTH:
            self._keep_both(pair, note)
            return
        kept, over = pair.newer, pair.older
        if how is Settlement.KEEP_OLDER:
            kept, over = over, kept
        changes: dict[str, Any] = {"status": Status.ACTIVE, "status_reason": ""}
        if how is Settlement.MERGE:
            changes["text"] = text
        closed = self._replacing.close(over, kept, self._clock(), note)
        changes["tags"] = handed_on(kept.tags, closed)
        kept = self._gate.update(kept.id, changes, note, typed=True, asked=True)
        self._lineage.after_edit(pair.newer.id, note)
        for one in closed:
            self._hand_over(one, kept, note)

    def _keep_both(self, pair: Contradiction, note: Note) -> None:
        """Let both stand; one key holds one value, so the newer gives up the one they share."""
        changes: dict[str, Any] = {"status": Status.ACTIVE, "status_reason": ""}
        if pair.newer.key and pair.newer.key == pair.older.key:
            changes |= {"key": None, "value": None}
        self._gate.update(pair.newer.id, changes, note, typed=True, asked=True)

    def _hand_over(self, over: Memory, kept: Memory, note: Note) -> None:
        """Put what contradicted a closed memory beside the one that was kept."""
        for pair in self._rows.named(over.pk):
            other = pair.newer if pair.older.pk == over.pk else pair.older
            if other.pk != kept.pk and other.status in IN_USE:
                self._note(kept, other, note)

    def _compared(self, memory: Memory, agent_pk: int, note: Note) -> int:
        """Note what a memory contradicts: of those that contradict one another, the newest."""
        found = self._nearby.compared(memory)
        against = [
            one for one in rivals(memory.text, found) if _states(one) and one.agent_pk == agent_pk
        ]
        if not against:
            return 0
        nearest = min(against, key=lambda one: _near_in_time(one, memory))
        with self._store.transaction():
            return int(self._note(memory, nearest, note))

    def _note(self, memory: Memory, other: Memory, note: Note) -> bool:
        kind = self._kind(memory, other)
        older, newer = sorted((memory, other), key=_when)
        return kind is not None and self.between(newer, older, kind, note)

    def _kind(self, one: Memory, other: Memory, untold: Clash | None = None) -> Clash | None:
        """Return how two memories contradict each other, read as the later after the earlier.

        Args:
            one: One of them.
            other: The other.
            untold: The answer where nothing can compare them now.
        """
        older, newer = sorted((one, other), key=_when)
        if older.key and older.key == newer.key:
            same = novelty.same_value(older.value, newer.value)
            return None if same else Clash.KEY
        found = self._nearby.between(newer, older)
        if found is None:
            return untold
        if not rivals(newer.text, [found]):
            return None
        ends = found.chances[Relation.ENDS] > found.chances[Relation.REPLACES]
        return Clash.CLOSING if ends else Clash.SLOT

    def _still(self, pair: Contradiction) -> bool:
        """Return whether two memories contradict each other as they read now."""
        if pair.kind is Clash.KEY and pair.older.key != pair.newer.key:
            return pair.older.text != pair.newer.text
        return self._kind(pair.older, pair.newer, pair.kind) is not None

    def _tidy(self, agent_pk: int, note: Note) -> None:
        """Settle what settled itself: they agree by now."""
        for pair in self._rows.open(agent_pk, limit=1000):
            if not self._still(pair):
                self._rows.settle(pair, Settlement.GONE, note)
        self._rows.put_right(agent_pk)


def _states(memory: Memory) -> bool:
    """Return whether a memory states a fact; an observation only says what statements say."""
    return memory.type in (MemoryType.SEMANTIC, MemoryType.EPISODIC) and memory.proof_count is None


def _when(memory: Memory) -> tuple[datetime, int]:
    return memory.created_at, memory.pk


def _near_in_time(other: Memory, memory: Memory) -> tuple[bool, float]:
    """Return where another memory stands: the newest before a memory first, then those after it."""
    later, apart = _when(other) > _when(memory), other.created_at - memory.created_at
    return later, abs(apart.total_seconds())


def merged(pair: Contradiction) -> str:
    """Return a text to begin a merge with: what the newer one says, and what the older one said."""
    return f"{pair.newer.text.rstrip('.')}. Before: {pair.older.text.rstrip('.')}."
