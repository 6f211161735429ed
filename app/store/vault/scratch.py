"""Temporary files of a profile: they lie in one folder, or are listed there.

Whoever makes one holds a shared lock on the folder meanwhile. What lies there while nobody holds it
was left by a program that was killed, and is swept: when the profile is opened, before an erasure,
and by the doctor. A listed file stays listed until it was seen to be gone, since the drive it lies
on may not be there now.
"""

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.errors import StoreError
from app.store.vault.files import file_errors, private_folder, sync_folder
from app.store.vault.locks import FileLock

FOLDER, PART = "temporary", ".part"
AWAY = (
    "The unfinished file {}, which is not encrypted, lies on a drive that is not there. Open the"
    " profile when it is, or delete the file."
)
STUCK = "The temporary file {}, left by a program that was ended, could not be removed; delete it."
_LOCK, _LIST = "temporary.lock", "elsewhere."
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Left:
    """Temporary files that are still there.

    Attributes:
        in_use: How many another program is writing.
        away: Listed files on a drive that is not there.
        stuck: What a program that was ended left, and what could not be removed.
    """

    in_use: int = 0
    away: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()

    def to_come(self) -> list[str]:
        """Return a sentence for each that is removed once its drive is there."""
        return [AWAY.format(name) for name in self.away]

    def to_do(self) -> list[str]:
        """Return a sentence for each that the person has to see to."""
        return [STUCK.format(name) for name in self.stuck]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What the list says of one file: where it lies, and where its drive is mounted."""

    part: Path
    drive: Path | None

    def exists(self) -> bool:
        return self.part.exists()

    def is_away(self) -> bool:
        """Say whether nobody can know: neither is it seen, nor is its drive there."""
        if self.exists():
            return False
        if self.drive is None:
            return not self.part.parent.is_dir()
        return not (self.drive.exists() and os.path.ismount(self.drive))


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
        with os.fdopen(descriptor, "wb") as listed:
            listed.write(os.fsencode(part) + b"\0" + os.fsencode(_drive_of(part)))
            listed.flush()
            os.fsync(listed.fileno())
        try:
            os.close(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
            yield part
        finally:
            _let_go(Path(name))


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
    """Remove what killed programs left, unless one is writing now; return what it was.

    What cannot be removed stays without keeping the others; ``left`` names it.
    """
    gone: list[str] = []
    try:
        with _unused(home) as paths:
            gone += [name for path in paths or () if (name := _let_go(path))]
    except StoreError as error:
        _log.warning("temporary files could not be looked at (%s)", type(error).__name__)
    if gone:
        _log.warning("%d temporary files of a program that was ended were removed", len(gone))
    return gone


def left(home: Path) -> Left:
    """Return what there is of temporary files, after what could be removed was swept."""
    try:
        with _unused(home) as paths:
            if paths is None:
                return Left(in_use=len(_there(home)))
            found = [_standing(path) for path in paths]
    except StoreError as error:
        _log.warning("temporary files could not be looked at (%s)", type(error).__name__)
        return Left(stuck=(FOLDER,))
    away = tuple(name for name, is_away in found if is_away)
    return Left(away=away, stuck=tuple(name for name, is_away in found if not is_away))


def _standing(path: Path) -> tuple[str, bool]:
    """Return the name of what still stands, and whether it is on a drive that is not there."""
    name = f"{FOLDER}/{path.name}"
    try:
        entry = _listed(path)
        if entry is not None and (entry.is_away() or entry.exists()):
            return str(entry.part), entry.is_away()
    except OSError as error:
        _log.warning("a temporary file could not be looked at (%s)", type(error).__name__)
    return name, False


@contextmanager
def _unused(home: Path) -> Iterator[Sequence[Path] | None]:
    """Lend what lies in the folder while nobody can write there; None where somebody does."""
    if not _there(home):
        yield ()
        return
    with closing(FileLock(home / _LOCK)) as lock:
        yield _there(home) if lock.acquire(exclusive=True, seconds=0) else None


@contextmanager
def _held(home: Path) -> Iterator[Path]:
    folder = home / FOLDER
    private_folder(folder)
    with closing(FileLock(home / _LOCK)) as lock:
        lock.acquire(exclusive=False)
        yield folder


def _there(home: Path) -> list[Path]:
    folder = home / FOLDER
    with file_errors(folder):
        return sorted(folder.iterdir()) if folder.is_dir() else []


def _let_go(path: Path) -> str:
    """Remove what lies in the folder and, of an entry of the list, the file that it names.

    Returns:
        What is gone that was of any worth, or nothing.
    """
    try:
        entry = _listed(path)
        if path.is_dir() and not path.is_symlink():
            return _emptied(path)
        if entry is None:
            path.unlink(missing_ok=True)
            return f"{FOLDER}/{path.name}"
        if entry.is_away():
            return ""
        was_there = entry.exists()
        entry.part.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("a temporary file could not be removed (%s)", type(error).__name__)
        return ""
    return str(entry.part) if was_there else ""


def _emptied(folder: Path) -> str:
    """Remove a folder with all that can be removed of it.

    Raises:
        OSError: Something could not.
    """
    errors: list[BaseException] = []
    shutil.rmtree(folder, onerror=lambda _call, _path, failure: errors.append(failure[1]))
    if errors:
        raise errors[0]
    return f"{FOLDER}/{folder.name}"


def _listed(path: Path) -> _Entry | None:
    """Return what an entry of the list says; None where it is no entry of the list."""
    if not path.name.startswith(_LIST):
        return None
    part, _, drive = path.read_bytes().partition(b"\0")
    named = Path(os.fsdecode(part))
    if not (named.name.startswith(".") and named.name.endswith(PART)):
        return _Entry(path.with_name("none"), None)  # none of ours: nothing is to be removed
    return _Entry(named, Path(os.fsdecode(drive)) if drive else None)


def _drive_of(path: Path) -> Path:
    """Return where the drive that a file lies on is mounted."""
    return next((up for up in path.parents if os.path.ismount(up)), Path(path.anchor))
