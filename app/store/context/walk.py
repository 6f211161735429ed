"""Walk a branch upwards from a message: what a model is shown of it, and what a summary covers."""

from collections.abc import Collection, Sequence

from app.domain.conversation import PartOrigin, Role
from app.domain.ids import from_ms
from app.domain.prompting.context import Rung, Summary, ViewItem, ViewMessage
from app.store.dialect import listed
from app.store.vault import rows
from app.store.vault.connection import Connection, Row

PER_MESSAGE = 8  # tokens that a template adds to each
_OUTSIDE = (PartOrigin.PASTED, PartOrigin.ATTACHED, PartOrigin.TOOL)

_WALK = """
WITH RECURSIVE walk (n, at, summary, steps, letters) AS (
  SELECT 0, x.pk, NULL, x.role <> 'tool', length(x.text) FROM messages AS x WHERE x.pk = ?1
  UNION ALL
  SELECT walk.n + 1, p.pk,
    CASE WHEN walk.steps >= ?2 THEN
      (SELECT s.pk FROM summaries AS s WHERE s.last_pk = p.pk ORDER BY s.messages DESC LIMIT 1) END,
    walk.steps + (p.role <> 'tool'),
    walk.letters + length(p.text)
  FROM walk
  JOIN messages AS x
    ON x.pk = COALESCE((SELECT s.first_pk FROM summaries AS s WHERE s.pk = walk.summary), walk.at)
  JOIN messages AS p ON p.pk = x.parent_pk
  WHERE walk.letters < ?3 OR ?3 < 0
)
SELECT at, summary FROM walk ORDER BY n DESC
"""

_RUN = """
WITH RECURSIVE run (n, pk, parent_pk) AS (
  SELECT 0, pk, parent_pk FROM messages WHERE pk = ?1
  UNION ALL
  SELECT run.n + 1, x.pk, x.parent_pk FROM run JOIN messages AS x ON x.pk = run.parent_pk
  WHERE run.pk <> ?2
)
SELECT pk FROM run ORDER BY n DESC
"""

_COVERING = """
WITH RECURSIVE below (pk) AS (
  SELECT ?
  UNION
  SELECT x.pk FROM below JOIN messages AS x ON x.parent_pk = below.pk
)
SELECT s.pk, s.first_pk, s.last_pk FROM summaries AS s JOIN below ON below.pk = s.last_pk
"""


def view(connection: Connection, tip: int | None, fresh: int, letters: int) -> list[ViewItem]:
    """Return what a model is shown of the branch that ends with a message, oldest first.

    Args:
        connection: A reading one.
        tip: The row of the message; None gives nothing.
        fresh: How many steps at its end are messages in any case.
        letters: About how many letters of messages are looked at before it ends; below 0: all.
    """
    walked = connection.execute(_WALK, (tip, fresh, letters)).fetchall()
    shown = messages(connection, [row["at"] for row in walked if not row["summary"]])
    above = summaries(connection, [row["summary"] for row in walked if row["summary"]])
    return [above[row["summary"]] if row["summary"] else shown[row["at"]] for row in walked]


def run(connection: Connection, first: int, last: int) -> list[int]:
    """Return the rows of the messages from one down to another; all above it where it is none."""
    return [row[0] for row in connection.execute(_RUN, (last, first))]


def covering(connection: Connection, message_pks: Collection[int]) -> set[int]:
    """Return the rows of the summaries that tell of any of these messages."""
    found: set[int] = set()
    for pk in message_pks:
        for row in connection.execute(_COVERING, (pk,)).fetchall():
            if row["pk"] not in found and pk in run(connection, row["first_pk"], row["last_pk"]):
                found.add(row["pk"])
    return found


def drop_covering(connection: Connection, message_pks: Collection[int]) -> int:
    """Delete every summary that tells of these messages; return how many.

    What they stood for is shown by the summaries within them, or by the messages.
    """
    there = connection.execute("SELECT 1 FROM summaries LIMIT 1").fetchone()
    gone = covering(connection, message_pks) if there else set()
    connection.execute(f"DELETE FROM summaries WHERE pk IN {listed()}", (rows.dumps([*gone]),))
    return len(gone)


def messages(connection: Connection, pks: Sequence[int]) -> dict[int, ViewMessage]:
    """Return messages as they stand in a view, by their rows."""
    found = connection.execute(
        "SELECT x.pk, x.id, x.role, length(CAST(x.text AS BLOB)) AS bytes, x.created_at,"
        " EXISTS (SELECT 1 FROM message_parts AS p WHERE p.message_pk = x.pk"
        f" AND p.origin IN {listed('?1')}) AS untrusted"
        f" FROM messages AS x WHERE x.pk IN {listed('?2')}",
        (rows.dumps(list(_OUTSIDE)), rows.dumps(list(pks))),
    )
    return {
        row["pk"]: ViewMessage(
            row["pk"],
            rows.words(row["id"]),
            Role(row["role"]),
            -(-row["bytes"] // 4) + PER_MESSAGE,
            from_ms(row["created_at"]),
            bool(row["untrusted"]),
        )
        for row in found
    }


def summaries(connection: Connection, pks: Sequence[int]) -> dict[int, Summary]:
    """Return summaries by their rows."""
    found = connection.execute(
        f"SELECT * FROM summaries WHERE pk IN {listed()}", (rows.dumps(list(pks)),)
    )
    return {row["pk"]: _summary(row) for row in found}


def _summary(row: Row) -> Summary:
    return Summary(
        id=row["id"],
        depth=row["depth"],
        first=row["first_pk"],
        last=row["last_pk"],
        messages=row["messages"],
        tokens=row["tokens"],
        source_tokens=row["source_tokens"],
        text=row["text"],
        earliest=from_ms(row["earliest_at"]),
        latest=from_ms(row["latest_at"]),
        rung=Rung(row["rung"]),
        untrusted=bool(row["untrusted"]),
        pk=row["pk"],
    )
