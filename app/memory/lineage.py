"""Keep observations true to the statements they were made of, whatever becomes of those.

Where the person forgets, edits or replaces a statement, no observation may go on saying it. Each
function joins the transaction and the batch of the change that it follows, so that one undo takes
back both. What the person wrote into an observation themselves is theirs and stays.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.domain.memory import Memory, Status
from app.domain.text import normalise
from app.errors import NotFound
from app.memory.agreement import contains, fullest, holds, said
from app.memory.screen.gate import Gate
from app.store.journal import Journal
from app.store.memories import Memories, Note
from app.store.observations import Observations
from app.store.vault import Vault

NOTHING_LEFT = "Nothing that it was drawn from is left."
REPLACED = "Something that it was drawn from was replaced."
_SET_ASIDE = frozenset({Status.PROPOSED, Status.QUARANTINED})


class Lineage:
    """Follows what becomes of the statements that observations were made of."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._memories = Memories(vault)
        self._gate = Gate(vault)
        self._journal = Journal(vault)
        self._observations = Observations(vault)

    def after_removal(self, memory_ids: Collection[str], note: Note) -> list[str]:
        """Draw observations anew from what is left of their statements, or forget them too.

        Statements that an observation among the memories was made of may be folded again, once
        others join them.

        Args:
            memory_ids: What was forgotten.
            note: Who did that, in which batch.

        Returns:
            Ids of the memories that changed.
        """
        with self._vault.write():
            changed = self._let_go(self._made(memory_ids), note)
            for observation in self._observations.made_of(memory_ids):
                changed += self._without(observation, frozenset(memory_ids), note)
        return changed

    def after_undo(self, memory_ids: Collection[str], batch: str, undo: str) -> list[str]:
        """Do the same for what was taken out of use because a batch was undone."""
        found = self._memories.by_ids(sorted(memory_ids))
        gone = [m.id for m in found if m.status is Status.FORGOTTEN and m.proof_count is None]
        with self._vault.write():
            changed = self.after_removal(gone, Note("user", "undo", undo))
            self._journal.follow(undo, batch)
        return changed

    def after_edit(self, memory_id: str, note: Note) -> list[str]:
        """Take a statement out of the observations that no longer say what it says now."""
        with self._vault.write():
            (now,) = self._memories.by_ids([memory_id]) or (None,)
            if now is None or now.proof_count is not None:
                return []
            changed: list[str] = []
            for observation in self._observations.made_of([memory_id]):
                if not _stands_for(observation, now):
                    changed += self._without(observation, frozenset({memory_id}), note)
        return changed

    def after_replacement(self, memory_ids: Collection[str], note: Note) -> list[str]:
        """Forget the observations that say what was replaced: they say all that it said."""
        with self._vault.write():
            changed = self._let_go(self._made(memory_ids), note)
            for observation in self._observations.made_of(memory_ids):
                if not self.is_reworded(observation.id):
                    changed += self._forget(observation, REPLACED, note)
        return changed

    def before_erasure(self, memory_id: str) -> list[str]:
        """Erase the observations that were made of a memory which is about to be erased.

        What is left of their statements is folded anew, without it. Like the erasure, this leaves
        nothing in the journal that could be undone.

        Returns:
            Ids of the observations.
        """
        with self._vault.write():
            gone = self.erased_with(memory_id)
            drawn = [*gone, *self._made([memory_id])]
            if drawn:
                self._observations.release({i for m in drawn for i in m.source_ids})
                self._observations.start_over()
            for observation in gone:
                self._memories.delete(observation.id)
        return [observation.id for observation in gone]

    def erased_with(self, memory_id: str) -> list[Memory]:
        """Return the observations that an erasure of a memory takes with it."""
        made = [m for m in self._observations_of(memory_id) if not self.is_reworded(m.id)]
        return [m for m in made if m.id != memory_id]

    def tend(self, agent_pk: int, note: Note) -> tuple[int, list[str]]:
        """Do for all observations of an agent what nobody did when their statements changed.

        Returns:
            How many had to be put right, and ids of the memories that changed.
        """
        number, changed = 0, list[str]()
        with self._vault.write():
            for observation in self._observations.all_of(agent_pk):
                if observation.status is Status.FORGOTTEN or self.is_reworded(observation.id):
                    continue
                found = self._tended(observation, note)
                number += bool(found)
                changed += found
        return number, changed

    def is_reworded(self, memory_id: str) -> bool:
        """Say whether the person wrote the text of an observation."""
        return any(
            entry.actor == "user" and entry.op == "edit" and "text" in entry.after
            for entry in self._journal.of_memory(memory_id)
            if not entry.undone
        )

    # -- what becomes of one observation -----------------------------------------------------------

    def _tended(self, observation: Memory, note: Note) -> list[str]:
        sources = self._memories.by_ids(observation.source_ids)
        if any(m.valid_to for m in sources):
            return self._forget(observation, REPLACED, note)
        gone = [m for m in sources if self._is_out(m) or not _stands_for(observation, m)]
        if not gone:
            return []
        return self._without(observation, frozenset(m.id for m in gone), note)

    def _without(self, observation: Memory, gone: frozenset[str], note: Note) -> list[str]:
        """Let some statements go; say what the others say where the text said more."""
        sources = self._memories.by_ids(observation.source_ids)
        left = [m for m in sources if m.id not in gone and not self._is_out(m)]
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

    def _is_out(self, memory: Memory) -> bool:
        """Say whether a statement counts no more; one that only grew old or was summed up does."""
        if memory.valid_to or memory.status in _SET_ASIDE:
            return True
        if memory.status is not Status.FORGOTTEN:
            return False
        entries = self._journal.of_memory(memory.id)
        told = [e.actor for e in entries if e.after.get("status") == Status.FORGOTTEN]
        return not told or told[-1] == "user"

    def _made(self, memory_ids: Collection[str]) -> list[Memory]:
        found = self._memories.by_ids(sorted(memory_ids))
        return [memory for memory in found if memory.proof_count is not None]

    def _observations_of(self, memory_id: str) -> list[Memory]:
        try:
            agent_pk = self._memories.get(memory_id).agent_pk
        except NotFound:
            return []
        return [m for m in self._observations.all_of(agent_pk) if memory_id in m.source_ids]


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
