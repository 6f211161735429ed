"""Keep background jobs as rows, so that they survive a crash and run once.

Whoever claims a job owns it until it is finished, failed or released; a claim is one statement, so
that several processes may ask at once.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.domain.ids import from_ms, new_id, to_ms
from app.domain.jobs.upkeep import Trigger
from app.store.vault import damage
from app.store.vault.connection import Row
from app.store.vault.file import Vault
from app.store.vault.rows import dumps
from app.store.work.unsound import PAYLOAD, SOUND

# A job that runs has been attempted; no attempts mean that it was asked for again since.
_OVER = "CASE attempts WHEN 0 THEN 'queued' ELSE '{0}' END"
_BACK = "state = CASE state WHEN 'cancelled' THEN 'cancelled' ELSE 'queued' END"
_ASKED = f"coalesce(json_extract({PAYLOAD}, '$.trigger'), '') = 'now'"


class JobState(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of durable work.

    Attributes:
        unique_key: Two jobs with the same key are the same job.
        checkpoint: How far an earlier run came.
        attempts: How many times it was claimed, this time included.
        changed_at: When anything here last changed, such as when it was cancelled.
        damaged: What of it cannot be read; it does not run then.
    """

    id: str
    kind: str
    unique_key: str
    payload: dict[str, Any]
    checkpoint: dict[str, Any]
    state: JobState
    attempts: int
    run_after: datetime
    changed_at: datetime
    error: str = ""
    damaged: tuple[str, ...] = ()

    @property
    def trigger(self) -> Trigger:
        """Why it runs."""
        try:
            return Trigger(self.payload.get("trigger", Trigger.EVENT))
        except ValueError:
            return Trigger.EVENT

    @property
    def is_asked(self) -> bool:
        """Whether the person began it."""
        return self.trigger is Trigger.NOW


class JobRows:
    """The queue of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def enqueue(
        self,
        kind: str,
        unique_key: str,
        payload: Mapping[str, Any],
        run_after: datetime | None = None,
        *,
        again: bool = False,
    ) -> bool:
        """Queue a job unless one with its key was queued before.

        With ``again``, one that is over is queued anew, and one that runs will run once more.

        Returns:
            Whether it was queued.
        """
        now = self._vault.clock()
        with self._vault.write() as connection:
            cursor = connection.execute(
                "INSERT INTO jobs (id, kind, unique_key, payload, run_after, created_at,"
                " updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)"
                " ON CONFLICT (unique_key) DO UPDATE SET attempts = 0, error = '',"
                " state = CASE state WHEN 'running' THEN 'running' ELSE 'queued' END,"
                " checkpoint = CASE state WHEN 'running' THEN checkpoint ELSE '{}' END,"
                " payload = excluded.payload, run_after = excluded.run_after,"
                " updated_at = excluded.updated_at WHERE ?7 AND state <> 'queued'",
                (
                    new_id(now),
                    kind,
                    unique_key,
                    dumps(dict(payload)),
                    to_ms(run_after or now),
                    to_ms(now),
                    int(again),
                ),
            )
            return bool(cursor.rowcount)

    def claim(
        self,
        now: datetime,
        alone: Collection[str] = (),
        *,
        without: Collection[str] = (),
        held: Collection[str] = (),
        last: Collection[str] = (),
    ) -> Job | None:
        """Take the job that has waited longest, if one is due.

        Args:
            now: The present.
            alone: Kinds of which only one runs at a time, whoever works.
            without: Kinds to leave to others.
            held: Kinds to leave waiting, unless the person began them.
            last: Kinds that any other goes before, however long they waited.
        """
        with self._vault.write() as connection:
            row = connection.execute(
                "UPDATE jobs SET state = 'running', attempts = attempts + 1, updated_at = ?1"
                " WHERE pk = (SELECT pk FROM jobs WHERE state = 'queued' AND run_after <= ?1"
                f" AND {SOUND}"
                " AND kind NOT IN (SELECT value FROM json_each(?3))"
                f" AND NOT (kind IN (SELECT value FROM json_each(?4)) AND NOT {_ASKED})"
                " AND NOT (kind IN (SELECT value FROM json_each(?2)) AND EXISTS (SELECT 1"
                " FROM jobs WHERE state = 'running'"
                " AND kind IN (SELECT value FROM json_each(?2))))"
                " ORDER BY kind IN (SELECT value FROM json_each(?2)),"
                " kind IN (SELECT value FROM json_each(?5)), run_after, pk LIMIT 1)"
                " RETURNING *",
                (to_ms(now), *(dumps(sorted(kinds)) for kinds in (alone, without, held, last))),
            ).fetchone()
        return None if row is None else _job(row)

    def checkpoint(self, job_id: str, data: Mapping[str, Any]) -> None:
        """Note how far a running job has come; one that came further has its tries again."""
        change = "attempts = CASE WHEN checkpoint <> ?3 THEN min(attempts, 1) ELSE attempts END"
        self._set(job_id, f"{change}, checkpoint = ?3", dumps(dict(data)))

    def note(self, job_id: str, name: str, value: object) -> None:
        """Keep something that a job found; it stays when the job is done."""
        path = f"$.{name}"
        self._set(job_id, "payload = json_set(payload, ?3, json(?4))", path, dumps(value))

    def noted(self, unique_keys: Collection[str], name: str) -> dict[str, Any]:
        """Return what jobs kept under a name, by their keys; those that kept nothing lack."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT unique_key, json_extract({PAYLOAD}, ?2) AS value FROM jobs"
                " WHERE unique_key IN (SELECT value FROM json_each(?1)) AND value IS NOT NULL",
                (dumps(sorted(unique_keys)), f"$.{name}"),
            ).fetchall()
        return {row["unique_key"]: json.loads(row["value"]) for row in found}

    def run_now(self, unique_key: str, payload: Mapping[str, Any] | None = None) -> None:
        """Let a queued job begin now instead of later; as what it is now asked for, where given."""
        now = to_ms(self._vault.clock())
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE jobs SET run_after = min(run_after, ?1), payload = coalesce(?3, payload),"
                " updated_at = ?1 WHERE unique_key = ?2 AND state = 'queued'"
                " AND (run_after > ?1 OR ?3 <> payload)",
                (now, unique_key, None if payload is None else dumps(dict(payload))),
            )

    def put_first(self, unique_key: str) -> None:
        """Let a queued job begin before all others."""
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE jobs SET run_after = 0, updated_at = ?2"
                " WHERE unique_key = ?1 AND state = 'queued'",
                (unique_key, to_ms(self._vault.clock())),
            )

    def hold_back(self, kinds: Collection[str], until: datetime) -> None:
        """Let no queued job of these kinds begin before a moment."""
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE jobs SET run_after = ?1, updated_at = ?2 WHERE state = 'queued'"
                " AND run_after < ?1 AND kind IN (SELECT value FROM json_each(?3))",
                (to_ms(until), to_ms(self._vault.clock()), dumps(sorted(kinds))),
            )

    def revive(self, kind: str, trigger: str) -> int:
        """Queue again what was cancelled or failed, and run_now what waits, for another reason.

        Returns:
            How many jobs there are to do.
        """
        with self._vault.write() as connection:
            cursor = connection.execute(
                "UPDATE jobs SET state = 'queued', attempts = 0, error = '', run_after = ?1,"
                f" payload = json_set({PAYLOAD}, '$.trigger', ?3), updated_at = ?1"
                " WHERE kind = ?2 AND state IN ('cancelled', 'failed', 'queued')",
                (to_ms(self._vault.clock()), kind, trigger),
            )
            return int(cursor.rowcount)

    def given_up(self, kind: str) -> int:
        """Return how many jobs of a kind were cancelled or failed."""
        with self._vault.read() as connection:
            sql = "SELECT count(*) FROM jobs WHERE kind = ? AND state IN ('cancelled', 'failed')"
            return int(connection.execute(sql, (kind,)).fetchone()[0])

    def run_waiting_now(self, kind: str, queued_by: datetime) -> int:
        """Let the jobs of a kind that were queued by then, and never tried, begin now.

        Returns:
            How many no longer wait.
        """
        now = to_ms(self._vault.clock())
        with self._vault.write() as connection:
            cursor = connection.execute(
                "UPDATE jobs SET run_after = ?1, updated_at = ?1 WHERE kind = ?2"
                " AND state = 'queued' AND attempts = 0 AND run_after > ?1 AND created_at <= ?3",
                (now, kind, to_ms(queued_by)),
            )
            return int(cursor.rowcount)

    def finish(self, job_id: str) -> None:
        """Note that a job is done."""
        self._set(job_id, f"state = {_OVER.format('done')}, error = '', checkpoint = '{{}}'")

    def settle(self, unique_key: str) -> None:
        """Note that what a job was queued for has been done, by whoever."""
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'done', error = '', updated_at = ? WHERE unique_key = ?",
                (to_ms(self._vault.clock()), unique_key),
            )

    def fail(self, job_id: str, error: str, retry_at: datetime | None = None) -> None:
        """Note that a job failed, and when it is tried again, if at all."""
        if retry_at is None:
            self._set(job_id, f"state = {_OVER.format('failed')}, error = ?3", error)
        else:
            self._set(job_id, f"{_BACK}, error = ?3, run_after = ?4", error, to_ms(retry_at))

    def requeue(self, job_id: str, run_after: datetime | None = None) -> None:
        """Give back a job that was interrupted, to be resumed from its checkpoint."""
        later = to_ms(run_after or self._vault.clock())
        back = f"{_BACK}, attempts = max(0, attempts - 1)"
        self._set(job_id, f"{back}, run_after = max(run_after, ?3)", later)

    def cancel(self, unique_key: str) -> None:
        """Take a job out of the queue; one that runs is not run again."""
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'cancelled', checkpoint = '{}', updated_at = ?"
                " WHERE unique_key = ? AND state IN ('queued', 'running')",
                (to_ms(self._vault.clock()), unique_key),
            )

    def cancel_kind(self, kind: str) -> None:
        """Take all jobs of a kind out of the queue; one that runs is not run again."""
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'cancelled', checkpoint = '{}', updated_at = ?"
                " WHERE kind = ? AND state IN ('queued', 'running')",
                (to_ms(self._vault.clock()), kind),
            )

    def release_running(self, tries: int, error: str) -> int:
        """Queue again what a crashed process left running; return how many.

        Args:
            tries: What was begun so often, and came no further, has failed instead.
            error: What is said of that.
        """
        with self._vault.write() as connection:
            cursor = connection.execute(
                "UPDATE jobs SET updated_at = ?1,"
                " state = CASE WHEN attempts < ?2 THEN 'queued' ELSE 'failed' END,"
                " error = CASE WHEN attempts < ?2 THEN error ELSE ?3 END WHERE state = 'running'",
                (to_ms(self._vault.clock()), tries, error),
            )
            return int(cursor.rowcount)

    def failed(self, limit: int = 100) -> list[Job]:
        """Return the jobs that are not tried any more, or cannot be, the latest first."""
        with self._vault.read() as connection:
            sql = (
                "SELECT * FROM jobs WHERE state = 'failed'"
                f" OR (state NOT IN ('done', 'cancelled') AND {SOUND} IS NOT TRUE)"
                " ORDER BY updated_at DESC LIMIT ?"
            )
            return [_job(row) for row in connection.execute(sql, (limit,)).fetchall()]

    def again(self, job_id: str) -> bool:
        """Queue a failed job anew; return whether there is one."""
        return self._settled(job_id, "state = 'queued', attempts = 0, run_after = ?2")

    def drop(self, job_id: str) -> bool:
        """Leave a failed job for good; return whether there is one."""
        return self._settled(job_id, "state = 'cancelled'")

    def waits(self, kind: str, now: datetime) -> bool:
        """Return whether a job of a kind could run now."""
        sql = "SELECT 1 FROM jobs WHERE kind = ? AND state = 'queued' AND run_after <= ? LIMIT 1"
        with self._vault.read() as connection:
            return connection.execute(sql, (kind, to_ms(now))).fetchone() is not None

    def counts(self) -> dict[str, int]:
        """Return how many jobs are in each state."""
        with self._vault.read() as connection:
            found = connection.execute("SELECT state, count(*) FROM jobs GROUP BY state").fetchall()
        counts = {row[0]: row[1] for row in found}
        return {state.value: counts.get(state.value, 0) for state in JobState}

    def due(self, now: datetime) -> int:
        """Return how many jobs could run now."""
        with self._vault.read() as connection:
            return int(
                connection.execute(
                    "SELECT count(*) FROM jobs WHERE state = 'queued' AND run_after <= ?",
                    (to_ms(now),),
                ).fetchone()[0]
            )

    def by_key(self, unique_key: str) -> Job | None:
        """Return the job with this key."""
        with self._vault.read() as connection:
            row = connection.execute(
                "SELECT * FROM jobs WHERE unique_key = ?", (unique_key,)
            ).fetchone()
        return None if row is None else _job(row)

    def of_kind(self, kind: str) -> Job | None:
        """Return the job of a kind that runs, else one that waits, else the newest."""
        with self._vault.read() as connection:
            row = connection.execute(
                "SELECT * FROM jobs WHERE kind = ? ORDER BY state = 'running' DESC,"
                " state = 'queued' DESC, pk DESC LIMIT 1",
                (kind,),
            ).fetchone()
        return None if row is None else _job(row)

    def _settled(self, job_id: str, change: str) -> bool:
        with self._vault.write() as connection:
            cursor = connection.execute(
                f"UPDATE jobs SET {change}, error = '', updated_at = ?2"
                " WHERE id = ?1 AND state = 'failed'",
                (job_id, to_ms(self._vault.clock())),
            )
            return bool(cursor.rowcount)

    def _set(self, job_id: str, change: str, *values: object) -> None:
        with self._vault.write() as connection:
            connection.execute(
                f"UPDATE jobs SET {change}, updated_at = ?2 WHERE id = ?1",
                (job_id, to_ms(self._vault.clock()), *values),
            )


def _job(row: Row) -> Job:
    """Return the job of a row, as far as it reads."""
    damaged = damage.of(row, damage.JOB)
    columns = damage.mended(row, damaged, damage.JOB) if damaged else row
    return Job(
        id=columns["id"],
        kind=columns["kind"],
        unique_key=columns["unique_key"],
        payload=json.loads(columns["payload"]),
        checkpoint=json.loads(columns["checkpoint"]),
        state=JobState(columns["state"]),
        attempts=columns["attempts"],
        run_after=from_ms(columns["run_after"]),
        changed_at=from_ms(columns["updated_at"]),
        error=damage.in_short(damaged) if damaged else columns["error"],
        damaged=damaged,
    )
