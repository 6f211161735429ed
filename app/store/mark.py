"""How far a vault has come, kept beside it, so that commits which got lost are noticed.

Every transaction that changes anything counts itself inside the vault, and once it is committed the
count is written into ``vault.mark``, too. That is not flushed to the disk: the mark may lag behind,
as after a power cut, but never names what was not committed. So a vault that is behind its mark has
lost commits, because its log was lost or damaged, or an older copy lies in its place.
"""

import json
import logging
import os
import struct
import zlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.domain.ids import Clock, from_ms, to_ms
from app.store.connection import Connection

_MAGIC, _FORM = b"LOCIMARK", struct.Struct(">8sQQ")
_SIZE = _FORM.size + 4
_COUNT, _LOST = "changes", "changes_lost"
_NEXT = (
    "INSERT INTO meta (key, value) VALUES (?, 1)"
    " ON CONFLICT DO UPDATE SET value = value + 1 RETURNING value"
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lost:
    """Commits that are missing.

    Attributes:
        changes: How many, each of which changed something.
        until: When the last of them was made.
    """

    changes: int
    until: datetime


class Mark:
    """The mark of one open vault; used by whoever has the turn to write.

    Args:
        path: The mark's file; made at the first commit.
        clock: The present.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._file = -1
        self._before = 0
        self._count = 0
        self._failed = False

    def begin(self, connection: Connection) -> None:
        """Note where a transaction begins."""
        self._before = connection.total_changes

    def count(self, connection: Connection) -> None:
        """Count a transaction that changed anything, before it is committed."""
        self._count = 0
        if connection.total_changes != self._before:
            self._count = int(connection.execute(_NEXT, (_COUNT,)).fetchall()[0][0])

    def keep(self) -> None:
        """Write the count down after the commit; where that fails, the mark lags behind."""
        if not self._count:
            return
        said = _FORM.pack(_MAGIC, self._count, to_ms(self._clock()))
        try:
            if self._file < 0:
                flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
                self._file = os.open(self._path, flags, 0o600)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, said + zlib.crc32(said).to_bytes(4, "big"))
        except OSError as error:
            if not self._failed:
                self._failed = True
                _log.info("how far the vault has come is not kept (%s)", type(error).__name__)

    def close(self) -> None:
        """Close the file; harmless when done twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def read(path: Path) -> tuple[int, int] | None:
    """Return the count that was kept and when, in milliseconds; None where there is none."""
    try:
        with path.open("rb") as file:
            found = file.read(_SIZE)
    except OSError:
        return None
    said, check = found[: _FORM.size], found[_FORM.size :]
    if len(found) != _SIZE or zlib.crc32(said) != int.from_bytes(check, "big"):
        return None
    magic, count, at = _FORM.unpack(said)
    return (count, at) if magic == _MAGIC else None


def notice(connection: Connection, kept: tuple[int, int] | None) -> None:
    """Keep in the vault what it lacks; must run inside a transaction.

    Args:
        connection: The writing one.
        kept: The mark, read before the transaction began.
    """
    now = _number(connection)
    if kept is None or kept[0] <= now:
        return
    before = lost(connection)
    changes = kept[0] - now + (before.changes if before else 0)
    said = json.dumps([changes, kept[1]]).encode()
    sql = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = ?2"
    connection.execute(sql, (_LOST, said))
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = ?2",
        (_COUNT, kept[0]),
    )
    _log.warning("%d changes of a vault are missing", kept[0] - now)


def is_behind(connection: Connection, kept: tuple[int, int] | None) -> bool:
    """Return whether a vault lacks what its mark names."""
    return kept is not None and kept[0] > _number(connection)


def lost(connection: Connection) -> Lost | None:
    """Return what is missing and was not accepted."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_LOST,)).fetchone()
    if row is None:
        return None
    changes, until = json.loads(row[0])
    return Lost(int(changes), from_ms(int(until)))


def accept(connection: Connection) -> None:
    """Take it that what is missing is gone; must run inside a transaction."""
    connection.execute("DELETE FROM meta WHERE key = ?", (_LOST,))


def _number(connection: Connection) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_COUNT,)).fetchone()
    return int(row[0]) if row else 0
