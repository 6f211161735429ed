"""Keep account of what models took: a row for each call, summed up by month and purpose."""

from datetime import datetime

from app.domain.ids import from_ms, to_ms
from app.domain.jobs.spending import Spent
from app.store.dialect import summed
from app.store.vault.file import Vault


class Usage:
    """The calls of a vault's models."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def note(
        self,
        purpose: str,
        model: str,
        tokens: tuple[int, int],
        *,
        local: bool,
        counted: bool,
        cost: float,
    ) -> None:
        """Note one call; ``tokens`` are those read and those written."""
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO usage (at, purpose, model, local, prompt_tokens, completion_tokens,"
                " counted, cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (to_ms(self._vault.clock()), purpose, model, local, *tokens, counted, cost),
            )

    def between(self, since: datetime, until: datetime) -> list[Spent]:
        """Return what was spent in a stretch of time, by purpose and model, dearest first."""
        found = self._vault.rows(
            "SELECT purpose, model, local, count(*) AS calls,"
            f" {_sum('prompt_tokens')} AS prompt, {_sum('completion_tokens')} AS completion,"
            " min(counted) AS counted,"
            f" {summed('cost')} AS cost FROM usage WHERE at >= ? AND at < ?"
            " GROUP BY purpose, model, local ORDER BY cost DESC, prompt DESC, purpose, model",
            (to_ms(since), to_ms(until)),
        )
        return [
            Spent(
                row["purpose"],
                row["model"],
                bool(row["local"]),
                row["calls"],
                row["prompt"],
                row["completion"],
                bool(row["counted"]),
                row["cost"],
            )
            for row in found
        ]

    def tokens(self, purpose: str, since: datetime) -> int:
        """Return how many tokens were read and written for a purpose since a moment."""
        (taken,) = self._vault.row(
            f"SELECT {_sum('prompt_tokens')} + {_sum('completion_tokens')} FROM usage"
            " WHERE purpose = ? AND at >= ?",
            (purpose, to_ms(since)),
        )
        return int(taken)

    def first(self) -> datetime | None:
        """Return when the account begins; None where nothing was spent."""
        at = self._vault.row("SELECT min(at) FROM usage")[0]
        return None if at is None else from_ms(at)


def _sum(column: str) -> str:
    """Return a sum that never ends the account, whatever was once noted: sum() does at 2⁶³."""
    return f"CAST({summed(column)} AS INTEGER)"
