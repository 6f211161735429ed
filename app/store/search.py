"""Find memories and messages by their words, and turn row numbers into hits."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from app.domain.conversation import Role
from app.domain.ids import from_ms
from app.domain.memory import Memory, Scope, Trust
from app.domain.provenance import Passage, names_others, passages
from app.domain.recall import Hit, HitKind
from app.errors import StoreError
from app.store import tree
from app.store.dialect import each, listed
from app.store.index import recallable, words
from app.store.vault import damage, groups, rows
from app.store.vault.connection import Connection, OperationalError, Row, is_bad_query
from app.store.vault.file import Vault

Found = words.Found
Hits = dict[tuple[HitKind, int], Hit]

_MEMORIES = (
    "SELECT m.*, x.id AS source, c.id AS conversation_id, c.title, h.text AS heir"
    " FROM memories AS m LEFT JOIN memories AS h ON h.id = m.superseded_by"
    " LEFT JOIN messages AS x ON x.pk = (SELECT e.message_pk FROM evidence AS e"
    " WHERE e.memory_pk = m.pk AND e.message_pk IS NOT NULL ORDER BY e.created_at, e.pk LIMIT 1)"
    " LEFT JOIN conversations AS c ON c.pk = x.conversation_pk"
    f" WHERE m.pk IN {listed()}"
)
_MESSAGES = (
    "SELECT x.*, c.id AS conversation_id, c.title, c.pk AS talk,"
    " c.source_key IS NOT NULL AS brought_in, c.title_by_user AS titled,"
    " CASE x.role WHEN 'user' THEN EXISTS (SELECT 1 FROM message_parts AS p"
    " WHERE p.message_pk = x.pk AND p.origin <> 'typed')"
    " ELSE x.source_key IS NOT NULL END AS unverified"
    " FROM messages AS x JOIN conversations AS c ON c.pk = x.conversation_pk"
    f" WHERE x.pk IN {listed()}"
)
_FIRSTS = (
    f"SELECT t.value AS talk, min(x.pk) AS pk FROM {each()} AS t"
    " JOIN messages AS x ON x.conversation_pk = t.value GROUP BY t.value"
)


class WordSearch:
    """The words of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def memories(
        self,
        match: str,
        scope: Scope,
        trusts: Collection[Trust],
        now: datetime,
        limit: int,
    ) -> Found:
        """Return memories that match with their bm25 (lower is better), best first.

        Raises:
            StoreError: ``match`` is no valid FTS5 query.
        """
        seen = recallable.memories(scope, trusts, now)
        with self._vault.search() as connection, _plain_syntax():
            unseen = _unseen(connection, scope, trusts)
            return words.WordIndex(connection, words.MEMORIES, *seen, unseen).best(match, limit)

    def messages(
        self, match: str, scope: Scope, limit: int, exclude: Collection[str] = ()
    ) -> Found:
        """Return messages that match with their bm25 (lower is better), best first.

        Raises:
            StoreError: ``match`` is no valid FTS5 query.
        """
        seen = recallable.messages(scope, exclude)
        with self._vault.search() as connection, _plain_syntax():
            return words.WordIndex(connection, words.MESSAGES, *seen).best(match, limit)

    def has(self, trust: Trust, scope: Scope) -> bool:
        """Return whether any memory in use that an agent may see is of this trust."""
        seen, values = recallable.visible(scope)
        found = f"SELECT 1 FROM memories AS m WHERE {seen} AND m.status = 'active' AND m.trust = ?"
        with self._vault.search() as connection:
            (any_,) = connection.execute(f"SELECT EXISTS ({found})", [*values, trust]).fetchone()
        return bool(any_)

    def hydrate(self, memory_pks: Sequence[int], message_pks: Sequence[int] = ()) -> Hits:
        """Return hits by kind and row; rows that are gone or damaged are left out."""
        with self._vault.search() as connection:
            return hits(connection, memory_pks, message_pks)


def hits(connection: Connection, memory_pks: Sequence[int], message_pks: Sequence[int]) -> Hits:
    """Return hits by kind and row, read through this connection."""
    return _memory_hits(connection, memory_pks) | _message_hits(connection, message_pks)


def _memory_hits(connection: Connection, pks: Sequence[int]) -> Hits:
    found = connection.execute(_MEMORIES, (rows.dumps(list(pks)),)).fetchall()
    return {
        (HitKind.MEMORY, memory.pk): _memory_hit(row, memory)
        for row, memory in zip(found, groups.memories(connection, found), strict=True)
        if not memory.damaged
    }


def _memory_hit(row: Row, memory: Memory) -> Hit:
    return Hit(
        id=memory.id,
        kind=HitKind.MEMORY,
        text=memory.text,
        at=memory.created_at,
        pk=memory.pk,
        trust=memory.trust,
        type=memory.type,
        occurred_at=memory.occurred_at,
        proof_count=memory.proof_count,
        confidence=memory.confidence,
        pinned=memory.pinned,
        source=row["source"],
        conversation_id=row["conversation_id"],
        conversation_title=rows.words(row["title"] or ""),
        superseded_by=memory.superseded_by,
        replaced_by=rows.words(row["heir"] or ""),
        memory=memory,
    )


def _message_hits(connection: Connection, pks: Sequence[int]) -> Hits:
    found = connection.execute(_MESSAGES, (rows.dumps(list(pks)),)).fetchall()
    sound = [row for row in found if not damage.of(row, damage.MESSAGE)]
    passages_of = _passages(connection, sound)
    others = _titled_by_others(connection, sound)
    return {
        (HitKind.MESSAGE, row["pk"]): Hit(
            id=row["id"],
            kind=HitKind.MESSAGE,
            text=row["text"],
            at=from_ms(row["created_at"]),
            pk=row["pk"],
            source=row["id"],
            conversation_id=row["conversation_id"],
            conversation_title=rows.words(row["title"]),
            speaker=row["speaker"],
            role=Role(row["role"]),
            passages=passages_of.get(row["pk"], ()),
            titled_by_others=row["talk"] in others,
        )
        for row in sound
    }


def _titled_by_others(connection: Connection, found: Sequence[Row]) -> set[int]:
    """Return the conversations whose title was brought in, or made of words that nobody typed."""
    known = {row["talk"]: row for row in found}
    others = {talk for talk, row in known.items() if row["brought_in"]}
    unsure = [talk for talk, row in known.items() if not row["titled"] and talk not in others]
    firsts = connection.execute(_FIRSTS, (rows.dumps(unsure),)).fetchall()
    parts = tree.parts_of(connection, [first["pk"] for first in firsts])
    for first in firsts:
        said = [rows.part(part) for part in parts.get(first["pk"], ())]
        if names_others(rows.words(known[first["talk"]]["title"]), said):
            others.add(first["talk"])
    return others


def _passages(connection: Connection, found: Sequence[Row]) -> dict[int, tuple[Passage, ...]]:
    """Return the words of messages by where they come from, where that is to be told."""
    told = [row for row in found if row["unverified"]]
    parts = tree.parts_of(connection, [row["pk"] for row in told])
    return {
        row["pk"]: passages(
            [rows.part(part) for part in parts.get(row["pk"], ())],
            role=Role(row["role"]),
            imported=row["source_key"] is not None,
        )
        for row in told
    }


def _unseen(connection: Connection, scope: Scope, trusts: Collection[Trust]) -> int | None:
    """Return how many memories may not be found, by the index of scopes alone; None if many."""
    own = "scope IN (0, ?1) AND status"
    others = ["scope < 0", "scope > 0 AND scope < ?1", "scope > ?1"]
    others += [f"{own} < 'active'", f"{own} > 'active'"]
    others += [f"{own} = 'active' AND trust = '{trust}'" for trust in Trust if trust not in trusts]
    every = " UNION ALL ".join(f"SELECT 1 FROM memories WHERE {one}" for one in others)
    count = connection.execute(
        f"SELECT count(*) FROM ({every} LIMIT ?2)", (scope.agent_pk, words.RANKED + 1)
    ).fetchone()[0]
    return count if count <= words.RANKED else None


@contextmanager
def _plain_syntax() -> Iterator[None]:
    """Say that a query is bad; the statements around it are fixed, so nothing else can be wrong."""
    try:
        yield
    except OperationalError as error:
        if not is_bad_query(error):
            raise
        raise StoreError("These words cannot be searched for.") from error
