"""The vault: one encrypted SQLite file, many readers, one writer in turn.

``read`` lends a connection that cannot write; ``write`` lends the only one that can, inside a
transaction that is committed when the block ends and rolled back when it raises. Both may be used
from any thread. Other processes may have the same vault open.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, LifoQueue
from threading import Condition, RLock

from app.domain.ids import Clock, utc_now
from app.errors import StoreError
from app.store import migrations
from app.store.connection import (
    READ_CACHE_KB,
    SEARCH_CACHE_KB,
    Connection,
    connect,
    plain_errors,
)


class Vault:
    """An open vault.

    Args:
        path: The file; created with mode 0600 when absent.
        key: 32 bytes.
        clock: The present.
        wal: Whether to use the write-ahead log.
    """

    def __init__(self, path: Path, key: bytes, clock: Clock = utc_now, *, wal: bool = True) -> None:
        self.path = path
        self.clock = clock
        self._key = key
        self._wal = wal
        self._turn = RLock()
        self._depth = 0
        self._idle: LifoQueue[Connection] = LifoQueue()
        self._lent = 0
        self._returned = Condition()
        self._closed = False
        _private(path)
        self._writer = connect(path, key, cache_kb=READ_CACHE_KB, read_only=False, wal=wal)
        self._search: Connection | None = None
        self._search_turn = RLock()
        try:
            migrations.apply(self._writer, path, clock)
        except BaseException:
            self._writer.close()
            raise

    @property
    def key(self) -> bytes:
        """The key, for scans and backups."""
        return self._key

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Lend a read-only connection."""
        connection = self._borrow()
        try:
            with plain_errors():
                yield connection
        finally:
            self._give_back(connection)

    @contextmanager
    def search(self) -> Iterator[Connection]:
        """Lend the read-only connection with the large cache; one user at a time."""
        with self._search_turn:
            if self._closed:
                raise StoreError("The vault is closed.")
            if self._search is None:
                self._search = connect(
                    self.path, self._key, cache_kb=SEARCH_CACHE_KB, read_only=True
                )
            with plain_errors():
                yield self._search

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Lend the writing connection inside a transaction; nested calls join the outer one."""
        with self._turn:
            if self._closed:
                raise StoreError("The vault is closed.")
            if self._depth:
                yield self._writer
                return
            with plain_errors():
                self._writer.execute("BEGIN IMMEDIATE")
                self._depth += 1
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                    raise
                finally:
                    self._depth -= 1

    def data_version(self) -> int:
        """Return a number that changes when another connection or process has written."""
        with self._search_turn, self.search() as connection:
            return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def close_readers(self) -> None:
        """Wait for lent readers and close them all, so that the log can be truncated."""
        with self._returned:
            self._returned.wait_for(lambda: self._lent == 0, timeout=10)
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                break
        with self._search_turn:
            if self._search is not None:
                self._search.close()
                self._search = None

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file and cut it to nothing.

        Raises:
            VaultBusy: Another process is reading.
        """
        with self._turn, plain_errors():
            self.close_readers()
            busy = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            from app.errors import VaultBusy

            raise VaultBusy("Another program is reading the vault. Close it and try again.")

    def close(self) -> None:
        """Close every connection; the vault cannot be used afterwards."""
        with self._turn:
            if self._closed:
                return
            self.close_readers()
            self._closed = True
            self._writer.close()

    def _borrow(self) -> Connection:
        with self._returned:
            if self._closed:
                raise StoreError("The vault is closed.")
            self._lent += 1
        try:
            return self._idle.get_nowait()
        except Empty:
            pass
        try:
            return connect(self.path, self._key, cache_kb=READ_CACHE_KB, read_only=True)
        except BaseException:
            self._end_loan()
            raise

    def _give_back(self, connection: Connection) -> None:
        self._idle.put(connection)
        self._end_loan()

    def _end_loan(self) -> None:
        with self._returned:
            self._lent -= 1
            self._returned.notify_all()


def _private(path: Path) -> None:
    """Make the folder 0700 and the file 0600 before anything is written."""
    with plain_errors():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            path.touch(mode=0o600)
