"""Temporary files of a profile: they lie in one folder, or are listed there.

Whoever makes one holds a shared lock on the folder meanwhile. What lies there while nobody holds it
was left by a program that was killed, and is swept: when the profile is opened, before an erasure,
and by the doctor.
"""

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from app.errors import StoreError
from app.store.files import file_errors, private_folder, sync_folder
from app.store.locks import FileLock

FOLDER, PART = "temporary", ".part"
_LOCK, _LIST = "temporary.lock", "elsewhere."
_log = logging.getLogger(__name__)


@contextmanager
def room(home: Path) -> Iterator[Path]:
    """Lend a new folder inside the one for temporary files, and remove it after the block.

    Args:
        home: The profile's folder.
    """
    with _held(home) as folder:
        with file_errors(folder):
            made = Path(tempfile.mkdtemp(dir=folder))
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)


@contextmanager
def beside(home: Path, target: Path) -> Iterator[Path]:
    """Lend a file beside ``target``, to be renamed to it; it is listed meanwhile.

    Raises:
        OSError: The file cannot be made.
    """
    part = target.absolute().with_name(f".{target.name}.{os.getpid()}{PART}")
    with _held(home) as folder:
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=_LIST)
        with os.fdopen(descriptor, "w", encoding="utf-8") as listed:
            listed.write(str(part))
            listed.flush()
            os.fsync(listed.fileno())
        try:
            os.close(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
            yield part
        finally:
            part.unlink(missing_ok=True)
            Path(name).unlink(missing_ok=True)


def write_private(path: Path, data: bytes) -> None:
    """Replace a file of a profile by ``data``: after a crash it holds the old bytes or the new."""
    with room(path.parent) as made, file_errors(path.parent):
        draft = made / path.name
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)


def sweep(home: Path) -> Sequence[str]:
    """Remove what killed programs left, unless one is writing now; return what it was."""
    folder = home / FOLDER
    if not left(home):
        return []
    gone = []
    try:
        with closing(FileLock(home / _LOCK)) as lock, file_errors(folder):
            if not lock.acquire(exclusive=True, seconds=0):
                return []
            for path in sorted(folder.iterdir()):
                elsewhere = _listed(path)
                if elsewhere is not None and elsewhere.exists():
                    elsewhere.unlink()
                    gone.append(str(elsewhere))
                elif elsewhere is None:
                    gone.append(f"{FOLDER}/{path.name}")
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    except StoreError as error:
        _log.warning("temporary files could not be removed (%s)", type(error).__name__)
    if gone:
        _log.warning("%d temporary files of a program that was ended were removed", len(gone))
    return gone


def left(home: Path) -> int:
    """Return how many temporary files there are, which another program is using."""
    folder = home / FOLDER
    return len(list(folder.iterdir())) if folder.is_dir() else 0


@contextmanager
def _held(home: Path) -> Iterator[Path]:
    folder = home / FOLDER
    private_folder(folder)
    with closing(FileLock(home / _LOCK)) as lock:
        lock.acquire(exclusive=False)
        yield folder


def _listed(path: Path) -> Path | None:
    """Return the file that an entry of the list names; None where it is no entry of the list."""
    if not path.name.startswith(_LIST):
        return None
    named = Path(path.read_text("utf-8"))
    ours = named.name.startswith(".") and named.name.endswith(PART)
    return named if ours else path.with_name("none")
