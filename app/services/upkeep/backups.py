"""Backups made by themselves: every day one, of the last days and weeks.

They guard against a damaged or deleted vault on a disk that still works; a copy elsewhere is the
export's business.
"""

from collections.abc import Callable, Generator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

from app.domain.backup import Backup
from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.jobs.kinds import BACKUP
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark, RunOutcome
from app.domain.profile import SlotKind
from app.errors import VaultLocked
from app.jobs.schedule import DailyPlan, time_of_day
from app.paths import ProfilePaths
from app.services.upkeep.work import Running, Work
from app.settings.spec import Settings
from app.store.store import Store
from app.store.vault import backup, keys
from app.store.vault.keychain import Keyring
from app.store.work.jobs import Job

OVERDUE = timedelta(days=3)
FAILED = "The last backup failed: {}"
UNCHECKED = "What opens the vault and its backups could not be checked: {}"
CODE = " A recovery code, from Settings or `loci profiles recovery-code`, opens them in any case."
MISSED = "No backup was made since {}.{}"
REMEDY = "{} `loci profiles backup` makes one."
PAUSED = " Everything is paused."
_UNSURE = "keys_not_checked"


class BackupsService:
    """Makes backups of an open vault and lists them.

    Args:
        keyring: Returns the system keyring, if there is one.
        close: Closes the vault and ends the models that read it.
        examine: Looks for what something else changed in the vault.
        begun: When the profile was made, where that is known.

    Attributes:
        closed: Whether the vault was closed in order to replace it.
    """

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        clock: Clock,
        keyring: Callable[[], Keyring | None] = lambda: None,
        close: Callable[[], None] = lambda: None,
        examine: Callable[[], object] = lambda: None,
        begun: datetime | None = None,
    ) -> None:
        self._begun = begun
        self._examine = examine
        self.closed = False
        self._close = close
        self._vault = store.vault
        self._settings = settings
        self._clock = clock
        self._keyring = keyring
        self._runs = store.runs
        self._paths = ProfilePaths(store.vault.path.parent)

    def works(self) -> list[Work]:
        """Return the kind of work done here."""

        def plan(settings: Settings) -> DailyPlan:
            backups = settings.upkeep.backups
            return DailyPlan(BACKUP, backups.enabled, time_of_day(backups.at))

        def run(_job: Job, _mark: Mark, cancel: Event) -> Running:
            return self._run(cancel)

        about = "Copies the vault, encrypted, and deletes the oldest copies."
        return [Work(BACKUP, "Backup", about, run, nightly=True, plan=plan, light=True, keeps=True)]

    def list(self) -> Sequence[Backup]:
        """Return the backups there are, newest first."""
        return backup.listed(self._vault.path)

    def make(self, cancel: Event | None = None) -> Generator[Progress, None, Backup]:
        """Make one now, and let go of those that are too many.

        Raises:
            Cancelled: It was stopped; no copy was left.
            DiskFull: There is no room for it.
            StoreError: In its other forms.
        """
        made, _gone = yield from self._made(cancel)
        return made

    def restore(self, copy: Path) -> Path | None:
        """Put a backup in the place of the open vault, which is closed for it; open it anew then.

        Returns:
            Where the replaced vault is kept now.

        Raises:
            VaultCorrupt: The backup is damaged; nothing was changed or closed.
            VaultBusy: Another program was asked to close the vault and did not.
        """
        key = self._vault.key
        backup.verify(copy, key)
        self.closed = True
        self._close()
        return backup.restore(self._paths, copy, key, self._clock)

    def problems(self) -> Sequence[str]:
        """Return in sentences what keeps backups from being what they should be, and what helps."""
        unchecked = [why for why in [self._unchecked()] if why]
        return [*(REMEDY.format(one) for one in self.late()), *unchecked]

    def late(self) -> Sequence[str]:
        """Return in sentences whether the last backup failed, and whether one is overdue; cheap."""
        upkeep, found = self._settings().upkeep, self.list()
        latest = self._runs.list(1, BACKUP)
        newest = found[0].made_at if found else None
        told = [
            FAILED.format(run.error)
            for run in latest
            if run.outcome is RunOutcome.FAILED and (newest is None or newest < run.started_at)
        ]
        since = newest or self._begun
        if upkeep.backups.enabled and since and self._clock() - since > OVERDUE:
            local = since.astimezone()
            paused = PAUSED if upkeep.paused else ""
            told.append(MISSED.format(f"{local.day} {local:%B %Y}", paused))
        return told

    def _run(self, cancel: Event) -> Running:
        made, gone = yield from self._made(cancel)
        figures = {"backups_made": 1, "older_let_go": gone}
        if not made.unchecked:
            return JobResult(Changes(profile=True), figures)
        told = any(run.figures.get(_UNSURE) for run in self._runs.list(2, BACKUP))
        said = frozenset() if told else frozenset({made.unchecked})
        return JobResult(Changes(profile=True, said=said), figures | {_UNSURE: 1})

    def _made(self, cancel: Event | None) -> Generator[Progress, None, tuple[Backup, int]]:
        """Copy, and let go of what is too many before anything else can fail or be stopped."""
        yield Progress("Copying the vault")
        vault = self._vault
        copy = backup.create(vault.path, vault.key, self._clock, cancel)
        kept = self._settings().upkeep.backups
        gone = backup.rotate(vault.path, kept.daily, kept.weekly)
        yield Progress("Checking the keys", stoppable=False)
        unchecked = self._unchecked()
        yield Progress("Looking for changes made outside Loci", stoppable=False)
        self._examine()
        return Backup(copy, backup.made_at(copy), copy.stat().st_size, unchecked), gone

    def _unchecked(self) -> str:
        """See to what opens the vault; return in a sentence why that could not be done.

        The copy itself was opened, and counts: it is what opens it that is in doubt.
        """
        try:
            keys.check(self._paths, self._vault.key, keyring=self._keyring())
        except VaultLocked as reason:
            has_code = SlotKind.RECOVERY in self._ways()
            return UNCHECKED.format(reason) + ("" if has_code else CODE)
        return ""

    def _ways(self) -> Sequence[SlotKind]:
        try:
            return keys.list_slots(self._paths)
        except VaultLocked:
            return ()
