"""What a memory took the place of, for recall that tells what was true before."""

from collections.abc import Collection
from datetime import datetime

from app.domain.memory import Scope, Status, Trust
from app.store.dialect import by_index, each
from app.store.index import recallable
from app.store.vault.file import Vault
from app.store.vault.rows import dumps


class Replaced:
    """Reads which memory gave way to which."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def by(
        self, pks: Collection[int], scope: Scope, trusts: Collection[Trust], now: datetime
    ) -> dict[int, int]:
        """Return for each of these memories the one that it took the place of last.

        Args:
            pks: The memories that hold.
            scope: Who asks.
            trusts: How far what was replaced must be trusted.
            now: What has expired by then is left out.

        Returns:
            Rows by row; memories that replaced nothing are left out.
        """
        condition, values = recallable.memories(scope, trusts, now, Status.SUPERSEDED)
        with self._vault.search() as connection:
            found = connection.execute(
                f"SELECT h.pk AS heir, m.pk FROM {each()} AS j"
                " CROSS JOIN memories AS h ON h.pk = j.value"
                f" CROSS JOIN memories AS m {by_index('memories_superseding')}"
                f" ON m.superseded_by = h.id WHERE {condition}"
                " ORDER BY coalesce(m.valid_to, m.updated_at), m.pk",
                [dumps(sorted(pks)), *values],
            ).fetchall()
        return {row["heir"]: row["pk"] for row in found}
