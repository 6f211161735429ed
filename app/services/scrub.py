"""Rewrite the vault after an erasure, at once or, where that was interrupted, at the next start.

The rows of an erasure go in one transaction, and a durable job is queued in the same one. It is
done when the word indexes were made anew, the file was rewritten, its log cut, and older backups
freed of what was erased; where that was interrupted, they are replaced by one of what is left.
"""

from datetime import timedelta

from app.store import backup, wipe
from app.store.jobs import JobRows
from app.store.scratch import sweep
from app.store.vault import Vault

SCRUB = "scrub"
PATIENCE = timedelta(minutes=10)


class Scrubber:
    """Leaves no trace of rows that are gone."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._jobs = JobRows(vault)

    def begin(self) -> None:
        """Note, within the erasing transaction, that a rewrite is owed."""
        later = self._vault.clock() + PATIENCE
        self._jobs.enqueue(SCRUB, SCRUB, {}, later, again=True)

    def rewrite(self) -> None:
        """Rewrite the vault.

        Raises:
            VaultBusy: Another program is reading; the rewrite stays owed.
        """
        wipe.scrub(self._vault)

    def settle(self) -> None:
        """Note that nothing is owed any more."""
        self._jobs.settle(SCRUB)

    def finish(self) -> None:
        """Do what an erasure that was interrupted left to do.

        Raises:
            VaultBusy: Another program is reading; the rewrite stays owed.
        """
        self.rewrite()
        sweep(self._vault.path.parent)
        if backup.copies(self._vault.path):
            backup.renew(self._vault.path, self._vault.key, self._vault.clock)
        self.settle()
