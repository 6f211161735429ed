"""What Loci does by itself after an answer: learn from the message, and index what is new.

Every piece is a durable job in the vault, so that nothing is lost when the program ends. Several
processes may work on the same queue, because a job is claimed by one of them at a time. Whoever
works holds a lock that ends with its process; where nobody holds it, a job that still counts as
running belongs to a process that died.
"""

import logging
from collections.abc import Generator
from contextlib import closing
from datetime import timedelta
from threading import Event
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.progress import Progress
from app.errors import AppError, Cancelled
from app.memory.index import Indexer
from app.memory.remember import Remember
from app.paths import ProfilePaths
from app.services.scrub import SCRUB, Scrubber
from app.store import health
from app.store.jobs import Job, JobRows, JobState
from app.store.locks import FileLock
from app.store.vault import Vault

log = logging.getLogger(__name__)

LEARN = "learn"
INDEX = "index"
WORDS = "words"
RETRIES = 3


class BackgroundService:
    """Works through the queue of jobs, one at a time."""

    def __init__(
        self,
        vault: Vault,
        remember: Remember,
        indexer: Indexer,
        scrubber: Scrubber,
        clock: Clock,
    ) -> None:
        self._vault = vault
        self._jobs = JobRows(vault)
        self._lock = ProfilePaths(vault.path.parent).lock
        self._scrubber = scrubber
        self._remember = remember
        self._indexer = indexer
        self._clock = clock
        self._began = clock()

    def pending(self) -> int:
        """Return how many jobs wait or run."""
        counts = self._jobs.counts()
        return sum(counts.get(state, 0) for state in (JobState.QUEUED, JobState.RUNNING))

    def index_soon(self, *, at_once: bool = False) -> Changes:
        """Queue the indexing of whatever has no vector yet.

        Args:
            at_once: Whether not to wait out the time since an earlier attempt failed.
        """
        self._jobs.enqueue(INDEX, INDEX, {}, again=True)
        if at_once:
            self._jobs.hasten(INDEX)
        return Changes(jobs=True)

    def rebuild_words_soon(self) -> Changes:
        """Queue the making anew of the indexes of words, at once."""
        self._jobs.enqueue(WORDS, WORDS, {}, again=True)
        self._jobs.hasten(WORDS)
        return Changes(jobs=True)

    def take_over(self) -> Changes:
        """Take up what processes that died were working on; others at work are left alone.

        A message that was queued before this service began, and still waits for its answer, waits
        for one that died with its process: it is learnt from now. If another process is about to
        answer it after all, or the person asks for the answer again, that finds the job done.
        """
        with closing(self._work_lock()) as lock:
            if lock.acquire(exclusive=True, seconds=0):
                self._jobs.release_running()
                self._jobs.hasten_waiting(LEARN, self._began)
        return Changes(jobs=True)

    def recover(self) -> Changes:
        """Take over, and index what nobody did."""
        self.take_over()
        self._jobs.hasten(SCRUB)
        return self.index_soon(at_once=True)

    def run(self, cancel: Event | None = None) -> Generator[Progress, None, Changes]:
        """Work until the queue is empty."""
        stop, changes = cancel or Event(), Changes()
        while (done := (yield from self.run_next(stop))) is not None:
            changes |= done
        return changes

    def run_next(self, cancel: Event) -> Generator[Progress, None, Changes | None]:
        """Do one job; return what it changed, or None where there is none to do."""
        if cancel.is_set():
            return None
        with closing(self._work_lock()) as lock:
            lock.acquire(exclusive=False)
            job = self._jobs.claim(self._clock())
            if job is None:
                return None
            changes = yield from self._do(job, cancel)
        return changes

    def _work_lock(self) -> FileLock:
        """Return the lock of those who work; makes no file where the vault is being erased."""
        self._vault.expect_open()
        return FileLock(self._lock)

    def _do(self, job: Job, cancel: Event) -> Generator[Progress, None, Changes]:
        try:
            changes = yield from self._work(job, cancel)
        except (Cancelled, GeneratorExit):
            self._jobs.requeue(job.id)
            raise
        except Exception as error:  # noqa: BLE001 - one job that fails must not stop the others
            self._postpone(job, error)
            return Changes(jobs=True)
        self._jobs.finish(job.id)
        return changes | Changes(jobs=True)

    def _work(self, job: Job, cancel: Event) -> Generator[Progress, None, Changes]:
        if job.kind == LEARN:
            yield Progress("Remembering")
            changes: Changes = self._remember.learn(str(job.payload["message"]), cancel).changes
            self.index_soon()
            return changes
        if job.kind == INDEX:
            yield from self._indexer.run(cancel)
            return Changes()
        if job.kind == WORDS:
            yield from self._rebuild_words(job)
            return Changes()
        if job.kind == SCRUB:
            yield Progress("Finishing an erasure", stoppable=False)
            self._scrubber.finish()
            return Changes()
        log.warning("a job of an unknown kind was dropped: %s", job.kind)
        return Changes()

    def _rebuild_words(self, job: Job) -> Generator[Progress, None, None]:
        """Make the indexes of words anew, one after the other; those that are done stay done."""
        done = list(job.checkpoint.get("done", ()))
        for number, index in enumerate(health.WORD_INDEXES):
            if index not in done:
                yield Progress("Indexing by words", number, len(health.WORD_INDEXES))
                health.rebuild(self._vault, index)
                done.append(index)
                self._jobs.checkpoint(job.id, {"done": done})

    def _postpone(self, job: Job, error: Exception) -> None:
        expected = isinstance(error, AppError)
        level = logging.INFO if expected else logging.ERROR
        log.log(level, "job %s failed (%s)", job.kind, type(error).__name__)
        again = job.attempts < RETRIES
        wait = timedelta(seconds=30 * 4**job.attempts)
        reason = str(error) if expected else type(error).__name__
        self._jobs.fail(job.id, reason, retry_at=self._clock() + wait if again else None)


def learn_job(message_id: str) -> dict[str, Any]:
    """Return the payload of the job that learns from a message."""
    return {"message": message_id}
