"""What the jobs that learn in the background work with, and what each of them ends with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.jobs.upkeep import JobResult
from app.memory.learn.remember import LearningModels, Remember
from app.settings.spec import Settings
from app.store.store import Store


@dataclass(frozen=True, slots=True)
class LearningContext:
    """What a job that learns is given.

    Attributes:
        settings: Returns the settings of the moment.
        remember: What keeps what is found.
        enqueue_index: Queues the indexing of what is new.
    """

    store: Store
    models: LearningModels
    settings: Callable[[], Settings]
    remember: Remember
    enqueue_index: Callable[[], object]
    clock: Clock

    def done(self, batch: str, figures: Mapping[str, int]) -> JobResult:
        """Return what a job changed, of which what is new is indexed next."""
        changed = frozenset(entry.memory_id for entry in self.store.journal.of_batch(batch))
        if not changed:
            return JobResult(figures=figures)
        self.enqueue_index()
        return JobResult(Changes(memories=changed, batches=frozenset({batch})), figures, batch)
