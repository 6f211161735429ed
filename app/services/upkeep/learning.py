"""What Loci learns by itself: from what was said and missed, and from what was brought in.

The reviews' code is imported when one runs: what they import would delay the window.
"""

from collections.abc import Callable, Mapping
from threading import Event
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.jobs.kinds import READ, REVIEW
from app.domain.jobs.upkeep import Mark
from app.memory.learn.read import Read
from app.memory.learn.remember import LearningModels, Remember
from app.services.upkeep.work import Running, Work, upkeep
from app.settings.spec import Settings
from app.store.store import Store
from app.store.work.jobs import Job


class Learning:
    """Learns in the background.

    Args:
        store: What is kept.
        models: The models in use.
        settings: Returns the settings of the moment.
        remember: What keeps what is learnt.
        enqueue_index: Queues the indexing of what is new.
        clock: The present.
    """

    def __init__(
        self,
        store: Store,
        models: LearningModels,
        settings: Callable[[], Settings],
        remember: Remember,
        enqueue_index: Callable[[], Changes],
        clock: Clock,
    ) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._remember = remember
        self._enqueue_index = enqueue_index
        self._clock = clock

    def works(self) -> list[Work]:
        """Return the kinds of work done here."""
        review = upkeep(
            REVIEW,
            "Review",
            "Reads conversations again for what was missed.",
            self._review,
            lambda settings: (settings.upkeep.review.enabled, settings.upkeep.review.at),
        )
        read = Work(
            READ,
            "Read",
            "Learns from what you imported.",
            self._read,
            nightly=True,
            trigger="Starts when you import conversations.",
            per_item=True,
        )
        return [review, read]

    def _review(self, checkpoint: Mapping[str, Any], mark: Mark, cancel: Event) -> Running:
        from app.memory.review import ReviewJob

        review = ReviewJob(
            self._store,
            self._models,
            self._settings,
            self._remember,
            self._enqueue_index,
            self._clock,
        )
        return review.run(checkpoint, mark, cancel)

    def _read(self, job: Job, mark: Mark, cancel: Event) -> Running:
        read = Read(self._store, self._settings, self._remember, self._enqueue_index, self._clock)
        return read.run(job.payload.get("conversations", ()), job.checkpoint, mark)
