"""Keep which memory is the cause of which."""

from app.domain.ids import to_ms
from app.errors import NotFound, Refused
from app.store.vault.file import Vault


class Causes:
    """The causes and effects of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def link(self, cause_id: str, effect_id: str, confidence: float = 1.0) -> bool:
        """Note that one memory brought about another; of two notes the surer one stays.

        Returns:
            Whether that is new, or surer than before.

        Raises:
            NotFound: One of them does not exist.
            Refused: They are the same, or of different agents.
        """
        with self._vault.write() as connection:
            found = {
                row["id"]: row
                for row in connection.execute(
                    "SELECT id, pk, agent_pk FROM memories WHERE id IN (?, ?)",
                    (cause_id, effect_id),
                )
            }
            if {cause_id, effect_id} - set(found):
                raise NotFound("This memory no longer exists.")
            cause, effect = found[cause_id], found[effect_id]
            if cause["pk"] == effect["pk"] or cause["agent_pk"] != effect["agent_pk"]:
                raise Refused("Only two memories of one agent can be cause and effect.")
            cursor = connection.execute(
                "INSERT INTO causal_edges (agent_pk, source_pk, target_pk, confidence, created_at)"
                " VALUES (?, ?, ?, ?, ?) ON CONFLICT (agent_pk, source_pk, target_pk)"
                " DO UPDATE SET confidence = excluded.confidence"
                " WHERE excluded.confidence > confidence",
                (
                    cause["agent_pk"],
                    cause["pk"],
                    effect["pk"],
                    min(1.0, max(0.0, confidence)),
                    to_ms(self._vault.clock()),
                ),
            )
        return bool(cursor.rowcount)
