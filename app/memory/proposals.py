"""What was learnt in the background and waits for the person: accept, edit, or reject.

What is accepted takes the place of what it was meant to replace. What is rejected is not proposed
again, in whatever words.
"""

from collections.abc import Sequence
from typing import Any

from app.domain.ids import Clock, new_id
from app.domain.memory import Memory, Status
from app.errors import NotFound, Refused
from app.memory.gone import Gone
from app.memory.lineage import Lineage
from app.memory.over import also_over, ends
from app.memory.screen.gate import Gate
from app.store.memories import Memories, Note
from app.store.vault import Vault
from app.store.waiting import Proposal, Waiting

ACCEPT, REJECT = "accept", "reject"
WAITING = frozenset({Status.PROPOSED, Status.QUARANTINED})


class Proposals:
    """The proposals of one vault."""

    def __init__(self, vault: Vault, clock: Clock) -> None:
        self._vault = vault
        self._clock = clock
        self._memories = Memories(vault)
        self._gate = Gate(vault)
        self._waiting = Waiting(vault)
        self._gone = Gone(vault)
        self._lineage = Lineage(vault)

    def waiting(self, conversation_id: str = "", limit: int = 200) -> Sequence[Proposal]:
        """Return what waits, newest first; of one conversation, where one is named."""
        return self._waiting.list(conversation_id, limit)

    def count(self) -> int:
        """Return how many wait."""
        return self._waiting.count()

    def accept(self, ids: Sequence[str], text: str = "") -> str:
        """Remember proposals; return the batch that undoes it.

        Args:
            ids: Which.
            text: Another text for it, where it is only one.

        Raises:
            NotFound: One of them does not wait any more.
            Refused: The text is empty, or there is more than one to give it to.
        """
        if text and len(ids) != 1:
            raise Refused("A text can be given to one memory at a time.")
        batch = new_id(self._clock())
        with self._vault.write():
            for memory in self._proposed(ids):
                note = Note("user", ACCEPT, batch)
                self._make_room(memory, note)
                changes: dict[str, Any] = {"status": Status.ACTIVE, "status_reason": ""}
                if text.strip():
                    changes["text"] = text.strip()
                self._gate.update(memory.id, changes, note, typed=True, asked=True)
        return batch

    def reject(self, ids: Sequence[str]) -> str:
        """Put proposals away so that they are not made again; return the batch that undoes it."""
        batch = new_id(self._clock())
        with self._vault.write():
            for memory in self._proposed(ids):
                note = Note("user", REJECT, batch)
                self._memories.update(memory.id, {"status": Status.FORGOTTEN}, note)
                self._gone.reject(memory.text)
        return batch

    def _proposed(self, ids: Sequence[str]) -> list[Memory]:
        found = [m for m in self._memories.by_ids(ids) if m.status in WAITING]
        if len(found) != len(set(ids)):
            raise NotFound("What you chose does not wait for you any more.")
        return found

    def _make_room(self, memory: Memory, note: Note) -> None:
        """Close what a proposal was meant to replace: the person has decided for it."""
        old = self._meant(memory)
        if old is None or old.id == memory.id:
            return
        closed = {
            "status": Status.SUPERSEDED,
            "superseded_by": memory.id,
            "valid_to": memory.created_at,
        }
        over = [old, *also_over(old, (), self._memories, memory.trust)]
        for one in over:
            self._memories.update(one.id, closed, note)
        self._lineage.after_replacement([one.id for one in over], note)

    def _meant(self, memory: Memory) -> Memory | None:
        """Return what holds the key of a proposal, or what its words say is over."""
        from app.memory.extract.statements import statements

        if memory.key:
            return self._memories.by_key(memory.agent_pk, memory.key)
        for evidence in self._memories.evidence(memory.id):
            for said in statements(evidence.quote, evidence.created_at.astimezone()):
                old = self._memories.by_key(memory.agent_pk, said.key) if said.key else None
                if old is not None and said.text == memory.text and ends(said, old):
                    return old
        return None
