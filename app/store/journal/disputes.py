"""Keep the mark of what is contradicted true: a memory has it exactly while an open pair names it.

A pair is open while the person has not decided and both memories are in use. Whoever changes the
status of a memory, deletes one, or opens and closes pairs calls ``mark``; nobody else writes it.
"""

from collections.abc import Collection

from app.domain.ids import Clock, to_ms
from app.store.dialect import listed
from app.store.vault.connection import Connection
from app.store.vault.rows import dumps

IN_USE = "('active', 'proposed')"
_NAMED = (
    "EXISTS (SELECT 1 FROM contradictions AS c JOIN memories AS o ON o.pk = c.{other}"
    " WHERE c.{mine} = memories.pk AND c.state = 'open' AND o.status IN {in_use})"
)
_CONTRADICTED = (
    f"(memories.status IN {IN_USE} AND ("
    f"{_NAMED.format(mine='older_pk', other='newer_pk', in_use=IN_USE)}"
    f" OR {_NAMED.format(mine='newer_pk', other='older_pk', in_use=IN_USE)}))"
)


def partners(connection: Connection, memory_pks: Collection[int]) -> set[int]:
    """Return the memories that stand in a pair with any of these."""
    asked = dumps(sorted(memory_pks))
    found = connection.execute(
        "SELECT newer_pk FROM contradictions"
        f" WHERE older_pk IN {listed('?1')}"
        " UNION SELECT older_pk FROM contradictions"
        f" WHERE newer_pk IN {listed('?1')}",
        (asked,),
    )
    return {row[0] for row in found}


def contradicted(connection: Connection, memory_pk: int) -> bool:
    """Return whether an open pair names a memory."""
    row = connection.execute(
        f"SELECT {_CONTRADICTED} FROM memories WHERE pk = ?", (memory_pk,)
    ).fetchone()
    return bool(row and row[0])


def mark(connection: Connection, clock: Clock, memory_pks: Collection[int]) -> None:
    """Mark these memories and their partners as contradicted, or not; it is not journalled.

    What loses or gains the mark is looked at anew by whatever goes by the time of the last change.
    """
    if not memory_pks:
        return
    concerned = {*memory_pks, *partners(connection, memory_pks)}
    connection.execute(
        f"UPDATE memories SET conflicted = NOT conflicted, updated_at = ?"
        f" WHERE pk IN {listed()} AND conflicted <> {_CONTRADICTED}",
        (to_ms(clock()), dumps(sorted(concerned))),
    )
