"""Backups made by themselves: every day one, of the last days and weeks.

They guard against a damaged or deleted vault on a disk that still works; a copy elsewhere is the
export's business.
"""

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from threading import Event

from app.domain.backup import Backup
from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.progress import Progress
from app.domain.upkeep import Done, Mark
from app.jobs.schedule import Plan, time_of_day
from app.paths import ProfilePaths
from app.services.work import BACKUP, Running, Work
from app.settings.spec import Settings
from app.store import backup, keys
from app.store.jobs import Job
from app.store.keychain import Keyring
from app.store.vault import Vault


class BackupsService:
    """Makes backups of an open vault and lists them.

    Args:
        vault: The vault.
        settings: Returns the settings of the moment.
        clock: The present.
        keyring: Returns the system keyring, if there is one.
        close: Closes the vault and ends the models that read it.
        examine: Looks for what something else changed in the vault.

    Attributes:
        closed: Whether the vault was closed in order to replace it.
    """

    def __init__(
        self,
        vault: Vault,
        settings: Callable[[], Settings],
        clock: Clock,
        keyring: Callable[[], Keyring | None] = lambda: None,
        close: Callable[[], None] = lambda: None,
        examine: Callable[[], object] = lambda: None,
    ) -> None:
        self._examine = examine
        self.closed = False
        self._close = close
        self._vault = vault
        self._settings = settings
        self._clock = clock
        self._keyring = keyring
        self._paths = ProfilePaths(vault.path.parent)

    def works(self) -> list[Work]:
        """Return the kind of work done here."""

        def plan(settings: Settings) -> Plan:
            backups = settings.upkeep.backups
            return Plan(BACKUP, backups.enabled, time_of_day(backups.at))

        def run(_job: Job, _mark: Mark, cancel: Event) -> Running:
            return self._run(cancel)

        about = "Copies the vault, encrypted, and lets go of copies that are too many."
        return [Work(BACKUP, "Backup", about, run, kept=True, plan=plan, light=True)]

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

    def _run(self, cancel: Event) -> Running:
        _made, gone = yield from self._made(cancel)
        return Done(Changes(profile=True), {"backups_made": 1, "older_let_go": gone})

    def _made(self, cancel: Event | None) -> Generator[Progress, None, tuple[Backup, int]]:
        yield Progress("Copying the vault")
        vault = self._vault
        copy = backup.create(vault.path, vault.key, self._clock, cancel)
        yield Progress("Checking the keys", stoppable=False)
        keys.check(self._paths, vault.key, keyring=self._keyring())
        yield Progress("Looking for changes made outside Loci", stoppable=False)
        self._examine()
        kept = self._settings().upkeep.backups
        gone = backup.rotate(vault.path, kept.daily, kept.weekly)
        return Backup(copy, backup.made_at(copy), copy.stat().st_size), gone
