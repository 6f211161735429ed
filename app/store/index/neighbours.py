"""What was said before and after a message, for recall that reads messages in their context."""

import json
from collections.abc import Collection, Iterable, Sequence

from app.domain.memory import Scope
from app.store.dialect import gathered, listed
from app.store.index import recallable
from app.store.vault import rows
from app.store.vault.file import Vault


class Neighbours:
    """Reads messages in the order they were said."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def lines(
        self, pks: Collection[int], scope: Scope, exclude: Collection[str], reach: int
    ) -> list[list[int]]:
        """Return messages with those around them that may be recalled as well.

        Args:
            pks: The messages.
            scope: Who asks.
            exclude: Ids of messages that are not wanted.
            reach: How many to each side.

        Returns:
            Lists of messages that follow one another, each message in one list only.
        """
        condition, values = recallable.messages(scope, exclude)
        before, after = _beside("<", "DESC", condition), _beside(">", "ASC", condition)
        with self._vault.search() as connection:
            found = connection.execute(
                f"SELECT a.pk, {before}, {after} FROM messages AS a WHERE a.pk IN {listed()}",
                [*values, reach, *values, reach, rows.dumps(sorted(pks))],
            ).fetchall()
        return _joined(
            [*sorted(json.loads(earlier)), pk, *sorted(json.loads(later))]
            for pk, earlier, later in found
        )


def _beside(side: str, direction: str, condition: str) -> str:
    """Return SQL for the nearest messages on one side of message ``a``, as a JSON list."""
    return (
        f"(SELECT {gathered('b.pk')} FROM (SELECT x.pk FROM messages AS x"
        " JOIN conversations AS c ON c.pk = x.conversation_pk"
        f" WHERE x.conversation_pk = a.conversation_pk AND x.pk {side} a.pk AND {condition}"
        f" ORDER BY x.pk {direction} LIMIT ?) AS b)"
    )


def _joined(lines: Iterable[Sequence[int]]) -> list[list[int]]:
    """Join lines that share a message."""
    after: dict[int, int | None] = {}
    for line in lines:
        for here, there in zip(line, [*line[1:], None], strict=True):
            after[here] = there if there is not None else after.get(here)
    follows = {there for there in after.values() if there is not None}
    joined = []
    for start in sorted(after.keys() - follows):
        line = [start]
        while (there := after[line[-1]]) is not None:
            line.append(there)
        joined.append(line)
    return joined
