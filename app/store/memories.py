"""Keep what is remembered: read it within a scope, and change it with a journal row each time."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.domain.ids import from_ms, new_id, to_ms
from app.domain.language.foreign import storable
from app.domain.language.text import content_hash
from app.domain.memory import Evidence, Memory, MemoryFilter, Scope, Status, Visibility
from app.errors import Conflict, NotFound
from app.store import entities
from app.store.dialect import holds, listed
from app.store.index import bits, listing, recallable
from app.store.journal import disputes
from app.store.journal.revision import Note, clash, record, revise, whole_row
from app.store.vault import damage, groups, rows
from app.store.vault.chain import NONE, SEALED, newest
from app.store.vault.connection import Connection, IntegrityError
from app.store.vault.file import Vault

__all__ = ("Memories", "Note")

EVERYTHING = MemoryFilter()
MemoryList = list[Memory]
IdList = list[str]
Sentences = list[str]
EvidenceList = list[Evidence]
_LIVE = "('active', 'proposed', 'quarantined')"


class Memories:
    """The memories of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def get(self, memory_id: str) -> Memory:
        """Return one memory.

        Raises:
            NotFound: It does not exist.
        """
        with self._vault.read() as connection:
            return groups.memories(connection, [whole_row(connection, memory_id)])[0]

    def by_ids(self, memory_ids: Sequence[str]) -> MemoryList:
        """Return the memories that exist, in the order asked for."""
        found = {memory.id: memory for memory in self._listed("id", memory_ids)}
        return [found[wanted] for wanted in memory_ids if wanted in found]

    def of_rows(self, memory_pks: Sequence[int]) -> MemoryList:
        """Return the memories of these rows that exist, in the order asked for."""
        found = {memory.pk: memory for memory in self._listed("pk", memory_pks)}
        return [found[wanted] for wanted in memory_pks if wanted in found]

    def list(
        self,
        scope: Scope,
        where: MemoryFilter = EVERYTHING,
        offset: int = 0,
        limit: int = 200,
    ) -> MemoryList:
        """Return one page of the memories that match; ``limit`` below 0 means all."""
        sql, values = listing.page(where, scope, offset, limit)
        return self._found(sql, values)

    def count(self, scope: Scope, where: MemoryFilter = EVERYTHING) -> int:
        """Return how many memories match."""
        sql, values = listing.total(where, scope)
        return int(self._vault.row(sql, values)[0])

    def ids(self, scope: Scope, where: MemoryFilter) -> IdList:
        """Return the ids of all that match, without reading their texts."""
        sql, values = listing.ids(where, scope)
        return [row[0] for row in self._vault.rows(sql, values)]

    def overview(self, scope: Scope) -> dict[Status, int]:
        """Return how many memories there are in each status."""
        seen, values = recallable.visible(scope)
        found = self._vault.rows(
            f"SELECT status, count(*) FROM memories AS m WHERE {seen} GROUP BY status", values
        )
        counts = {row[0]: row[1] for row in found}
        return {status: counts.get(status.value, 0) for status in Status}

    def by_hash(self, agent_pk: int, visibility: Visibility, content_hash: bytes) -> Memory | None:
        """Return the live statement with this normalised text, keyed or not."""
        return self._one(
            "content_hash = ? AND agent_pk = ? AND visibility = ? AND proof_count IS NULL"
            f" AND status IN {_LIVE} ORDER BY key IS NOT NULL, pk",
            (content_hash, agent_pk, visibility),
        )

    def by_key(self, agent_pk: int, key: str) -> Memory | None:
        """Return the memory with this key: the agent's own, else everybody's, else an archived one.

        Of archived ones it is the newest.
        """
        active = "key = ? AND key IS NOT NULL AND status = 'active' AND visibility"
        return (
            self._one(f"{active} <> 'global' AND agent_pk = ?", (key.strip(), agent_pk))
            or self._one(f"{active} = 'global'", (key.strip(),))
            or next(iter(self.archived(agent_pk, key)), None)
        )

    def archived(self, agent_pk: int, key: str) -> MemoryList:
        """Return the archived memories of an agent with this key, newest first."""
        return self._found(
            "SELECT * FROM memories WHERE agent_pk = ? AND key = ? AND key IS NOT NULL"
            " AND status = 'out_of_window' ORDER BY created_at DESC, pk DESC",
            (agent_pk, key.strip()),
        )

    def resting_on(self, message_id: str) -> MemoryList:
        """Return the memories of any status that rest on a message, oldest first."""
        return self._found(
            "SELECT m.* FROM memories AS m WHERE m.pk IN (SELECT e.memory_pk FROM evidence AS e"
            " JOIN messages AS s ON s.pk = e.message_pk WHERE s.id = ?) ORDER BY m.pk",
            (message_id,),
        )

    def replaces(self, memory_id: str) -> MemoryList:
        """Return the memories that this one took the place of."""
        return self._found(
            "SELECT * FROM memories WHERE superseded_by = ? ORDER BY created_at DESC",
            (memory_id,),
        )

    def damaged(self) -> Sentences:
        """Return a sentence for each memory that something else left unreadable in part."""
        with self._vault.read() as connection:
            found = connection.execute("SELECT * FROM memories ORDER BY pk")
            return [damage.sentence(row, bad) for row in found if (bad := damage.of(row))]

    def insert(self, memory: Memory, evidence: Sequence[Evidence], note: Note) -> Memory:
        """Store a new memory with what it rests on.

        Raises:
            Conflict: The same text, or the same key, is there already.
            Refused: It is for a group, and names none.
        """
        groups.expect(memory.visibility, memory.group_pks)
        with self._vault.write() as connection:
            wanted = {name: rows.plain(getattr(memory, name)) for name in rows.FIELDS}
            wanted["id"] = memory.id or new_id(self._vault.clock())
            wanted["text"] = storable(memory.text)
            wanted["key"] = storable(memory.key or "").strip() or None
            after = _noteworthy(wanted, memory)
            rests = newest(connection, memory.id) if memory.id else NONE
            entry = record(connection, self._vault, note, wanted["id"], {}, after, rests)
            pk = self._insert(connection, wanted, memory.group_pks, entry)
            for item in evidence:
                _add_evidence(connection, pk, item)
            return self.get(wanted["id"])

    def update(
        self,
        memory_id: str,
        changes: Mapping[str, Any],
        note: Note,
        expected_revision: int | None = None,
    ) -> Memory:
        """Give fields of a memory new values; those that have them already are left alone.

        Raises:
            NotFound: It does not exist.
            Conflict: It was changed since, or another one has that text or key.
            Refused: Trust would rise by another hand than the person's.
        """
        with self._vault.write() as connection:
            row = whole_row(connection, memory_id)
            if expected_revision is not None and row["revision"] != expected_revision:
                raise Conflict("This memory was changed in the meantime.", current=row["text"])
            wanted = {name: rows.plain(value) for name, value in changes.items()}
            revise(connection, self._vault, row, wanted, note)
            return self.get(memory_id)

    def add_evidence(self, memory_id: str, evidence: Evidence) -> bool:
        """Note that the same was said again; the same words of the same message count once.

        Returns:
            Whether it was not noted before.

        Raises:
            NotFound: The memory does not exist.
        """
        with self._vault.write() as connection:
            row = whole_row(connection, memory_id)
            added = _add_evidence(connection, row["pk"], evidence)
            if added:
                connection.execute(
                    "UPDATE memories SET seen_count = seen_count + 1 WHERE pk = ?", (row["pk"],)
                )
        return added

    def evidence(self, memory_id: str) -> EvidenceList:
        """Return what a memory rests on, oldest first."""
        found = self._vault.rows(
            "SELECT e.quote, e.created_at, x.id AS message_id, c.id AS conversation_id,"
            " c.title FROM evidence AS e"
            " LEFT JOIN messages AS x ON x.pk = e.message_pk"
            " LEFT JOIN conversations AS c ON c.pk = x.conversation_pk"
            " WHERE e.memory_pk = (SELECT pk FROM memories WHERE id = ?)"
            " ORDER BY e.created_at, e.pk",
            (memory_id,),
        )
        return [rows.evidence(row) for row in found]

    def said_last(self, memory_ids: Collection[str]) -> Mapping[str, datetime]:
        """Return when the person said each of these memories last, as far as they did."""
        found = self._vault.rows(
            "SELECT m.id, max(e.created_at) AS at FROM memories AS m"
            " JOIN evidence AS e ON e.memory_pk = m.pk AND e.quote <> ''"
            f" WHERE m.id IN {listed()} GROUP BY m.pk",
            (rows.dumps(sorted(memory_ids)),),
        )
        return {row["id"]: from_ms(row["at"]) for row in found if isinstance(row["at"], int)}

    def touch(self, memory_ids: Collection[str], now: datetime) -> None:
        """Count that memories were used; this is no change and leaves no journal row."""
        with self._vault.write() as connection:
            connection.execute(
                "UPDATE memories SET access_count = access_count + 1, last_accessed_at = ?"
                f" WHERE id IN {listed()}",
                (to_ms(now), rows.dumps(sorted(memory_ids))),
            )

    def delete(self, memory_id: str) -> bool:
        """Remove a memory for good with everything that was derived from it or tells of it.

        Returns:
            Whether it was there.
        """
        with self._vault.write() as connection:
            try:
                pk = whole_row(connection, memory_id)["pk"]
            except NotFound:
                return False
            bits.drop(connection, "memory", [pk])
            entities.unlink(connection, pk)
            disputed = disputes.partners(connection, [pk])
            found = connection.execute(
                "SELECT pk FROM memories WHERE superseded_by = ?", (memory_id,)
            ).fetchall()
            replaced = [row["pk"] for row in found]
            with self._vault.chain.rewriting(connection, memories=replaced):
                connection.executemany(
                    "UPDATE memories SET superseded_by = NULL WHERE pk = ?",
                    [(one,) for one in replaced],
                )
            self._vault.chain.cut(connection, memory_id)
            connection.execute("DELETE FROM memories WHERE pk = ?", (pk,))
            disputes.mark(connection, self._vault.clock, disputed)
        return True

    def _one(self, condition: str, values: tuple[object, ...]) -> Memory | None:
        sql = f"SELECT * FROM memories WHERE {condition} LIMIT 1"
        return next(iter(self._found(sql, values)), None)

    def _found(self, sql: str, values: Sequence[object]) -> MemoryList:
        with self._vault.read() as connection:
            return groups.memories(connection, connection.execute(sql, values).fetchall())

    def _listed(self, column: str, wanted: Sequence[str] | Sequence[int]) -> MemoryList:
        sql = f"SELECT * FROM memories WHERE {column} IN {listed()}"
        return self._found(sql, (rows.dumps(list(wanted)),))

    def _insert(
        self,
        connection: Connection,
        wanted: Mapping[str, Any],
        group_pks: Sequence[int],
        entry: bytes,
    ) -> int:
        columns = {name: rows.column(name, value) for name, value in wanted.items()}
        columns["content_hash"] = content_hash(wanted["text"])
        columns["scope"] = rows.scope_of(wanted["visibility"], wanted["agent_pk"])
        shared = sorted(set(group_pks)) if wanted["visibility"] == "group" else None
        columns["seal"] = self._vault.chain.seal([columns[n] for n in SEALED], shared, entry)
        names, marks = ", ".join(columns), ", ".join(f":{name}" for name in columns)
        try:
            cursor = connection.execute(f"INSERT INTO memories ({names}) VALUES ({marks})", columns)
        except IntegrityError as error:
            raise clash(connection, columns, error) from error
        pk = int(cursor.lastrowid)
        if group_pks:
            groups.put(connection, pk, group_pks)
        return pk


def _noteworthy(wanted: Mapping[str, Any], memory: Memory) -> dict[str, Any]:
    """Return what the journal keeps of a new memory: every field that says something."""
    silent: tuple[object, ...] = (None, [], "", False)
    after = {name: value for name, value in wanted.items() if value not in silent}
    if memory.group_pks:
        after["group_pks"] = list(memory.group_pks)
    return after


def _add_evidence(connection: Connection, memory_pk: int, evidence: Evidence) -> bool:
    cursor = connection.execute(
        "WITH said(message_pk, quote) AS (SELECT (SELECT pk FROM messages WHERE id = ?2), ?3)"
        " INSERT INTO evidence (memory_pk, message_pk, quote, created_at)"
        " SELECT ?1, s.message_pk, s.quote, ?4 FROM said AS s WHERE NOT EXISTS (SELECT 1"
        " FROM evidence AS e WHERE e.memory_pk = ?1 AND e.message_pk = s.message_pk"
        " AND (e.quote = s.quote OR e.quote <> '' AND s.quote <> ''"
        f" AND ({holds('e.quote', 's.quote')} OR {holds('s.quote', 'e.quote')})))",
        (memory_pk, evidence.message_id, storable(evidence.quote), to_ms(evidence.created_at)),
    )
    return bool(cursor.rowcount)
