"""Identifiers and time: what the world sees of a row, and the clock that tests can set."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A year from either end of the calendar: every time zone, and a step of days, stays within it.
EARLIEST, LATEST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)


def utc_now() -> datetime:
    """Return the present, aware, in UTC: the clock of the running program."""
    return datetime.now(UTC)


def to_ms(moment: datetime) -> int:
    """Return milliseconds since 1970 of an aware datetime."""
    return (moment - _EPOCH) // timedelta(milliseconds=1)


_FIRST, _LAST = EARLIEST.replace(tzinfo=None), LATEST.replace(tzinfo=None)
_LEAST_MS, _MOST_MS = to_ms(EARLIEST), to_ms(LATEST)


def from_ms(ms: int) -> datetime:
    """Return the aware UTC datetime of milliseconds since 1970.

    What lies so far away that it could not be shown in every time zone is brought near enough.
    """
    return _EPOCH + timedelta(milliseconds=min(max(ms, _LEAST_MS), _MOST_MS))


def known(moment: datetime) -> datetime:
    """Return a moment that somebody named, near enough to be shown in every time zone.

    Args:
        moment: Aware, or of this computer's clock.
    """
    near = min(max(moment.replace(tzinfo=None), _FIRST), _LAST)
    return near.replace(tzinfo=moment.tzinfo, fold=moment.fold).astimezone()


def new_id(moment: datetime) -> str:
    """Return a UUID of version 7 (RFC 9562): sortable by the time it was made."""
    value = (to_ms(moment) & 0xFFFFFFFFFFFF) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
