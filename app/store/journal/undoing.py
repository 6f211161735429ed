"""Know which batches of changes were taken back, and which undo did so.

An undo is a batch of its own whose rows name the batch that they take back; the undo of an undo
does the changes again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.store.dialect import listed
from app.store.vault.connection import Connection
from app.store.vault.rows import dumps


@dataclass(frozen=True, slots=True)
class Undoing:
    """One batch that takes another back.

    Attributes:
        pk: Its last row.
    """

    batch: str
    undoes: str
    pk: int


@dataclass(frozen=True, slots=True)
class Undoings:
    """All of them by their batch, newest first."""

    of: Mapping[str, Undoing]

    def standing(self) -> Sequence[Undoing]:
        """Return those that were not taken back themselves, newest first."""
        undone: set[str] = set()
        found = []
        for one in self.of.values():
            if one.batch not in undone:
                undone.add(one.undoes)
                found.append(one)
        return found

    def undone(self) -> Mapping[str, int]:
        """Return the batches that were taken back, even in part, and at which row."""
        return {one.undoes: one.pk for one in reversed(self.standing())}

    def takers(self) -> Mapping[str, Sequence[Undoing]]:
        """Return for each batch the undos of it that stand, newest first."""
        found: dict[str, list[Undoing]] = {}
        for one in self.standing():
            found.setdefault(one.undoes, []).append(one)
        return found

    def depth(self, batch: str) -> int:
        """Return 0 for what is no undo, 1 for an undo, 2 for an undo of an undo, and so on."""
        depth = 0
        while batch in self.of:
            batch = self.of[batch].undoes
            depth += 1
        return depth

    def origin(self, batch: str) -> tuple[str, bool]:
        """Return what a batch is about in the end, and whether it takes that back."""
        depth = self.depth(batch)
        while batch in self.of:
            batch = self.of[batch].undoes
        return batch, depth % 2 == 1


def stands(connection: Connection, batch: str, pk: int, takers: Sequence[Undoing]) -> bool:
    """Say whether anything of a batch stands.

    Args:
        connection: Where the journal is.
        batch: The batch.
        pk: Its last row.
        takers: The undos of it that stand, newest first.
    """
    if not takers or pk > takers[0].pk:
        return True
    left = connection.execute(
        "SELECT 1 FROM journal AS j WHERE j.batch = ?1 AND NOT EXISTS (SELECT 1 FROM journal AS u"
        " WHERE u.memory_id = j.memory_id AND u.undoes = ?1"
        f" AND u.batch IN {listed('?2')}) LIMIT 1",
        (batch, dumps([one.batch for one in takers])),
    )
    return left.fetchone() is not None


def read(connection: Connection) -> Undoings:
    """Read every undo from an index, without the rows."""
    found = connection.execute(
        "SELECT batch, undoes, max(pk) AS last FROM journal WHERE undoes IS NOT NULL"
        " GROUP BY batch, undoes ORDER BY last DESC"
    ).fetchall()
    return Undoings({row[0]: Undoing(row[0], row[1], row[2]) for row in found})
