"""Find messages by hand, in every conversation: words, titles, and pieces of unspaced scripts.

What stands in an attached document is found as the message that it went with.
"""

from app.domain.conversation import FoundMessage, MemoryMode
from app.domain.language.text import ERASED
from app.store.index import match
from app.store.vault import rows
from app.store.vault.connection import Connection, Row

LASTS = f"(c.mode <> '{MemoryMode.TEMPORARY}')"
"""Whether a conversation is there tomorrow; others are found and listed nowhere."""

_FOUND = (
    "x.id AS message_id, c.id AS conversation_id, c.title, x.created_at, x.role FROM messages AS x"
    " JOIN conversations AS c ON c.pk = x.conversation_pk"
)
_WORDS = (
    "SELECT snippet(messages_fts, 0, '\u2068', '\u2069', '…', 18) AS snippet,"
    f" {_FOUND} JOIN messages_fts AS f ON f.rowid = x.pk"
    f" WHERE messages_fts MATCH ? AND x.agent_pk = ? AND {LASTS}{{0}}"
    " ORDER BY f.rank, x.pk DESC LIMIT ?"
)
_BESIDE = f"replace(x.text, '{ERASED}', ' ')"  # what was erased is found by no word
_PIECES = (
    f"SELECT x.text AS snippet, {_FOUND} WHERE x.agent_pk = ? AND {LASTS} AND {{0}}"
    " ORDER BY x.created_at DESC, x.pk DESC LIMIT ?"
)
_PAGES = (
    "SELECT snippet(document_passages_fts, 0, '\u2068', '\u2069', '…', 18) AS snippet,"
    " d.pk AS document, d.name AS file, d.paged, p.page,"
    f" {_FOUND} JOIN documents AS d ON d.conversation_pk = c.pk AND x.pk ="
    " (SELECT min(q.message_pk) FROM message_parts AS q WHERE q.document_pk = d.pk)"
    " JOIN document_passages AS p ON p.document_pk = d.pk"
    " JOIN document_passages_fts AS f ON f.rowid = p.pk"
    " WHERE document_passages_fts MATCH ? AND x.agent_pk = ?{0} ORDER BY f.rank LIMIT ?"
)
_TITLES = (
    "SELECT c.title AS snippet, coalesce(x.id, '') AS message_id, c.id AS conversation_id,"
    " c.title, c.updated_at AS created_at, coalesce(x.role, 'user') AS role"
    " FROM conversations AS c LEFT JOIN messages AS x ON x.pk = c.tip_pk"
    f" WHERE c.agent_pk = ? AND {LASTS} AND {{0}} ORDER BY c.updated_at DESC LIMIT ?"
)


def find(
    connection: Connection, text: str, agent_pk: int, limit: int, *, elsewhere: bool
) -> list[FoundMessage]:
    """Return titles that contain every word, then messages that do, best first.

    ``elsewhere`` leaves out messages that count nowhere but in their conversation.
    """
    pieces = match.pieces(text)
    if not pieces:
        return []
    found = _like(connection, _TITLES, "c.title", text, agent_pk, limit)
    query = match.words(text)
    more = " AND x.recallable = 1" if elsewhere else ""
    hits = [] if query is None else _by_words(connection, query, text, agent_pk, limit, more)
    found += hits or _like(connection, _PIECES, _BESIDE, text, agent_pk, limit, more)
    if query is not None and len(found) < limit:
        found += _by_pages(connection, query, text, agent_pk, limit)
    return found[:limit]


def _by_words(
    connection: Connection, query: str, text: str, agent_pk: int, limit: int, more: str
) -> list[FoundMessage]:
    beside = match.in_mark(text)
    condition = f" AND (instr(x.text, '{ERASED}') = 0 OR {_BESIDE} LIKE ?)" * len(beside)
    values = (query, agent_pk, *beside, limit)
    found = connection.execute(_WORDS.format(condition + more), values)
    return [_found(row, row["snippet"]) for row in found]


def _by_pages(
    connection: Connection, query: str, text: str, agent_pk: int, limit: int
) -> list[FoundMessage]:
    """Return the message of each document that contains every word on a page, with the page."""
    beside = match.in_mark(text)
    marked = _BESIDE.replace("x.text", "p.text")
    condition = f" AND (instr(p.text, '{ERASED}') = 0 OR {marked} LIKE ?)" * len(beside)
    found: dict[int, FoundMessage] = {}
    for row in connection.execute(_PAGES.format(condition), (query, agent_pk, *beside, limit)):
        place = f"{rows.words(row['file'])}, {'page' if row['paged'] else 'part'} {row['page']}"
        found.setdefault(row["document"], _found(row, f"{place}: {row['snippet']}"))
    return list(found.values())


def _like(
    connection: Connection,
    query: str,
    column: str,
    text: str,
    agent_pk: int,
    limit: int,
    more: str = "",
) -> list[FoundMessage]:
    pieces = match.pieces(text)
    condition = " AND ".join([f"{column} LIKE ? ESCAPE '\\'"] * len(pieces))
    found = connection.execute(query.format(condition + more), (agent_pk, *pieces, limit))
    return [_found(row, match.marked(rows.words(row["snippet"]), text)) for row in found]


def _found(row: Row, snippet: str) -> FoundMessage:
    return FoundMessage(
        message_id=rows.words(row["message_id"]),
        conversation_id=rows.words(row["conversation_id"]),
        conversation_title=rows.words(row["title"]),
        snippet=snippet,
        at=rows.near(row["created_at"]),
        role=rows.speaker(row["role"]),
    )
