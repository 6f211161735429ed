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
from app.store.dialect import as_json, greatest, json_field, least, listed, path, with_field
from app.store.vault import damage
from app.store.vault.connection import Row
from app.store.vault.file import Vault
from app.store.vault.rows import dumps
from app.store.work.unsound import PAYLOAD, SOUND

# A job that runs has been attempted; no attempts mean that it was asked for again since.
_OVER = "CASE attempts WHEN 0 THEN 'queued' ELSE '{0}' END"
_BACK = "state = CASE state WHEN 'cancelled' THEN 'cancelled' ELSE 'queued' END"
_ASKED = f"coalesce({json_field(PAYLOAD, 'trigger')}, '') = 'now'"


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


class JobQueue:
    """The queue of a vault: work is put into it, claimed, and ends."""

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
                f" AND kind NOT IN {listed('?3')}"
                f" AND NOT (kind IN {listed('?4')} AND NOT {_ASKED})"
                f" AND NOT (kind IN {listed('?2')} AND EXISTS (SELECT 1"
                " FROM jobs WHERE state = 'running'"
                f" AND kind IN {listed('?2')}))"
                f" ORDER BY kind IN {listed('?2')},"
                f" kind IN {listed('?5')}, run_after, pk LIMIT 1)"
                " RETURNING *",
                (to_ms(now), *(dumps(sorted(kinds)) for kinds in (alone, without, held, last))),
            ).fetchone()
        return None if row is None else job_of(row)

    def checkpoint(self, job_id: str, data: Mapping[str, Any]) -> None:
        """Note how far a running job has come; one that came further has its tries again."""
        once = least("attempts", "1")
        change = f"attempts = CASE WHEN checkpoint <> ?3 THEN {once} ELSE attempts END"
        self._set(job_id, f"{change}, checkpoint = ?3", dumps(dict(data)))

    def note(self, job_id: str, name: str, value: object) -> None:
        """Keep something that a job found; it stays when the job is done."""
        change = f"payload = {with_field('payload', '?3', as_json('?4'))}"
        self._set(job_id, change, path(name), dumps(value))

    def run_now(self, unique_key: str, payload: Mapping[str, Any] | None = None) -> None:
        """Let a queued job begin now instead of later; as what it is now asked for, where given."""
        now = to_ms(self._vault.clock())
        with self._vault.write() as connection:
            connection.execute(
                f"UPDATE jobs SET run_after = {least('run_after', '?1')},"
                " payload = coalesce(?3, payload), updated_at = ?1"
                " WHERE unique_key = ?2 AND state = 'queued' AND (run_after > ?1 OR ?3 <> payload)",
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
                f" AND run_after < ?1 AND kind IN {listed('?3')}",
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
                f" payload = {with_field(PAYLOAD, 'trigger', '?3')}, updated_at = ?1"
                " WHERE kind = ?2 AND state IN ('cancelled', 'failed', 'queued')",
                (to_ms(self._vault.clock()), kind, trigger),
            )
            return int(cursor.rowcount)

    def run_waiting_now(self, kind: str, queued_by: datetime) -> int:
        """Let jobs that were queued by then, and never tried, begin now; return how many."""
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
        back = f"{_BACK}, attempts = {greatest('0', 'attempts - 1')}"
        self._set(job_id, f"{back}, run_after = {greatest('run_after', '?3')}", later)

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

    def again(self, job_id: str) -> bool:
        """Queue a failed job anew; return whether there is one."""
        return self._settled(job_id, "state = 'queued', attempts = 0, run_after = ?2")

    def drop(self, job_id: str) -> bool:
        """Leave a failed job for good; return whether there is one."""
        return self._settled(job_id, "state = 'cancelled'")

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


def job_of(row: Row) -> Job:
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
