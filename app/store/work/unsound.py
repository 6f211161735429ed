"""Jobs that something else than Loci left unreadable in part: they do not run until set right.

A job's unique key says what it is about, so that it can begin anew whatever else of it is gone.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from app.domain.ids import to_ms
from app.domain.language.foreign import MOST
from app.store.dialect import is_json, is_object, stored_as
from app.store.vault import damage, facts
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault
from app.store.vault.rows import dumps

Meant = Callable[[str], Mapping[str, Any] | None]

PAYLOAD = (
    f"CASE WHEN {stored_as('payload', 'text')} AND {is_json('payload')}"
    " THEN payload ELSE '{}' END"
)


def _typed(kind: str, *names: str) -> str:
    return " AND ".join(stored_as(name, kind) for name in names)


# What damage.JOB says of whole rows, cheap enough to be asked of every job that waits.
SOUND = (
    f"({_typed('text', 'id', 'kind', 'unique_key', 'state', 'error')}"
    f" AND {_typed('integer', 'attempts', 'run_after', 'created_at', 'updated_at')}"
    " AND state IN ('queued', 'running', 'done', 'failed', 'cancelled')"
    f" AND attempts BETWEEN 0 AND {MOST}"
    + "".join(
        f" AND {name} BETWEEN {facts.FIRST} AND {facts.LAST}"
        for name in ("run_after", "created_at", "updated_at")
    )
    + "".join(
        f" AND CASE WHEN {stored_as(name, 'text')} AND {is_json(name)}"
        f" THEN {is_object(name)} ELSE 0 END"
        for name in ("payload", "checkpoint")
    )
    + ")"
)


class UnsoundJobs:
    """The damaged jobs of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def sentences(self) -> list[str]:
        """Return a sentence for each."""
        with self._vault.read() as connection:
            return [damage.of_job(row, damage.of(row, damage.JOB)) for row in _all(connection)]

    def set_right(self, meant: Meant, only: str | None = None) -> bool:
        """Begin them anew, and remove those that do not say what they are.

        Args:
            meant: Returns what a job of such a unique key is for, as its payload.
            only: The one with this id; None for all.

        Returns:
            Whether there were any.
        """
        now = to_ms(self._vault.clock())
        with self._vault.write() as connection:
            found = [row for row in _all(connection) if only in (None, _name(row))]
            for row in found:
                key = row["unique_key"] if isinstance(row["unique_key"], str) else ""
                payload = meant(key)
                if payload is None:
                    connection.execute("DELETE FROM jobs WHERE pk = ?", (row["pk"],))
                else:
                    _begin_anew(connection, row, payload, now)
        return bool(found)

    def remove(self, job_id: str) -> bool:
        """Remove one; return whether there is such a one."""
        return self.set_right(lambda _key: None, job_id)


def _begin_anew(connection: Connection, row: Row, payload: Mapping[str, Any], now: int) -> None:
    """Let a job have nothing behind it; one that is over stays over."""
    reads = damage.JOB.reads("payload", row["payload"])
    kept = json.loads(row["payload"]) if reads else {}
    connection.execute(
        "UPDATE jobs SET id = ?2, kind = ?3, payload = ?4, checkpoint = '{}', attempts = 0,"
        " error = '', run_after = ?5, created_at = ?5, updated_at = ?5,"
        " state = CASE WHEN state IN ('done', 'cancelled') THEN state ELSE 'queued' END"
        " WHERE pk = ?1",
        (
            row["pk"],
            _name(row),
            row["unique_key"].partition(":")[0],
            dumps({**payload, **kept}),
            now,
        ),
    )


def _all(connection: Connection) -> list[Row]:
    sql = f"SELECT * FROM jobs WHERE {SOUND} IS NOT TRUE ORDER BY pk"
    return list(connection.execute(sql).fetchall())


def _name(row: Row) -> str:
    return damage.named(row["id"], row["pk"])
