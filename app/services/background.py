"""What Loci does by itself: it works through a queue of durable jobs, one at a time.

Every piece is a row in the vault, so that nothing is lost when the program ends. Several processes
may work on the same queue, because a job is claimed by one of them at a time. Whoever works holds a
lock that ends with its process; where nobody holds it, a job that still counts as running belongs
to a process that died. Nightly work gives way as soon as the person writes.
"""

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from datetime import datetime, timedelta
from threading import Event
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.progress import Progress
from app.domain.upkeep import Done, Outcome, Trigger
from app.errors import AppError, Cancelled
from app.paths import ProfilePaths
from app.services.scrub import SCRUB
from app.services.work import INDEX, LEARN, READ, WORDS, Work
from app.store.jobs import Job, JobRows, JobState
from app.store.locks import FileLock
from app.store.runs import Runs
from app.store.vault import Vault

log = logging.getLogger(__name__)

RETRIES = 3
LEAVE_ALONE = timedelta(minutes=2)


class BackgroundService:
    """Works through the queue of jobs, one at a time.

    Args:
        vault: Where the queue is.
        clock: The present.
        working: Puts what models take meanwhile on the account of a kind of work.

    Attributes:
        works: The kinds of work there are, by name; filled once, when everything is built.
    """

    def __init__(
        self,
        vault: Vault,
        clock: Clock,
        working: Callable[[str], AbstractContextManager[None]] = lambda kind: nullcontext(),
    ) -> None:
        self._working = working
        self.works: Mapping[str, Work] = {}
        self._vault = vault
        self._jobs = JobRows(vault)
        self._runs = Runs(vault)
        self._lock = ProfilePaths(vault.path.parent).lock
        self._clock = clock
        self._began = clock()
        self._person_came = Event()

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
        return self.soon(WORDS, Trigger.NOW)

    def soon(self, kind: str, trigger: Trigger) -> Changes:
        """Queue a job that there is one of, at once."""
        self._jobs.enqueue(kind, kind, {"trigger": trigger}, again=True)
        self._jobs.hasten(kind)
        return Changes(jobs=True)

    def read_soon(self, conversation_ids: Sequence[str]) -> Changes:
        """Queue the learning from conversations that were brought in."""
        key = f"{READ}:{new_id(self._clock())}"
        self._jobs.enqueue(READ, key, {"conversations": list(conversation_ids)})
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
                self._runs.break_off()
                self._jobs.hasten_waiting(LEARN, self._began)
        return Changes(jobs=True)

    def recover(self) -> Changes:
        """Take over, and index what nobody did."""
        self.take_over()
        self._jobs.hasten(SCRUB)
        return self.index_soon(at_once=True)

    def give_way(self) -> None:
        """Let nightly work stop where it is because the person wrote; it goes on later."""
        self._person_came.set()

    def run(
        self, cancel: Event | None = None, *, upkeep: bool = False
    ) -> Generator[Progress, None, Changes]:
        """Work until the queue is empty; nightly work is left to the window unless asked for."""
        stop, changes = cancel or Event(), Changes()
        while (done := (yield from self.run_next(stop, upkeep=upkeep))) is not None:
            changes |= done
        return changes

    def run_next(
        self, cancel: Event, *, upkeep: bool = True
    ) -> Generator[Progress, None, Changes | None]:
        """Do one job; return what it changed, or None where there is none to do."""
        if cancel.is_set():
            return None
        nightly = [kind for kind, work in self.works.items() if work.kept]
        with closing(self._work_lock()) as lock:
            lock.acquire(exclusive=False)
            self._person_came.clear()
            job = self._jobs.claim(self._clock(), nightly, without=[] if upkeep else nightly)
            if job is None:
                return None
            changes = yield from self._do(job, cancel)
        return changes

    def _work_lock(self) -> FileLock:
        """Return the lock of those who work; makes no file where the vault is being erased."""
        self._vault.expect_open()
        return FileLock(self._lock)

    def _do(self, job: Job, cancel: Event) -> Generator[Progress, None, Changes]:
        work = self.works.get(job.kind)
        if work is None:
            log.warning("a job of an unknown kind was dropped: %s", job.kind)
            self._jobs.finish(job.id)
            return Changes(jobs=True)
        run_id = self._runs.begin(job.kind, _trigger(job)) if work.kept else ""
        try:
            done = yield from self._work(work, job, cancel)
        except (Cancelled, GeneratorExit):
            self._stop(job, run_id)
            raise
        except Exception as error:  # noqa: BLE001 - one job that fails must not stop the others
            self._postpone(job, error, run_id)
            return Changes(jobs=True)
        self._jobs.finish(job.id)
        if run_id:
            found = Outcome.DONE if any(done.figures.values()) else Outcome.NOTHING
            self._runs.end(run_id, found, done.figures, done.batch)
        return done.changes | Changes(jobs=True)

    def _work(self, work: Work, job: Job, cancel: Event) -> Generator[Progress, None, Done]:
        """Run a job; where the person wrote meanwhile, stop nightly work at its next step."""

        def mark(checkpoint: Mapping[str, Any]) -> None:
            self._jobs.checkpoint(job.id, checkpoint)

        running = work.run(job, mark, cancel)
        try:
            while True:
                try:
                    with self._working(work.kind):
                        progress = next(running)
                except StopIteration as stop:
                    done: Done = stop.value
                    return done
                yield progress
                if work.kept and self._person_came.is_set():
                    raise Cancelled("The person wrote first.")
        finally:
            running.close()

    def _stop(self, job: Job, run_id: str) -> None:
        """Give a job back; nightly work that gave way to the person waits until they rest."""
        later = self._clock() + LEAVE_ALONE if self._person_came.is_set() and run_id else None
        self._jobs.requeue(job.id, later)
        if run_id:
            self._runs.end(run_id, Outcome.STOPPED)

    def _postpone(self, job: Job, error: Exception, run_id: str) -> None:
        expected = isinstance(error, AppError)
        level = logging.INFO if expected else logging.ERROR
        log.log(level, "job %s failed (%s)", job.kind, type(error).__name__)
        again = job.attempts < RETRIES
        wait = timedelta(seconds=30 * 4**job.attempts)
        reason = str(error) if expected else type(error).__name__
        retry_at: datetime | None = self._clock() + wait if again else None
        self._jobs.fail(job.id, reason, retry_at=retry_at)
        if run_id:
            self._runs.end(run_id, Outcome.FAILED, error=reason)


def learn_job(message_id: str) -> dict[str, Any]:
    """Return the payload of the job that learns from a message."""
    return {"message": message_id}


def _trigger(job: Job) -> Trigger:
    return Trigger(job.payload.get("trigger", Trigger.EVENT))
