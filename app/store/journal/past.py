"""Read what Loci knew at a moment: each memory as it was then, rebuilt from the journal.

A row is walked back from what it is now: every change since the moment is taken back, newest first.
What was not there yet vanishes, and what was erased does not come back. Counters of use are no part
of it, because the journal does not keep them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from app.domain.ids import to_ms
from app.domain.language.text import normalise
from app.domain.memory import Memory, MemoryFilter, Scope, Visibility
from app.store.dialect import each, is_json, json_field, json_field_type, listed
from app.store.journal.revision import BOOKKEEPING
from app.store.vault import damage, groups, rows
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault

EVERYTHING = MemoryFilter()
MemoryList = list[Memory]

_COUNTERS = {"seen_count": 1, "access_count": 0, "last_accessed_at": None}
_READ = (
    "pk",
    "id",
    "agent_pk",
    "created_at",
    "visibility",
    "status",
    "type",
    "trust",
    "pinned",
    "key",
)
_SAYING = ("text", "tags")
# A row with no more in it than that something was folded: that is no change of the memory.
_ONLY_FOLDED = (
    f"(CASE WHEN {is_json('after')} THEN {json_field_type('after', 'consolidated_at')} IS NOT NULL"
    f" AND (SELECT count(*) FROM {each('after')}) = {len(BOOKKEEPING)} ELSE 0 END)"
)

Fields = Mapping[str, Any]
Test = Callable[[Fields], bool]


@dataclass(slots=True)
class Since:
    """What happened after a moment.

    Attributes:
        before: The plain values that memories had then, where they have others now.
        unborn: Ids of memories that were written later.
    """

    before: dict[str, dict[str, Any]] = field(default_factory=dict)
    unborn: set[str] = field(default_factory=set)


class Past:
    """The memories of a vault as they were."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def list(
        self,
        at: datetime,
        scope: Scope,
        where: MemoryFilter = EVERYTHING,
        offset: int = 0,
        limit: int = 200,
    ) -> MemoryList:
        """Return one page of what was known at a moment and matched then.

        A text is looked for word by word, as a part of what stood there. The order is by when
        things were learnt. ``limit`` below 0 means all.
        """
        with self._vault.read() as connection:
            since = _since(connection, at)
            pks = [row["pk"] for row in _known(connection, at, where, scope, since)]
            end = None if limit < 0 else offset + limit
            return _memories(connection, pks[offset:end], at, since)

    def count(self, at: datetime, scope: Scope, where: MemoryFilter = EVERYTHING) -> int:
        """Return how many memories were known at a moment and matched then."""
        with self._vault.read() as connection:
            since = _since(connection, at)
            return sum(1 for _ in _known(connection, at, where, scope, since))

    def of(self, memory_id: str, at: datetime, scope: Scope) -> Memory | None:
        """Return one memory as it was; None where it was not known, or is not any more."""
        with self._vault.read() as connection:
            since = _since(connection, at, memory_id)
            known = _known(connection, at, EVERYTHING, scope, since, memory_id)
            pks = [row["pk"] for row in known]
            return next(iter(_memories(connection, pks, at, since)), None)


def _since(connection: Connection, at: datetime, memory_id: str | None = None) -> Since:
    """Read what happened after a moment, newest first.

    For each memory it ends at the newest change that is no later than the moment, so that a clock
    that was put back, or history that an import brought in, mixes up nothing.
    """
    ms, found, settled = to_ms(at), Since(), set[str]()
    mine = ("memory_id = ? AND ", [memory_id]) if memory_id else ("", [])
    first = connection.execute(
        f"SELECT min(pk) FROM journal WHERE {mine[0]}at > ?", [*mine[1], ms]
    ).fetchone()[0]
    if first is None:
        return found
    for changed, then, before in connection.execute(
        f"SELECT memory_id, at, before FROM journal WHERE {mine[0]}pk >= ? ORDER BY pk DESC",
        [*mine[1], first],
    ):
        if changed in settled:
            continue
        if then <= ms:
            settled.add(changed)
        elif before == "{}":
            found.unborn.add(changed)
        else:
            found.before.setdefault(changed, {}).update(damage.said(before))
    return found


def _known(
    connection: Connection,
    at: datetime,
    where: MemoryFilter,
    scope: Scope,
    since: Since,
    memory_id: str | None = None,
) -> Iterator[Row]:
    """Yield the rows of what was known and matched, in order."""
    sql, values = _candidates(where, memory_id)
    found = connection.execute(sql, values).fetchall()
    sharing = _groups(connection) if scope.group_pks else {}
    tests, ms = _tests(where), to_ms(at)
    for row in found:
        memory_id = row["id"]
        if memory_id in since.unborn or (
            to_ms(rows.near(row["created_at"])) > ms and not _seen(connection, row, ms)
        ):
            continue
        earlier = since.before.get(memory_id)
        fields: Fields = dict(row) | earlier if earlier else row
        shared = (earlier or {}).get("group_pks", sharing.get(row["pk"], ()))
        if _is_visible(fields, shared, scope) and all(test(fields) for test in tests):
            yield row


def _candidates(where: MemoryFilter, memory_id: str | None) -> tuple[str, list[object]]:
    """Return the query for all that may have matched, by what never changes."""
    conditions: list[str] = []
    values: list[object] = []
    if memory_id is not None:
        conditions.append("id = ?")
        values.append(memory_id)
    if where.origins:
        conditions.append(f"origin IN ({', '.join('?' * len(where.origins))})")
        values += sorted(where.origins)
    if where.since is not None:
        conditions.append("created_at >= ?")
        values.append(to_ms(where.since))
    if where.until is not None:
        conditions.append("created_at < ?")
        values.append(to_ms(where.until))
    only = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    columns = (*_READ, *_SAYING) if where.text.strip() else _READ
    down = "" if where.order == "oldest" else " DESC"
    order = f"created_at{down}, pk{down}"
    return f"SELECT {', '.join(columns)} FROM memories{only} ORDER BY {order}", values


def _seen(connection: Connection, row: Row, ms: int) -> bool:
    """Say whether a memory that counts as learnt later was there all the same.

    An import may date what it brings a little ahead; a memory without a journal has only its date.
    """
    statement = "SELECT 1 FROM journal WHERE memory_id = ? AND at <= ? LIMIT 1"
    return connection.execute(statement, (row["id"], ms)).fetchone() is not None


def _groups(connection: Connection) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for row in connection.execute("SELECT memory_pk, group_pk FROM memory_groups"):
        found.setdefault(row["memory_pk"], []).append(row["group_pk"])
    return found


def _is_visible(fields: Fields, shared: Iterable[int], scope: Scope) -> bool:
    if fields["visibility"] == Visibility.SELF:
        return bool(fields["agent_pk"] == scope.agent_pk)
    return fields["visibility"] == Visibility.GLOBAL or not {*scope.group_pks}.isdisjoint(shared)


def _tests(where: MemoryFilter) -> list[Test]:
    """Return what is asked of the fields that change."""
    tests: list[Test] = []
    chosen = (("status", where.statuses), ("type", where.types), ("trust", where.trusts))
    for name, wanted in chosen:
        if wanted:
            tests.append(lambda f, name=name, wanted=wanted: f[name] in wanted)  # type: ignore[misc]
    if where.pinned is not None:
        tests.append(lambda f: bool(f["pinned"]) is where.pinned)
    if where.keyed is not None:
        tests.append(lambda f: (f["key"] is not None) is where.keyed)
    if words := normalise(where.text).split():
        tests.append(lambda f: _says(f, words))
    return tests


def _says(fields: Fields, words: Iterable[str]) -> bool:
    said = normalise(" ".join(str(fields[name] or "") for name in ("text", "key", "tags")))
    return all(word in said for word in words)


def _memories(
    connection: Connection, pks: Sequence[int], at: datetime, since: Since
) -> list[Memory]:
    """Return memories as they were, in the order asked for."""
    found = connection.execute(
        f"SELECT * FROM memories WHERE pk IN {listed()}",
        (rows.dumps(list(pks)),),
    ).fetchall()
    changed = _changed(connection, [row["id"] for row in found if row["id"] in since.before], at)
    then = [_then(row, since.before.get(row["id"], {}), changed) for row in found]
    by_pk = {memory.pk: memory for memory in groups.memories(connection, then)}
    for row in found:
        shared = since.before.get(row["id"], {}).get("group_pks")
        memory = by_pk[row["pk"]]
        if shared is not None and memory.visibility is Visibility.GROUP:
            by_pk[row["pk"]] = replace(memory, group_pks=tuple(shared))
    return [by_pk[pk] for pk in pks]


def _then(row: Row, earlier: Fields, changed: Mapping[str, int]) -> Row:
    """Return a whole row with the columns that it had."""
    columns = {n: rows.column(n, value) for n, value in earlier.items() if n != "group_pks"}
    if earlier:
        columns["updated_at"] = changed.get(row["id"], row["created_at"])
    return {**dict(row), **columns, **_COUNTERS}


def _changed(connection: Connection, memory_ids: Sequence[str], at: datetime) -> dict[str, int]:
    """Return when memories had been changed last."""
    found = connection.execute(
        f"SELECT memory_id, coalesce(CASE WHEN {is_json('after')}"
        f" AND {json_field_type('after', 'updated_at')} = 'integer'"
        f" THEN {json_field('after', 'updated_at')} END, at) AS changed"
        f" FROM journal WHERE pk IN (SELECT max(pk) FROM journal WHERE memory_id IN {listed()}"
        f" AND at <= ? AND NOT {_ONLY_FOLDED} GROUP BY memory_id)",
        (rows.dumps(list(memory_ids)), to_ms(at)),
    )
    return {row["memory_id"]: row["changed"] for row in found}
