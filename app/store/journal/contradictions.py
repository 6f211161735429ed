"""Keep which memories contradict each other, and what the person decided about them."""

from collections.abc import Sequence

from app.domain.contradiction import Clash, Contradiction, Settlement
from app.domain.ids import from_ms, new_id, to_ms
from app.errors import NotFound
from app.store.journal import disputes
from app.store.journal.disputes import IN_USE
from app.store.journal.revision import Note, remark, revise, whole_row
from app.store.vault import groups
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault

SILENT = Note("", "", "")


class Contradictions:
    """The contradictions of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def note(self, older_pk: int, newer_pk: int, kind: Clash, note: Note = SILENT) -> bool:
        """Note a contradiction and mark both memories; return whether it was new.

        It is noted once for each pair in either order. What settled itself may be noted again; what
        was taken back with its batch only by the person's own hand.

        Args:
            older_pk: The row of the one that was learnt first.
            newer_pk: The row of the other.
            kind: How they contradict each other.
            note: Who noticed it; its batch takes it back.
        """
        now = self._vault.clock()
        with self._vault.write() as connection:
            known = connection.execute(
                "SELECT pk, state, settled_as, settled_at FROM contradictions WHERE"
                " (older_pk = ?1 AND newer_pk = ?2) OR (older_pk = ?2 AND newer_pk = ?1)",
                (older_pk, newer_pk),
            ).fetchone()
            if known is not None and not _again(known, note):
                return False
            if known is not None:
                connection.execute(
                    "UPDATE contradictions SET state = 'open', settled_as = '', batch = ?,"
                    " settled_at = NULL WHERE pk = ?",
                    (note.batch, known["pk"]),
                )
            else:
                connection.execute(
                    "INSERT INTO contradictions (id, agent_pk, older_pk, newer_pk, kind, batch,"
                    " created_at) SELECT ?, agent_pk, ?, ?, ?, ?, ? FROM memories WHERE pk = ?",
                    (new_id(now), older_pk, newer_pk, kind, note.batch, to_ms(now), newer_pk),
                )
            self._mark(connection, (older_pk, newer_pk), note)
        return True

    def open(self, agent_pk: int, limit: int = 200) -> list[Contradiction]:
        """Return those that wait for the person and still stand, newest first."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"{_SELECT} WHERE c.state = 'open' AND c.agent_pk = ? AND o.status IN {IN_USE}"
                f" AND n.status IN {IN_USE} ORDER BY c.pk DESC LIMIT ?",
                (agent_pk, limit),
            ).fetchall()
            return _all(connection, found)

    def count(self, agent_pk: int) -> int:
        """Return how many wait for the person."""
        return int(
            self._vault.row(
                "SELECT count(*) FROM contradictions AS c JOIN memories AS o ON o.pk ="
                " c.older_pk JOIN memories AS n ON n.pk = c.newer_pk WHERE c.state = 'open'"
                f" AND c.agent_pk = ? AND o.status IN {IN_USE} AND n.status IN {IN_USE}",
                (agent_pk,),
            )[0]
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
            raise NotFound("This contradiction no longer exists.")
        return known[0]

    def named(self, memory_pk: int) -> list[Contradiction]:
        """Return the pairs that name a memory and are not decided, whatever their status."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"{_SELECT} WHERE c.state = 'open' AND ? IN (c.older_pk, c.newer_pk) ORDER BY c.pk",
                (memory_pk,),
            ).fetchall()
            return _all(connection, found)

    def settle(self, pair: Contradiction, how: Settlement, note: Note) -> None:
        """Note what was decided; the journal gets a row even where no mark goes, to be undone by.

        Raises:
            NotFound: One of the memories was erased.
        """
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE contradictions SET state = 'settled', settled_as = ?, batch = ?,"
                " settled_at = ? WHERE id = ?",
                (how, note.batch, to_ms(self._vault.clock()), pair.id),
            )
            if not self._mark(connection, (pair.older.pk, pair.newer.pk), note):
                row = whole_row(connection, pair.newer.id)
                remark(connection, self._vault, row, note)

    def put_right(self, agent_pk: int) -> None:
        """Take the mark from memories that no open pair names, such as those of an older vault."""
        with self._vault.write() as connection:
            found = connection.execute(
                "SELECT pk FROM memories WHERE agent_pk = ? AND conflicted = 1", (agent_pk,)
            ).fetchall()
            disputes.mark(connection, self._vault.clock, {row[0] for row in found})

    def take_back(self, batch: str) -> None:
        """Open again what was settled in a batch that is undone; what it noticed, waits no more."""
        self._turn(
            batch,
            "state = CASE state WHEN 'open' THEN 'settled' ELSE 'open' END,"
            " settled_as = CASE state WHEN 'open' THEN 'gone' ELSE settled_as END",
            "(state = 'open' AND settled_as = '' OR state = 'settled' AND settled_at IS NOT NULL)",
        )

    def do_again(self, batch: str) -> None:
        """Settle and notice again what ``take_back`` took back."""
        self._turn(
            batch,
            "state = CASE state WHEN 'open' THEN 'settled' ELSE 'open' END,"
            " settled_as = CASE state WHEN 'open' THEN settled_as ELSE '' END",
            "(state = 'open' AND settled_as <> '' OR state = 'settled' AND settled_at IS NULL)",
        )

    def _turn(self, batch: str, change: str, which: str) -> None:
        """Turn the pairs of a batch round, and mark their memories as they are then.

        A pair that was decided keeps when, so that one that was only noticed is told from it.
        """
        if not batch:
            return
        with self._vault.write() as connection:
            found = connection.execute(
                f"UPDATE contradictions SET {change} WHERE batch = ? AND {which}"
                " RETURNING older_pk, newer_pk",
                (batch,),
            ).fetchall()
            disputes.mark(connection, self._vault.clock, {pk for row in found for pk in row})

    def _mark(self, connection: Connection, memory_pks: Sequence[int], note: Note) -> bool:
        """Mark memories as they stand now, journalled where there is a batch; say if any was."""
        if not note.batch:
            disputes.mark(connection, self._vault.clock, memory_pks)
            return True
        asked = f"SELECT * FROM memories WHERE pk IN ({', '.join('?' * len(memory_pks))})"
        changed = False
        for row in connection.execute(asked, list(memory_pks)).fetchall():
            now = {"conflicted": disputes.contradicted(connection, row["pk"])}
            changed |= revise(connection, self._vault, row, now, note)
        return changed


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


def _again(known: Row, note: Note) -> bool:
    """Return whether a pair that was noted before may be noted again."""
    gone = known["state"] == "settled" and known["settled_as"] == Settlement.GONE
    return gone and (known["settled_at"] is not None or note.actor == "user")
