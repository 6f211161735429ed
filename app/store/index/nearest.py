"""Find the rows nearest to a vector, as far as they may be recalled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.store.dialect import each
from app.store.index import bits, recallable
from app.store.vault import rows
from app.store.vault.connection import Connection

CANDIDATES = 320
MOST_CANDIDATES = 32_768

# CROSS JOIN keeps the order: the planner would rather read all that an agent may see.
_ROWS = {
    "memory": "memories AS m ON m.pk = v.pk",
    "message": "messages AS x ON x.pk = v.pk"
    " CROSS JOIN conversations AS c ON c.pk = x.conversation_pk",
}


@dataclass(frozen=True, slots=True)
class Nearest:
    """A search among the vectors of one embedder.

    Attributes:
        vector: Shape (dims,).
        k: How many are wanted.
        condition: Which rows may be found.
        near: Searches the signs.
    """

    kind: str
    embedder_pk: int
    vector: NDArray[np.float32]
    k: int
    condition: recallable.Clause
    near: bits.BitIndex

    def narrowed(
        self, connection: Connection, scopes: Sequence[int], few: int
    ) -> list[tuple[int, float]]:
        """Search by signs, then by floats; look further while filters leave too few.

        Args:
            connection: Where to look.
            scopes: What is searched.
            few: Where there are no more rows than this, all of them are compared by their floats.
        """
        packed, count = bits.signs(self.vector), max(CANDIDATES, 2 * self.k)
        while True:
            found = self.near.rows(
                connection, self.kind, self.embedder_pk, packed, scopes, count, few
            )
            best = self.rescored(connection, found)
            if len(best) >= self.k or len(found) != count or count >= MOST_CANDIDATES:
                return best
            count = min(MOST_CANDIDATES, count * 4)

    def rescored(
        self, connection: Connection, among: Sequence[int] | None
    ) -> list[tuple[int, float]]:
        """Return the k best by cosine that the condition lets through."""
        where, values = self.condition
        if among is not None:
            return self._let_through(connection, self._by_cosine(connection, among))
        found = connection.execute(
            "SELECT v.pk, vec_distance_cosine(v.f32, ?) AS distance"
            f" FROM {bits.floats(self.kind)} AS v CROSS JOIN {_ROWS[self.kind]}"
            f" WHERE v.embedder_pk = ? AND {where} ORDER BY distance, v.pk LIMIT ?",
            [self.vector.tobytes(), self.embedder_pk, *values, self.k],
        ).fetchall()
        return [(row[0], 1.0 - row[1]) for row in found if row[1] is not None]

    def _by_cosine(self, connection: Connection, among: Sequence[int]) -> list[tuple[int, float]]:
        """Return rows with their cosine, nearest first."""
        found = connection.execute(
            f"SELECT v.pk, vec_distance_cosine(v.f32, ?) AS distance FROM {each()} AS j"
            f" CROSS JOIN {bits.floats(self.kind)} AS v ON v.pk = j.value"
            " WHERE v.embedder_pk = ? ORDER BY distance, v.pk",
            [self.vector.tobytes(), rows.dumps(list(among)), self.embedder_pk],
        ).fetchall()
        return [(row[0], 1.0 - row[1]) for row in found if row[1] is not None]

    def _let_through(
        self, connection: Connection, found: Sequence[tuple[int, float]]
    ) -> list[tuple[int, float]]:
        """Return the first k that the condition lets through, reading no more rows than needed."""
        where, values = self.condition
        best: list[tuple[int, float]] = []
        for at in range(0, len(found), max(1, self.k)):
            some = found[at : at + self.k]
            kept = connection.execute(
                f"WITH v AS MATERIALIZED (SELECT value AS pk FROM {each()})"
                f" SELECT v.pk FROM v CROSS JOIN {_ROWS[self.kind]} WHERE {where}",
                [rows.dumps([pk for pk, _ in some]), *values],
            ).fetchall()
            through = {row[0] for row in kept}
            best += [one for one in some if one[0] in through]
            if len(best) >= self.k:
                break
        return best[: self.k]
