"""Temporary conversations: nothing of them is kept once the person leaves them.

A lock says that somebody has one open, and ends with the process that holds it: what is there when
nobody holds it was left by a program that was ended, and is deleted.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from threading import Lock

from app.errors import VaultBusy
from app.paths import ProfilePaths
from app.store.store import Store
from app.store.vault.file import Vault
from app.store.vault.locks import FileLock

log = logging.getLogger(__name__)


class TemporaryTalks:
    """Keeps temporary conversations as long as they are open here, and no longer.

    Args:
        store: What is kept of the profile.
        forget: Has models and recall drop what they keep of texts that they read.
    """

    def __init__(self, store: Store, forget: Callable[[], None] = lambda: None) -> None:
        self._store = store
        self._rows = store.temporary
        self._forget = forget
        self._turn = Lock()
        self._lock: FileLock | None = None

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Let one come into being while the block runs: from now on this process has it open."""
        with self._turn:
            if self._lock is None:
                lock = _lock(self._store.vault)
                lock.acquire(exclusive=False)
                self._lock = lock
            yield

    def end(self, conversation_id: str) -> bool:
        """Delete one for good; return whether it was there, and temporary."""
        with self._turn:
            gone = self._rows.delete(conversation_id)
            self._settle()
        if gone:
            self._forget()
            _cut_log(self._store.vault)
        return gone

    def kept(self) -> None:
        """Note that one is temporary no longer."""
        with self._turn:
            self._settle()

    def _settle(self) -> None:
        """Let go of the lock where there is none left to be held."""
        if self._lock is not None and not self._rows.ids():
            self._lock.close()
            self._lock = None


def delete_left(store: Store) -> None:
    """Delete those that a program left which was ended; they stay while anybody has one open."""
    if not (left := store.temporary.ids()):
        return
    with closing(_lock(store.vault)) as lock:
        if lock.acquire(exclusive=True, seconds=0):
            for conversation_id in left:
                store.temporary.delete(conversation_id)
            _cut_log(store.vault)
            log.info("temporary conversations that were left are deleted: %d", len(left))


def _lock(vault: Vault) -> FileLock:
    vault.expect_open()
    return FileLock(ProfilePaths(vault.path.parent).temporary_lock)


def _cut_log(vault: Vault) -> None:
    """Leave no copy of deleted rows in the write-ahead log, unless another program reads it now."""
    with suppress(VaultBusy):
        vault.checkpoint()
