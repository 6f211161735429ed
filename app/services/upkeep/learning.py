"""What Loci learns by itself: from what was said and missed, and from what was brought in.

The reviews' code is imported when one runs: what they import would delay the window.
"""

from collections.abc import Mapping
from threading import Event
from typing import Any

from app.domain.jobs.kinds import READ, REVIEW
from app.domain.jobs.upkeep import Mark
from app.memory.learn.context import LearningContext
from app.memory.learn.read import Read
from app.services.upkeep.work import Running, Work, upkeep
from app.store.work.jobs import Job


class Learning:
    """Learns in the background."""

    def __init__(self, given: LearningContext) -> None:
        self._given = given

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

        return ReviewJob(self._given).run(checkpoint, mark, cancel)

    def _read(self, job: Job, mark: Mark, cancel: Event) -> Running:
        conversations = job.payload.get("conversations", ())
        return Read(self._given).run(conversations, job.checkpoint, mark)
