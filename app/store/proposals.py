"""List the memories that wait for the person, with where each comes from."""

from collections.abc import Mapping, Sequence

from app.domain.ids import to_ms
from app.domain.memory import Memory, Proposal
from app.store.dialect import listed
from app.store.vault import groups, rows
from app.store.vault.connection import Row
from app.store.vault.file import Vault

_SAID = (
    "coalesce((SELECT max(e.created_at) FROM evidence AS e WHERE e.memory_pk = m.pk), m.created_at)"
)
_WAITING = "('proposed', 'quarantined')"


class Proposals:
    """The proposals of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def list(self, conversation_id: str = "", limit: int = -1) -> Sequence[Proposal]:
        """Return what waits, newest first; of one conversation, where one is named.

        A limit below 0 means all.
        """
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
                f" WHERE e.memory_pk IN {listed()} ORDER BY e.pk DESC",
                (rows.dumps([memory.pk for memory in memories]),),
            ).fetchall()
            held = connection.execute(
                f"SELECT key, agent_pk, text, {_SAID} AS said FROM memories AS m"
                f" WHERE status = 'active' AND key IN {listed()}",
                (rows.dumps([memory.key for memory in memories if memory.key]),),
            ).fetchall()
        first = {row["memory_pk"]: rows.evidence(row) for row in said}
        newest = {pk: max(times) for pk, times in _times(said).items()}
        now = {
            (row["agent_pk"], row["key"]): (rows.words(row["text"]), to_ms(rows.near(row["said"])))
            for row in held
        }
        proposals = []
        for m in memories:
            text, at = now.get((m.agent_pk, m.key), ("", 0)) if m.key else ("", 0)
            later = at > newest.get(m.pk, to_ms(m.created_at))
            texts = ("", text) if later else (text, "")
            proposals.append(Proposal(m, first.get(m.pk), *texts))
        return proposals

    def count(self) -> int:
        """Return how many wait."""
        return int(self._vault.row(f"SELECT count(*) FROM memories WHERE status IN {_WAITING}")[0])

    def memories(self, agent_pk: int, limit: int) -> Sequence[Memory]:
        """Return the memories of an agent that wait, newest first."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT * FROM memories WHERE status IN {_WAITING} AND agent_pk = ?"
                " ORDER BY pk DESC LIMIT ?",
                (agent_pk, limit),
            ).fetchall()
            return groups.memories(connection, found)


def _times(said: Sequence[Row]) -> Mapping[int, Sequence[int]]:
    """Return when the words of each memory were said."""
    times: dict[int, list[int]] = {}
    for row in said:
        times.setdefault(row["memory_pk"], []).append(to_ms(rows.near(row["created_at"])))
    return times
