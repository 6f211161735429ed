"""List the memories that wait for the person, with where each comes from."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.memory import Evidence, Memory
from app.store import groups, rows
from app.store.vault import Vault

_WAITING = "('proposed', 'quarantined')"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A memory that waits: one that was learnt in the background, or one that is suspicious.

    Attributes:
        evidence: The words it rests on; None where it rests on none.
        replaces: The text of the memory that holds its key now; empty where none does.
    """

    memory: Memory
    evidence: Evidence | None = None
    replaces: str = ""


class Waiting:
    """The proposals of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def list(self, conversation_id: str = "", limit: int = 200) -> Sequence[Proposal]:
        """Return what waits, newest first; of one conversation, where one is named."""
        of_one = (
            " AND EXISTS (SELECT 1 FROM evidence AS e JOIN messages AS x ON x.pk = e.message_pk"
            " JOIN conversations AS c ON c.pk = x.conversation_pk"
            " WHERE e.memory_pk = m.pk AND c.id = ?)"
        )
        which, values = (of_one, [conversation_id]) if conversation_id else ("", [])
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT m.* FROM memories AS m WHERE m.status IN {_WAITING}{which}"
                " ORDER BY m.created_at DESC, m.pk DESC LIMIT ?",
                [*values, limit],
            ).fetchall()
            memories = groups.memories(connection, found)
            said = connection.execute(
                "SELECT e.memory_pk, e.quote, e.created_at, x.id AS message_id,"
                " c.id AS conversation_id, c.title FROM evidence AS e"
                " LEFT JOIN messages AS x ON x.pk = e.message_pk"
                " LEFT JOIN conversations AS c ON c.pk = x.conversation_pk"
                " WHERE e.memory_pk IN (SELECT value FROM json_each(?)) ORDER BY e.pk DESC",
                (rows.dumps([memory.pk for memory in memories]),),
            ).fetchall()
            held = connection.execute(
                "SELECT key, agent_pk, text FROM memories WHERE status = 'active' AND key IN"
                " (SELECT value FROM json_each(?))",
                (rows.dumps([memory.key for memory in memories if memory.key]),),
            ).fetchall()
        first = {row["memory_pk"]: rows.evidence(row) for row in said}
        now = {(row["agent_pk"], row["key"]): row["text"] for row in held}
        return [
            Proposal(m, first.get(m.pk), now.get((m.agent_pk, m.key), "") if m.key else "")
            for m in memories
        ]

    def count(self) -> int:
        """Return how many wait."""
        with self._vault.read() as connection:
            return int(
                connection.execute(
                    f"SELECT count(*) FROM memories WHERE status IN {_WAITING}"
                ).fetchone()[0]
            )
