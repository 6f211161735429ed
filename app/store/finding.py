"""Find messages by hand, in every conversation: words, titles, and pieces of unspaced scripts."""

from app.domain.conversation import FoundMessage, Role
from app.domain.ids import from_ms
from app.store import match
from app.store.connection import Connection, Row

_FOUND = (
    "x.id AS message_id, c.id AS conversation_id, c.title, x.created_at, x.role FROM messages AS x"
    " JOIN conversations AS c ON c.pk = x.conversation_pk"
)
_WORDS = (
    "SELECT snippet(messages_fts, 0, '\u2068', '\u2069', '…', 18) AS snippet,"
    f" {_FOUND} JOIN messages_fts AS f ON f.rowid = x.pk"
    " WHERE messages_fts MATCH ? AND x.agent_pk = ? ORDER BY f.rank, x.pk DESC LIMIT ?"
)
_PIECES = (
    f"SELECT x.text AS snippet, {_FOUND} WHERE x.text LIKE ? ESCAPE '\\' AND x.agent_pk = ?"
    " ORDER BY x.created_at DESC, x.pk DESC LIMIT ?"
)
_TITLES = (
    "SELECT c.title AS snippet, coalesce(x.id, '') AS message_id, c.id AS conversation_id,"
    " c.title, c.updated_at AS created_at, coalesce(x.role, 'user') AS role"
    " FROM conversations AS c LEFT JOIN messages AS x ON x.pk = c.tip_pk"
    " WHERE c.title LIKE ? ESCAPE '\\' AND c.agent_pk = ? ORDER BY c.updated_at DESC LIMIT ?"
)


def find(connection: Connection, text: str, agent_pk: int, limit: int) -> list[FoundMessage]:
    """Return titles that contain the text, then messages, best first."""
    wanted = text.replace("\x00", " ").strip()
    if not wanted:
        return []
    like = (match.pattern(wanted), agent_pk, limit)
    found = [
        _found(row, match.marked(row["snippet"], wanted))
        for row in connection.execute(_TITLES, like)
    ]
    query = match.words(wanted)
    hits = [] if query is None else connection.execute(_WORDS, (query, agent_pk, limit)).fetchall()
    if hits:
        found += [_found(row, row["snippet"]) for row in hits]
    else:
        found += [
            _found(row, match.marked(row["snippet"], wanted))
            for row in connection.execute(_PIECES, like)
        ]
    return found[:limit]


def _found(row: Row, snippet: str) -> FoundMessage:
    return FoundMessage(
        message_id=row["message_id"],
        conversation_id=row["conversation_id"],
        conversation_title=row["title"],
        snippet=snippet,
        at=from_ms(row["created_at"]),
        role=Role(row["role"]),
    )
