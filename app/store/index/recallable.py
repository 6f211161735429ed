"""What a query may see, as SQL: the one wording of scope, trust and life that every lane shares.

Each function returns a condition and its parameters; memories are called ``m`` in it, messages
``x`` and their conversations ``c``.
"""

from collections.abc import Collection
from datetime import datetime

from app.domain.conversation import MemoryMode
from app.domain.ids import to_ms
from app.domain.memory import Scope, Status, Trust
from app.store.dialect import listed
from app.store.vault.rows import dumps

Clause = tuple[str, list[object]]

GROUP, GLOBAL = -1, 0
LEARNING = tuple(mode.value for mode in MemoryMode if mode.learns)
_LEARNING = ", ".join(f"'{mode}'" for mode in LEARNING)
TRUSTED = frozenset({Trust.SYSTEM, Trust.LEARNED})


def scopes(scope: Scope) -> list[int]:
    """Return the values of the ``scope`` column that an agent may see."""
    return [scope.agent_pk, GLOBAL, *([GROUP] if scope.group_pks else [])]


def visible(scope: Scope) -> Clause:
    """Say which memories an agent may see: its own, its groups', and everybody's."""
    if not scope.group_pks:
        return "m.scope IN (?, 0)", [scope.agent_pk]
    return (
        "(m.scope IN (?, 0) OR m.scope = -1 AND EXISTS (SELECT 1 FROM memory_groups AS g"
        f" WHERE g.memory_pk = m.pk AND g.group_pk IN {listed()}))",
        [scope.agent_pk, dumps(list(scope.group_pks))],
    )


def memories(
    scope: Scope, trusts: Collection[Trust], now: datetime, status: Status = Status.ACTIVE
) -> Clause:
    """Say which memories may be recalled; another status is for what goes with such a memory."""
    seen, values = visible(scope)
    wanted = sorted(trusts)
    marks = ", ".join("?" * len(wanted))
    return (
        f"{seen} AND m.status = '{status}' AND m.trust IN ({marks})"
        " AND (m.expires_at IS NULL OR m.expires_at > ?)",
        [*values, *wanted, to_ms(now)],
    )


def messages(scope: Scope, exclude: Collection[str] = ()) -> Clause:
    """Say which messages may be recalled: whole ones, of conversations that learn, not excluded."""
    condition = (
        "x.agent_pk = ? AND x.recallable = 1 AND x.state = 'complete' AND x.model <> 'notebook'"
        f" AND x.role <> 'tool' AND c.mode IN ({_LEARNING})"
    )
    values: list[object] = [scope.agent_pk]
    if exclude:
        condition += f" AND x.id NOT IN {listed()}"
        values.append(dumps(sorted(exclude)))
    return condition, values
