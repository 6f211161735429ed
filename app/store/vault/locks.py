"""Locks between processes: who has a vault open, who needs it alone, who works in the background.

A lock lives on an empty file and ends with the process that holds it, however that ends. So does
a request that all others close a vault: it is a lock too, which they look at and never take.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.errors import VaultBusy
from app.paths import ProfilePaths
from app.store.vault.files import file_errors

PATIENCE_SECONDS = 5.0
CLOSING_SECONDS = 8.0  # an open window looks every second, and then has something to put away
_ASKING_SECONDS = 1.0  # for those who are only looking whether somebody asks
_PAUSE_SECONDS = 0.05

BUSY = "This profile is open in another window or program. Close it there and try again."

if sys.platform == "win32":
    import msvcrt
    import random

    _PLACES = 64  # shared holders lock one byte each, an exclusive holder all of them

    def _take(descriptor: int, exclusive: bool) -> tuple[int, int] | None:
        wanted = [(0, _PLACES)]
        if not exclusive:
            wanted = [(place, 1) for place in random.sample(range(_PLACES), _PLACES)]
        for start, length in wanted:
            os.lseek(descriptor, start, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, length)
            except OSError:
                continue
            return start, length
        return None

    def _drop(descriptor: int, region: tuple[int, int]) -> None:
        os.lseek(descriptor, region[0], os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, region[1])

else:
    import fcntl

    def _take(descriptor: int, exclusive: bool) -> tuple[int, int] | None:
        kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        return 0, 0

    def _drop(descriptor: int, region: tuple[int, int]) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


class FileLock:
    """A lock on one file, free until ``acquire``.

    Args:
        path: The file; created with mode 0600 when absent.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._region: tuple[int, int] | None = None
        with file_errors(path.parent):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def acquire(
        self,
        *,
        exclusive: bool,
        seconds: float = PATIENCE_SECONDS,
        unless: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Take the lock, waiting a while for others to let go of it.

        Args:
            exclusive: Whether nobody else may hold it, not even shared.
            seconds: How long to wait; 0 tries once.
            unless: Asked between two tries; waiting ends when it says yes.

        Returns:
            Whether the lock is held now.
        """
        end = time.monotonic() + seconds
        self.release()
        with file_errors(self.path):
            while (region := _take(self._descriptor, exclusive)) is None:
                if time.monotonic() >= end or unless():
                    return False
                time.sleep(_PAUSE_SECONDS)
        self._region = region
        return True

    def release(self) -> None:
        """Let go of the lock; harmless when it is not held."""
        if self._region is not None:
            _drop(self._descriptor, self._region)
            self._region = None

    def close(self) -> None:
        """Let go and close the file; harmless when done twice."""
        if self._descriptor >= 0:
            self.release()
            os.close(self._descriptor)
            self._descriptor = -1


def taken(path: Path, *, exclusive: bool, seconds: float = PATIENCE_SECONDS) -> FileLock:
    """Return a lock that is held.

    Raises:
        VaultBusy: Others did not let go of it in time.
    """
    lock = FileLock(path)
    if not lock.acquire(exclusive=exclusive, seconds=seconds):
        lock.close()
        raise VaultBusy(BUSY)
    return lock


@contextmanager
def alone(path: Path, seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the lock on ``path`` exclusively while the block runs."""
    lock = taken(path, exclusive=True, seconds=seconds)
    try:
        yield
    finally:
        lock.close()


def ask(path: Path) -> FileLock:
    """Ask all others who have a vault open to close it, until the lock that is returned is closed.

    Raises:
        VaultBusy: Somebody else is asking.
    """
    return taken(path, exclusive=True, seconds=_ASKING_SECONDS)


def asked(path: Path) -> bool:
    """Say whether somebody, perhaps this process, asks for a vault to be closed.

    Makes no file, because the folder may be about to go.
    """
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        region = _take(descriptor, exclusive=False)
        if region is not None:
            _drop(descriptor, region)
        return region is None
    finally:
        os.close(descriptor)


@contextmanager
def vault_alone(paths: ProfilePaths, seconds: float = CLOSING_SECONDS) -> Iterator[None]:
    """Ask all others to close a vault, and keep everybody out while the block runs.

    Raises:
        VaultBusy: Somebody, perhaps this process, did not close it in time.
    """
    with closing(ask(paths.ask_lock)), alone(paths.use_lock, seconds):
        yield
