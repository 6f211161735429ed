"""The vault: one encrypted SQLite file, many readers, one writer in turn.

``read`` lends a connection that cannot write; ``write`` lends the only one that can, inside a
transaction that is committed when the block ends and rolled back when it raises. Inside it the same
thread reads its own writes, and a nested ``write`` that raises takes back only what it did itself.
Both may be used from any thread. Other processes may have the same vault open: all of them share
the lock on ``use.lock``, which whoever needs the file alone takes exclusively, having asked the
others to close it.
"""

import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Condition, Event, RLock, get_ident
from typing import Any

from app.domain.ids import Clock, utc_now
from app.domain.jobs.progress import Progress, outcome
from app.errors import Cancelled, StoreError, VaultBusy, VaultClosed, VaultCorrupt
from app.paths import ProfilePaths
from app.store.vault import migrations
from app.store.vault.chain import Chain
from app.store.vault.connection import (
    PAGE,
    READ_CACHE_KB,
    WATCH_CACHE_KB,
    Connection,
    Row,
    connect,
    plain_errors,
    search_cache_kb,
)
from app.store.vault.files import file_errors, needing, private_file
from app.store.vault.locks import BUSY, CLOSING_SECONDS, FileLock, ask, asked, taken
from app.store.vault.mark import Mark
from app.store.vault.settling import Settling

_DRAIN_SECONDS, _TRY_SECONDS = 10.0, 0.25
_LOOK_STEPS = 1_000  # of a statement, between two looks for a Stop

_OUTER = ("BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",))
_NESTED = ("SAVEPOINT nested", "RELEASE nested", ("ROLLBACK TO nested", "RELEASE nested"))


class Vault:
    """An open vault.

    Args:
        path: The file; created with mode 0600 when absent.
        key: 32 bytes.
        wal: Whether to use the write-ahead log.
        create: Whether an absent vault is made; otherwise it counts as damaged.
        settle: Whether the first sealing, which may take minutes, is done at once; else ``opening``
            does it.

    Attributes:
        chain: Links what is journalled, and seals memories.

    Raises:
        StoreError: In one of its forms.
    """

    def __init__(
        self,
        path: Path,
        key: bytes,
        clock: Clock = utc_now,
        *,
        wal: bool = True,
        create: bool = True,
        settle: bool = True,
    ) -> None:
        self.path = path
        self.clock = clock
        self._key = key
        self._reader = partial(connect, path, key, read_only=True)
        self._turn = RLock()
        self._depth = 0
        self._writing: int | None = None
        self._idle: list[Connection] = []
        self._lent: Counter[int] = Counter()
        self._draining = False
        self._returned = Condition()
        self._closed = False
        self._search: Connection | None = None
        self._search_turn = RLock()
        self._watch: Connection | None = None
        self._watch_turn = RLock()
        self._stop: Event | None = None
        self._files = ProfilePaths(path.parent)
        self._ask: FileLock | None = None
        self._mark = Mark(path.with_suffix(".mark"), key, clock)
        self.chain = Chain(key)
        if create:
            with file_errors(path.parent):
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._use = taken(self._files.use_lock, exclusive=False)
        try:
            if not (create or (path.exists() and path.stat().st_size >= PAGE)):
                raise VaultCorrupt(
                    f"The file {path} is missing, empty or damaged. "
                    "Put it back from a copy, or restore a backup."
                )
            private_file(path)
            self._writer = self._opened_writer(wal)
        except BaseException:
            self._use.close()
            raise
        if settle:
            outcome(self._settling())

    @classmethod
    def opening(
        cls, path: Path, key: bytes, clock: Clock, *, wal: bool
    ) -> Generator[Progress, None, "Vault"]:
        """Open a vault that is there, telling how far it is; once stopped, the next goes on."""
        vault = cls(path, key, clock, wal=wal, create=False, settle=False)
        yield from vault._settling()
        return vault

    def _opened_writer(self, wal: bool) -> Connection:
        writer = connect(self.path, self._key, cache_kb=READ_CACHE_KB, read_only=False, wal=wal)
        try:
            migrations.apply(writer, self.path, self._key, self.clock, self._use)
        except BaseException:
            writer.close()
            raise
        return writer

    def _settling(self) -> Generator[Progress, None, None]:
        first = Settling(self._writer, self.path, self._key, self.clock, self.chain, self._mark)
        try:
            yield from first.steps()
        except BaseException:
            self._writer.close()
            self._use.close()
            raise

    @property
    def key(self) -> bytes:
        """The key, for scans and backups."""
        return self._key

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Lend a connection for reading; all that one block reads is of one moment."""
        if self._writing == get_ident():
            yield self._writer
            return
        borrower, connection = get_ident(), self._borrow()
        try:
            with _snapshot(connection):
                yield connection
        finally:
            self._give_back(connection, borrower)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Return all that one statement finds."""
        with self.read() as connection:
            return list(connection.execute(sql, values))

    def row(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Return the first row that one statement finds; None where it finds none."""
        with self.read() as connection:
            return connection.execute(sql, values).fetchone()

    @contextmanager
    def search(self) -> Iterator[Connection]:
        """Lend the connection with the large cache for reading; one user at a time."""
        if self._writing == get_ident():
            yield self._writer
            return
        with self._search_turn:
            self.expect_open()
            if self._search is None:
                self._search = self._reader(cache_kb=search_cache_kb(self.path))
            if self._search.in_transaction:
                yield self._search
                return
            with _snapshot(self._search):
                yield self._search

    @contextmanager
    def write_until(self, stop: Event) -> Iterator[Connection]:
        """As ``write``, but once ``stop`` is set, a statement is broken off wherever it is.

        Raises:
            Cancelled: It was; nothing is changed.
        """
        with self._turn:
            self._stop = stop
            look = lambda: bool(self._stop and stop.is_set())  # noqa: E731
            self._writer.set_progress_handler(look, _LOOK_STEPS)
            try:
                with self.write() as connection:
                    yield connection
            except StoreError as error:
                if stop.is_set():
                    raise Cancelled("Stopped.") from error
                raise
            finally:
                self._writer.set_progress_handler(None, 0)
                self._stop = None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Lend the writing connection inside a transaction; nested calls join the outer one."""
        with self._turn:
            self.expect_open()
            begin, keep, undo = _NESTED if self._depth else _OUTER
            with plain_errors(self.path):
                self._writer.execute(begin)
                if not self._depth:
                    self.chain.head = None
                    self._mark.begin(self._writer)
                before = self.chain.head
                self._depth += 1
                self._writing = get_ident()
                try:
                    yield self._writer
                    if self._depth == 1:
                        self._mark.count(self._writer, self.chain.head)
                    self._writer.execute(keep)
                    if self._depth == 1:
                        self._mark.keep()
                except BaseException:
                    self.chain.head = before
                    self._undo(undo)
                    raise
                finally:
                    self._depth -= 1
                    self._writing = get_ident() if self._depth else None

    def _undo(self, statements: Sequence[str]) -> None:
        """Take back what was begun; no Stop breaks that off."""
        stop, self._stop = self._stop, None
        for statement in statements if self._writer.in_transaction else ():
            self._writer.execute(statement)
        self._stop = stop

    def expect_open(self) -> None:
        """Raise ``VaultClosed`` for whoever comes too late."""
        if self._closed:
            raise VaultClosed("The vault is closed.")

    def data_version(self) -> int:
        """Return a number that changes when this or another process has written."""
        with self._watch_turn, plain_errors(self.path):
            self.expect_open()
            if self._watch is None:
                self._watch = self._reader(cache_kb=WATCH_CACHE_KB)
            return int(self._watch.execute("PRAGMA data_version").fetchall()[0][0])

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file and cut it to nothing.

        Raises:
            VaultBusy: Another process is reading.
        """
        with self._turn, self._drained(), plain_errors(self.path):
            busy = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
        if busy:
            raise VaultBusy("Another program is reading the vault. Close it and try again.")

    @contextmanager
    def asking(self) -> Iterator[FileLock]:
        """Ask all others to close the vault, while the block runs; its lock is lent.

        Raises:
            VaultBusy: Somebody else is asking.
        """
        with self._watch_turn:
            self._ask = ask(self._files.ask_lock)
        try:
            yield self._ask
        finally:
            with self._watch_turn:
                self._ask.close()
                self._ask = None

    @property
    def asked(self) -> bool:
        """Whether another program asks for the vault to be closed."""
        with self._watch_turn:
            return self._ask is None and asked(self._files.ask_lock)

    def expect_alone(self, seconds: float = CLOSING_SECONDS) -> Generator[Progress, None, None]:
        """Wait until nobody else has the vault open, before something that needs that.

        Args:
            seconds: How long the others are given to close it.

        Raises:
            VaultBusy: Another window or program still has; this one goes on as before.
        """
        end = time.monotonic() + seconds
        while not self._is_alone():
            if time.monotonic() >= end:
                raise VaultBusy(BUSY)
            yield Progress("Waiting for other windows and programs to close this profile")

    def _is_alone(self) -> bool:
        with self._turn:
            alone = self._use.acquire(exclusive=True, seconds=_TRY_SECONDS)
            self._use.acquire(exclusive=False)
        return alone

    def compact(self) -> None:
        """Rewrite the file without free pages, and cut the log to nothing.

        Raises:
            VaultBusy: Another process is reading.
        """
        with needing(self.path.stat().st_size):
            with self._turn, self._drained(), plain_errors(self.path):
                self._writer.execute("VACUUM")
            self.checkpoint()

    def close(self) -> None:
        """Close every connection; the vault cannot be used afterwards."""
        with self._turn:
            if self._closed:
                return
            with self._drained(), self._watch_turn:
                self._closed = True
                if self._watch is not None:
                    self._watch.close()
            self._writer.close()
            self._mark.close()
            self._use.close()

    @contextmanager
    def _drained(self) -> Iterator[None]:
        """Close all readers that come home in time, and lend none while the block runs."""
        searching = not self._search_turn.acquire(timeout=_DRAIN_SECONDS)
        with self._returned:
            self._draining = True
            self._returned.wait_for(lambda: not self._lent.total(), timeout=_DRAIN_SECONDS)
            idle, self._idle = self._idle, []
        try:
            for connection in idle:
                connection.close()
            if self._search is not None and not searching:
                self._search.close()
                self._search = None
            yield
        finally:
            with self._returned:
                self._draining = False
                self._returned.notify_all()
            if not searching:
                self._search_turn.release()

    def _borrow(self) -> Connection:
        """Return a reader; a thread that has one already does not wait for others to return."""
        mine = get_ident()
        with self._returned:
            self._returned.wait_for(
                lambda: not self._draining or self._lent[mine] > 0, timeout=_DRAIN_SECONDS
            )
            self.expect_open()
            self._lent[mine] += 1
            if self._idle:
                return self._idle.pop()
        try:
            return self._reader(cache_kb=READ_CACHE_KB)
        except BaseException:
            self._end_loan(mine)
            raise

    def _give_back(self, connection: Connection, borrower: int) -> None:
        with self._returned:
            if self._closed:
                connection.close()
            else:
                self._idle.append(connection)
        self._end_loan(borrower)

    def _end_loan(self, borrower: int) -> None:
        with self._returned:
            self._lent[borrower] -= 1
            if not self._lent[borrower]:
                del self._lent[borrower]
            self._returned.notify_all()


@contextmanager
def _snapshot(connection: Connection) -> Iterator[None]:
    """Read inside one transaction; its end also resets cursors that were left unfinished."""
    with plain_errors():
        connection.execute("BEGIN")
        try:
            yield
        finally:
            connection.rollback()
