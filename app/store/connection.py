"""Open one encrypted connection, and turn the driver's errors into sentences."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlcipher3.dbapi2 as driver
import sqlite_vec

from app.errors import DiskFull, StoreError, VaultBusy, VaultCorrupt, VaultReadOnly

Connection = Any
Row = Any

READ_CACHE_KB = 16_384
SEARCH_CACHE_KB = 65_536


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
    with plain_errors():
        connection = driver.connect(
            str(path), isolation_level=None, check_same_thread=False, timeout=10.0
        )
        try:
            _set_up(connection, key, cache_kb, read_only, wal)
        except BaseException:
            connection.close()
            raise
    return connection


def _set_up(connection: Connection, key: bytes, cache_kb: int, read_only: bool, wal: bool) -> None:
    connection.row_factory = driver.Row
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
        connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}")
        connection.execute("PRAGMA synchronous = FULL")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what the driver raises into a sentence for the person."""
    try:
        yield
    except driver.OperationalError as error:
        raise _translated(error) from error
    except driver.IntegrityError:
        raise
    except driver.DatabaseError as error:
        raise _translated(error) from error
    except OSError as error:
        raise StoreError(f"The vault could not be opened: {error.strerror}.") from error


def _translated(error: Exception) -> StoreError:
    text = str(error).lower()
    if "full" in text:
        return DiskFull("The disk is full. Nothing was lost; free some space and try again.")
    if "locked" in text or "busy" in text:
        return VaultBusy("The vault is busy in another window or program. Try again in a moment.")
    if "readonly" in text or "read-only" in text or "unable to open" in text:
        return VaultReadOnly(
            "The vault's folder cannot be written. Check its permissions or choose another folder."
        )
    if "not a database" in text or "malformed" in text or "hmac" in text or "disk i/o" in text:
        return VaultCorrupt(
            "The vault could not be read: the key does not fit, or the file is damaged."
        )
    return StoreError(f"The vault could not do that: {error}.")
