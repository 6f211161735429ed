"""Find memories by their age: the stale, the oldest of too many, and what has outlived its time.

Pins, system and safety facts are never among them, whatever their age.
"""

from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import to_ms
from app.domain.memory import SAFETY, Memory
from app.store.dialect import each, greatest
from app.store.vault import groups
from app.store.vault.file import Vault

# The least trusted go first; what many statements prove goes last; the rest by age.
_FIRST = (
    "CASE WHEN trust = 'external' THEN 0 WHEN trust = 'claimed' THEN 1"
    " WHEN proof_count >= 2 THEN 3 ELSE 2 END, created_at, pk"
)
# When something was last changed, used, or said again.
_LAST = greatest(
    "{0}.updated_at",
    "coalesce({0}.last_accessed_at, 0)",
    "coalesce((SELECT max(e.created_at) FROM evidence AS e WHERE e.memory_pk = {0}.pk), 0)",
)
NO_SAFETY = f"tags NOT LIKE '%\"{SAFETY}\"%'"
_MAY_GO = f"pinned = 0 AND trust <> 'system' AND {NO_SAFETY}"
# What to do and how to answer is followed, not recalled: no age makes it stale.
_MAY_REST = f"{_MAY_GO} AND type <> 'procedural'"
_LONG_TERM = "status = 'active' AND type <> 'working'"
# What was summed up goes with its summary and not before, so that it can always be taken back.
_SUMMED_UP = (
    "status = 'superseded' AND id IN (SELECT said.value FROM memories AS made,"
    f" {each('made.source_ids')} AS said WHERE made.source_ids <> '[]' AND made.actor = 'dream'"
    f" AND NOT (made.created_at < ?1 AND {_MAY_GO}))"
)


class Aging:
    """The ages of a vault's memories."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def stale(self, before: datetime, limit: int) -> Sequence[Memory]:
        """Return what was neither changed, used nor said since, oldest first.

        Standing instructions stay, and so does what was drawn from statements that are not stale.
        """
        return self._found(
            f"status = 'active' AND {_MAY_REST} AND {_LAST.format('memories')} < ?1"
            f" AND NOT EXISTS (SELECT 1 FROM {each('memories.source_ids')} AS s"
            " JOIN memories AS said ON said.id = s.value WHERE said.status = 'active'"
            f" AND {_LAST.format('said')} >= ?1) ORDER BY updated_at, pk",
            [to_ms(before)],
            limit,
        )

    def outlived(self, before: datetime, limit: int) -> Sequence[Memory]:
        """Return what was learnt before, of any status, oldest first.

        What a dream summed up stays for as long as its summary does.
        """
        condition = f"created_at < ?1 AND {_MAY_GO} AND NOT ({_SUMMED_UP}) ORDER BY created_at, pk"
        return self._found(condition, [to_ms(before)], limit)

    def crowding(self, limit: int, *, keyed: bool = False) -> Sequence[Memory]:
        """Return what should go first where there are too many; standing instructions stay."""
        which = f"{_LONG_TERM} AND {_MAY_REST}{' AND key IS NOT NULL' if keyed else ''}"
        return self._found(f"{which} ORDER BY {_FIRST}", [], limit)

    def count(self, *, keyed: bool = False) -> int:
        """Return how many memories are in use, those of the moment left out."""
        which = f"{_LONG_TERM}{' AND key IS NOT NULL' if keyed else ''}"
        sql = f"SELECT count(*) FROM memories WHERE {which}"
        return int(self._vault.row(sql)[0])

    def entries(self, agent_pk: int) -> Sequence[Memory]:
        """Return what a dream may summarise: small facts in use, no instruction and no safety fact.

        Left out are what ends, what is disputed, and what was drawn from others.
        """
        return self._found(
            f"{_LONG_TERM} AND {_MAY_GO} AND agent_pk = ? AND key IS NULL AND proof_count IS NULL"
            " AND type IN ('semantic', 'episodic') AND origin <> 'dream' AND source_ids = '[]'"
            " AND expires_at IS NULL AND valid_to IS NULL AND conflicted = 0"
            " ORDER BY created_at, pk",
            [agent_pk],
            -1,
        )

    def agents(self) -> Sequence[int]:
        """Return the agents that have memories."""
        found = self._vault.rows("SELECT DISTINCT agent_pk FROM memories ORDER BY agent_pk")
        return [row[0] for row in found]

    def _found(self, condition: str, values: list[object], limit: int) -> Sequence[Memory]:
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT * FROM memories WHERE {condition} LIMIT ?", [*values, limit]
            ).fetchall()
            return groups.sound(connection, found)
