"""What consolidation folds: clusters of statements, and what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.memory import Memory


@dataclass(frozen=True, slots=True)
class Cluster:
    """Statements about one thing.

    Attributes:
        text: What an observation of them would say; empty where only a model could put it.
        sources: The statements, the oldest first.
    """

    text: str
    sources: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class Fold:
    """One observation that a run made, renewed, or put right because its statements changed.

    Attributes:
        observation: As it is now.
        before: What it said before; None where the run made it.
        after: What it said afterwards; empty where the run found that nothing bears it any more.
        sources: The statements it was then drawn from, as far as they are still there.
        added: Ids of those that this run added.
        undone: Whether this was taken back.
    """

    observation: Memory
    before: str | None
    after: str
    sources: Sequence[Memory] = ()
    added: frozenset[str] = frozenset()
    undone: bool = False

    @property
    def new(self) -> bool:
        """Whether the run made the observation."""
        return self.before is None


@dataclass(frozen=True, slots=True)
class ConsolidationRun:
    """One run whose changes are reviewed, and reverted, together.

    Attributes:
        batch: What "Revert" takes back.
        figures: How many observations were created, and how many renewed or put right.
    """

    batch: str
    at: datetime
    figures: Mapping[str, int] = field(default_factory=dict)
