"""Backups: encrypted copies of a vault, with the same key, checked before they count.

They lie in ``backups/`` beside the vault, named by when they were made (UTC). A restored vault is
not lost either: it is copied first, or set aside whole when it is too damaged to copy.
"""

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from app.domain.backup import Backup
from app.domain.conversation import MemoryMode
from app.domain.ids import Clock, utc_now
from app.errors import Cancelled, NotFound, StoreError, VaultCorrupt
from app.paths import ProfilePaths
from app.store.vault import mark
from app.store.vault.connection import READ_CACHE_KB, Connection, connect, plain_errors
from app.store.vault.files import file_errors, needing, private_file, private_folder, sync_folder
from app.store.vault.locks import CLOSING_SECONDS, alone, vault_alone
from app.store.vault.scratch import room

NEWEST = 3
DAMAGED = "This backup is damaged, or of another vault. Choose another one."
_COPY, _DAMAGED, _TRIES = "vault-", "damaged-", 3
_STAMP = "%Y%m%d-%H%M%S"
_STEP = 200  # instructions of SQLite between two looks at whether to stop
_OTHERS_SECONDS = 60.0  # how long another program may take over its backup
_PASSING = f"mode = '{MemoryMode.TEMPORARY}'"
_PASSES = f"SELECT 1 FROM conversations WHERE {_PASSING} LIMIT 1"
_COUNTED = ("conversations", "messages", "memories", "evidence", "journal")


def create(path: Path, key: bytes, clock: Clock = utc_now, cancel: Event | None = None) -> Path:
    """Copy the vault at ``path``, and open and check the copy.

    Others may go on using the vault meanwhile. Takes a fraction of a second for each 10 MB.

    Returns:
        The copy.

    Raises:
        Cancelled: ``cancel`` was set; no copy was left.
        DiskFull: There is no room for it.
        VaultCorrupt: The copy does not read back.
    """
    folder = path.with_name("backups")
    private_folder(folder)
    with alone(path.with_name("backups.lock"), _OTHERS_SECONDS):
        target = _free_name(folder, _COPY, clock)
        with needing(_size(path)), room(path.parent) as made:
            draft = made / "backup.db"
            _copied(path, key, draft, cancel or Event())
            with file_errors(folder):
                draft.replace(target)
                sync_folder(folder)
    return target


def copies(path: Path) -> Sequence[Path]:
    """Return the backups of the vault at ``path``, newest first."""
    return sorted(path.with_name("backups").glob(f"{_COPY}*.db"), reverse=True)


def listed(path: Path) -> Sequence[Backup]:
    """Return the backups of the vault at ``path`` with when they were made, newest first."""
    found = []
    for copy in copies(path):
        try:
            made, size = made_at(copy), copy.stat().st_size
        except (ValueError, OSError):  # not one of ours, or just removed
            continue
        found.append(Backup(copy, made, size))
    return found


def made_at(copy: Path) -> datetime:
    """Return when a backup was made, from its name.

    Raises:
        ValueError: The name is none of a backup.
    """
    stamp = copy.stem.removeprefix(_COPY).rpartition("-")[0]
    return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)


def rotate(path: Path, daily: int, weekly: int) -> int:
    """Let go of backups that are too many; return how many.

    The newest three stay in any case, and the newest of each of the last days and weeks, of the
    person's calendar, that have one.

    Args:
        path: The vault.
        daily: Of how many days one is kept.
        weekly: Of how many weeks one is kept.
    """
    with alone(path.with_name("backups.lock"), _OTHERS_SECONDS):
        found = listed(path)
        stay = {backup.path for backup in surviving(found, daily, weekly)}
        gone = [backup.path for backup in found if backup.path not in stay]
        with file_errors(path.with_name("backups")):
            for old in gone:
                old.unlink(missing_ok=True)
    return len(gone)


def surviving(found: Iterable[Backup], daily: int, weekly: int) -> Sequence[Backup]:
    """Return which of some backups stay, newest first; see ``rotate``."""
    ordered = sorted(found, key=lambda backup: (backup.made_at, backup.path), reverse=True)
    days: dict[object, Backup] = {}
    weeks: dict[object, Backup] = {}
    for backup in ordered:
        day = backup.made_at.astimezone().date()
        days.setdefault(day, backup)
        weeks.setdefault(day.isocalendar()[:2], backup)
    stay = [*ordered[:NEWEST], *list(days.values())[:daily], *list(weeks.values())[:weekly]]
    return [backup for backup in ordered if backup in stay]


def renew(path: Path, key: bytes, clock: Clock = utc_now) -> Sequence[Path]:
    """Replace all backups by one of what the vault holds now, as an erasure needs.

    Returns:
        The files that were removed.
    """
    folder = path.with_name("backups")
    old = [file for file in folder.glob("*") if file.is_file()]
    create(path, key, clock)
    with file_errors(folder):
        for file in old:
            file.unlink(missing_ok=True)
        sync_folder(folder)
    return old


def drop_others(path: Path) -> Sequence[str]:
    """Remove what lies among the backups and cannot be erased from; return the names."""
    copies_ = set(copies(path))
    folder = path.with_name("backups")
    others = [f for f in folder.glob("*") if f.is_file() and f not in copies_]
    with file_errors(folder):
        for file in others:
            file.unlink(missing_ok=True)
    return [file.name for file in others]


def verify(copy: Path, key: bytes) -> dict[str, int]:
    """Open a backup, check it, and return how many rows its chief tables have.

    Raises:
        VaultCorrupt: It is damaged, or of another vault.
    """
    if not copy.exists():
        raise NotFound("This backup no longer exists.")
    try:
        with (
            closing(connect(copy, key, cache_kb=READ_CACHE_KB, read_only=True)) as connection,
            plain_errors(),
        ):
            checked = connection.execute("PRAGMA quick_check(1)").fetchall()[0][0]
            counts = _counts(connection)
    except VaultCorrupt as error:
        raise VaultCorrupt(DAMAGED) from error
    if checked != "ok" or not counts:
        raise VaultCorrupt(DAMAGED)
    return counts


def restore(
    paths: ProfilePaths,
    copy: Path,
    key: bytes,
    clock: Clock = utc_now,
    *,
    seconds: float = CLOSING_SECONDS,
) -> Path | None:
    """Put a backup in the vault's place; others who have it open are asked to close it.

    Returns:
        Where the replaced vault is kept now, if there was one.

    Raises:
        VaultBusy: Somebody, perhaps this process, kept it open.
        VaultCorrupt: The backup is damaged; nothing was changed.
    """
    with vault_alone(paths, seconds), needing(2 * _size(copy)), room(paths.folder) as made:
        verify(copy, key)
        draft = made / "restored.db"
        with file_errors(paths.folder):
            private_file(draft)
            shutil.copyfile(copy, draft)
            _sync(draft)
        kept = _set_aside(paths, key, clock)
        with file_errors(paths.folder):
            mark.begin(paths.mark, key)  # the backup is behind it on purpose
            draft.replace(paths.vault)
            sync_folder(paths.folder)
    return kept


def _copied(path: Path, key: bytes, draft: Path, cancel: Event) -> None:
    """Copy until the copy has as many rows as the vault had just before or has just after."""
    source = connect(path, key, cache_kb=READ_CACHE_KB, read_only=True)
    try:
        with plain_errors():
            source.execute("PRAGMA query_only = OFF")  # VACUUM INTO counts as writing
            source.set_progress_handler(cancel.is_set, _STEP)
            for _ in range(_TRIES):
                draft.unlink(missing_ok=True)
                private_file(draft)
                before = _counts(source)
                source.execute("VACUUM INTO ?", (str(draft),))
                _sync(draft)
                if verify(draft, key) in (before, _counts(source)):
                    if before.get("conversations") and source.execute(_PASSES).fetchone():
                        _drop_passing(draft, key)
                    return
    except StoreError:
        if cancel.is_set():
            raise Cancelled("The backup was stopped.") from None
        raise
    finally:
        source.close()
    raise StoreError("The vault was too busy to be backed up. Try again in a moment.")


def _drop_passing(draft: Path, key: bytes) -> None:
    """Leave no temporary conversation in a copy: nothing of it is kept once it is closed."""
    with closing(connect(draft, key, cache_kb=READ_CACHE_KB, read_only=False, wal=False)) as copy:
        copy.execute(f"DELETE FROM conversations WHERE {_PASSING}")
        copy.execute("VACUUM")
    _sync(draft)


def _counts(connection: Connection) -> dict[str, int]:
    have = {row[0] for row in connection.execute("SELECT name FROM sqlite_master").fetchall()}
    return {
        table: int(connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])
        for table in _COUNTED
        if table in have
    }


def _set_aside(paths: ProfilePaths, key: bytes, clock: Clock) -> Path | None:
    """Copy the vault that is about to be replaced; one too damaged for that is moved away whole.

    Its log is kept first: opening a damaged vault may throw it away.
    """
    if not paths.vault.exists():
        _drop_logs(paths)  # else the restored vault would be read with a log that is not its own
        return None
    private_folder(paths.backups)
    aside = _free_name(paths.backups, _DAMAGED, clock)
    log, log_aside = (path.with_name(path.name + "-wal") for path in (paths.vault, aside))
    with file_errors(paths.folder):
        if log.exists():
            private_file(log_aside)
            shutil.copyfile(log, log_aside)
        try:
            kept = create(paths.vault, key, clock)
            log_aside.unlink(missing_ok=True)
        except VaultCorrupt:
            kept = paths.vault.replace(aside)
    _drop_logs(paths)
    return kept


def _drop_logs(paths: ProfilePaths) -> None:
    with file_errors(paths.folder):
        for ending in ("-wal", "-shm", "-journal"):
            paths.vault.with_name(paths.vault.name + ending).unlink(missing_ok=True)


def _free_name(folder: Path, start: str, clock: Clock) -> Path:
    """Return a name that sorts by time, also among those of the same second."""
    stamp = start + clock().astimezone(UTC).strftime(_STAMP)
    taken = sorted(path.stem for path in folder.glob(f"{stamp}-*.db"))
    number = int(taken[-1].rsplit("-", 1)[1]) + 1 if taken else 0
    return folder / f"{stamp}-{number:03}.db"


def _size(path: Path) -> int:
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
