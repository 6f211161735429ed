"""Keep which memories contradict each other, and what the person decided about them."""

from collections.abc import Sequence
from datetime import datetime

from app.domain.contradiction import Clash, Contradiction, Settlement
from app.domain.ids import from_ms, new_id, to_ms
from app.errors import NotFound
from app.store import groups
from app.store.connection import Connection, Row
from app.store.vault import Vault

_IN_USE = "('active', 'proposed')"


class Contradictions:
    """The contradictions of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def note(self, older_pk: int, newer_pk: int, kind: Clash) -> bool:
        """Note a contradiction, once for each pair in either order; return whether it was new."""
        now = self._vault.clock()
        with self._vault.write() as connection:
            known = connection.execute(
                "SELECT 1 FROM contradictions WHERE (older_pk = ?1 AND newer_pk = ?2)"
                " OR (older_pk = ?2 AND newer_pk = ?1)",
                (older_pk, newer_pk),
            ).fetchone()
            if known is not None:
                return False
            connection.execute(
                "INSERT INTO contradictions (id, agent_pk, older_pk, newer_pk, kind, created_at)"
                " SELECT ?, agent_pk, ?, ?, ?, ? FROM memories WHERE pk = ?",
                (new_id(now), older_pk, newer_pk, kind, to_ms(now), newer_pk),
            )
        return True

    def open(self, agent_pk: int, limit: int = 200) -> list[Contradiction]:
        """Return those that wait for the person and still stand, newest first."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"{_SELECT} WHERE c.state = 'open' AND c.agent_pk = ? AND o.status IN {_IN_USE}"
                f" AND n.status IN {_IN_USE} ORDER BY c.pk DESC LIMIT ?",
                (agent_pk, limit),
            ).fetchall()
            return _all(connection, found)

    def count(self, agent_pk: int) -> int:
        """Return how many wait for the person."""
        with self._vault.read() as connection:
            return int(
                connection.execute(
                    "SELECT count(*) FROM contradictions AS c JOIN memories AS o ON o.pk ="
                    " c.older_pk JOIN memories AS n ON n.pk = c.newer_pk WHERE c.state = 'open'"
                    f" AND c.agent_pk = ? AND o.status IN {_IN_USE} AND n.status IN {_IN_USE}",
                    (agent_pk,),
                ).fetchone()[0]
            )

    def get(self, contradiction_id: str) -> Contradiction:
        """Return one, settled or not.

        Raises:
            NotFound: It does not exist, or one of its memories was erased.
        """
        with self._vault.read() as connection:
            found = connection.execute(f"{_SELECT} WHERE c.id = ?", (contradiction_id,)).fetchall()
            known = _all(connection, found)
        if not known:
            raise NotFound("This contradiction does not exist any more.")
        return known[0]

    def settle(self, contradiction_id: str, how: Settlement, batch: str = "") -> None:
        """Note what was decided."""
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE contradictions SET state = 'settled', settled_as = ?, batch = ?,"
                " settled_at = ? WHERE id = ?",
                (how, batch, to_ms(self._vault.clock()), contradiction_id),
            )

    def reopen(self, batch: str) -> int:
        """Open again what was settled in a batch that was undone; return how many."""
        with self._vault.write() as connection:
            cursor = connection.execute(
                "UPDATE contradictions SET state = 'open', settled_as = '', batch = '',"
                " settled_at = NULL WHERE batch = ? AND batch <> ''",
                (batch,),
            )
            return int(cursor.rowcount)

    def settled(self, since: datetime) -> Sequence[tuple[str, Settlement]]:
        """Return what was decided since a moment."""
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT id, settled_as FROM contradictions WHERE state = 'settled'"
                " AND settled_at >= ? ORDER BY pk",
                (to_ms(since),),
            ).fetchall()
        return [(row[0], Settlement(row[1])) for row in found]


_SELECT = (
    "SELECT c.*, o.pk AS o_pk, n.pk AS n_pk FROM contradictions AS c"
    " JOIN memories AS o ON o.pk = c.older_pk JOIN memories AS n ON n.pk = c.newer_pk"
)


def _all(connection: Connection, found: Sequence[Row]) -> list[Contradiction]:
    pks = sorted({pk for row in found for pk in (row["older_pk"], row["newer_pk"])})
    marks = ", ".join("?" * len(pks))
    rows = connection.execute(f"SELECT * FROM memories WHERE pk IN ({marks})", pks).fetchall()
    memories = {memory.pk: memory for memory in groups.memories(connection, rows)}
    return [
        Contradiction(
            row["id"],
            memories[row["older_pk"]],
            memories[row["newer_pk"]],
            Clash(row["kind"]),
            from_ms(row["created_at"]),
        )
        for row in found
    ]
