"""Read and write the messages of one conversation as the tree they form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.domain.conversation import Message, Part
from app.domain.language.foreign import storable
from app.domain.language.text import ERASED
from app.errors import NotFound
from app.store import documents
from app.store.dialect import listed
from app.store.index import bits
from app.store.vault import damage, rows
from app.store.vault.connection import Connection, Row

_PAGE = 1_000
_MESSAGE = """
SELECT x.*, c.id AS conversation_id, c.title, p.id AS parent_id,
  CASE WHEN x.parent_pk IS NULL
    THEN (SELECT count(*) FROM messages AS s
          WHERE s.conversation_pk = x.conversation_pk AND s.parent_pk IS NULL)
    ELSE (SELECT count(*) FROM messages AS s WHERE s.parent_pk = x.parent_pk)
  END AS versions,
  CASE WHEN x.parent_pk IS NULL
    THEN (SELECT count(*) FROM messages AS s
          WHERE s.conversation_pk = x.conversation_pk AND s.parent_pk IS NULL AND s.pk <= x.pk)
    ELSE (SELECT count(*) FROM messages AS s WHERE s.parent_pk = x.parent_pk AND s.pk <= x.pk)
  END AS version
FROM messages AS x
JOIN conversations AS c ON c.pk = x.conversation_pk
LEFT JOIN messages AS p ON p.pk = x.parent_pk
"""

_BRANCH = """
WITH RECURSIVE path (pk, parent_pk) AS (
  SELECT x.pk, x.parent_pk FROM conversations AS c JOIN messages AS x ON x.pk = c.tip_pk
  WHERE c.id = ?
  UNION ALL
  SELECT x.pk, x.parent_pk FROM path JOIN messages AS x ON x.pk = path.parent_pk
)
SELECT pk FROM path
"""

_ABOVE = """
WITH RECURSIVE path (pk, parent_pk) AS (
  SELECT pk, parent_pk FROM messages WHERE id = ?
  UNION ALL
  SELECT x.pk, x.parent_pk FROM path JOIN messages AS x ON x.pk = path.parent_pk LIMIT ?
)
SELECT pk FROM path
"""

_BELOW = """
WITH RECURSIVE below (pk) AS (
  SELECT ? UNION ALL
  SELECT x.pk FROM below JOIN messages AS x ON x.parent_pk = below.pk
)
SELECT max(pk) FROM below
"""


def message(connection: Connection, message_id: str) -> Message:
    """Return one message.

    Raises:
        NotFound: It does not exist.
    """
    found = connection.execute(f"{_MESSAGE} WHERE x.id = ?", (message_id,)).fetchall()
    if not found:
        raise NotFound("This message no longer exists.")
    return _with_parts(connection, found)[0]


def branch(connection: Connection, conversation_id: str) -> list[Message]:
    """Return the current branch, from its first message to its tip."""
    return of_rows(connection, branch_rows(connection, conversation_id))


def branch_rows(connection: Connection, conversation_id: str) -> list[int]:
    """Return the rows of the current branch, from its first message to its tip."""
    return [row[0] for row in connection.execute(_BRANCH, (conversation_id,))][::-1]


def before(connection: Connection, message_id: str, most: int = -1) -> list[Message]:
    """Return what was said before a message on its branch, in order; the last ``most`` of it."""
    found = connection.execute(_ABOVE, (message_id, most + 1 if most >= 0 else -1))
    return of_rows(connection, [row[0] for row in found][:0:-1])


def with_documents(connection: Connection, message_id: str) -> list[Message]:
    """Return the messages before one on its branch that have a document, in order."""
    found = connection.execute(
        "SELECT DISTINCT p.message_pk FROM message_parts AS p"
        " JOIN messages AS x ON x.pk = p.message_pk WHERE p.document_pk IS NOT NULL"
        " AND x.conversation_pk = (SELECT conversation_pk FROM messages WHERE id = ?)",
        (message_id,),
    )
    holding = {row[0] for row in found}
    if not holding:
        return []
    above = [row[0] for row in connection.execute(_ABOVE, (message_id, -1))][:0:-1]
    return of_rows(connection, [pk for pk in above if pk in holding])


def of_rows(connection: Connection, pks: Sequence[int]) -> list[Message]:
    """Return the messages of these rows, in their order; those that are gone are left out."""
    found = connection.execute(
        f"{_MESSAGE} WHERE x.pk IN {listed()}", (rows.dumps(pks),)
    ).fetchall()
    by_pk = {message.pk: message for message in _with_parts(connection, found)}
    return [by_pk[pk] for pk in pks if pk in by_pk]


def after(connection: Connection, conversation_id: str, pk: int, limit: int) -> list[Message]:
    """Return the messages of a conversation that came in after one, whichever their branch."""
    found = connection.execute(
        f"{_MESSAGE} WHERE x.conversation_pk = (SELECT pk FROM conversations WHERE id = ?)"
        " AND x.pk > ? ORDER BY x.pk LIMIT ?",
        (conversation_id, pk, limit),
    ).fetchall()
    return _with_parts(connection, found)


def children(connection: Connection, message_id: str | None, conversation_id: str) -> list[Message]:
    """Return the messages that answer one, or the first messages of a conversation."""
    if message_id is None:
        condition, value = "c.id = ? AND x.parent_pk IS NULL", conversation_id
    else:
        condition, value = "p.id = ?", message_id
    found = connection.execute(f"{_MESSAGE} WHERE {condition} ORDER BY x.pk", (value,)).fetchall()
    return _with_parts(connection, found)


def switch(connection: Connection, message_id: str) -> str:
    """Move the tip to the newest message below this one; return the conversation's id."""
    chosen = message(connection, message_id)
    path = {row[0] for row in connection.execute(_BRANCH, (chosen.conversation_id,))}
    if chosen.pk not in path:
        newest = connection.execute(_BELOW, (chosen.pk,)).fetchone()[0]
        connection.execute(
            "UPDATE conversations SET tip_pk = ? WHERE id = ?", (newest, chosen.conversation_id)
        )
    return chosen.conversation_id


def pk_of(connection: Connection, message_id: str | None, conversation_pk: int) -> int | None:
    """Return the row of a message of this conversation.

    Raises:
        NotFound: It is not there.
    """
    if message_id is None:
        return None
    row = connection.execute(
        "SELECT pk FROM messages WHERE id = ? AND conversation_pk = ?",
        (message_id, conversation_pk),
    ).fetchone()
    if row is None:
        raise NotFound("The message this answers no longer exists.")
    return int(row["pk"])


def insert(connection: Connection, columns: Mapping[str, Any], parts: Sequence[Part]) -> int:
    """Store a message and its parts; return its row."""
    names, marks = ", ".join(columns), ", ".join(f":{name}" for name in columns)
    cursor = connection.execute(f"INSERT INTO messages ({names}) VALUES ({marks})", columns)
    pk = int(cursor.lastrowid)
    _insert_parts(connection, pk, parts)
    return pk


def set_parts(connection: Connection, pk: int, parts: Sequence[Part]) -> None:
    """Replace what a message says; vectors of another text are dropped."""
    text = storable("".join(part.text for part in parts))
    before = connection.execute("SELECT text FROM messages WHERE pk = ?", (pk,)).fetchone()
    if before["text"] != text:
        connection.execute("UPDATE messages SET text = ? WHERE pk = ?", (text, pk))
        bits.drop(connection, "message", [pk])
    connection.execute("DELETE FROM message_parts WHERE message_pk = ?", (pk,))
    _insert_parts(connection, pk, parts)


def redacted(parts: Sequence[Part], spans: Sequence[tuple[int, int]]) -> list[Part]:
    """Return the parts with a mark in the place of each span of their joined text."""
    length = sum(len(part.text) for part in parts)
    joined = _merged([(max(0, start), min(end, length)) for start, end in spans])
    result, offset = [], 0
    for part in parts:
        pieces, at, end = [], offset, offset + len(part.text)
        for start, stop in joined:
            if stop <= offset or start >= end:
                continue
            pieces.append(part.text[at - offset : max(start, offset) - offset])
            if start >= offset:
                pieces.append(ERASED)
            at = min(stop, end)
        pieces.append(part.text[at - offset :])
        result.append(replace(part, text="".join(pieces)))
        offset = end
    return result


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def _insert_parts(connection: Connection, pk: int, parts: Sequence[Part]) -> None:
    sql = "SELECT conversation_pk, created_at FROM messages WHERE pk = ?"
    owner, at = connection.execute(sql, (pk,)).fetchone()
    kept = [one.document and documents.kept(connection, one.document, owner, at) for one in parts]
    connection.executemany(
        "INSERT INTO message_parts (message_pk, ordinal, origin, name, text, document_pk)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [
            (pk, n, part.origin, storable(part.name), storable(part.text), document)
            for n, (part, document) in enumerate(zip(parts, kept, strict=True))
        ],
    )


def damaged(connection: Connection) -> list[str]:
    """Return a sentence for each message that something else left unreadable in part."""
    told: list[str] = []
    at = 0
    query = (
        "SELECT x.*, c.title FROM messages AS x JOIN conversations AS c ON c.pk = x.conversation_pk"
        " WHERE x.pk > ? ORDER BY x.pk LIMIT ?"
    )
    while found := connection.execute(query, (at, _PAGE)).fetchall():
        at = found[-1]["pk"]
        parts = parts_of(connection, [row["pk"] for row in found])
        pairs = ((row, rows.damage_of_message(row, parts.get(row["pk"], ()))) for row in found)
        told += [damage.of_message(row["title"], bad) for row, bad in pairs if bad]
    return told


def parts_of(connection: Connection, pks: Sequence[int]) -> dict[int, list[Row]]:
    """Return the rows of the parts of messages, by the row of each message."""
    parts: dict[int, list[Row]] = {}
    for row in connection.execute(
        "SELECT p.*, d.id AS document, d.name AS file, d.kind, d.size, d.digest, d.pages, d.paged"
        " FROM message_parts AS p LEFT JOIN documents AS d ON d.pk = p.document_pk"
        f" WHERE p.message_pk IN {listed()} ORDER BY p.message_pk, p.ordinal",
        (rows.dumps(list(pks)),),
    ):
        parts.setdefault(row["message_pk"], []).append(row)
    return parts


def _with_parts(connection: Connection, found: Sequence[Row]) -> list[Message]:
    parts = parts_of(connection, [row["pk"] for row in found])
    return [rows.message(row, parts.get(row["pk"], ())) for row in found]
