"""What waits for the person: memories to accept or reject, and contradictions to settle."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.domain.changes import Changes
from app.domain.contradiction import Contradiction, Settlement
from app.memory.contradictions import Inbox, merged
from app.memory.proposals import Proposals
from app.store.waiting import Proposal


@dataclass(frozen=True, slots=True)
class Counts:
    """How much waits for the person."""

    proposals: int
    contradictions: int


class AttentionService:
    """Shows what waits, and does what the person decides; every decision can be undone.

    Args:
        proposals: What was learnt in the background.
        inbox: What contradicts each other.
        index_soon: Queues the indexing of what is new.
    """

    def __init__(
        self, proposals: Proposals, inbox: Inbox, index_soon: Callable[[], Changes]
    ) -> None:
        self._proposals = proposals
        self._inbox = inbox
        self._index_soon = index_soon

    def counts(self) -> Counts:
        """Return how much waits."""
        return Counts(self._proposals.count(), self._inbox.count())

    def proposals(self, conversation_id: str = "") -> Sequence[Proposal]:
        """Return the memories that wait, newest first; of one conversation, where one is named."""
        return self._proposals.waiting(conversation_id)

    def accept(self, ids: Sequence[str], text: str = "") -> Changes:
        """Remember what waited; a single one may be given another text.

        Raises:
            NotFound: One of them does not wait any more.
        """
        return self._changed(self._proposals.accept(ids, text), ids)

    def reject(self, ids: Sequence[str]) -> Changes:
        """Put away what waited; it is not proposed again.

        Raises:
            NotFound: One of them does not wait any more.
        """
        return self._changed(self._proposals.reject(ids), ids)

    def contradictions(self) -> Sequence[Contradiction]:
        """Return what contradicts each other, newest first."""
        return self._inbox.waiting()

    def merge_text(self, pair: Contradiction) -> str:
        """Return a text to begin a merge with."""
        return merged(pair)

    def settle(
        self, contradiction: Contradiction, how: Settlement, text: str = "", memory_id: str = ""
    ) -> Changes:
        """Do what the person decided about two memories; an edit is of the one that is named.

        Raises:
            NotFound: They are gone.
            Refused: A text is needed.
        """
        batch = self._inbox.settle(contradiction.id, how, text, memory_id)
        return self._changed(batch, (contradiction.older.id, contradiction.newer.id))

    def _changed(self, batch: str, ids: Sequence[str]) -> Changes:
        return Changes(memories=frozenset(ids), batches=frozenset({batch})) | self._index_soon()
