"""Open one encrypted connection, and turn the driver's errors into sentences."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlcipher3.dbapi2 as driver
import sqlite_vec

from app.errors import DiskFull, StoreError, VaultBusy, VaultCorrupt, VaultReadOnly
from app.store.vault.files import DISK_FULL, is_full

Connection = Any
Row = Any
IntegrityError = driver.IntegrityError
OperationalError = driver.OperationalError

PAGE = 4_096  # bytes, as SQLCipher 4 makes them
READ_CACHE_KB = 16_384
SEARCH_CACHE_KB = 65_536
MOST_SEARCH_CACHE_KB = 262_144
SEARCHED_SHARE = 16
WATCH_CACHE_KB = 256

_SHM_SIZE = 4874  # SQLITE_IOERR_SHMSIZE: no room for the index of the write-ahead log
_UNREADABLE = (
    "The vault could not be read: the key does not fit, or the file is damaged. Restore a backup."
)
_BUSY = "The vault is busy in another window or program. Try again in a moment."
_READ_ONLY = "Loci may not write in the vault's folder. Check its permissions, or choose another."
_FAILING = "The disk failed while the vault was read or written. Check the disk and try again."
_KNOWN: Mapping[int, tuple[type[StoreError], str]] = {
    driver.SQLITE_FULL: (DiskFull, DISK_FULL),
    driver.SQLITE_BUSY: (VaultBusy, _BUSY),
    driver.SQLITE_LOCKED: (VaultBusy, _BUSY),
    driver.SQLITE_READONLY: (VaultReadOnly, _READ_ONLY),
    driver.SQLITE_CANTOPEN: (VaultReadOnly, _READ_ONLY),
    driver.SQLITE_PERM: (VaultReadOnly, _READ_ONLY),
    driver.SQLITE_CORRUPT: (VaultCorrupt, _UNREADABLE),
    driver.SQLITE_NOTADB: (VaultCorrupt, _UNREADABLE),
    driver.SQLITE_IOERR: (StoreError, _FAILING),
}


def connect(
    path: Path, key: bytes, *, cache_kb: int, read_only: bool, wal: bool = True
) -> Connection:
    """Return an open connection to the vault at ``path``.

    Args:
        path: The vault; created when absent and not ``read_only``.
        key: 32 bytes, given to SQLCipher raw, without key derivation.
        cache_kb: Size of the page cache in KB.
        read_only: Whether statements that write are refused.
        wal: Write-ahead log, or the rollback journal.

    Raises:
        StoreError: In one of its forms.
    """
    with plain_errors(path):
        connection = driver.connect(
            str(path), isolation_level=None, check_same_thread=False, timeout=10.0
        )
        try:
            _set_up(connection, key, cache_kb, read_only, wal)
        except BaseException:
            connection.close()
            raise
    return connection


def search_cache_kb(path: Path) -> int:
    """Return the size of the cache for searching a vault: all that every search reads fits in."""
    share = path.stat().st_size // 1024 // SEARCHED_SHARE
    return min(MOST_SEARCH_CACHE_KB, max(SEARCH_CACHE_KB, share))


def _set_up(connection: Connection, key: bytes, cache_kb: int, read_only: bool, wal: bool) -> None:
    connection.row_factory = driver.Row
    connection.execute("PRAGMA cipher_log_level = NONE")  # it would write to the terminal
    connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
    connection.execute("PRAGMA cipher_memory_security = OFF")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)
    connection.execute(f"PRAGMA cache_size = -{cache_kb}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    if read_only:
        connection.execute("PRAGMA query_only = ON")
    else:
        _set_journal(connection, "WAL" if wal else "DELETE")
        connection.execute("PRAGMA synchronous = FULL")


def _set_journal(connection: Connection, mode: str) -> None:
    """Choose how commits are written; while others have the vault open it stays as it is."""
    try:
        connection.execute(f"PRAGMA journal_mode = {mode}").fetchall()
    except driver.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != driver.SQLITE_BUSY:
            raise


@contextmanager
def plain_errors(path: Path | None = None) -> Iterator[None]:
    """Turn what the driver raises into a sentence for the person.

    A broken constraint passes through, for the repository that knows what it means.

    Args:
        path: The vault, where it is known: what fails on a full disk, fails because of that.
    """
    try:
        yield
    except driver.IntegrityError:
        raise
    except driver.DatabaseError as error:
        raise _translated(error, path) from error


def _translated(error: Exception, path: Path | None) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None) or 0
    failed = code & 0xFF in (driver.SQLITE_IOERR, driver.SQLITE_CANTOPEN)
    if code == _SHM_SIZE or (failed and path is not None and is_full(path.parent)):
        return DiskFull(DISK_FULL)
    kind, sentence = _KNOWN.get(code & 0xFF, (StoreError, ""))
    return kind(sentence or f"The vault could not do that: {error}.")


def is_bad_query(error: Exception) -> bool:
    """Return whether a statement was not understood, as when what it searches for is no query."""
    return bool(getattr(error, "sqlite_errorcode", None) == driver.SQLITE_ERROR)
