"""Find memories and messages by their time alone, newest first, at a bounded cost.

A memory whose ``occurred_at`` is midnight UTC tells of a day, whatever the time zone; it is
compared with the days of a stretch of time, not with its moments.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from app.domain.ids import to_ms
from app.domain.memory import Scope, Trust
from app.store.dialect import by_index
from app.store.index import recallable
from app.store.vault.file import Vault

DAY_MS = 86_400_000
_LONG_AGO, _FAR_AHEAD = -(2**60), 2**60


@dataclass(frozen=True, slots=True)
class TimeRange:
    """From ``start`` until just before ``end``; None where it has no such side.

    Attributes:
        first_day, last_day: The days it touches, where the person is.
    """

    start: datetime | None
    end: datetime | None
    first_day: date | None
    last_day: date | None

    @property
    def moments(self) -> tuple[int, int]:
        """Its bounds in milliseconds."""
        return (
            _LONG_AGO if self.start is None else to_ms(self.start),
            _FAR_AHEAD if self.end is None else to_ms(self.end),
        )

    @property
    def days(self) -> tuple[int, int]:
        """The bounds of its days, as a day is stored."""
        return (
            _LONG_AGO if self.first_day is None else _day_ms(self.first_day),
            _FAR_AHEAD if self.last_day is None else _day_ms(self.last_day) + DAY_MS,
        )


class Calendar:
    """The times of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def happened(
        self, stretch: TimeRange, scope: Scope, trusts: Collection[Trust], now: datetime, limit: int
    ) -> list[int]:
        """Return memories of what happened in a stretch of time, latest first."""
        (start, end), (first, last) = stretch.moments, stretch.days
        condition, values = recallable.memories(scope, trusts, now)
        one = (
            "SELECT * FROM (SELECT m.pk, m.occurred_at AS at FROM memories AS m"
            f" {by_index('memories_occurred')} WHERE m.scope = ? AND m.occurred_at >= ?"
            " AND m.occurred_at < ?"
            f" AND CASE m.occurred_at % {DAY_MS} WHEN 0 THEN m.occurred_at >= ?"
            " AND m.occurred_at < ? ELSE m.occurred_at >= ? AND m.occurred_at < ? END"
            f" AND {condition} ORDER BY m.occurred_at DESC, m.pk DESC LIMIT ?)"
        )
        bounds = [min(start, first), max(end, last), first, last, start, end, *values, limit]
        scopes = recallable.scopes(scope)
        with self._vault.search() as connection:
            found = connection.execute(
                f"{' UNION ALL '.join([one] * len(scopes))} ORDER BY at DESC, pk DESC LIMIT ?",
                [*(value for each in scopes for value in (each, *bounds)), limit],
            ).fetchall()
        return [row[0] for row in found]

    def learnt(
        self,
        stretch: TimeRange,
        scope: Scope,
        trusts: Collection[Trust],
        now: datetime,
        limit: int,
        *,
        timeless: bool = False,
    ) -> list[int]:
        """Return memories made in a stretch of time, latest first.

        Where ``timeless``, only those of which it is not known when they happened.
        """
        condition, values = recallable.memories(scope, trusts, now)
        unknown = " AND m.occurred_at IS NULL" if timeless else ""
        with self._vault.search() as connection:
            found = connection.execute(
                f"SELECT m.pk FROM memories AS m {by_index('memories_listed')}"
                f" WHERE m.created_at >= ? AND m.created_at < ? AND {condition}{unknown}"
                " ORDER BY m.created_at DESC, m.pk DESC LIMIT ?",
                [*stretch.moments, *values, limit],
            ).fetchall()
        return [row[0] for row in found]

    def said(
        self, stretch: TimeRange, scope: Scope, limit: int, exclude: Collection[str] = ()
    ) -> list[int]:
        """Return messages of a stretch of time, latest first."""
        condition, values = recallable.messages(scope, exclude)
        with self._vault.search() as connection:
            found = connection.execute(
                "SELECT x.pk FROM messages AS x CROSS JOIN conversations AS c"
                f" ON c.pk = x.conversation_pk WHERE {condition}"
                " AND x.created_at >= ? AND x.created_at < ?"
                " ORDER BY x.created_at DESC, x.pk DESC LIMIT ?",
                [*values, *stretch.moments, limit],
            ).fetchall()
        return [row[0] for row in found]


def _day_ms(day: date) -> int:
    return to_ms(datetime.combine(day, time(), UTC))


def is_day(moment: datetime) -> bool:
    """Return whether a stored time tells of a day rather than of a moment."""
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) % timedelta(days=1) == timedelta()
