"""Keep the history of what Loci did by itself: one row for each run of a job."""

import json
from collections.abc import Mapping

from app.domain.ids import from_ms, new_id, to_ms
from app.domain.jobs.upkeep import JobRun, RunOutcome, Trigger
from app.store.vault import damage
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault
from app.store.vault.rows import dumps, moment

KEPT = 2_000

Sentences = list[str]


class Runs:
    """The runs of a vault's jobs; the oldest go where there are more than ``KEPT``."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def begin(self, kind: str, trigger: Trigger) -> str:
        """Note that a job begins; return the run's id."""
        now = self._vault.clock()
        run_id = new_id(now)
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO runs (id, kind, begun_by, started_at) VALUES (?, ?, ?, ?)",
                (run_id, kind, trigger, to_ms(now)),
            )
            connection.execute(
                "DELETE FROM runs WHERE pk <= (SELECT max(pk) FROM runs) - ?", (KEPT,)
            )
        return run_id

    def end(
        self,
        run_id: str,
        outcome: RunOutcome,
        figures: Mapping[str, int | float] | None = None,
        batch: str = "",
        error: str = "",
    ) -> None:
        """Note how a run ended.

        One that went on where another stopped tells what both did; that other then tells nothing.
        """
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE runs SET ended_at = ?, outcome = ?, figures = ?, batch = ?, error = ?"
                " WHERE id = ?",
                (
                    to_ms(self._vault.clock()),
                    outcome,
                    dumps(dict(figures or {})),
                    batch,
                    error,
                    run_id,
                ),
            )
            connection.execute(
                "UPDATE runs SET figures = '{}', batch = '' WHERE batch = ?1 AND batch <> ''"
                " AND id <> ?2 AND kind = (SELECT kind FROM runs WHERE id = ?2)",
                (batch, run_id),
            )

    def broken_off(self) -> list[JobRun]:
        """Return the runs that count as running, such as those of a process that died."""
        found = self._vault.rows("SELECT * FROM runs WHERE outcome = 'running' ORDER BY pk")
        return [_run(row) for row in found if not damage.of(row, damage.RUN)]

    def damaged(self) -> Sentences:
        """Return a sentence for each run that something else left unreadable in part."""
        with self._vault.read() as connection:
            return [damage.of_run(row, bad) for row, bad in _damaged(connection)]

    def drop_damaged(self) -> None:
        """Remove the runs that something else left unreadable in part."""
        with self._vault.write() as connection:
            gone = [(row["pk"],) for row, _ in _damaged(connection)]
            connection.executemany("DELETE FROM runs WHERE pk = ?", gone)

    def forget(self, run_id: str) -> None:
        """Remove a run that turned out to be none, such as one that found nothing to do."""
        with self._vault.write() as connection:
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))

    def list(self, limit: int = 100, kind: str = "") -> list[JobRun]:
        """Return the latest runs, newest first; of one kind of job, where one is named."""
        where, values = ("WHERE kind = ?", [kind]) if kind else ("", [])
        found = self._vault.rows(
            f"SELECT * FROM runs {where} ORDER BY pk DESC LIMIT ?", [*values, limit]
        )
        return [_run(row) for row in found]


def _damaged(connection: Connection) -> list[tuple[Row, tuple[str, ...]]]:
    found = connection.execute("SELECT * FROM runs ORDER BY pk").fetchall()
    return [(row, bad) for row in found if (bad := damage.of(row, damage.RUN))]


def _run(row: Row) -> JobRun:
    """Return the run of a row; a damaged one as far as it reads, as one that failed."""
    damaged = damage.of(row, damage.RUN)
    columns = damage.mended(row, damaged, damage.RUN) if damaged else row
    return JobRun(
        id=columns["id"],
        kind=columns["kind"],
        trigger=Trigger(columns["begun_by"]),
        started_at=from_ms(columns["started_at"]),
        ended_at=moment(columns["ended_at"]),
        outcome=RunOutcome.FAILED if damaged else RunOutcome(columns["outcome"]),
        figures=json.loads(columns["figures"]),
        batch=columns["batch"],
        error=damage.in_short(damaged) if damaged else columns["error"],
    )
