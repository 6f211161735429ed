"""Make and remove the files beside a vault: for the owner only, and durably."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import DiskFull, StoreError, VaultReadOnly
from app.files import FULL, reason, size

_LITTLE = 262_144  # bytes: some of the system's own files need so many at once
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)

DISK_FULL = "The disk is full. Nothing was lost; free some space and try again."
NEEDED = "The disk is full: this needs about {}. Nothing was lost; free some space and try again."
READ_ONLY = "Loci may not write in {}. Check the folder's permissions, or choose another folder."


@contextmanager
def file_errors(place: Path) -> Iterator[None]:
    """Turn what the file system refuses into a sentence for the person.

    Args:
        place: The folder or file the person is told about.
    """
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise DiskFull(DISK_FULL) from error
        if error.errno in _FORBIDDEN:
            raise VaultReadOnly(READ_ONLY.format(place)) from error
        raise StoreError(f"{place} could not be used: {reason(error)}.") from error


@contextmanager
def needing(count: int) -> Iterator[None]:
    """Let a full disk be told with how much room is needed.

    Args:
        count: How many bytes the block writes at most.
    """
    try:
        yield
    except DiskFull as error:
        raise DiskFull(NEEDED.format(size(count))) from error


def is_full(folder: Path) -> bool:
    """Return whether there is no room left for anything that is worth the name."""
    try:
        return shutil.disk_usage(folder).free < _LITTLE
    except OSError:
        return False


def private_folder(path: Path) -> None:
    """Make ``path`` with mode 0700; close one that is already there to everybody else."""
    with file_errors(path):
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        _close_to_others(path)


def private_file(path: Path) -> None:
    """Make ``path`` with mode 0600; close one that is already there to everybody else."""
    with file_errors(path):
        if not path.exists():
            path.touch(mode=0o600)
        _close_to_others(path)


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a power cut, where the system offers that."""
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def shred(path: Path) -> bool:
    """Overwrite a small file with noise, then remove it; return whether there was one."""
    with file_errors(path):
        try:
            with path.open("r+b") as file:
                file.write(os.urandom(path.stat().st_size))
                file.flush()
                os.fsync(file.fileno())
        except FileNotFoundError:
            return False
        path.unlink()
        sync_folder(path.parent)
    return True


def _close_to_others(path: Path) -> None:
    mode = path.stat().st_mode & 0o777
    if os.name == "posix" and mode & 0o077:
        path.chmod(mode & 0o700)
