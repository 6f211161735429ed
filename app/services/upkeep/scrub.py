"""Rewrite the vault after an erasure, at once or, where that was interrupted, at the next start.

The rows of an erasure go in one transaction, and a durable job is queued in the same one. It is
done when the word indexes were made anew, the file was rewritten, its log cut, and older backups
freed of what was erased; where that was interrupted, they are replaced by one of what is left.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from threading import Event

from app.domain.jobs.operation import drive
from app.errors import StoreError
from app.store.store import Store
from app.store.vault import backup, wipe
from app.store.vault.scratch import sweep

SCRUB = "scrub"
PATIENCE = timedelta(minutes=10)
FINISHED = (
    "An interrupted erasure has been finished: the vault was written anew, its log was emptied{}.{}"
)
SEARCHED = " Every page was searched again, and {} was found of what was erased."
UNSEARCHED = " What it erased is not known any more, so that it could not be searched for."


class Scrubber:
    """Leaves no trace of rows that are gone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._vault = store.vault
        self._jobs = store.jobs
        self._erasures = store.erasures
        self._sought: Sequence[bytes] = ()

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

    def owe(self, needles: Sequence[bytes]) -> None:
        """Keep what is to be searched for when the rewrite succeeds, here or after a kill.

        Where the vault cannot be written, it is kept in memory alone.
        """
        self._sought = (*self._sought, *needles)
        with suppress(StoreError):
            self._erasures.seek(needles)

    def settle(self) -> None:
        """Note that nothing is owed any more."""
        with self._store.transaction():
            self._erasures.found()
            self._jobs.settle(SCRUB)
        self._sought = ()

    def finish(self) -> None:
        """Do what an erasure that was interrupted left to do, and keep a sentence on it.

        Raises:
            VaultBusy: Another program is reading; the rewrite stays owed.
            DiskFull: There is no room for it; it stays owed.
        """
        path, key = self._vault.path, self._vault.key
        self.rewrite()
        sweep(path.parent)
        searched = self._searched()
        copies = len(backup.copies(path))
        if copies:
            backup.renew(path, key, self._vault.clock)
        backups = f", and {copies} older backup{'s' if copies > 1 else ''} gave way to a new one"
        self._erasures.tell(FINISHED.format(backups if copies else "", searched))
        self.settle()

    def _searched(self) -> str:
        """Search for what was erased, keep it no more, and return in a sentence what was found."""
        known = self._erasures.sought()
        if known is None and not self._sought:
            return UNSEARCHED
        wanted = list(dict.fromkeys((*(known or ()), *self._sought)))
        seen = drive(wipe.scan(self._vault.path, self._vault.key, wanted), Event())
        self._erasures.found()  # before the vault is copied
        return SEARCHED.format(f"{seen.found:,}" if seen.found else "nothing")
