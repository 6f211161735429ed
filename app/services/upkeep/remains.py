"""What processes that died were at: known by a lock that ended with them, and queued again."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Any

from app.domain.jobs.kinds import LEARN
from app.domain.jobs.upkeep import RunOutcome
from app.errors import NotFound
from app.paths import ProfilePaths
from app.services.upkeep.scrub import SCRUB
from app.services.upkeep.temporary import delete_left
from app.store.journal.entries import Journal
from app.store.store import Store
from app.store.vault.file import Vault
from app.store.vault.locks import FileLock
from app.store.work.jobs import JobState

RETRIES = 3
ENDED = "Loci stopped each time while working on this."


class Remains:
    """Takes up what was left by processes that died; others at work are left alone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs = store.jobs
        self._job_monitor = store.job_monitor
        self._runs = store.runs
        self._journal = store.journal

    def take_back(self) -> None:
        """Queue again what counts as running though nobody works; cheap where nothing does."""
        if self._job_monitor.counts()[JobState.RUNNING] or self._runs.broken_off():
            with self._nobody_works() as alone:
                if alone:
                    self._release()

    def take_over(self, began: datetime) -> None:
        """Take back, let begin what waited for such a process, and delete what was temporary.

        Args:
            began: What was queued for an answer before that waits in vain.
        """
        delete_left(self._store)
        with self._nobody_works() as alone:
            if alone:
                self._release()
                self._jobs.run_waiting_now(LEARN, began)
                self._resume_erasure()

    def owes_erasure(self) -> bool:
        """Return whether an erasure was left to be finished, and nobody is at it.

        One that failed is not tried again before there is room for it.
        """
        job = self._job_monitor.by_key(SCRUB)
        if job is None or job.state in (JobState.DONE, JobState.CANCELLED):
            return False
        path = self._store.vault.path
        if job.error and shutil.disk_usage(path.parent).free < path.stat().st_size:
            return False
        with self._nobody_works() as alone:
            if alone:
                self._release()
                self._resume_erasure()
            return alone

    @contextmanager
    def _nobody_works(self) -> Iterator[bool]:
        """Say whether nobody is at work or erasing, and let nobody begin while the block runs."""
        with closing(work_lock(self._store.vault)) as lock:
            yield lock.acquire(exclusive=True, seconds=0)

    def _release(self) -> None:
        """Note of the runs of processes that died how far they came, and queue their jobs."""
        for run in self._runs.broken_off():
            job = self._job_monitor.of_kind(run.kind)
            running = job is not None and job.state is JobState.RUNNING
            figures, batch = told(self._journal, job.checkpoint if job and running else {})
            if job and running and job.attempts >= RETRIES:
                self._runs.end(run.id, RunOutcome.FAILED, figures, batch, error=ENDED)
            else:
                self._runs.end(run.id, RunOutcome.STOPPED, figures, batch)
        self._jobs.release_running(RETRIES, ENDED)

    def _resume_erasure(self) -> None:
        """Let an erasure go on at once, however often it failed: it is never left half done."""
        job = self._job_monitor.by_key(SCRUB)
        if job is not None and job.damaged:
            self._store.unsound_jobs.set_right(lambda _key: {}, job.id)
        elif job is not None and job.state is JobState.FAILED:
            self._jobs.again(job.id)
        self._jobs.run_now(SCRUB)


def work_lock(vault: Vault) -> FileLock:
    """Return the lock of those who work; makes no file where the vault is being erased."""
    vault.expect_open()
    return FileLock(ProfilePaths(vault.path.parent).lock)


def told(journal: Journal, checkpoint: Mapping[str, Any]) -> tuple[dict[str, int | float], str]:
    """Return what a checkpoint tells of what was done: figures, and what "Undo" would undo."""
    found = checkpoint.get("figures")
    figures = {
        str(name): number
        for name, number in (found.items() if isinstance(found, Mapping) else ())
        if isinstance(number, int | float)
    }
    batch = str(checkpoint.get("batch") or "")
    try:
        if batch:
            journal.gist(batch)
    except NotFound:  # nothing was changed yet
        batch = ""
    return figures, batch
