"""Keep what was drawn from memories true to them, whatever becomes of those.

Where the person forgets, edits or replaces a statement, nothing that was made of it may go on
saying it: no observation, list or summary. Each function joins the transaction and the batch of the
change that it follows, so that one undo takes back both. What the person wrote into an observation
themselves is theirs and stays.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.domain.language.text import normalise
from app.domain.memory import Memory, Status
from app.memory.change.agreement import contains, fullest, holds, said
from app.memory.change.summaries import NOTHING_LEFT, Summaries, is_out, is_reworded
from app.memory.screen.gate import Gate
from app.store.memories import Note
from app.store.store import Store

__all__ = ("NOTHING_LEFT", "REPLACED", "Lineage", "latest")

REPLACED = "Something that it was drawn from was replaced."
_SAYING = frozenset({"text", "trust", "expires_at", "visibility", "group_pks"})


class Lineage:
    """Follows what becomes of the statements that observations were made of."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._memories = store.memories
        self._gate = Gate(store)
        self._journal = store.journal
        self._observations = store.observations
        self._summaries = Summaries(store)

    def after_removal(self, memory_ids: Collection[str], note: Note) -> list[str]:
        """Draw what was made of memories anew from what is left of those, or forget it too.

        Statements that an observation among the memories was made of may be folded again, once
        others join them.

        Args:
            memory_ids: What was forgotten.
            note: Who did that, in which batch.

        Returns:
            Ids of the memories that changed.
        """
        with self._store.transaction():
            changed = self._let_go(self._made(memory_ids), note)
            for observation in self._observations.made_of(memory_ids):
                changed += self._without(observation, frozenset(memory_ids), note)
            changed += self._summaries.follow([*memory_ids, *changed], note, unsaid=memory_ids)
        return changed

    def after_undo(self, memory_ids: Collection[str], batch: str, undo: str) -> list[str]:
        """Do the same for what was taken out of use because a batch was undone."""
        found = self._memories.by_ids(sorted(memory_ids))
        gone = [m.id for m in found if m.status is Status.FORGOTTEN and m.proof_count is None]
        with self._store.transaction():
            note = Note("user", "undo", undo)
            changed = self.after_removal(gone, note)
            changed += self._after_return(undo, note)
            changed += self._summaries.follow(memory_ids, note)
            self._journal.follow(undo, batch)
        return changed

    def after_edit(self, memory_id: str, note: Note) -> list[str]:
        """Take a statement out of what no longer says what it says now."""
        with self._store.transaction():
            (now,) = self._memories.by_ids([memory_id]) or (None,)
            if now is None:
                return []
            changed: list[str] = []
            made = self._observations.made_of([memory_id]) if now.proof_count is None else []
            for observation in made:
                if not _stands_for(observation, now):
                    changed += self._without(observation, frozenset({memory_id}), note)
            unsaid = [memory_id] if self._says_something_else(memory_id, note.batch) else []
            changed += self._summaries.follow([memory_id, *changed], note, unsaid=unsaid)
        return changed

    def after_replacement(self, memory_ids: Collection[str], note: Note) -> list[str]:
        """Let nothing say what was replaced."""
        with self._store.transaction():
            changed = self._let_go(self._made(memory_ids), note)
            for observation in self._observations.made_of(memory_ids):
                if not self.is_reworded(observation.id):
                    changed += self._forget(observation, REPLACED, note)
            changed += self._summaries.follow([*memory_ids, *changed], note, unsaid=memory_ids)
        return changed

    def before_erasure(self, memory_id: str) -> list[str]:
        """Erase what was made of a memory which is about to be erased.

        What is left of the statements of observations is folded anew, without it; lists are written
        anew, and what a summary stood for is in use again. Like the erasure, this leaves nothing in
        the journal that could be undone.

        Returns:
            Ids of the memories that went, came, or are in use again.
        """
        with self._store.transaction():
            gone = [m for m in self.erased_with(memory_id) if m.proof_count is not None]
            drawn = [*gone, *self._made([memory_id])]
            changed = self._summaries.let_go_of({memory_id, *(m.id for m in gone)})
            if drawn:
                self._observations.release({i for m in drawn for i in m.source_ids})
                self._observations.start_over()
            for observation in gone:
                self._memories.delete(observation.id)
        return [*(observation.id for observation in gone), *changed]

    def before_deletion(self, memory_ids: Collection[str]) -> list[str]:
        """Take memories that are about to be deleted for their age out of lists.

        What was concluded from them stays.

        Returns:
            Ids of the lists that went and came.
        """
        return self._summaries.let_go_of(memory_ids, lists_only=True)

    def erased_with(self, *memory_ids: str) -> list[Memory]:
        """Return the observations, lists and summaries that an erasure of memories takes with it.

        Lists come back without them.
        """
        return self._summaries.made_with(memory_ids)

    def said_before(self, memory_id: str) -> list[str]:
        """Return how what was made of a memory worded it before the person wrote that anew."""
        return [
            str(values["text"])
            for one in self._summaries.made_with([memory_id], reworded=True)
            for entry in self._journal.of_memory(one.id)
            for values in (entry.before, entry.after)
            if values.get("text") not in (None, one.text)
        ]

    def tend(self, agent_pk: int, note: Note) -> tuple[int, list[str]]:
        """Do for all observations of an agent what nobody did when their statements changed.

        Returns:
            How many had to be put right, and ids of the memories that changed.
        """
        number, changed = 0, list[str]()
        with self._store.transaction():
            for observation in self._observations.all_of(agent_pk):
                if observation.status is Status.FORGOTTEN or self.is_reworded(observation.id):
                    continue
                found = self._tended(observation, note)
                number += bool(found)
                changed += found
        return number, changed

    def is_reworded(self, memory_id: str) -> bool:
        """Say whether the person wrote the text of an observation."""
        return is_reworded(self._journal, memory_id)

    # -- what becomes of one observation -----------------------------------------------------------

    def _tended(self, observation: Memory, note: Note) -> list[str]:
        sources = self._memories.by_ids(observation.source_ids)
        if any(m.valid_to for m in sources):
            return self._forget(observation, REPLACED, note)
        gone = [m for m in sources if is_out(self._journal, m) or not _stands_for(observation, m)]
        if not gone:
            return []
        return self._without(observation, frozenset(m.id for m in gone), note)

    def _without(self, observation: Memory, gone: frozenset[str], note: Note) -> list[str]:
        """Let some statements go; say what the others say where the text said more."""
        sources = self._memories.by_ids(observation.source_ids)
        left = [m for m in sources if m.id not in gone and not is_out(self._journal, m)]
        mine = self.is_reworded(observation.id)
        if not left and not mine:
            return self._forget(observation, NOTHING_LEFT, note)
        ids = [i for i in observation.source_ids if i not in gone]
        text = observation.text
        if not mine and _rests_on_more(observation, left, [m for m in sources if m.id in gone]):
            text = fullest(left).text
            kept = {m.id for m in left if holds(text, m.text)}
            ids = [i for i in ids if i in kept]
        released = [m for m in sources if m.id not in ids]
        fields = _drawn_from(ids, [m for m in left if m.id in ids]) | {"text": text}
        self._gate.update(observation.id, fields, replace(note, op="redraw"), typed=mine)
        return [observation.id, *self._release(released, note)]

    def _forget(self, observation: Memory, reason: str, note: Note) -> list[str]:
        fields = {"status": Status.FORGOTTEN, "status_reason": reason}
        self._memories.update(observation.id, fields, replace(note, op="forget"))
        return [observation.id, *self._let_go([observation], note)]

    def _let_go(self, observations: Sequence[Memory], note: Note) -> list[str]:
        """Let the statements of observations that are out of use be folded again."""
        released: list[str] = []
        for observation in observations:
            sources = self._memories.by_ids(observation.source_ids)
            released += self._release(sources, note)
        return released

    def _release(self, sources: Sequence[Memory], note: Note) -> list[str]:
        stamped = [m for m in sources if m.consolidated_at is not None]
        for memory in stamped:
            fields = {"consolidated_at": None}
            self._memories.update(memory.id, fields, replace(note, op="unfold"))
        return [memory.id for memory in stamped]

    def _after_return(self, undo: str, note: Note) -> list[str]:
        """Put right what an undo put in use again, although what it was drawn from changed."""
        entries = self._journal.of_batch(undo)
        back = {e.memory_id for e in entries if e.after.get("status") == Status.ACTIVE}
        changed: list[str] = []
        for memory in self._memories.by_ids(sorted(back)):
            if memory.proof_count is not None and not self.is_reworded(memory.id):
                changed += self._tended(memory, note)
        return [*changed, *self._summaries.after_return(back, note)]

    def _says_something_else(self, memory_id: str, batch: str) -> bool:
        """Return whether a batch changed what a memory says, how surely, or to whom."""
        for entry in self._journal.of_batch(batch):
            if entry.memory_id != memory_id or entry.op == "elevate":
                continue
            fields = _SAYING & entry.after.keys()
            was = str(entry.before.get("text", ""))
            if fields - {"text"} or (fields and normalise(entry.after["text"]) != normalise(was)):
                return True
        return False

    def _made(self, memory_ids: Collection[str]) -> list[Memory]:
        found = self._memories.by_ids(sorted(memory_ids))
        return [memory for memory in found if memory.proof_count is not None]


def _stands_for(observation: Memory, source: Memory) -> bool:
    """Return whether an observation says what a statement says, as surely and for as long."""
    sure = source.trust.rank >= observation.trust.rank and source.expires_at is None
    return sure and contains(observation.text, source.text)


def _rests_on_more(observation: Memory, left: Sequence[Memory], gone: Sequence[Memory]) -> bool:
    """Return whether an observation says what only statements that are gone said."""
    words = frozenset[str]().union(*(said(m.text).words for m in left))
    same = {normalise(m.text) for m in gone} - {normalise(m.text) for m in left}
    return bool(said(observation.text).words - words) or normalise(observation.text) in same


def _drawn_from(ids: Sequence[str], sources: Sequence[Memory]) -> dict[str, Any]:
    fields: dict[str, Any] = {"source_ids": list(ids), "proof_count": max(1, len(ids))}
    if sources:
        fields["occurred_at"] = latest(sources)
    return fields


def latest(sources: Sequence[Memory]) -> datetime:
    """Return when the last of some statements happened, or else was learnt."""
    return max(m.occurred_at or m.created_at for m in sources)
