"""Say which groups of agents share a memory."""

from collections.abc import Iterable, Sequence

from app.domain.memory import Memory, Visibility
from app.errors import Refused
from app.store.dialect import listed
from app.store.vault import rows
from app.store.vault.connection import Connection, Row


def expect(visibility: str, group_pks: Iterable[int]) -> None:
    """Go on only where whoever may see a memory is told.

    Raises:
        Refused: It is for a group, and no group is named: nobody would ever see it.
    """
    if visibility == Visibility.GROUP and not list(group_pks):
        raise Refused("What only a group may see has to name the group.")


def of(connection: Connection, memory_pk: int) -> list[int]:
    """Return the groups that may see a memory, in order."""
    found = connection.execute(
        "SELECT group_pk FROM memory_groups WHERE memory_pk = ? ORDER BY group_pk", (memory_pk,)
    )
    return [row["group_pk"] for row in found]


def shared(connection: Connection, row: Row) -> list[int] | None:
    """Return the groups that may see the memory of a row; None where it is not theirs."""
    return of(connection, row["pk"]) if row["visibility"] == "group" else None


def put(connection: Connection, memory_pk: int, group_pks: Iterable[int]) -> None:
    """Say which groups may see a memory."""
    connection.execute("DELETE FROM memory_groups WHERE memory_pk = ?", (memory_pk,))
    connection.executemany(
        "INSERT INTO memory_groups (memory_pk, group_pk) VALUES (?, ?)",
        [(memory_pk, group_pk) for group_pk in sorted(set(group_pks))],
    )


def memories(connection: Connection, found: Sequence[Row]) -> list[Memory]:
    """Return the memories of whole rows, each with its groups."""
    shared = [row["pk"] for row in found if row["visibility"] == "group"]
    groups: dict[int, list[int]] = {}
    if shared:
        for pk, group_pk in connection.execute(
            "SELECT memory_pk, group_pk FROM memory_groups"
            f" WHERE memory_pk IN {listed()} ORDER BY group_pk",
            (rows.dumps(shared),),
        ):
            groups.setdefault(pk, []).append(group_pk)
    return [rows.memory(row, tuple(groups.get(row["pk"], ()))) for row in found]


def sound(connection: Connection, found: Sequence[Row]) -> list[Memory]:
    """Return the memories of whole rows but for those that are damaged, which are only shown."""
    return [memory for memory in memories(connection, found) if not memory.damaged]
