"""Word the queries behind a list of memories: conditions, order, page and count."""

from app.domain.ids import to_ms
from app.domain.memory import MemoryFilter, MemoryType, Origin, Scope, Status, Trust
from app.store.dialect import by_index
from app.store.index import match, recallable
from app.store.index.recallable import Clause

_ORDERS = {
    "newest": "m.created_at DESC, m.pk DESC",
    "oldest": "m.created_at, m.pk",
    "used": "m.access_count DESC, m.last_accessed_at DESC, m.created_at DESC, m.pk DESC",
}

_PIECE = r"(m.text LIKE ? ESCAPE '\' OR m.key LIKE ? ESCAPE '\' OR m.tags LIKE ? ESCAPE '\')"

# Left to itself the planner narrows by scope, which narrows nothing, and then reads and sorts rows.
_IN_ORDER = f" {by_index('memories_listed')}"
_PINNED = f" {by_index('memories_pinned')}"


def page(where: MemoryFilter, scope: Scope, offset: int, limit: int) -> Clause:
    """Return the query for one page of whole rows.

    The inner query finds the page in an index alone; only the page's own rows are then read.
    """
    sources, condition, values = _found(where, scope)
    return (
        "SELECT m.* FROM (SELECT m.pk AS found, row_number() OVER () AS place FROM"
        f" (SELECT m.pk FROM {sources} WHERE {condition} ORDER BY {_order(where)}"
        " LIMIT ? OFFSET ?) AS m) JOIN memories AS m ON m.pk = found ORDER BY place",
        [*values, limit, offset],
    )


def ids(where: MemoryFilter, scope: Scope) -> Clause:
    """Return the query for the ids of everything that matches."""
    sources, condition, values = _found(where, scope)
    return f"SELECT m.id FROM {sources} WHERE {condition} ORDER BY {_order(where)}", values


def total(where: MemoryFilter, scope: Scope) -> Clause:
    """Return the query for how many match."""
    sources, condition, values = _found(where, scope)
    return f"SELECT count(*) FROM {sources} WHERE {condition}", values


def _order(where: MemoryFilter) -> str:
    if where.order == "relevance":
        if match.words(where.text) is not None:
            return "f.rank, m.pk DESC"
        return _ORDERS["newest"]
    return _ORDERS[where.order]


def _found(where: MemoryFilter, scope: Scope) -> tuple[str, str, list[object]]:
    condition, values = recallable.visible(scope)
    conditions = [condition]
    sources = f"memories AS m{_PINNED if where.pinned else _IN_ORDER}"
    if where.text.strip():
        query = match.words(where.text)
        if query is None:
            for piece in match.pieces(where.text):
                conditions.append(_PIECE)
                values += [piece, piece, piece]
        else:
            sources = "memories_fts AS f JOIN memories AS m ON m.pk = f.rowid"
            conditions.append("memories_fts MATCH ?")
            values.append(query)
    for name, kind, chosen in (
        ("status", Status, where.statuses),
        ("type", MemoryType, where.types),
        ("trust", Trust, where.trusts),
        ("origin", Origin, where.origins),
    ):
        if chosen and len(chosen) < len(kind):  # all of them: a damaged row is of none
            conditions.append(f"m.{name} IN ({', '.join('?' * len(chosen))})")
            values += sorted(chosen)
    if where.pinned is not None:
        conditions.append(f"m.pinned = {int(where.pinned)}")  # as the index of what is pinned
    if where.keyed is not None:
        conditions.append(f"m.key IS {'NOT ' if where.keyed else ''}NULL")
    if where.since is not None:
        conditions.append("m.created_at >= ?")
        values.append(to_ms(where.since))
    if where.until is not None:
        conditions.append("m.created_at < ?")
        values.append(to_ms(where.until))
    return sources, " AND ".join(conditions), values
