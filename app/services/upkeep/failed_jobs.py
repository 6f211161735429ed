"""What could not be done: tried again, left for good, or begun anew where its row is damaged."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.domain.changes import Changes
from app.domain.jobs.kinds import LEARN, LEARN_MORE
from app.domain.jobs.upkeep import SetAside
from app.domain.language.text import clipped
from app.errors import NotFound
from app.services.upkeep.background import BackgroundService
from app.services.upkeep.queue import learn_job
from app.services.upkeep.work import Work
from app.store.store import Store
from app.store.work.jobs import Job

NOT_ASIDE = "This is no longer waiting."


class FailedJobsService:
    """Shows the jobs that were set aside, and lets the person decide on them."""

    def __init__(self, store: Store, background: BackgroundService) -> None:
        self._background = background
        self._messages = store.messages
        self._jobs = store.jobs
        self._job_monitor = store.job_monitor
        self._unsound = store.unsound_jobs
        self._runs = store.runs

    def list(self) -> Sequence[SetAside]:
        """Return what could not be done, the latest first; nightly work is in the history."""
        works = self._background.works
        return [
            SetAside(
                job.id,
                self._background.title(job.kind),
                self._about(work, job),
                job.error,
                job.changed_at,
            )
            for job in self._job_monitor.failed()
            if ((work := works.get(job.kind)) and not work.nightly) or job.damaged
        ]

    def try_again(self, job_id: str) -> Changes:
        """Queue anew what was set aside.

        Raises:
            NotFound: It does not wait for that any more.
        """
        if not (self._jobs.again(job_id) or self._unsound.set_right(self._meant, job_id)):
            raise NotFound(NOT_ASIDE)
        return Changes(jobs=True)

    def leave(self, job_id: str) -> Changes:
        """Leave what was set aside for good.

        Raises:
            NotFound: It is not there any more.
        """
        if not (self._jobs.drop(job_id) or self._unsound.remove(job_id)):
            raise NotFound(NOT_ASIDE)
        return Changes(jobs=True)

    def set_right(self) -> Changes:
        """Begin damaged jobs anew, and remove what else is damaged of what was or is to be done."""
        self._unsound.set_right(self._meant)
        self._runs.drop_damaged()
        return Changes(jobs=True)

    def _meant(self, unique_key: str) -> Mapping[str, Any] | None:
        """Return what a job of such a key is for; None where it is no work of Loci."""
        kind, _, about = unique_key.partition(":")
        if kind not in self._background.works:
            return None
        return learn_job(about) if kind in (LEARN, LEARN_MORE) else {}

    def _about(self, work: Work | None, job: Job) -> str:
        if work is None:
            return "It does not say what it is."
        if work.kind not in (LEARN, LEARN_MORE):
            return work.about
        try:
            message = self._messages.get(str(job.payload.get("message", "")))
            return f"“{clipped(message.text, 120)}”"
        except NotFound:
            return work.about
