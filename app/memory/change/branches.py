"""Put out of use what was learnt from a message in whose place the person said something else.

Such a message stays on its branch, word for word, but it is not what they say any more. What was
said elsewhere too, confirmed, pinned, or said again in the new message stays as it is.
"""

from collections.abc import Collection

from app.domain.conversation import Message, Role
from app.domain.ids import Clock
from app.domain.memory import Memory, Status, Trust
from app.memory.change.lineage import Lineage
from app.store.memories import Note
from app.store.store import Store

SAID_ANEW = "You said something else in its place."


class ReplacedMessages:
    """Closes what rests on earlier versions of a message alone."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._messages = store.messages
        self._memories = store.memories
        self._lineage = Lineage(store)
        self._clock = clock

    def is_over(self, message: Message) -> bool:
        """Whether the person said something else in place of a message since."""
        return any(m.pk > message.pk for m in self._versions(message))

    def close(self, message: Message, batch: str) -> list[Memory]:
        """Close what earlier versions of a message taught and this one does not say.

        Args:
            message: The newest version, after it was learnt from.
            batch: What "Undo" undoes.

        Returns:
            The memories as they stood before.
        """
        earlier = {m.id for m in self._versions(message) if m.pk < message.pk}
        if not earlier:
            return []
        said = self._memories.resting_on(message.id)
        kept = {memory.id for memory in said}
        over = {m.id: m for old in earlier for m in self._memories.resting_on(old)}
        closed = [m for m in over.values() if m.id not in kept and self._is_of(m, earlier)]
        heirs = [m.id for m in said if m.status is Status.ACTIVE]
        fields = {
            "status": Status.SUPERSEDED,
            "status_reason": SAID_ANEW,
            "superseded_by": heirs[0] if len(heirs) == 1 else None,
            "valid_to": self._clock(),
        }
        note = Note("learner", "supersede", batch, message_id=message.id, reason=SAID_ANEW)
        with self._store.transaction():
            for memory in closed:
                self._memories.update(memory.id, fields, note)
            self._lineage.after_replacement([memory.id for memory in closed], note)
        return closed

    def _versions(self, message: Message) -> list[Message]:
        if message.siblings[0] < 2:
            return []
        found = self._messages.children(message.parent_id, message.conversation_id)
        return [one for one in found if one.role is Role.USER]

    def _is_of(self, memory: Memory, message_ids: Collection[str]) -> bool:
        """Whether a memory in use rests on these messages and on nothing else."""
        used = memory.status in (Status.ACTIVE, Status.PROPOSED, Status.OUT_OF_WINDOW)
        own = memory.trust is Trust.SYSTEM or memory.pinned
        rests = {evidence.message_id for evidence in self._memories.evidence(memory.id)}
        return used and not own and rests <= set(message_ids)
