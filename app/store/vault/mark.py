"""How far a vault has come, kept beside it, so that lost commits and other copies are noticed.

Every transaction that changes anything counts itself inside the vault, and once it is committed the
count is written into ``vault.mark``, with the head of the chain of changes (``chain``) and under a
keyed hash. That is not flushed to the disk: the mark may lag behind, as after a power cut, but
never names what was not committed. So a vault that is behind its mark has lost commits, because its
log was lost or damaged, or an older copy lies in its place; and one that does not know the head has
gone another way since. Only the first mark is flushed, so that from then on there has to be one.
"""

import hashlib
import hmac
import json
import logging
import os
import struct
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.domain.ids import Clock, from_ms, to_ms
from app.store.vault import chain, facts
from app.store.vault.connection import Connection
from app.store.vault.files import file_errors, private_file, sync_folder

_MAGIC, _FORM = b"LOCIHEAD", struct.Struct(f">8sQQ{chain.MARK}s")
_HASH = 16
_SIZE = _FORM.size + _HASH
_LOOKS, _BETWEEN = 5, 0.01  # another program may be writing it
_COUNT, _LOST = "changes", "changes_lost"
_NEXT_COUNT = f"iif({facts.COUNTED}, value + 1, value)"
_COUNTED = "iif(typeof(value) = 'integer', value, NULL)"
_NEXT = (
    f"INSERT INTO meta (key, value) VALUES ('{_COUNT}', 1)"
    f" ON CONFLICT DO UPDATE SET value = {_NEXT_COUNT} RETURNING {_COUNTED}"
)
_NEXT_AND_HEAD = (
    f"INSERT INTO meta (key, value) VALUES ('{_COUNT}', 1), ('{chain.HEAD}', ?) ON CONFLICT DO"
    f" UPDATE SET value = iif(key = '{_COUNT}', {_NEXT_COUNT}, excluded.value) RETURNING {_COUNTED}"
)
_NEWEST = (
    "SELECT max(at) FROM journal WHERE typeof(at) = 'integer'"
    f" AND at BETWEEN {facts.FIRST} AND {facts.LAST}"
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lost:
    """Commits that are missing.

    Attributes:
        changes: How many, each of which changed something.
        until: When the last of them was made.
        since: When the last memory was changed that is there; None where that is not known.
    """

    changes: int
    until: datetime
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class MarkContent:
    """What a mark says.

    Attributes:
        count: How many commits there were.
        at: When the last of them was made, in milliseconds since 1970.
        head: The mark of the newest link of the chain.
    """

    count: int = 0
    at: int = 0
    head: bytes = chain.NONE


class Mark:
    """The mark of one open vault; used by whoever has the turn to write.

    Args:
        path: The mark's file.
        key: The vault's key.
    """

    def __init__(self, path: Path, key: bytes, clock: Clock) -> None:
        self._path = path
        self._key = key
        self._clock = clock
        self._file = -1
        self._before = 0
        self._count = 0
        self._head = chain.NONE
        self._failed = False

    def begin(self, connection: Connection) -> None:
        """Note where a transaction begins."""
        self._before = connection.total_changes

    def count(self, connection: Connection, head: bytes | None) -> None:
        """Count a transaction that changed anything, before it is committed.

        Args:
            connection: The writing one.
            head: The chain's, where the transaction knows it.
        """
        self._count = 0
        if connection.total_changes == self._before:
            return
        if head:
            found = connection.execute(_NEXT_AND_HEAD, (head,)).fetchall()
        else:
            found = connection.execute(_NEXT).fetchall()
        self._count = facts.count(found[0][0]) or 0  # what is none, is told at the next opening
        self._head = head or chain.head(connection) or chain.GONE

    def keep(self) -> None:
        """Write the count down after the commit; where that fails, the mark lags behind."""
        if not self._count:
            return
        kept = MarkContent(self._count, to_ms(self._clock()), self._head)
        try:
            if self._file < 0:
                flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
                self._file = os.open(self._path, flags, 0o600)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, _packed(kept, self._key))
        except OSError as error:
            if not self._failed:
                self._failed = True
                _log.info("how far the vault has come is not kept (%s)", type(error).__name__)

    def close(self) -> None:
        """Close the file; harmless when done twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def read(path: Path, key: bytes) -> MarkContent | None:
    """Return what was kept; None where there is nothing that was written with this key."""
    for look in range(_LOOKS):
        if look:
            time.sleep(_BETWEEN)
        try:
            with path.open("rb") as file:
                found = file.read(_SIZE)
        except FileNotFoundError:
            return None
        except OSError:
            continue
        if len(found) == _SIZE and found[: len(_MAGIC)] == _MAGIC:
            _magic, *said = _FORM.unpack_from(found)
            if hmac.compare_digest(found, _packed(MarkContent(*said), key)):
                return MarkContent(*said)
    return None


def begin(path: Path, key: bytes) -> None:
    """Keep that nothing is known yet of a vault, so that it may be any; flushed to the disk.

    Raises:
        StoreError: It cannot be written.
    """
    with file_errors(path.parent):
        private_file(path)
        with path.open("wb") as file:
            file.write(_packed(MarkContent(), key))
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)


def notice(connection: Connection, kept: MarkContent | None) -> None:
    """Keep in the vault what it lacks; must run inside a transaction.

    A count that is none begins again where the mark is.

    Args:
        connection: The writing one.
        kept: The mark, read before the transaction began.
    """
    now = _number(connection)
    if now is None:
        _count_from(connection, kept.count if kept else 0)
    if kept is None or now is None or kept.count <= now:
        return
    before = lost(connection)
    changes = kept.count - now + (before.changes if before else 0)
    newest = connection.execute(_NEWEST).fetchone()[0]
    said = json.dumps([changes, kept.at, newest]).encode()
    connection.execute(chain.KEEP, (_LOST, said))
    _count_from(connection, kept.count)
    _log.warning("%d changes of a vault are missing", kept.count - now)


def is_behind(connection: Connection, kept: MarkContent | None) -> bool:
    """Return whether a vault lacks what its mark names."""
    now = _number(connection)
    return kept is not None and now is not None and kept.count > now


def lost(connection: Connection) -> Lost | None:
    """Return what is missing and was not accepted."""
    said = facts.lost(facts.value_of(connection, _LOST))
    if said is None:
        return None
    changes, until, since = said
    return Lost(changes, from_ms(until), None if since is None else from_ms(since))


def accept(connection: Connection) -> None:
    """Take it that what is missing is gone; must run inside a transaction."""
    connection.execute("DELETE FROM meta WHERE key = ?", (_LOST,))


def _packed(kept: MarkContent, key: bytes) -> bytes:
    said = _FORM.pack(_MAGIC, kept.count, kept.at, kept.head)
    return said + hashlib.blake2b(said, key=key, digest_size=_HASH, person=b"loci mark").digest()


def _number(connection: Connection) -> int | None:
    """Return how many commits a vault counted; None where that was made something else."""
    value = facts.value_of(connection, _COUNT)
    return 0 if value is None else facts.count(value)


def _count_from(connection: Connection, number: int) -> None:
    connection.execute(chain.KEEP, (_COUNT, number))
