"""Count how often a memory helped an answer, and how often it stood in the prompt for nothing."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from app.domain.ids import to_ms
from app.domain.memory import Scope
from app.store.dialect import listed
from app.store.index import recallable
from app.store.vault import rows
from app.store.vault.file import Vault

Counts = tuple[int, int]


class Usefulness:
    """The counts of a vault: each agent has its own, of the memories that its scope may see."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def of(self, memory_pks: Collection[int], scope: Scope) -> Mapping[int, Counts]:
        """Return how often each memory was used and ignored, where that was ever counted."""
        seen, values = recallable.visible(scope)
        with self._vault.search() as connection:
            found = connection.execute(
                "SELECT u.memory_pk, u.used_count, u.ignored_count FROM usefulness AS u"
                " JOIN memories AS m ON m.pk = u.memory_pk"
                f" WHERE u.memory_pk IN {listed()} AND u.agent_pk = ?"
                f" AND {seen}",
                [rows.dumps(sorted(memory_pks)), scope.agent_pk, *values],
            ).fetchall()
        return {row[0]: (row[1], row[2]) for row in found}

    def add(self, used: Sequence[str], ignored: Sequence[str], scope: Scope, now: datetime) -> None:
        """Count one more use of some memories and one more neglect of others, all or none.

        Args:
            used: Ids of memories that helped.
            ignored: Ids of memories that did not.
            scope: Who was answered; what it may not see is left alone.
            now: When that was.
        """
        seen, values = recallable.visible(scope)
        at = to_ms(now)
        with self._vault.write() as connection:
            for ids, use in ((used, 1), (ignored, 0)):
                wanted = rows.dumps(list(ids))
                connection.execute(
                    "INSERT INTO usefulness"
                    " (memory_pk, agent_pk, used_count, ignored_count, last_useful_at)"
                    " SELECT m.pk, ?, ?, ?, ? FROM memories AS m"
                    f" WHERE m.id IN {listed()} AND {seen}"
                    " ON CONFLICT (memory_pk, agent_pk) DO UPDATE SET"
                    " used_count = used_count + excluded.used_count,"
                    " ignored_count = ignored_count + excluded.ignored_count,"
                    " last_useful_at = coalesce(excluded.last_useful_at, last_useful_at)",
                    [scope.agent_pk, use, 1 - use, at if use else None, wanted, *values],
                )
