"""Read the journal of changes to memories, and undo a batch of them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.domain.conversation import Receipt
from app.domain.memory import JournalEntry
from app.domain.text import clipped
from app.errors import Conflict, NotFound, Refused
from app.store import rows
from app.store.connection import Connection, Row
from app.store.revision import CHANGEABLE, Note, revise, whole_row
from app.store.vault import Vault

__all__ = ["Journal", "Note"]

_ENTRY = (
    "SELECT j.*, x.id AS message_id FROM journal AS j LEFT JOIN messages AS x"
    " ON x.pk = j.message_pk"
)


class Journal:
    """What happened to the memories of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def of_memory(self, memory_id: str) -> list[JournalEntry]:
        """Return the history of one memory, oldest first."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"{_ENTRY} WHERE j.memory_id = ? ORDER BY j.pk", (memory_id,)
            ).fetchall()
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

    def last_batch(self) -> str | None:
        """Return the newest batch that is no undo and was not undone."""
        with self._vault.read() as connection:
            for row in connection.execute(
                "SELECT batch, memory_id FROM journal WHERE undoes IS NULL ORDER BY pk DESC"
            ):
                if row["batch"] not in _undone_of(connection, row["memory_id"]):
                    return str(row["batch"])
        return None

    def since(self, pk: int) -> tuple[int, frozenset[str], frozenset[str]]:
        """Return the newest row's pk, and the memories and batches journalled after ``pk``."""
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT pk, memory_id, batch FROM journal WHERE pk > ? ORDER BY pk", (pk,)
            ).fetchall()
        newest = found[-1]["pk"] if found else pk
        memories = frozenset(row["memory_id"] for row in found)
        return newest, memories, frozenset(row["batch"] for row in found)

    def tail(self) -> int:
        """Return the pk of the newest row, for ``since``."""
        with self._vault.read() as connection:
            return int(connection.execute("SELECT coalesce(max(pk), 0) FROM journal").fetchone()[0])

    def receipts(self, conversation_id: str) -> list[Receipt]:
        """Return what was remembered because of each message and still is, oldest first."""
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT j.batch, j.op, j.memory_id, x.id AS message_id, m.text, m.status"
                " FROM conversations AS c JOIN messages AS x ON x.conversation_pk = c.pk"
                " JOIN journal AS j ON j.message_pk = x.pk"
                " JOIN memories AS m ON m.id = j.memory_id"
                " WHERE c.id = ? AND j.op IN ('insert', 'supersede') ORDER BY j.pk",
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
                "SELECT * FROM journal WHERE batch = ? ORDER BY pk DESC", (batch,)
            ).fetchall()
            chains: dict[str, list[Row]] = {}
            for row in found:
                chains.setdefault(row["memory_id"], []).append(row)
            chains = {
                memory_id: chain
                for memory_id, chain in chains.items()
                if batch not in _undone_of(connection, memory_id)
            }
            if not chains:
                return set(), ["There is nothing left to undo."]
            return self._undo(chains, batch, note)

    def _undo(
        self, chains: Mapping[str, list[Row]], batch: str, note: Note
    ) -> tuple[set[str], list[str]]:
        """Undo memory by memory; one in the way of another gives it a second turn."""
        done: set[str] = set()
        refused: dict[str, str] = {}
        while True:
            before = len(done)
            for memory_id, chain in chains.items():
                if memory_id in done:
                    continue
                try:
                    self._undo_one(memory_id, chain, batch, note)
                except (Conflict, NotFound, Refused) as error:
                    refused[memory_id] = str(error)
                else:
                    done.add(memory_id)
                    refused.pop(memory_id, None)
            if len(done) == before or not refused:
                return done, list(refused.values())

    def _undo_one(self, memory_id: str, chain: list[Row], batch: str, note: Note) -> None:
        with self._vault.write() as connection:
            row = whole_row(connection, memory_id)
            if not _continuous(chain, row["revision"]):
                raise Conflict(
                    f"Not undone, because it was changed since: {clipped(row['text'], 80)}",
                    current=row["text"],
                )
            undo = Note(note.actor, "undo", note.batch, note.reason, note.message_id)
            revise(connection, self._vault.clock, row, _earlier(chain), undo, undoes=batch)


def _earlier(chain: Iterable[Row]) -> dict[str, Any]:
    """Return the plain values before a chain of changes, given newest first."""
    values: dict[str, Any] = {}
    for row in chain:
        before = json.loads(row["before"])
        values |= before if before else {"status": "forgotten"}
        if not before:
            values = {"status": "forgotten"}
    return {name: value for name, value in values.items() if name in CHANGEABLE}


def _continuous(chain: Iterable[Row], revision: int) -> bool:
    """Say whether the chain's changes followed one another and nothing came after them."""
    reached, started = set(), set()
    for row in chain:
        after, before = json.loads(row["after"]), json.loads(row["before"])
        reached.add(after["revision"])
        started.add(before.get("revision", 0))
    return reached == set(range(min(started) + 1, revision + 1))


def _undone_of(connection: Connection, memory_id: str) -> set[str]:
    found = connection.execute(
        "SELECT batch, undoes FROM journal WHERE memory_id = ? ORDER BY pk", (memory_id,)
    ).fetchall()
    return _undone(found)


def _undone(history: Sequence[Row]) -> set[str]:
    """Return the batches of one memory's history that a standing undo has taken back."""
    undone: set[str] = set()
    for row in reversed(history):
        if row["undoes"] is not None and row["batch"] not in undone:
            undone.add(row["undoes"])
    return undone


def _receipts(found: Iterable[Row]) -> list[Receipt]:
    written: dict[tuple[str, str], list[tuple[str, str]]] = {}
    replaced: dict[tuple[str, str], dict[str, str]] = {}
    for row in found:
        at = (row["message_id"], row["batch"])
        if row["op"] == "supersede":
            replaced.setdefault(at, {})[row["memory_id"]] = row["text"]
        elif row["status"] != "forgotten":
            written.setdefault(at, []).append((row["memory_id"], row["text"]))
    return [
        Receipt(at[0], at[1], tuple(memories), tuple(replaced.get(at, {}).values()))
        for at, memories in written.items()
    ]
