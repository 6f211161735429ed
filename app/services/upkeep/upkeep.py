"""The one schedule of nightly work: what is on, when it runs, what it waits for, what it did.

Nightly work begins at its hour, or once afterwards where the hour was missed; while the person is
idle and the computer has mains power; or at once, where the person says so. What is too many or too
old is thinned between two hours, too.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.jobs.kinds import COMPACT
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobRun, Planned, RunOutcome, Trigger
from app.errors import Cancelled, NotFound, Refused
from app.jobs import schedule
from app.services.upkeep.background import BackgroundService
from app.services.upkeep.idle import PAUSED, RESTRICTED, IdlePolicy
from app.services.upkeep.queue import QueueService
from app.services.upkeep.work import Work, asks_model
from app.settings.spec import Settings
from app.store.store import Store
from app.store.work.jobs import Job, JobState

THINNED_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class JobStatus:
    """How one kind of nightly work stands.

    Attributes:
        kind: What the queue calls it.
        title: What a person calls it.
        about: What it does.
        foreseen: Whether it can say beforehand what it would do.
        enabled: Whether it runs by itself.
        next_at: When it would run next; None where it is off, or has no hour.
        waiting: What it waits for though it is due, in a sentence; empty where for nothing.
        queued: Whether it waits for its turn.
        running: Whether it runs now.
        last: Its latest run.
        trigger: When it begins by itself, in a sentence, where that is at no hour.
        without: Why it may not ask the model, in a sentence; empty where it may or need not.
        startable: Whether the person may begin it now.
    """

    kind: str
    title: str
    about: str
    foreseen: bool
    enabled: bool
    next_at: datetime | None
    waiting: str
    queued: bool
    running: bool
    last: JobRun | None
    trigger: str = ""
    without: str = ""
    startable: bool = True


class UpkeepService:
    """Begins nightly work when it is due, and shows it.

    Args:
        begun: When the profile was made; hours before that were not missed.
        refused: Returns in a sentence why the model may not be asked; nothing where it may.
    """

    def __init__(
        self,
        store: Store,
        queue: QueueService,
        background: BackgroundService,
        settings: Callable[[], Settings],
        idle: IdlePolicy,
        begun: datetime,
        clock: Clock,
        refused: Callable[[], str] = lambda: "",
    ) -> None:
        self._queue = queue
        self._background = background
        self._settings = settings
        self._idle = idle
        self._begun = begun
        self._clock = clock
        self._refused = refused
        self._jobs = store.jobs
        self._job_monitor = store.job_monitor
        self._runs = store.runs
        self._aging = store.aging
        self._journal = store.journal
        self._restriction = store.restriction
        self._thinned_at: datetime | None = None
        self._deadly: tuple[object, datetime] | None = None

    def tick(self) -> Changes:
        """Queue what is due; cheap enough to be asked every half minute."""
        settings, changes = self._settings(), Changes()
        if self._idle.paused:
            return changes
        due = [(work, trigger) for work in self._works() if (trigger := self._due(work, settings))]
        thins = self._may_thin(settings)
        if not (due or thins):
            return changes
        if waits := self._idle.waits_for():
            due = [(work, trigger) for work, trigger in due if not self._hindered(work, waits)]
            thins = False
        if thins and all(work.kind != COMPACT for work, _ in due) and self._has_to_thin(settings):
            self._thinned_at = self._clock()
            changes |= self._queue.enqueue(COMPACT, Trigger.EVENT)
        for work, trigger in due:
            changes |= self._queue.enqueue(work.kind, trigger)
        return changes

    def start(self, kind: str) -> Changes:
        """Run one kind of work now, whatever its schedule.

        Raises:
            NotFound: There is no such work.
            Refused: There is nothing it could be about, or processing is restricted.
        """
        work = self._work(kind)
        if not work.keeps:
            self._restriction.expect_none()
        if not work.per_item:
            return self._queue.enqueue(work.kind, Trigger.NOW)
        if not self._jobs.revive(work.kind, Trigger.NOW):
            raise Refused(f"{work.title} has nothing to do. {work.trigger}")
        return Changes(jobs=True)

    def owes(self, kind: str) -> bool:
        """Return whether one kind of work is due by itself, or is queued, and may begin now."""
        work, settings = self._work(kind), self._settings()
        if work.plan is None or not work.plan(settings).enabled:
            return False
        if not self._job_monitor.waits(kind, self._clock()) and self._due(work, settings) is None:
            return False
        return not self._idle.paused and not self._hindered(work, self._idle.waits_for())

    def catch_up(self, kind: str, cancel: Event) -> Generator[Progress, None, str]:
        """Do one kind of work that is due, and nothing else; one that is stopped is left for today.

        Returns:
            Why it failed, or what it has to say, in sentences; else nothing.

        Raises:
            Cancelled: It was stopped.
        """
        work, settings = self._work(kind), self._settings()
        if trigger := self._due(work, settings):
            self._queue.enqueue(kind, trigger)
        others = [one for one in self._background.works if one != kind]
        try:
            changes = yield from self._background.run_next(cancel, without=others)
        except Cancelled:
            self._background.stop(kind)
            raise
        if changes is None:
            return ""
        latest = self._runs.list(1, kind)
        failed = [run.error for run in latest if run.outcome is RunOutcome.FAILED]
        return " ".join(failed or sorted(changes.said))

    def preview(self, kind: str) -> Sequence[Planned]:
        """Return what one kind of work would do now; nothing is changed.

        Raises:
            NotFound: There is no such work, or it cannot tell beforehand.
            Refused: Processing is restricted.
        """
        work = self._work(kind)
        self._restriction.expect_none()
        if work.preview is None:
            raise NotFound(f"{work.title} cannot say beforehand what it would do.")
        return work.preview()

    def cancel(self, kind: str) -> Changes:
        """Stop one kind of work; what it has done so far stays, as one batch.

        It begins again at its next hour, or when the person says so.
        """
        return self._background.stop(self._work(kind).kind)

    def standings(self) -> Sequence[JobStatus]:
        """Return how each kind of nightly work stands; what died with its process does not run."""
        self._background.take_back()
        settings, waits, refused = self._settings(), self._idle.waits_for(), self._refused()
        return [self._standing(work, settings, waits, refused) for work in self._works()]

    def history(self, limit: int = 100, kind: str = "") -> Sequence[JobRun]:
        """Return the latest runs, newest first."""
        return self._runs.list(limit, kind)

    def _works(self) -> list[Work]:
        return [work for work in self._background.works.values() if work.nightly]

    def _work(self, kind: str) -> Work:
        work = self._background.works.get(kind)
        if work is None or not work.nightly:
            kinds = ", ".join(work.kind for work in self._works())
            raise NotFound(f"There is no work called {kind!r}; there are {kinds}.")
        return work

    def _standing(self, work: Work, settings: Settings, waits: str, refused: str) -> JobStatus:
        plan = work.plan(settings) if work.plan else None
        enabled = bool(plan and plan.enabled) and not settings.upkeep.paused
        job = self._job_monitor.of_kind(work.kind)
        queued = job is not None and job.state is JobState.QUEUED
        running = job is not None and job.state is JobState.RUNNING
        latest = self._runs.list(1, work.kind)
        waits = self._hindered(work, waits)
        waiting = self._waiting(job, waits) if job and queued else ""
        if not queued and self._due(work, settings):
            waiting = waits
        asks = (enabled or queued or running) and asks_model(work.kind, settings)
        return JobStatus(
            work.kind,
            work.title,
            work.about,
            work.preview is not None,
            enabled,
            schedule.following(plan.at, self._now()) if plan and enabled else None,
            waiting,
            queued,
            running,
            latest[0] if latest else None,
            work.trigger,
            refused if asks else "",
            not work.per_item or queued or bool(self._job_monitor.given_up(work.kind)),
        )

    def _hindered(self, work: Work, waits: str) -> str:
        """Return what one kind of work waits for where nightly work waits for something.

        Restricting processing keeps what there is, and so does a backup; pausing stops everything.
        """
        if waits == RESTRICTED and work.keeps:
            waits = PAUSED if self._idle.paused else ""
        return "" if work.light and waits not in (PAUSED, RESTRICTED) else waits

    def _waiting(self, job: Job, waits: str) -> str:
        """Return what a queued job waits for besides its turn; what the person began waits less."""
        if waits == RESTRICTED or (waits == PAUSED and not job.is_asked):
            return waits
        if job.run_after > self._clock():
            return f"It resumes at {job.run_after.astimezone():%H:%M}."
        return "" if job.is_asked else waits

    def _due(self, work: Work, settings: Settings) -> Trigger | None:
        if work.plan is None:
            return None
        last = self._runs.list(1, work.kind)
        if last and last[0].outcome is RunOutcome.RUNNING:
            return None
        moments = [run.started_at for run in last]
        if stopped := self._stopped_at(work.kind):
            moments.append(stopped)
        latest = max(moments, default=None)
        return schedule.due(work.plan(settings), latest, self._begun, self._now())

    def _stopped_at(self, kind: str) -> datetime | None:
        """Return when the person stopped a kind of work, unless it was queued again since."""
        job = self._job_monitor.of_kind(kind)
        return job.changed_at if job and job.state is JobState.CANCELLED else None

    def _may_thin(self, settings: Settings) -> bool:
        """Return whether there are limits, and the last thinning between two hours is long ago.

        What deletes stands for an hour first: what a slip of the hand would delete is not to be
        undone.
        """
        memory, last, now = settings.memory, self._thinned_at, self._clock()
        days = memory.retention.max_age_days
        deadly = (days, memory.compaction, memory.cap) if memory.compaction.delete else days
        if self._deadly is None or self._deadly[0] != deadly:
            self._deadly = deadly, now
        if deadly and now - self._deadly[1] < THINNED_EVERY:
            return False
        if not (memory.compaction.enabled or memory.cap.max_entries or days):
            return False
        return last is None or now - last >= THINNED_EVERY

    def _has_to_thin(self, settings: Settings) -> bool:
        """Return whether there is too much, and thinning is neither new, stopped nor undone."""
        work = self._background.works.get(COMPACT)
        if work is None or work.plan is None:
            return False
        last = self._runs.list(1, COMPACT)
        if last and self._clock() - last[0].started_at < THINNED_EVERY:
            return False
        stopped = self._stopped_at(COMPACT)
        if stopped and stopped >= schedule.latest(work.plan(settings).at, self._now()):
            return False
        if self._is_crowded(settings):
            changed = self._journal.of_batch(last[0].batch) if last and last[0].batch else []
            return not changed or not all(entry.undone for entry in changed)
        days = settings.memory.retention.max_age_days
        return bool(days and self._aging.outlived(self._clock() - timedelta(days=days), 1))

    def _is_crowded(self, settings: Settings) -> bool:
        compaction, cap = settings.memory.compaction, settings.memory.cap.max_entries
        crowded = compaction.enabled and self._aging.count() > compaction.threshold
        return crowded or bool(cap and self._aging.count(keyed=True) > cap)

    def _now(self) -> datetime:
        return self._clock().astimezone()
