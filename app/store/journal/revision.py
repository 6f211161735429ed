"""Change one memory and journal it: the single place that updates the table of memories.

Whatever a change drags along happens here, in the same transaction: the journal row, the content
hash, the scope, the vectors and names that no longer fit the text, the reason of a status that is
over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.domain.ids import new_id, to_ms
from app.domain.language.foreign import storable
from app.domain.language.text import clipped, content_hash
from app.domain.memory import Trust
from app.errors import Conflict, NotFound, Refused
from app.store import entities
from app.store.index import bits
from app.store.journal import disputes
from app.store.vault import damage, groups, rows
from app.store.vault.chain import SEALED, newest, own
from app.store.vault.connection import Connection, IntegrityError, Row
from app.store.vault.file import Vault

_FIXED = frozenset(
    {"id", "agent_pk", "origin", "actor", "source_id", "created_at", "updated_at", "revision"}
)
_COUNTED = frozenset({"seen_count", "access_count", "last_accessed_at"})
CHANGEABLE = frozenset({*rows.FIELDS, "group_pks"}) - _FIXED - _COUNTED
BOOKKEEPING = frozenset({"consolidated_at", "revision"})  # says nothing about what a memory says
DERIVED = frozenset({"conflicted"})  # follows from the open contradictions, whatever is written


@dataclass(frozen=True, slots=True)
class Note:
    """What the journal says about a change.

    Attributes:
        actor: Who did it: ``user``, or the name of a job, tool or client.
        op: insert, update, pin, unpin, forget, restore, supersede, elevate, undo and so on.
        batch: Changes that are undone together share one.
        message_id: The message it came from.
        undoes: The batch that it takes back.
    """

    actor: str
    op: str
    batch: str
    reason: str = ""
    message_id: str | None = None
    undoes: str | None = None


def record(
    connection: Connection,
    vault: Vault,
    note: Note,
    memory_id: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    rests: bytes,
) -> bytes:
    """Write one journal row; ``before`` and ``after`` hold plain values and the revision.

    Returns:
        Its mark, on which the memory's seal has to rest; ``rests`` is that on which it did before.
    """
    now = vault.clock()
    said = (
        new_id(now),
        note.batch,
        to_ms(now),
        note.actor,
        note.op,
        memory_id,
        rows.dumps(before),
        rows.dumps(after),
        note.reason,
        note.undoes,
    )
    link = vault.chain.append(connection, said, rests)
    connection.execute(
        "INSERT INTO journal (id, batch, at, actor, op, memory_id, before, after, reason, undoes,"
        " message_pk, link) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " (SELECT pk FROM messages WHERE id = ?), ?)",
        (*said, note.message_id, link),
    )
    return own(link)


def revise(
    connection: Connection, vault: Vault, row: Row, wanted: Mapping[str, Any], note: Note
) -> bool:
    """Give the memory of a whole row new plain values; must run inside ``vault.write()``.

    An undo is written down even where there is nothing left to change, so that it counts as done.

    Returns:
        Whether anything changed.

    Raises:
        Conflict: Another memory has that text or key already.
        Refused: Trust would rise by another hand than the person's, or the row is damaged.
    """
    if bad := damage.of(row):
        raise Refused(damage.sentence(row, bad))
    wanted = {name: _settled(name, value) for name, value in wanted.items()}
    if note.undoes is None and wanted.get("status", row["status"]) != row["status"]:
        wanted.setdefault("status_reason", "")  # why it had the other status is said no more
    before = {name: _now(connection, row, name) for name in wanted}
    after = {name: value for name, value in wanted.items() if value != before[name]}
    if not after and note.undoes is None:
        return False
    if after.keys() & {"visibility", "group_pks"}:
        seen = wanted.get("visibility", row["visibility"])
        shared = wanted["group_pks"] if "group_pks" in wanted else groups.of(connection, row["pk"])
        groups.expect(seen, shared)
    fits, entry = _resting(connection, vault, row)
    noted, rises = dict(after), _rises(before, after)
    if rises:
        entry = _elevate(connection, vault, row, noted.pop("trust"), note, entry)
    if noted or not rises:
        then = {name: before[name] for name in noted} | {"revision": row["revision"]}
        noted["revision"] = row["revision"] + 1
        entry = record(connection, vault, note, row["id"], then, noted, entry)
    _store(connection, vault, row, after, entry if fits else None)
    return True


def remark(connection: Connection, vault: Vault, row: Row, note: Note) -> None:
    """Journal of the memory of a whole row what changes none of its fields, to be undone by."""
    fits, rests = _resting(connection, vault, row)
    same = {"conflicted": bool(row["conflicted"]), "revision": row["revision"]}
    record(connection, vault, note, row["id"], same, same, rests)
    if fits:
        vault.chain.reseal(connection, [row["pk"]])


def clash(connection: Connection, columns: Mapping[str, Any], error: Exception) -> Exception:
    """Return the sentence for a row that cannot stand beside another, or the error itself.

    Args:
        connection: Where the other row is.
        columns: The row that was refused.
        error: What the driver said.
    """
    reason = str(error)
    if "UNIQUE" not in reason:
        return error
    if "memories.id" in reason:
        return Conflict("This memory is here already.")
    if "memories.key" not in reason:
        text = str(columns["text"])
        return Conflict(f"This is already remembered: {clipped(text, 80)}", current=text)
    found = connection.execute(
        "SELECT text FROM memories WHERE key = ? AND status = 'active'"
        " AND (agent_pk = ? AND visibility <> 'global' OR visibility = 'global')"
        " ORDER BY (visibility = 'global') = ? DESC LIMIT 1",
        (columns["key"], columns["agent_pk"], columns["visibility"] == "global"),
    ).fetchone()
    return Conflict(
        f"“{clipped(columns['key'].replace('_', ' '), 40)}” is already remembered as:"
        f" {clipped(found['text'], 80)}",
        current=found["text"],
    )


def whole_row(connection: Connection, memory_id: str) -> Row:
    """Return the row of a memory.

    Raises:
        NotFound: It does not exist.
    """
    row = connection.execute("SELECT * FROM memories WHERE id = ?", (memory_id,)).fetchone()
    if row is None:
        raise NotFound("This memory no longer exists.")
    return row


def _settled(name: str, value: Any) -> Any:
    """Return a plain value in the one form that can be compared with what is stored."""
    if name == "group_pks":
        return sorted(set(value))
    return storable(value) if isinstance(value, str) else value


def _now(connection: Connection, row: Row, name: str) -> Any:
    if name not in CHANGEABLE:
        raise ValueError(f"a memory's {name} never changes")
    if name == "group_pks":
        return groups.of(connection, row["pk"])
    return rows.plain_of_row(name, row[name])


def _rises(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return "trust" in after and Trust(after["trust"]).rank > Trust(before["trust"]).rank


def _resting(connection: Connection, vault: Vault, row: Row) -> tuple[bool, bytes]:
    """Return whether a row is sealed, and the mark of the entry that its seal rests on.

    Whether that is its newest one, an examination tells: the next entry names it.
    """
    entry = vault.chain.entry_of(row, groups.shared(connection, row))
    return entry is not None, newest(connection, row["id"]) if entry is None else entry


def _elevate(
    connection: Connection, vault: Vault, row: Row, trust: str, note: Note, rests: bytes
) -> bytes:
    """Journal that the person trusts it more, which the schema demands before the change."""
    if note.actor != "user":
        raise Refused(f"Only you can trust it more: {clipped(row['text'], 80)}")
    before = {"trust": row["trust"], "revision": row["revision"]}
    after = {"trust": trust, "revision": row["revision"] + 1}
    return record(connection, vault, replace(note, op="elevate"), row["id"], before, after, rests)


def _store(
    connection: Connection, vault: Vault, row: Row, wanted: Mapping[str, Any], entry: bytes | None
) -> None:
    """Change the row, and seal it where it has an entry to rest on."""
    columns = {n: rows.column(n, v) for n, v in wanted.items() if n != "group_pks"}
    if "text" in columns:
        columns["content_hash"] = content_hash(columns["text"])
    if "visibility" in columns:
        columns["scope"] = rows.scope_of(columns["visibility"], row["agent_pk"])
    columns["revision"] = row["revision"] + 1
    if not wanted or not set(wanted) <= BOOKKEEPING:
        columns["updated_at"] = to_ms(vault.clock())
    if entry is not None:
        columns["seal"] = _sealed(connection, vault, row, columns, wanted, entry)
    assignments = ", ".join(f"{name} = :{name}" for name in columns)
    try:
        connection.execute(
            f"UPDATE memories SET {assignments} WHERE pk = :pk", {**columns, "pk": row["pk"]}
        )
    except IntegrityError as error:
        raise clash(connection, {**dict(row), **columns}, error) from error
    if "group_pks" in wanted:
        groups.put(connection, row["pk"], wanted["group_pks"])
    if columns.get("text", row["text"]) != row["text"]:
        bits.drop(connection, "memory", [row["pk"]])
        entities.unlink(connection, row["pk"])
    elif columns.get("scope", row["scope"]) != row["scope"]:
        bits.move(connection, "memory", row["pk"], columns["scope"])
    if wanted.keys() & {"status", *DERIVED}:
        disputes.mark(connection, vault.clock, [row["pk"]])


def _sealed(
    connection: Connection,
    vault: Vault,
    row: Row,
    columns: Mapping[str, Any],
    wanted: Mapping[str, Any],
    entry: bytes,
) -> bytes:
    """Return the seal of a row as it will be."""
    was = zip(SEALED, vault.chain.sealed(row), strict=True)
    after = [columns.get(name, value) for name, value in was]
    shared = None
    if columns.get("visibility", row["visibility"]) == "group":
        pks = wanted.get("group_pks")
        shared = groups.of(connection, row["pk"]) if pks is None else pks
    return vault.chain.seal(after, shared, entry)
