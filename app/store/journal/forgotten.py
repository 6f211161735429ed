"""Find what the person took out of use, so that nothing brings it back unless they say it again."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from app.domain.ids import from_ms
from app.domain.language.text import content_hash
from app.domain.memory import Memory
from app.store.dialect import is_json, json_field
from app.store.vault import groups
from app.store.vault.file import Vault

_WHEN = (
    "(SELECT max(j.at) FROM journal AS j WHERE j.memory_id = m.id"
    f" AND CASE WHEN {is_json('j.after')} THEN {json_field('j.after', 'status')} END = 'forgotten')"
)
_RESTING = (
    "m.pk IN (SELECT e.memory_pk FROM messages AS x JOIN evidence AS e ON e.message_pk = x.pk"
    " WHERE x.id = ?)"
)


class ForgottenMemory(NamedTuple):
    """A memory that is out of use, and since when."""

    memory: Memory
    since: datetime


class Forgotten:
    """The statements of a vault that were forgotten, by what may come back."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def saying(self, text: str, agent_pk: int) -> Sequence[ForgottenMemory]:
        """Return the forgotten memories with this text, whatever its case and spacing."""
        return self._found("m.content_hash = ? AND m.agent_pk = ?", content_hash(text), agent_pk)

    def newest(self, agent_pk: int, limit: int) -> Sequence[ForgottenMemory]:
        """Return the memories that were forgotten last, newest first."""
        return self._found("m.agent_pk = ?", agent_pk, limit=limit)

    def resting_on(self, message_id: str) -> Sequence[ForgottenMemory]:
        """Return the forgotten memories that rest on a message."""
        return self._found(_RESTING, message_id)

    def _found(self, condition: str, *values: object, limit: int = -1) -> Sequence[ForgottenMemory]:
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT m.*, coalesce({_WHEN}, m.updated_at) AS since FROM memories AS m"
                f" WHERE {condition} AND m.status = 'forgotten' AND m.proof_count IS NULL"
                " ORDER BY since DESC LIMIT ?",
                (*values, limit),
            ).fetchall()
            memories = groups.sound(connection, found)
        return [
            ForgottenMemory(m, from_ms(row["since"]))
            for m, row in zip(memories, found, strict=True)
        ]
