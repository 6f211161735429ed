"""Read the journal of changes to memories, and undo a batch of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from app.domain.conversation import Receipt
from app.domain.language.text import clipped
from app.domain.memory import JournalEntry, Trust
from app.domain.reply import doubted
from app.errors import Conflict, NotFound, Refused
from app.store.dialect import is_json, json_field, json_field_type
from app.store.journal import undoing
from app.store.journal.revision import BOOKKEEPING, CHANGEABLE, DERIVED, Note, revise, whole_row
from app.store.vault import damage, rows
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault

__all__ = ("Journal", "Note")

_ENTRY = (
    "SELECT j.*, x.id AS message_id FROM journal AS j LEFT JOIN messages AS x"
    " ON x.pk = j.message_pk"
)
_LOOKED_AT = 50
_DAMAGED = "Not undone, because its history is damaged: {}"


class Gist(NamedTuple):
    """What a batch is about.

    Attributes:
        entry: Its chief change.
        text: What that memory said after it.
        changes: How many changes there are.
        alike: How many of them did the same.
    """

    entry: JournalEntry
    text: str
    changes: int
    alike: int


class Journal:
    """What happened to the memories of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def of_memory(self, memory_id: str) -> list[JournalEntry]:
        """Return the history of one memory, oldest first."""
        found = self._vault.rows(f"{_ENTRY} WHERE j.memory_id = ? ORDER BY j.pk", (memory_id,))
        undone = _undone(found)
        return [rows.journal_entry(row, row["batch"] in undone) for row in found]

    def of_batch(self, batch: str) -> list[JournalEntry]:
        """Return the changes that were made together, oldest first."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"{_ENTRY} WHERE j.batch = ? ORDER BY j.pk", (batch,)
            ).fetchall()
            undone = {
                memory_id: batch in _undone_of(connection, memory_id)
                for memory_id in {row["memory_id"] for row in found}
            }
        return [rows.journal_entry(row, undone[row["memory_id"]]) for row in found]

    def gist(self, batch: str) -> Gist:
        """Return the change a batch is about and how many there are; cheap for a large one.

        What was remembered comes before what it took the place of.
        """
        with self._vault.read() as connection:
            first = connection.execute(
                f"{_ENTRY} WHERE j.pk IN (SELECT pk FROM journal WHERE batch = ? ORDER BY pk"
                f" LIMIT {_LOOKED_AT}) ORDER BY j.before <> '{{}}', j.pk LIMIT 1",
                (batch,),
            ).fetchone()
            if first is None:
                raise NotFound("This change is not in the journal any more.")
            count, alike = connection.execute(
                "SELECT count(*), sum(op = ?) FROM journal WHERE batch = ?", (first["op"], batch)
            ).fetchone()
            undone = batch in _undone_of(connection, first["memory_id"])
            text = _text_then(connection, first)
        return Gist(rows.journal_entry(first, undone), text, count, alike)

    def text_then(self, entry: JournalEntry) -> str:
        """Return what a memory said after a change; empty where it was erased."""
        with self._vault.read() as connection:
            row = connection.execute("SELECT * FROM journal WHERE id = ?", (entry.id,)).fetchone()
            return _text_then(connection, row) if row else ""

    def of_message(self, message_id: str) -> list[JournalEntry]:
        """Return the changes that a message brought about, oldest first."""
        found = self._vault.rows(f"{_ENTRY} WHERE x.id = ? ORDER BY j.pk", (message_id,))
        return [rows.journal_entry(row, False) for row in found]

    def last_batch(self) -> str | None:
        """Return the newest batch that is no undo and of which something stands."""
        return next(iter(self.standing(1)), None)

    def standing(self, limit: int) -> list[str]:
        """Return the batches that are no undos and of which something stands, newest first.

        What an undo left alone stands, and so does what was done in a batch after it was undone.
        """
        found: dict[str, None] = {}
        seen: set[str] = set()
        with self._vault.read() as connection:
            takers = undoing.read(connection).takers()
            for batch, pk in connection.execute(
                "SELECT batch, pk FROM journal WHERE undoes IS NULL ORDER BY pk DESC"
            ):
                if batch in seen:
                    continue
                seen.add(batch)
                if undoing.stands(connection, batch, pk, takers.get(batch, ())):
                    found[batch] = None
                if len(found) == limit:
                    break
        return list(found)

    def to_undo(self, limit: int) -> list[str]:
        """Return the batches that stand in the order in which they are undone.

        That is the newest first; of one message, what it ordered before what it told beside.
        """
        batches = self.standing(limit)
        if len(batches) > 1:
            last, order = (self.of_batch(batch)[0] for batch in batches[:2])
            of_one = last.message_id is not None and last.message_id == order.message_id
            if of_one and order.op == "forget" != last.op:
                batches[:2] = batches[1::-1]
        return batches

    def taken_back(self, batches: Iterable[str]) -> frozenset[str]:
        """Return those of some batches of which nothing stands any more."""
        found = set()
        with self._vault.read() as connection:
            takers = undoing.read(connection).takers()
            for batch in takers.keys() & set(batches):
                last = connection.execute("SELECT max(pk) FROM journal WHERE batch = ?", (batch,))
                pk = last.fetchone()[0]
                if pk is not None and not undoing.stands(connection, batch, pk, takers[batch]):
                    found.add(batch)
        return frozenset(found)

    def last_undone(self) -> str | None:
        """Return the newest undo that can be taken back: nothing but undoing was done since."""
        with self._vault.read() as connection:
            done = connection.execute("SELECT max(pk) FROM journal WHERE undoes IS NULL").fetchone()
            undoings = undoing.read(connection)
        for one in undoings.standing():
            if one.pk > (done[0] or 0) and undoings.depth(one.batch) % 2:
                return one.batch
        return None

    def origin_of(self, batch: str) -> tuple[str, bool]:
        """Return the batch that an undo, or an undo of an undo, is about in the end.

        Returns:
            That batch, which is the given one where that is no undo; and whether the given one
            takes it back, rather than doing it (again).
        """
        with self._vault.read() as connection:
            return undoing.read(connection).origin(batch)

    def since(self, pk: int) -> tuple[int, frozenset[str], frozenset[str]]:
        """Return the newest row's pk, and the memories and batches journalled after ``pk``."""
        found = self._vault.rows(
            "SELECT pk, memory_id, batch FROM journal WHERE pk > ? ORDER BY pk", (pk,)
        )
        newest = found[-1]["pk"] if found else pk
        memories = frozenset(row["memory_id"] for row in found)
        return newest, memories, frozenset(row["batch"] for row in found)

    def done_since(self, pk: int) -> frozenset[str]:
        """Return the operations journalled after ``pk``."""
        found = self._vault.rows("SELECT DISTINCT op FROM journal WHERE pk > ?", (pk,))
        return frozenset(row["op"] for row in found)

    def tail(self) -> int:
        """Return the pk of the newest row, for ``since``."""
        return int(self._vault.row("SELECT coalesce(max(pk), 0) FROM journal")[0])

    def receipts(self, conversation_id: str) -> list[Receipt]:
        """Return what was remembered because of each message and still is, oldest first.

        A memory that a tool gave another text took the place of what it said before.
        """
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT j.batch, j.op, j.before, j.memory_id, x.id AS message_id, m.text, m.status,"
                " m.superseded_by, m.trust, m.status_reason, m.conflicted"
                " FROM conversations AS c JOIN messages AS x ON x.conversation_pk = c.pk"
                " JOIN journal AS j ON j.message_pk = x.pk"
                " JOIN memories AS m ON m.id = j.memory_id"
                " WHERE c.id = ? AND j.op IN ('insert', 'update', 'supersede')"
                " ORDER BY j.pk",
                (conversation_id,),
            ).fetchall()
            undone = {
                memory_id: _undone_of(connection, memory_id)
                for memory_id in {row["memory_id"] for row in found}
            }
        return _receipts(row for row in found if row["batch"] not in undone[row["memory_id"]])

    def undo(self, batch: str, note: Note) -> tuple[set[str], list[str]]:
        """Take back what a batch did; undoing the undo does it again.

        A memory that met a later edit is left alone, with a sentence that says so. The note says
        who undoes, and as which batch.

        Returns:
            Ids of the memories that changed, and the refusals.
        """
        with self._vault.write() as connection:
            found = connection.execute(
                "SELECT memory_id FROM journal WHERE batch = ? GROUP BY memory_id"
                " ORDER BY max(pk) DESC",
                (batch,),
            ).fetchall()
            histories = {row[0]: _history(connection, row[0]) for row in found}
            standing = {i: past for i, past in histories.items() if batch not in _undone(past)}
            if not standing:
                return set(), ["There is nothing left to undo."]
            return self._undo(standing, batch, note)

    def follow(self, undo: str, undoes: str) -> None:
        """Let changes that followed from an undo be taken back with it, and count as undoing."""
        with self._vault.write() as connection:
            found = connection.execute(
                "SELECT pk FROM journal WHERE batch = ? AND undoes IS NULL", (undo,)
            ).fetchall()
            pks = [row["pk"] for row in found]
            with self._vault.chain.rewriting(connection, entries=pks):
                connection.executemany(
                    "UPDATE journal SET undoes = ? WHERE pk = ?", [(undoes, pk) for pk in pks]
                )

    def _undo(
        self, histories: Mapping[str, Sequence[Row]], batch: str, note: Note
    ) -> tuple[set[str], list[str]]:
        """Undo memory by memory; one in the way of another gives it a second turn."""
        done: set[str] = set()
        refused: dict[str, str] = {}
        while True:
            before = len(done)
            for memory_id, history in histories.items():
                if memory_id in done:
                    continue
                try:
                    self._undo_one(memory_id, history, batch, note)
                except (Conflict, NotFound, Refused) as error:
                    refused[memory_id] = str(error)
                else:
                    done.add(memory_id)
                    refused.pop(memory_id, None)
            if len(done) == before or not refused:
                return done, list(refused.values())

    def _undo_one(self, memory_id: str, history: Sequence[Row], batch: str, note: Note) -> None:
        with self._vault.write() as connection:
            row = whole_row(connection, memory_id)
            if not all(map(damage.is_entry, history)):
                raise Refused(_DAMAGED.format(clipped(rows.words(row["text"]), 80)))
            if not _stands(history, batch, row["revision"]):
                raise Conflict(
                    f"Not undone, because it was changed since: {clipped(row['text'], 80)}",
                    current=row["text"],
                )
            earlier = _earlier(entry for entry in history if entry["batch"] == batch)
            undo = replace(note, op="undo", undoes=batch)
            revise(connection, self._vault, row, earlier, undo)


def _text_then(connection: Connection, row: Row) -> str:
    """Return the text that a change left behind: what the next change of the text found."""
    if text := damage.said(row["after"]).get("text"):
        return str(text)
    found = (
        connection.execute(
            f"SELECT {json_field('before', 'text')} FROM journal WHERE memory_id = ? AND pk > ?"
            f" AND CASE WHEN {is_json('before')}"
            f" THEN {json_field_type('before', 'text')} = 'text' END"
            " ORDER BY pk LIMIT 1",
            (row["memory_id"], row["pk"]),
        ).fetchone()
        or connection.execute(
            "SELECT text FROM memories WHERE id = ?", (row["memory_id"],)
        ).fetchone()
    )
    return rows.words(found[0]) if found else ""


def _earlier(chain: Iterable[Row]) -> dict[str, Any]:
    """Return the plain values before a batch's changes to one memory, given oldest first."""
    values: dict[str, Any] = {}
    for row in chain:
        if row["before"] == "{}":
            return {"status": "forgotten", "status_reason": ""}
        values = damage.said(row["before"]) | values
    return {name: value for name, value in values.items() if name in CHANGEABLE}


def _stands(history: Iterable[Row], batch: str, revision: int) -> bool:
    """Say whether a batch's changes follow one another and nothing came after them.

    A change that was itself undone does not count: each revision is known by the state it is in,
    and an undo leads back to the state before the batch it took back. Nor does bookkeeping, which
    itself can always be taken back, nor that a contradiction was noticed or settled.
    """
    state: dict[int, int] = {0: 0}
    begun: dict[str, int] = {}
    steps: list[tuple[int, int]] = []
    for row in history:
        before, after = damage.said(row["before"]), damage.said(row["after"])
        start, end = before.get("revision", 0), after.get("revision", 0)
        begun.setdefault(row["batch"], start)
        if {"revision"} < after.keys() <= BOOKKEEPING | DERIVED:
            state[end] = state.get(start, start)
            continue
        state[end] = state.get(begun[row["undoes"]], end) if row["undoes"] in begun else end
        if row["batch"] == batch and (start, end) not in steps:
            steps.append((start, end))
    if not steps:
        return True
    joined = all(state[a[1]] == state.get(b[0]) for a, b in pairwise(steps))
    return joined and state[steps[-1][1]] == state.get(revision)


def _history(connection: Connection, memory_id: str) -> Sequence[Row]:
    return list(
        connection.execute("SELECT * FROM journal WHERE memory_id = ? ORDER BY pk", (memory_id,))
    )


def _undone_of(connection: Connection, memory_id: str) -> set[str]:
    return _undone(_history(connection, memory_id))


def _undone(history: Sequence[Row]) -> set[str]:
    """Return the batches of one memory's history that a standing undo has taken back."""
    undone: set[str] = set()
    for row in reversed(history):
        if row["undoes"] is not None and row["batch"] not in undone:
            undone.add(row["undoes"])
    return undone


def _receipts(found: Iterable[Row]) -> list[Receipt]:
    written: dict[tuple[str, str], list[tuple[str, str]]] = {}
    replaced: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    doubts: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in found:
        at = (row["message_id"], row["batch"])
        if row["op"] == "update":
            if not (was := damage.said(row["before"]).get("text")):
                continue  # it says what it said
            replaced.setdefault(at, {})[row["memory_id"]] = (row["memory_id"], str(was))
        if row["op"] == "supersede":
            heir = str(row["superseded_by"] or "")
            replaced.setdefault(at, {})[row["memory_id"]] = (heir, row["text"])
        elif row["status"] not in ("forgotten", "proposed", "quarantined"):
            written.setdefault(at, []).append((row["memory_id"], row["text"]))
            if why := doubted(
                Trust(row["trust"]), row["status_reason"], contradicted=row["conflicted"]
            ):
                doubts.setdefault(at, []).append((row["memory_id"], why))
    return [
        Receipt(
            *at, tuple(memories), tuple(replaced.get(at, {}).values()), tuple(doubts.get(at, ()))
        )
        for at, memories in written.items()
    ]
