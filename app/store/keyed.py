"""Read keyed memories as agents do: by who may see them, by use, by key, and by what they hold."""

from collections.abc import Collection, Sequence
from datetime import datetime

from app.domain.memory import Memory, Scope, Trust, Visibility
from app.domain.prompting.agent import CATEGORIES, RecallOrder
from app.store.aging import NO_SAFETY
from app.store.dialect import listed
from app.store.index import recallable
from app.store.vault import groups, rows
from app.store.vault.file import Vault

RESERVED = "_gdpr_"  # how the keys of what Loci itself has to keep begin
_ORDERS = {
    RecallOrder.MOST_RECENT: "m.updated_at DESC, m.pk DESC",
    RecallOrder.MOST_ACCESSED: "m.access_count DESC, m.updated_at DESC, m.pk DESC",
}
_RECENCY = 5  # one place in so many is kept for what is new, where what was used most comes first
_KEYED = f"m.key IS NOT NULL AND substr(m.key, 1, {len(RESERVED)}) <> '{RESERVED}'"
_LIVING = "m.status IN ('active', 'out_of_window')"


class KeyedMemories:
    """The keyed memories of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def visible(
        self,
        scope: Scope,
        trusts: Collection[Trust],
        now: datetime,
        order: RecallOrder,
        limit: int,
        categories: Collection[str] = CATEGORIES,
    ) -> Sequence[Memory]:
        """Return what an agent may see: its own, its groups', and everybody's.

        What it shared with a group it sees itself only there. Where what was used most comes
        first, some places are kept for what is new, which nobody can have used yet.

        Args:
            scope: The agent, and the groups of the conversation.
            trusts: How far it has to be believed.
            now: What has expired by then is left out.
            order: Which come first.
            limit: How many; 0 or less for all.
            categories: Which of the known categories; another one is never left out.
        """
        condition, values = self._seen(scope, trusts, now, categories)
        if limit <= 0:
            return self._ordered(condition, values, order, -1)
        if order is RecallOrder.MOST_RECENT:
            return self._ordered(condition, values, order, limit)
        newest = max(1, limit // _RECENCY) if limit > 1 else 0
        used = self._ordered(condition, values, order, limit - newest)
        recent = self._ordered(condition, values, RecallOrder.MOST_RECENT, limit)
        both = {memory.id: memory for memory in (*used, *recent)}
        return list(both.values())[:limit]

    def holding(self, scope: Scope, trusts: Collection[Trust], text: str) -> Sequence[Memory]:
        """Return what an agent may see, archived or not, whose key or value has this text in it.

        Case does not matter, nothing in the text is a pattern, and no text finds everything; what
        was changed last comes first.
        """
        condition, values = _may_see(scope)
        values.append(rows.dumps(sorted(trusts)))
        found = self._found(
            f"{condition} AND m.trust IN {listed()} AND {_KEYED} AND {_LIVING}"
            f" ORDER BY {_ORDERS[RecallOrder.MOST_RECENT]}",
            values,
        )
        wanted = text.casefold()
        return [one for one in found if wanted in f"{one.key}\n{shown(one.value)}".casefold()]

    def by_key(self, scope: Scope, key: str) -> Memory | None:
        """Return the memory with a key that an agent may change: its own first, then others'.

        What it wrote itself it may always change, wherever it is seen.
        """
        condition, values = _may_see(scope)
        found = self._found(
            f"{condition} AND m.key = ? AND {_KEYED} AND {_LIVING} ORDER BY m.status <> 'active',"
            " m.agent_pk <> ? OR m.visibility = 'global', m.updated_at DESC, m.pk DESC LIMIT 1",
            [*values, key, scope.agent_pk],
        )
        return next(iter(found), None)

    def same(self, agent_pk: int, key: str, visibility: Visibility) -> Memory | None:
        """Return the memory that a new value under a key replaces, in use or archived.

        That is the agent's own for what it keeps to itself or shares with groups, and the one that
        everybody sees for what everybody is to see.
        """
        whose = "m.visibility <> 'global' AND m.agent_pk = ?"
        values: list[object] = [key, agent_pk]
        if visibility is Visibility.GLOBAL:
            whose, values = "m.visibility = 'global'", [key]
        found = self._found(
            f"m.key = ? AND {_KEYED} AND {_LIVING} AND {whose}"
            " ORDER BY m.status <> 'active', m.updated_at DESC, m.pk DESC LIMIT 1",
            values,
        )
        return next(iter(found), None)

    def count(self, *, archived: bool = False) -> int:
        """Return how many there are in use of all agents; or with those that are archived."""
        which = _LIVING if archived else "m.status = 'active'"
        found = self._vault.row(f"SELECT count(*) FROM memories AS m WHERE {_KEYED} AND {which}")
        return int(found[0])

    def evictable(self, agent_pk: int, limit: int) -> Sequence[Memory]:
        """Return what of an agent's own may make room, the one changed longest ago first.

        Pins, system and safety facts stay.
        """
        return self._found(
            f"m.agent_pk = ? AND {_KEYED} AND m.status = 'active' AND m.pinned = 0"
            f" AND m.trust <> 'system' AND {NO_SAFETY} ORDER BY m.updated_at, m.pk LIMIT ?",
            [agent_pk, limit],
        )

    def writes(self, message_id: str, actor: str) -> int:
        """Return how many memories somebody wrote because of a message, each time counted."""
        found = self._vault.row(
            "SELECT count(DISTINCT j.batch || j.memory_id) FROM journal AS j JOIN messages AS x"
            " ON x.pk = j.message_pk WHERE x.id = ? AND j.actor = ?"
            " AND j.op IN ('insert', 'update')",
            (message_id, actor),
        )
        return int(found[0])

    def _seen(
        self,
        scope: Scope,
        trusts: Collection[Trust],
        now: datetime,
        categories: Collection[str],
    ) -> tuple[str, list[object]]:
        condition, values = recallable.memories(scope, trusts, now)
        left_out = sorted({*CATEGORIES} - {*categories})
        condition += f" AND {_KEYED} AND coalesce(m.category, 'fact') NOT IN {listed()}"
        return condition, [*values, rows.dumps(left_out)]

    def _ordered(
        self, condition: str, values: Sequence[object], order: RecallOrder, limit: int
    ) -> Sequence[Memory]:
        return self._found(f"{condition} ORDER BY {_ORDERS[order]} LIMIT ?", [*values, limit])

    def _found(self, condition: str, values: Sequence[object]) -> Sequence[Memory]:
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT m.* FROM memories AS m WHERE {condition}", values
            ).fetchall()
            return groups.sound(connection, found)


def shown(value: object) -> str:
    """Return a value as text: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else rows.dumps(value)


def _may_see(scope: Scope) -> tuple[str, list[object]]:
    """Say what an agent may find and change: what it may see, and what it wrote itself."""
    condition, values = recallable.visible(scope)
    return f"({condition} OR m.agent_pk = ?)", [*values, scope.agent_pk]
