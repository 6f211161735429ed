"""What is in the queue of background jobs, told without changing it."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any

from app.domain.ids import to_ms
from app.store.dialect import json_field, listed, path
from app.store.vault.file import Vault
from app.store.vault.rows import dumps
from app.store.work.jobs import Job, JobState, job_of
from app.store.work.unsound import PAYLOAD, SOUND


class JobMonitor:
    """Tells of the jobs of a vault: how many there are, what became of them, what failed."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def by_key(self, unique_key: str) -> Job | None:
        """Return the job with this key."""
        row = self._vault.row("SELECT * FROM jobs WHERE unique_key = ?", (unique_key,))
        return None if row is None else job_of(row)

    def of_kind(self, kind: str) -> Job | None:
        """Return the job of a kind that runs, else one that waits, else the newest."""
        row = self._vault.row(
            "SELECT * FROM jobs WHERE kind = ? ORDER BY state = 'running' DESC,"
            " state = 'queued' DESC, pk DESC LIMIT 1",
            (kind,),
        )
        return None if row is None else job_of(row)

    def failed(self, limit: int = 100) -> list[Job]:
        """Return the jobs that are not tried any more, or cannot be, the latest first."""
        sql = (
            "SELECT * FROM jobs WHERE state = 'failed'"
            f" OR (state NOT IN ('done', 'cancelled') AND {SOUND} IS NOT TRUE)"
            " ORDER BY updated_at DESC LIMIT ?"
        )
        return [job_of(row) for row in self._vault.rows(sql, (limit,))]

    def given_up(self, kind: str) -> int:
        """Return how many jobs of a kind were cancelled or failed."""
        sql = "SELECT count(*) FROM jobs WHERE kind = ? AND state IN ('cancelled', 'failed')"
        return int(self._vault.row(sql, (kind,))[0])

    def waits(self, kind: str, now: datetime) -> bool:
        """Return whether a job of a kind could run now."""
        sql = "SELECT 1 FROM jobs WHERE kind = ? AND state = 'queued' AND run_after <= ? LIMIT 1"
        return self._vault.row(sql, (kind, to_ms(now))) is not None

    def counts(self) -> dict[str, int]:
        """Return how many jobs are in each state."""
        found = self._vault.rows("SELECT state, count(*) FROM jobs GROUP BY state")
        counts = {row[0]: row[1] for row in found}
        return {state.value: counts.get(state.value, 0) for state in JobState}

    def noted(self, unique_keys: Collection[str], name: str) -> dict[str, Any]:
        """Return what jobs kept under a name, by their keys; those that kept nothing lack."""
        found = self._vault.rows(
            f"SELECT unique_key, {json_field(PAYLOAD, '?2')} AS value FROM jobs"
            f" WHERE unique_key IN {listed('?1')} AND value IS NOT NULL",
            (dumps(sorted(unique_keys)), path(name)),
        )
        return {row["unique_key"]: json.loads(row["value"]) for row in found}
