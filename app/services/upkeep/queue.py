"""The queue of durable jobs: every piece of work is a row in the vault, so that none is lost."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.jobs.kinds import INDEX, LEARN, LEARN_MORE, READ, WORDS
from app.domain.jobs.upkeep import Trigger
from app.store.store import Store
from app.store.work.jobs import JobState


class QueueService:
    """Puts jobs into the queue, and says which are in it."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._jobs = store.jobs
        self._job_monitor = store.job_monitor
        self._clock = clock

    def pending(self) -> int:
        """Return how many jobs wait or run."""
        counts = self._job_monitor.counts()
        return sum(counts.get(state, 0) for state in (JobState.QUEUED, JobState.RUNNING))

    def enqueue(
        self, kind: str, trigger: Trigger, more: Mapping[str, Any] | None = None
    ) -> Changes:
        """Queue a job that there is one of; at once, where the person asks for it.

        Args:
            kind: Which.
            trigger: Why.
            more: What else it should know.
        """
        asked = {"trigger": trigger, **(more or {})}
        self._jobs.enqueue(kind, kind, asked, again=True)
        if trigger is Trigger.NOW:
            self._jobs.run_now(kind, asked)
        return Changes(jobs=True)

    def enqueue_index(self, *, at_once: bool = False, trigger: Trigger = Trigger.EVENT) -> Changes:
        """Queue the indexing of whatever has no vector yet.

        Args:
            at_once: Whether not to wait out the time since an earlier attempt failed.
            trigger: Why what an earlier embedder made is made anew, where there is any.
        """
        asked = {"trigger": trigger}
        self._jobs.enqueue(INDEX, INDEX, asked, again=True)
        if at_once or trigger is Trigger.NOW:
            self._jobs.run_now(INDEX, asked if trigger is Trigger.NOW else None)
        return Changes(jobs=True)

    def enqueue_word_rebuild(self) -> Changes:
        """Queue the making anew of the indexes of words, at once."""
        return self.enqueue(WORDS, Trigger.NOW)

    def enqueue_read(self, conversation_ids: Sequence[str]) -> Changes:
        """Queue the learning from conversations that were brought in."""
        key = f"{READ}:{new_id(self._clock())}"
        self._jobs.enqueue(READ, key, {"conversations": list(conversation_ids)})
        return Changes(jobs=True)

    def learn_first(self, message_id: str) -> None:
        """Let a message be learnt from before those that were left by somebody in a hurry."""
        for kind in (LEARN, LEARN_MORE):
            self._jobs.put_first(f"{kind}:{message_id}")

    def enqueue_learn_more(self, message_id: str) -> Changes:
        """Queue the question to the learning model what else a message says."""
        key = f"{LEARN_MORE}:{message_id}"
        self._jobs.enqueue(LEARN_MORE, key, learn_job(message_id), again=True)
        return Changes(jobs=True)

    def learns_more(self, message_id: str) -> bool:
        """Return whether the learning model has yet to be asked what else a message says."""
        job = self._job_monitor.by_key(f"{LEARN_MORE}:{message_id}")
        return job is not None and job.state is JobState.QUEUED


def learn_job(message_id: str) -> dict[str, Any]:
    """Return the payload of the job that learns from a message."""
    return {"message": message_id}
