"""Every row of the vault as plain values, for exports, and back again.

A row leaves as a dict: row numbers are replaced by the identifiers of what they refer to, BLOBs by
hexadecimal text. Vectors, full-text indexes and jobs are left out, because they are rebuilt. Which
column refers to which table is read from the schema itself.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.conversation import MemoryMode
from app.store.dialect import INSERT_NEW, columns_of, in_hex, listed, references_of
from app.store.vault.chain import ENTRY, NONE, marks
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault
from app.store.vault.rows import dumps

TABLES = (
    "agents",
    "groups",
    "agent_groups",
    "conversations",
    "documents",
    "document_passages",
    "messages",
    "message_parts",
    "memories",
    "memory_groups",
    "evidence",
    "entities",
    "entity_links",
    "causal_edges",
    "recalls",
    "recall_hits",
    "tool_calls",
    "scores",
    "usefulness",
    "journal",
    "tombstones",
    "settings",
)
REBUILT = frozenset({"scope", "seal", "link"})
_PASSING = f"SELECT pk FROM conversations WHERE mode = '{MemoryMode.TEMPORARY}'"
_SAID = f"SELECT pk FROM messages WHERE conversation_pk IN ({_PASSING})"
PASSING = {
    "conversations": _PASSING,
    "messages": _SAID,
    "recalls": f"SELECT pk FROM recalls WHERE answer_pk IN ({_SAID})",
}
"""The rows of temporary conversations, which do not leave, nor what refers to them."""

LATER = frozenset({("usefulness", "agent_pk")})  # older exports lack it, and it can be told


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of a table that travel, and what they refer to.

    Attributes:
        needed: Those without which there is no row.
    """

    columns: tuple[str, ...]
    needed: frozenset[str]
    references: Mapping[str, str]
    blobs: frozenset[str]

    def name(self, column: str) -> str:
        """Return what a column is called outside."""
        return column[:-3] if column in self.references else column


class Archive:
    """Reads and writes whole tables as plain rows."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._fresh: set[str] = set()

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        return int(self._vault.row(f'SELECT count(*) FROM "{table}"')[0])

    def needed(self, table: str) -> frozenset[str]:
        """Return by what names a row has to hold something to be restored."""
        with self._vault.read() as connection:
            shape = _shape(connection, table)
        return frozenset(shape.name(column) for column in shape.needed)

    def numbers(self, table: str) -> dict[str, int]:
        """Return the row numbers of a table by what the world knows its rows by."""
        return dict(map(tuple, self._vault.rows(f'SELECT id, pk FROM "{table}"')))

    def there(self, table: str, ids: Collection[str]) -> set[str]:
        """Return which of these ids the rows of a table have."""
        sql = f'SELECT id FROM "{table}" WHERE id IN {listed()}'
        return {row["id"] for row in self._vault.rows(sql, (dumps(sorted(ids)),))}

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """Yield every row of a table that is there tomorrow, in the order it was written."""
        with self._vault.read() as connection:
            shape = _shape(connection, table)
            picked = [
                f'({_named(shape.references[c], c)}) AS "{c[:-3]}"'
                if c in shape.references
                else f'{in_hex(f"t.{c}")} AS "{c}"'
                if c in shape.blobs
                else f't."{c}" AS "{c}"'
                for c in shape.columns
            ]
            order = "t.pk" if _has_pk(connection, table) else "1, 2"
            if table == "entities":  # what others were merged into stands before them
                order = "t.merged_into_pk IS NOT NULL, t.pk"
            query = f'SELECT {", ".join(picked)} FROM "{table}" t{_lasting(table, shape)}'
            query += f" ORDER BY {order}"
            for row in connection.execute(query):
                yield dict(row)

    def restore(self, table: str, rows: list[dict[str, Any]]) -> int:
        """Insert rows that are not there yet; return how many were new.

        Rows that refer to something absent are left out. Must run inside ``vault.write()`` together
        with the tables they refer to.
        """
        with self._vault.write() as connection:
            shape = _shape(connection, table)
            made = [row for row in rows if _insert(connection, table, shape, row)]
            if table == "memories":
                self._fresh |= {row["id"] for row in made}
            if table == "journal":
                self._link(connection, [row["id"] for row in made])
        return len(made)

    def drop_unmentioned(self, ids: Collection[str]) -> None:
        """Delete those of some names that no memory mentions, as when what did was erased here."""
        with self._vault.write() as connection:
            for some in _batched(sorted(ids)):
                connection.execute(
                    f"DELETE FROM entities WHERE id IN {listed()}"
                    " AND pk NOT IN (SELECT entity_pk FROM entity_links) AND pk NOT IN"
                    " (SELECT merged_into_pk FROM entities WHERE merged_into_pk IS NOT NULL)",
                    (dumps(some),),
                )

    def seal(self) -> None:
        """Seal the memories that were restored, with what belongs to them and their history."""
        with self._vault.write() as connection:
            for some in _batched(sorted(self._fresh)):
                found = _having(connection, "memories", some)
                self._vault.chain.reseal(connection, [row["pk"] for row in found])
        self._fresh.clear()

    def _link(self, connection: Connection, ids: Collection[str]) -> None:
        """Add restored entries to the chain; what they are about rests on them from then on."""
        chain, entries = self._vault.chain, _having(connection, "journal", ids)
        there = {
            row["id"]: row["id"] in self._fresh or chain.fits(connection, row)
            for row in _having(connection, "memories", {row["memory_id"] for row in entries})
        }
        for entry in entries:
            said, about = tuple(entry[name] for name in ENTRY), entry["memory_id"]
            rests = next(iter(marks(connection, about, entry["pk"], 1)), NONE)
            link = chain.append(connection, said, rests, expects=about in there)
            connection.execute("UPDATE journal SET link = ? WHERE pk = ?", (link, entry["pk"]))
        self._fresh |= {memory_id for memory_id, fits in there.items() if fits}

    def set_tips(self, rows: list[dict[str, Any]]) -> None:
        """Point restored conversations at their last message, once the messages are there."""
        with self._vault.write() as connection:
            connection.executemany(
                "UPDATE conversations SET tip_pk = (SELECT pk FROM messages WHERE id = :tip)"
                " WHERE id = :id AND tip_pk IS NULL",
                [{"id": r["id"], "tip": r.get("tip")} for r in rows],
            )


def _named(table: str, column: str) -> str:
    """Return the SQL of what a row is called outside that a column refers to."""
    lasting = f" AND pk NOT IN ({PASSING[table]})" if table in PASSING else ""
    return f'SELECT id FROM "{table}" WHERE pk = t.{column}{lasting}'


def _lasting(table: str, shape: Shape) -> str:
    """Return the SQL of which rows of a table leave: none that stands or falls with a passing."""
    held = [
        f"t.{column} NOT IN ({PASSING[other]})"
        for column, other in shape.references.items()
        if other in PASSING and column in shape.needed
    ]
    held += [f"t.pk NOT IN ({PASSING[table]})"] if table in PASSING else []
    return f" WHERE {' AND '.join(held)}" if held else ""


def _batched(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), 1_000):
        yield ids[start : start + 1_000]


def _having(connection: Connection, table: str, ids: Collection[str]) -> list[Row]:
    """Return the rows with these ids, in the order they were written."""
    sql = f'SELECT * FROM "{table}" WHERE id IN {listed()} ORDER BY pk'
    return list(connection.execute(sql, (dumps(sorted(ids)),)))


def _has_pk(connection: Connection, table: str) -> bool:
    return any(r["name"] == "pk" for r in columns_of(connection, table))


def _shape(connection: Connection, table: str) -> Shape:
    references, found = references_of(connection, table), columns_of(connection, table)
    there = [r for r in found if r["name"] != "pk" and r["name"] not in REBUILT]
    needed = {
        r["name"]
        for r in there
        if (r["notnull"] or r["pk"]) and r["dflt_value"] is None and (table, r["name"]) not in LATER
    }
    blobs = frozenset(r["name"] for r in found if r["type"] == "BLOB")
    return Shape(tuple(r["name"] for r in there), frozenset(needed), references, blobs)


def _insert(connection: Connection, table: str, shape: Shape, row: Mapping[str, Any]) -> int:
    values: dict[str, Any] = {}
    for column in shape.columns:
        name = shape.name(column)
        if name not in row:
            continue
        value = row[name]
        if column in shape.references and value is not None:
            if table == "conversations" and column == "tip_pk":
                continue
            found = connection.execute(
                f'SELECT pk FROM "{shape.references[column]}" WHERE id = ?', (value,)
            ).fetchone()
            if found is None:
                return 0
            value = found["pk"]
        elif column in shape.blobs and value is not None:
            value = bytes.fromhex(value)
        values[column] = value
    if table == "memories":
        scopes = {"self": values["agent_pk"], "group": -1, "global": 0}
        values["scope"] = scopes[values.get("visibility", "self")]
    if table == "usefulness" and "agent_pk" not in values:  # written before each had its own
        owner = "SELECT agent_pk FROM memories WHERE pk = ?"
        values["agent_pk"] = connection.execute(owner, (values["memory_pk"],)).fetchone()[0]
    names = ", ".join(f'"{c}"' for c in values)
    marks = ", ".join(f":{c}" for c in values)
    done = connection.execute(f'{INSERT_NEW} INTO "{table}" ({names}) VALUES ({marks})', values)
    return int(done.rowcount)
