"""Read the journal in the order of time: what was done together, and how much on each day."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from app.domain.history import Action, Day, deed
from app.domain.ids import from_ms, to_ms
from app.store.dialect import is_json, json_field
from app.store.journal import undoing
from app.store.journal.entries import Gist, Journal
from app.store.vault import damage, rows
from app.store.vault.connection import Connection
from app.store.vault.file import Vault

_QUARTER = 900_000  # every time zone is a whole number of quarters of an hour away from another
_NEVER, _ALWAYS = 0, 1 << 62


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """Changes that were made together.

    Attributes:
        gist: What they are about, and how many there are.
        at: When the last of them was made.
        undone: Whether they were taken back since, even in part.
        origin: What an undo is about in the end; the batch itself where it is none.
        takes_back: Whether it takes that back.
    """

    gist: Gist
    at: datetime
    undone: bool
    origin: str
    takes_back: bool


class Timeline:
    """The journal of a vault in the order of time."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._journal = Journal(vault)

    def span(self) -> tuple[datetime, datetime] | None:
        """Return when the first and the last change were made; None where there are none."""
        first, last = self._vault.row(
            "SELECT (SELECT min(at) FROM journal), (SELECT max(at) FROM journal)"
        )
        return None if first is None else (rows.near(first), rows.near(last))

    def done(
        self, since: datetime | None, until: datetime | None, limit: int
    ) -> Sequence[ChangeGroup]:
        """Return what was done from ``since`` until just before ``until``, newest first."""
        with self._vault.read() as connection:
            latest = _batches(connection, _bounds(since, until), limit)
            undoings = undoing.read(connection)
            undone = undoings.undone()
            found = []
            for batch, at in latest.items():
                origin = undoings.origin(batch)
                found.append(ChangeGroup(self._journal.gist(batch), at, batch in undone, *origin))
        return found

    def days(self, since: datetime | None, until: datetime | None) -> Sequence[Day]:
        """Return how much of each kind was done on each day of the person's calendar."""
        days: dict[date, Counter[Action]] = {}
        found = self._vault.rows(
            f"SELECT at / {_QUARTER} AS quarter, {_status('before')} AS was,"
            f" {_status('after')} AS status, before = '{{}}' AS new,"
            " undoes IS NOT NULL AS undoes, count(*) AS number FROM journal"
            " WHERE at >= ? AND at < ? GROUP BY 1, 2, 3, 4, 5 ORDER BY 1",
            _bounds(since, until),
        )
        for row in found:
            day = from_ms(row["quarter"] * _QUARTER).astimezone().date()
            new, undoes = bool(row["new"]), bool(row["undoes"])
            was, status = (
                row[name] if damage.MEMORY.reads("status", row[name]) else None
                for name in ("was", "status")
            )
            kind = deed(was, status, new=new, undoes=undoes)
            days.setdefault(day, Counter())[kind] += row["number"]
        return sorted(days.items())


def _bounds(since: datetime | None, until: datetime | None) -> tuple[int, int]:
    return to_ms(since) if since else _NEVER, to_ms(until) if until else _ALWAYS


def _batches(connection: Connection, bounds: tuple[int, int], limit: int) -> dict[str, datetime]:
    """Return the latest batches with the time of their last change, newest first."""
    found: dict[str, datetime] = {}
    for batch, at in connection.execute(
        "SELECT batch, at FROM journal WHERE at >= ? AND at < ? ORDER BY at DESC, pk DESC", bounds
    ):
        if batch not in found:
            if len(found) == limit:
                break
            found[batch] = rows.near(at)
    return found


def _status(side: str) -> str:
    return f"CASE WHEN {is_json(side)} THEN {json_field(side, 'status')} END"
