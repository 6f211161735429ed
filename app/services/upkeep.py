"""The one schedule of nightly work: what is on, when it runs, what it waits for, what it did.

Nightly work begins at its hour, or once afterwards where the hour was missed; while the person is
idle and the computer has mains power; or at once, where the person says so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.upkeep import Outcome, Planned, Run, Trigger
from app.errors import NotFound
from app.jobs import schedule
from app.jobs.schedule import Circumstances
from app.services.background import BackgroundService
from app.services.work import Work
from app.settings.spec import Settings
from app.store.conversations import Conversations
from app.store.jobs import JobRows, JobState
from app.store.runs import Runs
from app.store.vault import Vault


@dataclass(frozen=True, slots=True)
class Standing:
    """How one kind of nightly work stands.

    Attributes:
        kind: What the queue calls it.
        title: What a person calls it.
        about: What it does.
        foreseen: Whether it can say beforehand what it would do.
        enabled: Whether it runs by itself.
        next_at: When it would run next; None where it is off.
        waiting: What it waits for though it is due, in a sentence; empty where for nothing.
        queued: Whether it waits for its turn.
        running: Whether it runs now.
        last: Its latest run.
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
    last: Run | None


class UpkeepService:
    """Begins nightly work when it is due, and shows it.

    Args:
        vault: The vault.
        background: Where work is queued.
        settings: Returns the settings of the moment.
        on_mains: Says whether the computer has mains power.
        begun: When the profile was made; hours before that were not missed.
        clock: The present.
    """

    def __init__(
        self,
        vault: Vault,
        background: BackgroundService,
        settings: Callable[[], Settings],
        on_mains: Callable[[], bool],
        begun: datetime,
        clock: Clock,
    ) -> None:
        self._background = background
        self._settings = settings
        self._on_mains = on_mains
        self._begun = begun
        self._clock = clock
        self._jobs = JobRows(vault)
        self._runs = Runs(vault)
        self._conversations = Conversations(vault)

    def tick(self) -> Changes:
        """Queue what is due; cheap enough to be asked every half minute."""
        settings, changes = self._settings(), Changes()
        if settings.upkeep.paused:
            return changes
        due = [(work, trigger) for work in self._works() if (trigger := self._due(work, settings))]
        if not due or self._hindered(settings):
            return changes
        for work, trigger in due:
            changes |= self._background.soon(work.kind, trigger)
        return changes

    def start(self, kind: str) -> Changes:
        """Run one kind of work now, whatever its schedule.

        Raises:
            NotFound: There is no such work.
        """
        return self._background.soon(self._work(kind).kind, Trigger.NOW)

    def preview(self, kind: str) -> Sequence[Planned]:
        """Return what one kind of work would do now; nothing is changed.

        Raises:
            NotFound: There is no such work, or it cannot tell beforehand.
        """
        work = self._work(kind)
        if work.preview is None:
            raise NotFound(f"{work.title} cannot say beforehand what it would do.")
        return work.preview()

    def cancel(self, kind: str) -> Changes:
        """Take work out of the queue; what it has done so far stays, as one batch."""
        self._jobs.cancel_kind(self._work(kind).kind)
        return Changes(jobs=True)

    def standings(self) -> Sequence[Standing]:
        """Return how each kind of nightly work stands."""
        settings = self._settings()
        hindered = self._hindered(settings)
        return [self._standing(work, settings, hindered) for work in self._works()]

    def history(self, limit: int = 100, kind: str = "") -> Sequence[Run]:
        """Return the latest runs, newest first."""
        return self._runs.list(limit, kind)

    def title(self, kind: str) -> str:
        """Return what a person calls a kind of work."""
        work = self._background.works.get(kind)
        return work.title if work else kind.capitalize()

    def _works(self) -> list[Work]:
        return [work for work in self._background.works.values() if work.kept]

    def _work(self, kind: str) -> Work:
        found = [work for work in self._works() if work.kind == kind]
        if not found:
            kinds = ", ".join(work.kind for work in self._works())
            raise NotFound(f"There is no work called {kind!r}; there are {kinds}.")
        return found[0]

    def _standing(self, work: Work, settings: Settings, hindered: str) -> Standing:
        plan = work.plan(settings) if work.plan else None
        enabled = bool(plan and plan.enabled) and not settings.upkeep.paused
        job = self._jobs.of_kind(work.kind)
        state = job.state if job else None
        latest = self._runs.list(1, work.kind)
        due = self._due(work, settings)
        waits = "Everything is paused." if settings.upkeep.paused else hindered
        return Standing(
            work.kind,
            work.title,
            work.about,
            work.preview is not None,
            enabled,
            schedule.following(plan.at, self._now()) if plan and enabled else None,
            waits if due else "",
            state is JobState.QUEUED,
            state is JobState.RUNNING,
            latest[0] if latest else None,
        )

    def _due(self, work: Work, settings: Settings) -> Trigger | None:
        if work.plan is None:
            return None
        last = self._runs.list(1, work.kind)
        began = last[0].started_at if last and last[0].outcome is not Outcome.RUNNING else None
        if last and began is None:
            return None
        return schedule.due(work.plan(settings), began, self._begun, self._now())

    def _hindered(self, settings: Settings) -> str:
        newest = self._conversations.newest()
        idle = self._clock() - newest if newest else timedelta.max
        upkeep = settings.upkeep
        return schedule.hindered(
            Circumstances(idle, self._on_mains() if upkeep.mains_only else True),
            idle_minutes=upkeep.idle_minutes,
            mains_only=upkeep.mains_only,
        )

    def _now(self) -> datetime:
        return self._clock().astimezone()
