"""What Loci does by itself: it works through a queue of durable jobs, one at a time.

Every piece is a row in the vault, so that nothing is lost when the program ends. Several processes
may work on the same queue, because a job is claimed by one of them at a time. Whoever works holds a
lock that ends with its process; where nobody holds it, a job that still counts as running belongs
to a process that died. That was a try, too: what was tried three times and came no further is set
aside until the person says otherwise.

Nightly work gives way as soon as the person writes, and unless they began it, it waits while
everything is paused or they are at work. While processing is restricted, all of it waits but what
an erasure left to be done and the backup, which keep or remove what there is and process nothing.
"""

import logging
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.jobs.kinds import INDEX, JUDGE, LEARN_MORE, SUMMARISE, WORDS
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, RunOutcome, Trigger
from app.errors import AppError, Cancelled
from app.services.upkeep.idle import RESTRICTED, IdlePolicy
from app.services.upkeep.queue import QueueService
from app.services.upkeep.remains import RETRIES, Remains, told, work_lock
from app.services.upkeep.scrub import SCRUB
from app.services.upkeep.work import Work
from app.store.store import Store
from app.store.work.jobs import Job

log = logging.getLogger(__name__)

LAST = (INDEX, WORDS, LEARN_MORE, SUMMARISE, JUDGE)
LEAVE_ALONE = timedelta(minutes=2)
LOOK_AGAIN = timedelta(seconds=30)


@dataclass(slots=True)
class _At:
    """The job this process is at.

    Attributes:
        cancel: Stops it at its next step.
        run_id: Its run in the history; empty where none is kept.
        told: Its latest checkpoint.
        looked: When it was last seen that nothing is in its way.
        stopped: Whether the person stopped it.
    """

    job: Job
    cancel: Event
    run_id: str
    told: Mapping[str, Any]
    looked: datetime
    stopped: bool = False


class BackgroundService:
    """Works through the queue of jobs, one at a time.

    Args:
        queue: Where the indexing of what was done is queued.
        idle: Says what nightly work waits for; None where it waits for nothing.
        working: Puts what models take meanwhile on the account of a kind of work.

    Attributes:
        works: The kinds of work there are, by name; filled once, when everything is built.
        left: What the job that came to no end last has changed all the same.
    """

    def __init__(
        self,
        store: Store,
        queue: QueueService,
        clock: Clock,
        idle: IdlePolicy | None = None,
        working: Callable[[str], AbstractContextManager[None]] = lambda kind: nullcontext(),
    ) -> None:
        self._working = working
        self._idle = idle
        self.works: Mapping[str, Work] = {}
        self.left = Changes(jobs=True)
        self._store = store
        self._queue = queue
        self._jobs = store.jobs
        self._job_monitor = store.job_monitor
        self._runs = store.runs
        self._journal = store.journal
        self._restriction = store.restriction
        self._remains = Remains(store)
        self._clock = clock
        self._began = clock()
        self._person_came = Event()
        self._at: _At | None = None

    def title(self, kind: str) -> str:
        """Return what a person calls a kind of work."""
        work = self.works.get(kind)
        return work.title if work else kind.capitalize() or "Background work"

    def stop(self, kind: str = "") -> Changes:
        """Stop one kind of work, or else whatever runs here; nothing else is disturbed.

        Nightly work stays stopped until its next hour, and what it has done so far stays. Other
        work goes on after a while, because nothing would be found or remembered without it.
        """
        at = self._at
        if not kind and at is not None:
            kind = at.job.kind
        work = self.works.get(kind)
        if work is not None and work.nightly:
            self._jobs.cancel_kind(kind)
        if at is not None and at.job.kind == kind:
            at.stopped = True
            at.cancel.set()
        return Changes(jobs=True)

    def take_over(self) -> Changes:
        """Take up what processes that died were working on; others at work are left alone.

        A message that was queued before this service began, and still waits for its answer, waits
        for one that died with its process: it is learnt from now. If another process is about to
        answer it after all, or the person asks for the answer again, that finds the job done.
        """
        self._remains.take_over(self._began)
        return Changes(jobs=True)

    def take_back(self) -> None:
        """Let nothing count as running that died with its process."""
        self._remains.take_back()

    def finish_erasing(self) -> Generator[Progress, None, Changes]:
        """Finish an erasure that was interrupted, where there is one and nobody is at it."""
        if not self._remains.owes_erasure():
            return Changes()
        changes = yield from self.run(without=[kind for kind in self.works if kind != SCRUB])
        return changes

    def recover(self) -> Changes:
        """Take over, and index what nobody did."""
        self.take_over()
        return self._queue.enqueue_index(at_once=True)

    def yield_to_user(self) -> None:
        """Let nightly work stop where it is because the person wrote; all of it goes on later."""
        try:
            self._jobs.hold_back(self._waiting(), self._clock() + LEAVE_ALONE)
        except AppError as error:  # the answer is not to wait for this
            log.warning("nightly work was not held back (%s)", type(error).__name__)
        self._person_came.set()

    def _nightly(self) -> list[str]:
        return [kind for kind, work in self.works.items() if work.nightly]

    def _waiting(self) -> list[str]:
        """Return what gives way to the person."""
        return [kind for kind in self._nightly() if not self.works[kind].light]

    def run(
        self, cancel: Event | None = None, *, upkeep: bool = False, without: Collection[str] = ()
    ) -> Generator[Progress, None, Changes]:
        """Work until the queue is empty; nightly work is left to the window unless asked for.

        Args:
            cancel: Stops it.
            upkeep: Whether nightly work is done, too.
            without: Kinds of work that are left as well.
        """
        stop, changes = cancel or Event(), Changes()
        while (
            done := (yield from self.run_next(stop, upkeep=upkeep, without=without))
        ) is not None:
            changes |= done
        return changes

    def run_next(
        self, cancel: Event, *, upkeep: bool = True, without: Collection[str] = ()
    ) -> Generator[Progress, None, Changes | None]:
        """Do one job; return what it changed, or None where there is none to do."""
        if cancel.is_set():
            return None
        nightly = self._nightly()
        held = self._held() if upkeep else []
        self._remains.take_back()
        with closing(work_lock(self._store.vault)) as lock:
            lock.acquire(exclusive=False)
            self._person_came.clear()
            left = [*without, *([] if upkeep else nightly)]
            if self._restriction.is_on:
                left += [kind for kind, work in self.works.items() if not work.keeps]
            job = self._jobs.claim(self._clock(), nightly, without=left, held=held, last=LAST)
            if job is None:
                return None
            changes = yield from self._do(job, cancel)
        return changes

    def _held(self) -> list[str]:
        """Return what may not begin now unless the person asks for it."""
        if self._idle is None:
            return []
        if self._idle.paused:
            return self._nightly()
        return self._waiting() if self._idle.waits_for() else []

    def _do(self, job: Job, cancel: Event) -> Generator[Progress, None, Changes]:
        work = self.works.get(job.kind)
        if work is None:
            log.warning("a job of an unknown kind was dropped: %s", job.kind)
            self._jobs.finish(job.id)
            return Changes(jobs=True)
        run_id = self._runs.begin(job.kind, job.trigger) if work.nightly else ""
        at = self._at = _At(job, cancel, run_id, job.checkpoint, self._clock())
        try:
            done = yield from self._work(work, at)
        except (Cancelled, GeneratorExit):
            self._stop(at)
            raise
        except Exception as error:  # noqa: BLE001 - one job that fails must not stop the others
            self._postpone(at, error)
            return self.left
        finally:
            self._at = None
        self._jobs.finish(job.id)
        self._note(at, done)
        return done.changes | Changes(jobs=True)

    def _work(self, work: Work, at: _At) -> Generator[Progress, None, JobResult]:
        """Run a job; nightly work stops at its next step where something comes in its way."""

        def mark(checkpoint: Mapping[str, Any]) -> None:
            self._jobs.checkpoint(at.job.id, checkpoint)
            at.told = dict(checkpoint)

        running = work.run(at.job, mark, at.cancel)
        try:
            while True:
                try:
                    with self._working(work.kind):
                        progress = next(running)
                except StopIteration as stop:
                    done: JobResult = stop.value
                    return done
                yield progress
                if why := self._in_its_way(at, work):
                    raise Cancelled(why)
        finally:
            running.close()

    def _in_its_way(self, at: _At, work: Work) -> str:
        """Return in a sentence why work must stop where it is; empty where it may go on."""
        if not work.keeps and self._restriction.is_on:
            return RESTRICTED
        if not work.nightly or work.light:
            return ""
        if self._person_came.is_set():
            return "The person wrote first."
        if self._idle is None or at.job.is_asked:
            return ""
        now = self._clock()
        if not self._idle.paused and now - at.looked < LOOK_AGAIN:
            return ""
        at.looked = now
        return self._idle.waits_for()

    def _note(self, at: _At, done: JobResult) -> None:
        """Keep what a run did; one that nobody asked for and that had nothing to do was none."""
        found = RunOutcome.DONE if any(done.figures.values()) else RunOutcome.NOTHING
        if at.run_id and found is RunOutcome.NOTHING and at.job.trigger is Trigger.EVENT:
            self._runs.forget(at.run_id)
        elif at.run_id:
            self._runs.end(at.run_id, found, done.figures, done.batch)

    def _stop(self, at: _At) -> None:
        """Give a job back; one that gave way to the person waits until they rest."""
        waits = self._person_came.is_set() if at.run_id else at.stopped
        self._jobs.requeue(at.job.id, self._clock() + LEAVE_ALONE if waits else None)
        self._break(at, RunOutcome.STOPPED)

    def _postpone(self, at: _At, error: Exception) -> None:
        expected, job = isinstance(error, AppError), at.job
        level = logging.INFO if expected else logging.ERROR
        log.log(level, "job %s failed (%s)", job.kind, type(error).__name__)
        again = job.attempts < RETRIES
        wait = timedelta(seconds=30 * 4**job.attempts)
        reason = str(error) if expected else type(error).__name__
        retry_at: datetime | None = self._clock() + wait if again else None
        self._jobs.fail(job.id, reason, retry_at=retry_at)
        self._break(at, RunOutcome.FAILED, reason)

    def _break(self, at: _At, outcome: RunOutcome, error: str = "") -> None:
        """Keep what a run did that came to no end, and let that be found."""
        figures, batch = told(self._journal, at.told)
        if at.run_id:
            self._runs.end(at.run_id, outcome, figures, batch, error)
        self.left = Changes(
            batches=frozenset({batch} if batch else ()),
            jobs=True,
            everything=bool(batch),
            profile=outcome is RunOutcome.FAILED,  # a backup's failure waits for the person
        )
        if batch:
            self._queue.enqueue_index()
