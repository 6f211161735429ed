"""Close a memory whose place another one takes, and with it what says the same in other words.

People say one thing in several ways, and some of that is archived by the time that it is over. What
was pinned, or is trusted more than what takes its place, stays for the person to decide.
"""

from datetime import datetime

from app.domain.memory import Memory, Status
from app.memory import novelty
from app.memory.lineage import Lineage
from app.memory.nearby import Nearby
from app.store.memories import Memories, Note
from app.store.vault import Vault


class Replacing:
    """Closes memories.

    Args:
        vault: The vault.
        nearby: Finds what says the same.
    """

    def __init__(self, vault: Vault, nearby: Nearby) -> None:
        self._nearby = nearby
        self._memories = Memories(vault)
        self._lineage = Lineage(vault)

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
        over = [old, *self._saying_the_same(old, new)]
        closed = {"status": Status.SUPERSEDED, "superseded_by": new.id, "valid_to": at}
        for memory in over:
            self._memories.update(memory.id, closed, note)
        self._lineage.after_replacement([memory.id for memory in over], note)
        return over

    def _saying_the_same(self, old: Memory, new: Memory) -> list[Memory]:
        found = {
            memory.id: memory
            for memory in (
                *self._under_its_key(old),
                *self._nearby.saying_the_same(old, Status.ACTIVE, Status.OUT_OF_WINDOW),
            )
        }
        return [
            memory
            for memory in found.values()
            if memory.id not in (old.id, new.id)
            and not memory.source_ids
            and not memory.pinned
            and memory.trust.rank <= new.trust.rank
        ]

    def _under_its_key(self, old: Memory) -> list[Memory]:
        """Return what was archived with the key and value of a memory."""
        if old.key is None:
            return []
        archived = self._memories.archived(old.agent_pk, old.key)
        return [one for one in archived if novelty.same_value(one.value, old.value)]
