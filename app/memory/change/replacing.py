"""Close a memory whose place another one takes, and with it what says the same in other words.

People say one thing in several ways, and some of that is archived by the time that it is over. What
is pinned, trusted more, seen by others or of another kind stays, and so does what was said again
since.
"""

from dataclasses import replace
from datetime import datetime

from app.domain.memory import Memory, MemoryType, Status
from app.memory.change.lineage import Lineage
from app.memory.change.nearby import Nearby
from app.memory.text import novelty
from app.store.memories import Note
from app.store.store import Store

_STANDING = (MemoryType.PROCEDURAL, MemoryType.WORKING)


class Replacing:
    """Closes memories."""

    def __init__(self, store: Store, nearby: Nearby) -> None:
        self._nearby = nearby
        self._memories = store.memories
        self._lineage = Lineage(store)

    def close(self, old: Memory, new: Memory, at: datetime, note: Note) -> list[Memory]:
        """Put a memory out of use, and let nothing go on saying it; call it in a transaction.

        Args:
            old: What is over.
            new: What takes its place.
            at: Since when.
            note: Who does that, in which batch.

        Returns:
            Everything that was closed as it stood before, the memory first.
        """
        same = self._saying_the_same(old, new, at)
        closed = {"status": Status.SUPERSEDED, "superseded_by": new.id, "valid_to": at}
        self._memories.update(old.id, closed, note)
        for memory in same:  # no message says that of them, so no receipt names them
            self._memories.update(memory.id, closed, replace(note, message_id=None))
        self._lineage.after_replacement([old.id, *(memory.id for memory in same)], note)
        return [old, *same]

    def _saying_the_same(self, old: Memory, new: Memory, at: datetime) -> list[Memory]:
        if old.agent_pk != new.agent_pk or old.type in _STANDING:
            return []
        same = [
            *self._under_its_key(old),
            *self._nearby.saying_the_same(old, Status.ACTIVE, Status.OUT_OF_WINDOW),
        ]
        found = {one.id: one for one in same if one.id not in (old.id, new.id)}
        said = self._memories.said_last(found)
        return [
            one
            for one in found.values()
            if _alike(one, old)
            and not (one.source_ids or one.pinned)
            and one.trust.rank <= new.trust.rank
            and said.get(one.id, at) <= at
        ]

    def _under_its_key(self, old: Memory) -> list[Memory]:
        """Return what was archived with the key and value of a memory."""
        if old.key is None:
            return []
        archived = self._memories.archived(old.agent_pk, old.key)
        return [one for one in archived if novelty.same_value(one.value, old.value)]


def _alike(one: Memory, other: Memory) -> bool:
    """Return whether two memories are of one kind and seen by the same."""
    return (one.agent_pk, one.visibility, one.group_pks, one.type) == (
        other.agent_pk,
        other.visibility,
        other.group_pks,
        other.type,
    )
