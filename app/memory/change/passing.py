"""End passing notes with what they belong to: a conversation, or the part of it that is summed up.

A memory of the type *working* is of use only while the messages it rests on are before the model's
eyes. Once they are not, it is forgotten; undo brings it back like any other.
"""

from collections.abc import Collection

from app.domain.ids import Clock, new_id
from app.domain.memory import MemoryFilter, MemoryType, Scope, Status
from app.store.memories import Note
from app.store.store import Store

OVER = "The conversation it belonged to is over."
SUMMED_UP = "What it belonged to was summed up."


class PassingNotes:
    """Forgets passing notes."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._memories = store.memories
        self._messages = store.messages
        self._clock = clock

    def end(self, conversation_id: str, scope: Scope) -> frozenset[str]:
        """Forget what rests on a conversation alone; return the ids."""
        return self._forget(scope, OVER, conversation=conversation_id)

    def end_of(self, message_ids: Collection[str], scope: Scope) -> frozenset[str]:
        """Forget what rests on messages alone that are summed up now; return the ids."""
        return self._forget(scope, SUMMED_UP, messages=message_ids)

    def _forget(
        self, scope: Scope, why: str, *, conversation: str = "", messages: Collection[str] = ()
    ) -> frozenset[str]:
        wanted = MemoryFilter(
            types=frozenset({MemoryType.WORKING}), statuses=frozenset({Status.ACTIVE})
        )
        going = []
        for memory in self._memories.list(scope, wanted, limit=-1):
            rests = self._memories.evidence(memory.id)
            gone = [
                e.conversation_id == conversation if conversation else e.message_id in messages
                for e in rests
            ]
            if gone and all(gone) and not memory.pinned:
                going.append(memory.id)
        if going:
            note = Note("learner", "forget", new_id(self._clock()), why)
            with self._store.transaction():
                for memory_id in going:
                    fields = {"status": Status.FORGOTTEN, "status_reason": why}
                    self._memories.update(memory_id, fields, note)
        return frozenset(going)
