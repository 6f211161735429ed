"""What waits for the person: memories, contradictions, and what did not go as it should."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.changes import Changes
from app.domain.contradiction import Contradiction, Settlement
from app.domain.memory import DEFAULT_SCOPE, Proposal
from app.services.upkeep.backups import BackupsService
from app.services.upkeep.learners import LearnersService
from app.services.upkeep.tampering import TamperingService
from app.store.store import Store

if TYPE_CHECKING:
    from app.memory.change.contradictions import Inbox
    from app.memory.change.proposals import ProposalDecisions


@dataclass(frozen=True, slots=True)
class Counts:
    """How much waits for the person."""

    proposals: int
    contradictions: int
    foreign: int = 0
    backups: int = 0
    learner: int = 0


class AttentionService:
    """Shows what waits, and does what the person decides; every decision can be undone.

    Args:
        proposals: Returns what was learnt in the background.
        inbox: Returns what contradicts each other.
        learners: Tells whether the learning model is given up.
    """

    def __init__(
        self,
        store: Store,
        proposals: "Callable[[], ProposalDecisions]",
        inbox: "Callable[[], Inbox]",
        enqueue_index: Callable[[], Changes],
        tampering: TamperingService,
        backups: BackupsService,
        learners: LearnersService,
    ) -> None:
        self._learners = learners
        self._backups = backups
        self._tampering = tampering
        self._store = store
        self._proposals = proposals
        self._inbox = inbox
        self._enqueue_index = enqueue_index

    def counts(self) -> Counts:
        """Return how much waits."""
        foreign, late, given_up = self.foreign(), self.late_backups(), self.given_up()
        told = (len(foreign), len(late), len(given_up))
        proposals, contradictions = self._store.proposals, self._store.contradictions
        return Counts(proposals.count(), contradictions.count(DEFAULT_SCOPE.agent_pk), *told)

    def late_backups(self) -> Sequence[str]:
        """Return in sentences whether backups fail or are overdue."""
        return self._backups.late()

    def given_up(self) -> Sequence[str]:
        """Return in sentences whether the learning model failed so often that it is given up."""
        return tuple(filter(None, [self._learners.status().given_up]))

    def learn_again(self) -> Changes:
        """Let the learning model that was given up try again."""
        return self._learners.try_again()

    def foreign(self) -> Sequence[str]:
        """Return in sentences what something else than Loci changed or lost."""
        return self._tampering.standing()

    def accept_foreign(self) -> Changes:
        """Take everything as it is now for right."""
        return self._tampering.accept()

    def proposals(self, conversation_id: str = "") -> Sequence[Proposal]:
        """Return the memories that wait, newest first; of one conversation, where one is named."""
        return self._proposals().waiting(conversation_id)

    def accept(self, ids: Sequence[str], text: str = "") -> Changes:
        """Remember what waited; a single one may be given another text.

        Raises:
            NotFound: One of them does not wait any more.
        """
        return self._changed(self._proposals().accept(ids, text), ids)

    def reject(self, ids: Sequence[str]) -> Changes:
        """Put away what waited; it is not proposed again.

        Raises:
            NotFound: One of them does not wait any more.
        """
        return self._changed(self._proposals().reject(ids), ids)

    def contradictions(self) -> Sequence[Contradiction]:
        """Return what contradicts each other, newest first."""
        return self._inbox().waiting(DEFAULT_SCOPE.agent_pk)

    def merge_text(self, pair: Contradiction) -> str:
        """Return a text to begin a merge with."""
        from app.memory.change.contradictions import merged

        return merged(pair)

    def settle(
        self, contradiction: Contradiction, how: Settlement, text: str = "", memory_id: str = ""
    ) -> Changes:
        """Do what the person decided about two memories; an edit is of the one that is named.

        Raises:
            NotFound: They are gone.
            Refused: A text is needed.
        """
        batch = self._inbox().settle(contradiction.id, how, text, memory_id)
        return self._changed(batch, (contradiction.older.id, contradiction.newer.id))

    def _changed(self, batch: str, ids: Sequence[str]) -> Changes:
        return Changes(memories=frozenset(ids), batches=frozenset({batch})) | self._enqueue_index()
