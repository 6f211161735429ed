"""Keep the history of what Loci did by itself: one row for each run of a job."""

import json
from collections.abc import Mapping

from app.domain.ids import from_ms, new_id, to_ms
from app.domain.upkeep import Outcome, Run, Trigger
from app.store.connection import Row
from app.store.rows import dumps
from app.store.vault import Vault

KEPT = 2_000


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
        outcome: Outcome,
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

    def broken_off(self) -> list[Run]:
        """Return the runs that count as running, such as those of a process that died."""
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT * FROM runs WHERE outcome = 'running' ORDER BY pk"
            ).fetchall()
        return [_run(row) for row in found]

    def forget(self, run_id: str) -> None:
        """Remove a run that turned out to be none, such as one that found nothing to do."""
        with self._vault.write() as connection:
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))

    def list(self, limit: int = 100, kind: str = "") -> list[Run]:
        """Return the latest runs, newest first; of one kind of job, where one is named."""
        where, values = ("WHERE kind = ?", [kind]) if kind else ("", [])
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT * FROM runs {where} ORDER BY pk DESC LIMIT ?", [*values, limit]
            ).fetchall()
        return [_run(row) for row in found]


def _run(row: Row) -> Run:
    return Run(
        id=row["id"],
        kind=row["kind"],
        trigger=Trigger(row["begun_by"]),
        started_at=from_ms(row["started_at"]),
        ended_at=None if row["ended_at"] is None else from_ms(row["ended_at"]),
        outcome=Outcome(row["outcome"]),
        figures=json.loads(row["figures"]),
        batch=row["batch"],
        error=row["error"],
    )
