"""Find messages and summaries of one conversation by their words."""

from app.store.index import match
from app.store.vault import rows
from app.store.vault.connection import Connection

SCANNED = 2000  # rows that are looked through where no index serves
_TABLES = {"messages": "messages_fts", "summaries": "summaries_fts"}


def within(
    connection: Connection, table: str, conversation_pk: int, text: str, limit: int
) -> list[tuple[int, str]]:
    """Return rows of a table in which words stand, best first, each with what is around them.

    What has every word comes before what has any; any text is a valid query.

    Args:
        connection: A reading one.
        table: ``messages`` or ``summaries``.
        conversation_pk: The conversation.
        text: The words.
        limit: The most that are returned.
    """
    every = match.words(text)
    if every is None:
        return _by_pieces(connection, table, conversation_pk, text, limit)
    found = dict(_by_words(connection, table, conversation_pk, every, limit))
    if len(found) < limit:
        any_of = match.either(text.split()[: match.MAX_WORDS])
        for pk, snippet in _by_words(connection, table, conversation_pk, any_of, limit):
            found.setdefault(pk, snippet)
    return list(found.items())[:limit]


def _by_words(
    connection: Connection, table: str, conversation_pk: int, query: str, limit: int
) -> list[tuple[int, str]]:
    index = _TABLES[table]
    found = connection.execute(
        f"SELECT x.pk, snippet({index}, 0, '', '', '…', 40) AS snippet FROM {table} AS x"
        f" JOIN {index} AS f ON f.rowid = x.pk"
        f" WHERE {index} MATCH ? AND x.conversation_pk = ? ORDER BY f.rank, x.pk DESC LIMIT ?",
        (query, conversation_pk, limit),
    )
    return [(row["pk"], rows.words(row["snippet"])) for row in found]


def _by_pieces(
    connection: Connection, table: str, conversation_pk: int, text: str, limit: int
) -> list[tuple[int, str]]:
    pieces = match.pieces(text)
    if not pieces:
        return []
    wanted = " AND ".join(["n.text LIKE ? ESCAPE '\\'"] * len(pieces))
    found = connection.execute(
        f"SELECT n.pk, n.text FROM (SELECT x.pk, x.text FROM {table} AS x"
        f" WHERE x.conversation_pk = ? ORDER BY x.pk DESC LIMIT {SCANNED}) AS n"
        f" WHERE {wanted} LIMIT ?",
        (conversation_pk, *pieces, limit),
    )
    return [(row["pk"], match.marked(rows.words(row["text"]), text)) for row in found]
