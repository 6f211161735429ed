"""Find what memories come from: conversations, documents, imports, jobs and clients.

A memory rests on a conversation or document by its evidence; imports, jobs and clients wrote it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.history import ForgettingPreview, MemorySource, SourceKind
from app.domain.memory import Origin, Status, Trust
from app.store.dialect import each, joined, listed
from app.store.vault import rows
from app.store.vault.connection import Connection
from app.store.vault.file import Vault

_JOBS = ", ".join(f"'{origin}'" for origin in (Origin.REVIEW, Origin.CONSOLIDATION, Origin.DREAM))
_WRITTEN = "FROM journal AS w JOIN memories AS d ON d.id = w.memory_id WHERE w.before = '{}'"
# Each yields a source's id and the memories that rest on it.
_RESTING: Mapping[SourceKind, str] = {
    SourceKind.CONVERSATION: (
        "SELECT DISTINCT c.id AS source, e.memory_pk AS pk FROM evidence AS e"
        " JOIN messages AS x ON x.pk = e.message_pk"
        " JOIN conversations AS c ON c.pk = x.conversation_pk"
    ),
    SourceKind.DOCUMENT: (
        "SELECT DISTINCT x.id AS source, e.memory_pk AS pk FROM evidence AS e"
        " JOIN messages AS x ON x.pk = e.message_pk"
        " JOIN memories AS d ON d.pk = e.memory_pk AND d.origin = 'document'"
    ),
    SourceKind.IMPORT: f"SELECT w.batch AS source, d.pk {_WRITTEN} AND d.origin = 'import'",
    SourceKind.JOB: (
        f"SELECT w.batch AS source, d.pk {_WRITTEN} AND w.actor <> 'user' AND d.origin IN ({_JOBS})"
    ),
    SourceKind.CLIENT: (
        f"SELECT w.actor AS source, d.pk {_WRITTEN} AND w.actor <> 'user'"
        f" AND d.origin NOT IN ('import', {_JOBS})"
    ),
}
_TITLE: Mapping[SourceKind, str] = {
    SourceKind.CONVERSATION: "(SELECT title FROM conversations WHERE id = r.source)",
    SourceKind.DOCUMENT: (
        f"(SELECT {joined('p.name')} FROM messages AS x JOIN message_parts AS p"
        " ON p.message_pk = x.pk WHERE x.id = r.source AND p.name <> '')"
    ),
    SourceKind.JOB: "(SELECT actor FROM journal WHERE batch = r.source LIMIT 1)",
    SourceKind.CLIENT: "r.source",
}
# Evidence by which a memory stands although this source is taken away: for a conversation, any
# message of another; else what the person said. What a job wrote stands on nothing else.
_ELSEWHERE: Mapping[SourceKind, str] = {
    SourceKind.CONVERSATION: (
        "e.message_pk NOT IN (SELECT x.pk FROM messages AS x JOIN conversations AS c"
        " ON c.pk = x.conversation_pk WHERE c.id = ?1)"
    ),
    SourceKind.JOB: "0",
}
_SAID = "e.quote <> ''"


@dataclass(frozen=True, slots=True)
class _Row:
    """One memory that rests on a source."""

    id: str
    text: str
    status: str
    protected: bool
    elsewhere: bool


class Sources:
    """What the memories of a vault come from."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def list(self, limit: int = -1) -> "Sequence[MemorySource]":
        """Return every source with what rests on it, the latest first."""
        with self._vault.read() as connection:
            found = [one for kind in SourceKind for one in _sources(connection, kind)]
        found.sort(key=lambda one: (one.last_at, one.id), reverse=True)
        return found if limit < 0 else found[:limit]

    def get(self, kind: SourceKind, source_id: str) -> MemorySource | None:
        """Return one source; None where nothing rests on it."""
        with self._vault.read() as connection:
            return next(iter(_sources(connection, kind, source_id)), None)

    def holding(self, source: MemorySource, *, protected: bool = False) -> ForgettingPreview:
        """Return what forgetting a source would concern.

        Args:
            source: The source.
            protected: Whether what is pinned or of system trust goes too.
        """
        with self._vault.read() as connection:
            resting = _resting(connection, source)
            alone = [r for r in resting if not r.elsewhere]
            going = [r for r in alone if protected or not r.protected]
            derived = _made_of(connection, [r.id for r in going])
        return ForgettingPreview(
            tuple(r.id for r in going if _is_there(r)),
            tuple(r.id for r in going if not _is_there(r)),
            tuple(derived),
            tuple((r.id, r.text) for r in alone if r.protected and _is_there(r)),
            tuple(r.id for r in resting if r.elsewhere and _is_there(r)),
        )


def _is_there(row: _Row) -> bool:
    return row.status != Status.FORGOTTEN


def _sources(
    connection: Connection, kind: SourceKind, source_id: str | None = None
) -> Sequence[MemorySource]:
    only = " WHERE r.source = ?" if source_id is not None else ""
    found = connection.execute(
        f"SELECT r.source, {_TITLE.get(kind, chr(39) * 2)} AS title, count(*) AS number,"
        " sum(m.status = 'active') AS active, min(m.created_at) AS first, max(m.created_at) AS last"
        f" FROM ({_RESTING[kind]}) AS r JOIN memories AS m ON m.pk = r.pk{only} GROUP BY r.source",
        [source_id] if source_id is not None else [],
    )
    return [
        MemorySource(
            kind,
            row["source"],
            rows.words(row["title"] or ""),
            row["number"],
            row["active"],
            rows.near(row["first"]),
            rows.near(row["last"]),
        )
        for row in found
    ]


def _resting(connection: Connection, source: MemorySource) -> list[_Row]:
    elsewhere = _ELSEWHERE.get(source.kind, _SAID)
    found = connection.execute(
        "SELECT m.id, m.text, m.status, m.pinned, m.trust, EXISTS (SELECT 1"
        " FROM evidence AS e WHERE e.memory_pk = m.pk AND e.message_pk IS NOT NULL"
        f" AND {elsewhere}) AS elsewhere FROM ({_RESTING[source.kind]}) AS r"
        " JOIN memories AS m ON m.pk = r.pk WHERE r.source = ?1 ORDER BY m.pk",
        (source.id,),
    )
    return [
        _Row(
            row["id"],
            rows.words(row["text"]),
            row["status"],
            bool(row["pinned"]) or row["trust"] == Trust.SYSTEM,
            bool(row["elsewhere"]),
        )
        for row in found
    ]


def _made_of(connection: Connection, memory_ids: Sequence[str]) -> list[str]:
    """Return the memories in use that were made of any of these."""
    found = connection.execute(
        "SELECT m.id FROM memories AS m WHERE m.source_ids <> '[]' AND m.status <> 'forgotten'"
        f" AND EXISTS (SELECT 1 FROM {each('m.source_ids')} AS s"
        f" WHERE s.value IN {listed('?1')})"
        f" AND m.id NOT IN {listed('?1')} ORDER BY m.pk",
        (rows.dumps(list(memory_ids)),),
    )
    return [row["id"] for row in found]
