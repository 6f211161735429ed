"""Find memories by their age: the stale, the oldest of too many, and what has outlived its time."""

from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import to_ms
from app.domain.memory import Memory
from app.store import groups
from app.store.vault import Vault

# The least trusted go first; what many statements prove goes last; the rest by age.
_FIRST = (
    "CASE WHEN trust = 'external' THEN 0 WHEN proof_count >= 2 THEN 2 ELSE 1 END, created_at, pk"
)
# When something was last changed, used, or said again.
_LAST = (
    "max({0}.updated_at, coalesce({0}.last_accessed_at, 0), coalesce("
    "(SELECT max(e.created_at) FROM evidence AS e WHERE e.memory_pk = {0}.pk), 0))"
)
_MAY_GO = "pinned = 0 AND trust <> 'system'"
# What to do and how to answer is followed, not recalled: no age makes it stale.
_MAY_REST = f"{_MAY_GO} AND type <> 'procedural'"
_LONG_TERM = "status = 'active' AND type <> 'working'"


class Aging:
    """The ages of a vault's memories."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def stale(self, before: datetime, limit: int) -> Sequence[Memory]:
        """Return what was neither changed, used nor said since, oldest first.

        Pins, system and standing instructions stay, and so does what was drawn from statements
        that are not stale.
        """
        return self._found(
            f"status = 'active' AND {_MAY_REST} AND {_LAST.format('memories')} < ?1"
            " AND NOT EXISTS (SELECT 1 FROM json_each(memories.source_ids) AS s"
            " JOIN memories AS said ON said.id = s.value WHERE said.status = 'active'"
            f" AND {_LAST.format('said')} >= ?1) ORDER BY updated_at, pk",
            [to_ms(before)],
            limit,
        )

    def outlived(self, before: datetime, limit: int) -> Sequence[Memory]:
        """Return what was learnt before, of any status, oldest first; pins and system stay."""
        condition = f"created_at < ? AND {_MAY_GO} ORDER BY created_at, pk"
        return self._found(condition, [to_ms(before)], limit)

    def crowding(self, limit: int, *, keyed: bool = False) -> Sequence[Memory]:
        """Return what should go first where there are too many.

        Pins, system and standing instructions stay.
        """
        which = f"{_LONG_TERM} AND {_MAY_REST}{' AND key IS NOT NULL' if keyed else ''}"
        return self._found(f"{which} ORDER BY {_FIRST}", [], limit)

    def count(self, *, keyed: bool = False) -> int:
        """Return how many memories are in use, those of the moment left out."""
        which = f"{_LONG_TERM}{' AND key IS NOT NULL' if keyed else ''}"
        with self._vault.read() as connection:
            sql = f"SELECT count(*) FROM memories WHERE {which}"
            return int(connection.execute(sql).fetchone()[0])

    def originals(self, before: datetime, limit: int) -> Sequence[Memory]:
        """Return what a dream has summarised before, and whose summary is still in use.

        What the person closed in favour of a summary was never summarised, and stays.
        """
        return self._found(
            "status = 'superseded' AND pinned = 0 AND valid_to IS NULL AND EXISTS (SELECT 1"
            " FROM memories AS s WHERE s.id = memories.superseded_by AND s.origin = 'dream'"
            " AND s.status = 'active' AND s.created_at < ?"
            " AND memories.id IN (SELECT value FROM json_each(s.source_ids))) ORDER BY pk",
            [to_ms(before)],
            limit,
        )

    def entries(self, agent_pk: int) -> Sequence[Memory]:
        """Return what a dream may summarise: small facts in use, and no instruction.

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
        with self._vault.read() as connection:
            found = connection.execute("SELECT DISTINCT agent_pk FROM memories ORDER BY agent_pk")
            return [row[0] for row in found]

    def _found(self, condition: str, values: list[object], limit: int) -> Sequence[Memory]:
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT * FROM memories WHERE {condition} LIMIT ?", [*values, limit]
            ).fetchall()
            return groups.memories(connection, found)
