"""Find what consolidation may fold, what was made of memories, and how far it has come."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from app.domain.ids import from_ms, to_ms
from app.domain.memory import Memory, Trust
from app.store.aging import NO_SAFETY
from app.store.dialect import each, elements, fits, is_json, listed, summed
from app.store.vault import facts, groups, rows
from app.store.vault.connection import Connection
from app.store.vault.file import Vault

ACTOR = "consolidate"
_PLACE = "consolidated_up_to"
# The conditions of the index memories_apart come first, word for word.
_APART = (
    "m.status = 'active' AND m.consolidated_at IS NULL AND m.proof_count IS NULL"
    " AND m.type IN ('semantic', 'episodic') AND m.conflicted = 0"
    " AND m.valid_to IS NULL AND m.expires_at IS NULL AND m.source_ids = '[]'"
    f" AND m.{NO_SAFETY}"
)
_SUMMARY = "m.source_ids <> '[]' AND m.proof_count IS NULL"
_MADE_OF = f"EXISTS (SELECT 1 FROM {each('m.source_ids')} AS s WHERE s.value IN {listed()})"
_AFTER = f"CASE WHEN {is_json('j.after')} THEN j.after ELSE '{{}}' END"
_IS_NEW, _IS_RENEWED = "j.before = '{}'", "j.before <> '{}'"


class ObservationProgress(NamedTuple):
    """How far memories were looked at: those that were last changed before are done."""

    at: int = -1
    pk: int = 0


class Made(NamedTuple):
    """What one batch made.

    Attributes:
        created, renewed: How many observations it made, and how many it renewed or put right.
    """

    batch: str
    at: datetime
    created: int
    renewed: int


class Observations:
    """What was made of the memories of a vault, and the statements that nothing was made of yet."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def agents(self) -> list[int]:
        """Return every agent; what one knows is never folded with what another knows."""
        return [row[0] for row in self._vault.rows("SELECT pk FROM agents ORDER BY pk")]

    def waiting(self, agent_pk: int, after: ObservationProgress, limit: int) -> list[Memory]:
        """Return statements that may be folded and were not looked at, the longest waiting first.

        Left out are working memory, standing instructions, safety facts, what ends or is disputed,
        and lists and summaries, which are no statements.
        """
        return self._memories(
            f"m.agent_pk = ? AND {_APART} AND (m.updated_at, m.pk) > (?, ?)"
            " ORDER BY m.updated_at, m.pk LIMIT ?",
            (agent_pk, after.at, after.pk, limit),
        )

    def apart(self, agent_pk: int, pks: Collection[int]) -> list[Memory]:
        """Return which of these rows are statements that may be folded, the oldest first."""
        return self._memories(
            f"m.agent_pk = ? AND {_APART} AND m.pk IN {listed()} ORDER BY m.created_at, m.pk",
            (agent_pk, rows.dumps(sorted(pks))),
        )

    def latest(self, agent_pk: int, trust: Trust, limit: int, without: str) -> list[Memory]:
        """Return the newest observations of an agent and trust, but for those a batch made."""
        return self._memories(
            "m.agent_pk = ? AND m.proof_count IS NOT NULL AND m.status = 'active' AND m.trust = ?"
            " AND m.id NOT IN (SELECT memory_id FROM journal WHERE batch = ? AND before = '{}')"
            " ORDER BY m.pk DESC LIMIT ?",
            (agent_pk, trust, without, limit),
        )

    def made_of(self, memory_ids: Collection[str]) -> list[Memory]:
        """Return the observations in use that were made of any of these memories."""
        if not memory_ids:
            return []
        return self._memories(
            "m.agent_pk IN (SELECT pk FROM agents) AND m.proof_count IS NOT NULL"
            f" AND m.status <> 'forgotten' AND {_MADE_OF} ORDER BY m.pk",
            (rows.dumps(sorted(memory_ids)),),
        )

    def summaries_of(self, memory_ids: Collection[str]) -> list[Memory]:
        """Return the lists and summaries made of any of these, those out of use too."""
        if not memory_ids:
            return []
        return self._memories(
            f"m.agent_pk IN (SELECT pk FROM agents) AND {_SUMMARY} AND {_MADE_OF} ORDER BY m.pk",
            (rows.dumps(sorted(memory_ids)),),
        )

    def ever_made_of(self, memory_ids: Collection[str]) -> list[Memory]:
        """Return what was ever made of any of these; its history may hold their words."""
        if not memory_ids:
            return []
        of_these = (
            f"({_MADE_OF} OR EXISTS (SELECT 1 FROM journal AS j,"
            f" {elements(_AFTER, 'source_ids')}"
            " AS s WHERE j.memory_id = m.id"
            f" AND s.value IN {listed()}))"
        )
        ids = rows.dumps(sorted(memory_ids))
        return [
            memory
            for kind in (_SUMMARY, "m.proof_count IS NOT NULL")
            for memory in self._memories(
                f"m.agent_pk IN (SELECT pk FROM agents) AND {kind} AND {of_these} ORDER BY m.pk",
                (ids, ids),
            )
        ]

    def summaries(self, agent_pk: int, actor: str) -> list[Memory]:
        """Return every list or summary of an agent that a job made, those out of use too."""
        return self._memories(
            f"m.agent_pk = ? AND {_SUMMARY} AND m.actor = ? ORDER BY m.pk", (agent_pk, actor)
        )

    def all_of(self, agent_pk: int) -> list[Memory]:
        """Return every observation of an agent, those out of use too."""
        return self._memories(
            "m.agent_pk = ? AND m.proof_count IS NOT NULL ORDER BY m.pk", (agent_pk,)
        )

    def undone(self, agent_pk: int) -> list[str]:
        """Return the observations of an agent of which something was ever undone."""
        found = self._vault.rows(
            "SELECT DISTINCT m.id FROM memories AS m CROSS JOIN journal AS j"
            " ON j.memory_id = m.id WHERE m.agent_pk = ? AND m.proof_count IS NOT NULL"
            " AND j.undoes IS NOT NULL ORDER BY m.pk",
            (agent_pk,),
        )
        return [row[0] for row in found]

    def batches(self, limit: int) -> list[Made]:
        """Return what consolidation made, batch by batch, the newest first."""
        found = self._vault.rows(
            f"SELECT j.batch, min(j.at) AS at, {summed(_IS_NEW)} AS created,"
            f" {summed(_IS_RENEWED)} AS renewed FROM agents AS a CROSS JOIN memories AS m"
            " ON m.agent_pk = a.pk CROSS JOIN journal AS j ON j.memory_id = m.id"
            " WHERE m.proof_count IS NOT NULL AND j.actor = ? AND j.undoes IS NULL"
            " GROUP BY j.batch ORDER BY max(j.pk) DESC LIMIT ?",
            (ACTOR, limit),
        )
        return [
            Made(row["batch"], from_ms(row["at"]), int(row["created"]), int(row["renewed"]))
            for row in found
        ]

    def release(self, memory_ids: Collection[str]) -> None:
        """Let statements be folded again, unjournalled, because an erasure cannot be undone."""
        with self._vault.write() as connection:
            connection.execute(
                f"UPDATE memories SET consolidated_at = NULL WHERE id IN {listed()}",
                (rows.dumps(sorted(memory_ids)),),
            )

    def put_back(self, memory_ids: Collection[str]) -> None:
        """Put what was summed up in use again, unjournalled as ``release``.

        What was said again since stays as it is.
        """
        with self._vault.write() as connection:
            wanted = f"WHERE id IN {listed()}"
            asked = (rows.dumps(sorted(memory_ids)),)
            found = connection.execute(f"SELECT pk FROM memories {wanted}", asked).fetchall()
            with self._vault.chain.rewriting(connection, memories=[row["pk"] for row in found]):
                connection.execute(
                    "UPDATE OR IGNORE memories SET status = 'active', status_reason = '',"
                    f" superseded_by = NULL {wanted}",
                    asked,
                )

    def place(self, agent_pk: int, sweep: str) -> ObservationProgress:
        """Return how far the memories of an agent were looked at in a sweep of that name."""
        with self._vault.read() as connection:
            found = facts.place(facts.value_of(connection, _key(agent_pk, sweep)))
        return ObservationProgress(*found) if found else ObservationProgress()

    def move_to(self, agent_pk: int, sweep: str, place: ObservationProgress) -> None:
        """Note how far the memories of an agent were looked at."""
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (_key(agent_pk, sweep), f"{place.at} {place.pk}"),
            )

    def start_over(self) -> None:
        """Look at all memories anew, as after an erasure took observations away."""
        with self._vault.write() as connection:
            connection.execute(f"DELETE FROM meta WHERE {fits('key')}", (f"{_PLACE}:*",))

    def _memories(self, condition: str, values: Sequence[object]) -> list[Memory]:
        with self._vault.read() as connection:
            return _read(connection, condition, values)


def place_of(memory: Memory) -> ObservationProgress:
    """Return where a memory stands in the order in which they are looked at."""
    return ObservationProgress(to_ms(memory.updated_at), memory.pk)


def _read(connection: Connection, condition: str, values: Sequence[object]) -> list[Memory]:
    found = connection.execute(f"SELECT m.* FROM memories AS m WHERE {condition}", values)
    return groups.sound(connection, found.fetchall())


def _key(agent_pk: int, sweep: str) -> str:
    return f"{_PLACE}:{agent_pk}:{sweep}"
