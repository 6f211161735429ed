"""Keep one vector per row and embedder, and find the nearest.

Few rows are compared float by float, which is exact. Many are narrowed by their signs first (see
``bits``) and the floats of the best candidates decide.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.domain.ids import to_ms
from app.domain.memory import Scope, Status, Trust
from app.store.dialect import listed, stored_as, summed
from app.store.index import bits, recallable
from app.store.index.nearest import Nearest
from app.store.vault import rows
from app.store.vault.connection import Connection
from app.store.vault.file import Vault

DIRECT_BELOW = 2000
PROBED = 200
WAITING_SHARE = 0.05
SETTLED = timedelta(minutes=10)

_TEXT = {
    "memory": "m.text",
    "message": "CASE WHEN x.speaker <> '' THEN x.speaker WHEN x.role = 'user' THEN 'User'"
    " ELSE 'Assistant' END || ': ' || x.text",
}
_SOURCE = {
    "memory": (
        "memories AS m",
        "m",  # the rest of the condition leaves out what something else than Loci damaged
        f"m.status <> 'forgotten' AND {stored_as('m.text', 'text')}"
        f" AND {stored_as('m.agent_pk', 'integer')}",
    ),
    "message": (
        "messages AS x JOIN conversations AS c ON c.pk = x.conversation_pk",
        "x",
        "x.recallable = 1 AND x.state = 'complete' AND x.model <> 'notebook' AND x.text <> ''"
        f" AND {stored_as('x.text', 'text')} AND {stored_as('x.speaker', 'text')}"
        f" AND x.role <> 'tool' AND c.mode IN {recallable.LEARNING}",
    ),
}
# Since when a row has said what it says.
_SAID_AT = {
    "memory": "CASE WHEN m.revision > 1 THEN m.updated_at ELSE m.created_at END",
    "message": "x.created_at",
}


def owed(kind: str) -> str:
    """Return SQL that selects the ``pk`` of every row that should have a vector."""
    source, alias, condition = _SOURCE[kind]
    return f"SELECT {alias}.pk AS pk FROM {source} WHERE {condition}"


class StoredEmbedding(Protocol):
    """What an embedder made of one text."""

    @property
    def vector(self) -> NDArray[np.float32]:
        """Shape (dims,)."""

    @property
    def token_bits(self) -> NDArray[np.uint8] | None:
        """Shape (tokens, dims / 8)."""

    @property
    def token_ids(self) -> NDArray[np.int32] | None:
        """Shape (tokens,)."""


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The token vectors of one row, for late interaction.

    Attributes:
        bits: Shape (tokens, dims / 8), the sign of each dimension.
        ids: Shape (tokens,).
    """

    bits: NDArray[np.uint8]
    ids: NDArray[np.int32]


class Vectors:
    """The vectors of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._near = bits.BitIndex()

    def use(self, embedder_id: str, dims: int) -> int:
        """Return the row of an embedder, made on first use.

        Vectors of the same name but other dimensions cannot be compared and are dropped.
        """
        query = "SELECT pk, dims FROM embedders WHERE id = ?"
        row = self._vault.row(query, (embedder_id,))
        if row is not None and row["dims"] == dims:
            return int(row["pk"])
        with self._vault.write() as connection:
            row = connection.execute(query, (embedder_id,)).fetchone()  # another may have made it
            if row is not None and row["dims"] == dims:
                return int(row["pk"])
            if row is not None:
                self.remove(embedder_id)
            cursor = connection.execute(
                "INSERT INTO embedders (id, dims, created_at) VALUES (?, ?, ?)",
                (embedder_id, dims, to_ms(self._vault.clock())),
            )
            for kind in bits.KINDS:
                bits.create(connection, kind, cursor.lastrowid, dims)
            return int(cursor.lastrowid)

    def remove(self, embedder_id: str) -> None:
        """Forget an embedder with all its vectors."""
        with self._vault.write() as connection:
            query = "SELECT pk FROM embedders WHERE id = ?"
            row = connection.execute(query, (embedder_id,)).fetchone()
            if row is None:
                return
            for kind in bits.KINDS:
                connection.execute(f"DROP TABLE IF EXISTS {bits.table(kind, row['pk'])}")
            connection.execute("DELETE FROM embedders WHERE pk = ?", (row["pk"],))

    def put(
        self,
        kind: str,
        embedded: Sequence[tuple[int, StoredEmbedding]],
        embedder_pk: int,
        texts: Sequence[str] | None = None,
    ) -> int:
        """Store vectors, each in place of an older one of the same row and embedder.

        Rows that are gone are left out; given the ``texts`` that were embedded (as ``missing`` gave
        them), so are rows that say something else by now.

        Returns:
            How many were stored.
        """
        source, alias, _ = _SOURCE[kind]
        scope = "m.scope" if kind == "memory" else "x.agent_pk"
        with self._vault.write() as connection:
            found = connection.execute(
                f"SELECT {alias}.pk, {scope} AS scope, {_TEXT[kind]} AS text FROM {source}"
                f" WHERE {alias}.pk IN {listed()}",
                (rows.dumps([pk for pk, _ in embedded]),),
            )
            now = {row["pk"]: (row["scope"], row["text"]) for row in found}
            fresh = [
                (pk, now[pk][0], embedding)
                for n, (pk, embedding) in enumerate(embedded)
                if pk in now and (texts is None or texts[n] == now[pk][1])
            ]
            _put(connection, kind, embedder_pk, fresh)
        return len(fresh)

    def missing(
        self,
        kind: str,
        embedder_pk: int,
        limit: int,
        after_pk: int = 0,
        *,
        fresh: bool = False,
    ) -> list[tuple[int, str]]:
        """Return rows that have no vector by this embedder, and the text to embed, by pk.

        With ``fresh``, only those that have none by any.
        """
        source, alias, condition = _SOURCE[kind]
        of = "" if fresh else "v.embedder_pk = ?2 AND "
        found = self._vault.rows(
            f"SELECT {alias}.pk, {_TEXT[kind]} FROM {source}"
            f" WHERE {alias}.pk > ?1 AND {condition}"
            f" AND NOT EXISTS (SELECT 1 FROM {bits.floats(kind)} AS v"
            f" WHERE {of}v.pk = {alias}.pk)"
            f" ORDER BY {alias}.pk LIMIT ?3",
            (after_pk, embedder_pk, limit),
        )
        return [(row[0], row[1]) for row in found]

    def status(self, embedder_pk: int) -> tuple[int, int, int]:
        """Return how many rows should have a vector, lack one, and have one by another only."""
        totals = [0, 0, 0]
        with self._vault.read() as connection:
            for kind in bits.KINDS:
                source, alias, condition = _SOURCE[kind]
                by = f"EXISTS (SELECT 1 FROM {bits.floats(kind)} AS v WHERE v.pk = {alias}.pk"
                lacks = f"NOT {by} AND v.embedder_pk = ?1)"
                row = connection.execute(
                    f"SELECT count(*), {summed(lacks)}, {summed(f'{lacks} AND {by})')}"
                    f" FROM {source} WHERE {condition}",
                    (embedder_pk,),
                ).fetchone()
                totals = [total + int(one) for total, one in zip(totals, row, strict=True)]
        return totals[0], totals[1], totals[2]

    def behind(self, kind: str, embedder_pk: int, scope: Scope) -> bool:
        """Say whether more still waits than what was said a moment ago; fast at any size.

        Rows are embedded in the order of their pk, so the last ones tell: the last that an earlier
        embedder read, and the share that waits of the last ``PROBED`` that an agent may see.
        """
        with self._vault.read() as connection:
            return _not_taken_over(connection, kind, embedder_pk) or _waiting(
                connection, kind, embedder_pk, scope, self._vault.clock() - SETTLED
            )

    def untouched(self, limit: int, after_pk: int = 0) -> list[tuple[int, str]]:
        """Return memories that have neither a vector nor names, and their text, by pk."""
        source, _, condition = _SOURCE["memory"]
        found = self._vault.rows(
            f"SELECT m.pk, m.text FROM {source} WHERE m.pk > ? AND {condition}"
            " AND NOT EXISTS (SELECT 1 FROM memory_vectors AS v WHERE v.pk = m.pk)"
            " AND NOT EXISTS (SELECT 1 FROM entity_links AS l WHERE l.memory_pk = m.pk)"
            " ORDER BY m.pk LIMIT ?",
            (after_pk, limit),
        )
        return [(row[0], row[1]) for row in found]

    def alone(self, embedder_pk: int) -> bool:
        """Say whether no other embedder is known."""
        others = "SELECT EXISTS (SELECT 1 FROM embedders WHERE pk <> ?)"
        return not self._vault.row(others, (embedder_pk,))[0]

    def shed(self, embedder_pk: int, limit: int) -> int:
        """Delete some vectors of all other embedders; they are forgotten with their last ones.

        Returns:
            How much was deleted; 0 where there is no other embedder any more.
        """
        with self._vault.write() as connection:
            other = connection.execute(
                "SELECT pk, id FROM embedders WHERE pk <> ? ORDER BY pk LIMIT 1", (embedder_pk,)
            ).fetchone()
            if other is None:
                return 0
            for kind in bits.KINDS:
                if count := bits.shed(connection, kind, other["pk"], limit):
                    return count
            self.remove(other["id"])
            return 1

    def nearest(
        self,
        kind: str,
        vector: NDArray[np.float32],
        k: int,
        *,
        embedder_pk: int,
        scope: Scope,
        now: datetime,
        trusts: Collection[Trust] = recallable.TRUSTED,
        exclude: Collection[str] = (),
        status: Status = Status.ACTIVE,
    ) -> list[tuple[int, float]]:
        """Return the k rows nearest to a vector (dims,) with their cosine, nearest first.

        Only memories of the given trusts and status, and messages that are not excluded are found;
        a vector of zeros finds nothing.
        """
        if not np.any(vector):
            return []
        condition = (
            recallable.memories(scope, trusts, now, status)
            if kind == "memory"
            else recallable.messages(scope, exclude)
        )
        sought = np.asarray(vector, np.float32)
        search = Nearest(kind, embedder_pk, sought, k, condition, self._near)
        with self._vault.search() as connection:
            if _count(connection, kind, embedder_pk) < DIRECT_BELOW:
                return search.rescored(connection, None)
            scopes = recallable.scopes(scope) if kind == "memory" else [scope.agent_pk]
            return search.narrowed(connection, scopes, DIRECT_BELOW)

    def vectors(
        self, kind: str, pks: Collection[int], embedder_pk: int
    ) -> Mapping[int, NDArray[np.float32]]:
        """Return the vectors of these rows, as far as there are any."""
        with self._vault.search() as connection:
            found = connection.execute(
                f"SELECT pk, f32 FROM {bits.floats(kind)} WHERE embedder_pk = ?"
                f" AND pk IN {listed()}",
                (embedder_pk, rows.dumps(sorted(pks))),
            ).fetchall()
        return {row["pk"]: np.frombuffer(row["f32"], np.float32) for row in found}

    def tokens(
        self, kind: str, pks: Collection[int], embedder_pk: int
    ) -> Mapping[int, TokenVectors]:
        """Return the token vectors of these rows, as far as there are any."""
        with self._vault.search() as connection:
            found = connection.execute(
                f"SELECT pk, token_bits, token_ids FROM {bits.floats(kind)}"
                " WHERE embedder_pk = ? AND token_bits IS NOT NULL"
                f" AND pk IN {listed()}",
                (embedder_pk, rows.dumps(sorted(pks))),
            ).fetchall()
        result = {}
        for row in found:
            ids = np.frombuffer(row["token_ids"], np.int32)
            packed = np.frombuffer(row["token_bits"], np.uint8).reshape(len(ids), -1)
            result[row["pk"]] = TokenVectors(packed, ids)
        return result

    def drop(self, kind: str, pk: int) -> None:
        """Delete the vectors of one row, by whichever embedder."""
        with self._vault.write() as connection:
            bits.drop(connection, kind, [pk])


def _put(
    connection: Connection,
    kind: str,
    embedder_pk: int,
    fresh: Sequence[tuple[int, int, StoredEmbedding]],
) -> None:
    connection.executemany(
        f"INSERT INTO {bits.floats(kind)} (pk, embedder_pk, f32, token_bits, token_ids)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT (embedder_pk, pk) DO UPDATE SET"
        " f32 = excluded.f32, token_bits = excluded.token_bits, token_ids = excluded.token_ids",
        [
            (
                pk,
                embedder_pk,
                np.asarray(embedding.vector, np.float32).tobytes(),
                _blob(embedding.token_bits, np.uint8),
                _blob(embedding.token_ids, np.int32),
            )
            for pk, _, embedding in fresh
        ],
    )
    bits.insert(
        connection,
        kind,
        embedder_pk,
        [
            (pk, scope, bits.signs(embedding.vector))
            for pk, scope, embedding in fresh
            if np.any(embedding.vector)
        ],
    )


def _blob(array: NDArray[np.uint8] | NDArray[np.int32] | None, kind: type) -> bytes | None:
    return None if array is None else np.ascontiguousarray(array, kind).tobytes()


def _count(connection: Connection, kind: str, embedder_pk: int) -> int:
    some = f"SELECT 1 FROM {bits.floats(kind)} WHERE embedder_pk = ? LIMIT ?"
    query = f"SELECT count(*) FROM ({some})"
    return int(connection.execute(query, (embedder_pk, DIRECT_BELOW)).fetchone()[0])


def _not_taken_over(connection: Connection, kind: str, embedder_pk: int) -> bool:
    """Say whether the last row that an earlier embedder read waits for this one."""
    source, alias, condition = _SOURCE[kind]
    table = bits.floats(kind)
    others = connection.execute("SELECT pk FROM embedders WHERE pk <> ?", (embedder_pk,)).fetchall()
    for other in others:
        last = connection.execute(
            f"SELECT EXISTS (SELECT 1 FROM {table} AS n WHERE n.embedder_pk = ? AND n.pk = v.pk)"
            f" FROM {table} AS v CROSS JOIN {source}"
            f" WHERE v.embedder_pk = ? AND {alias}.pk = v.pk AND {condition}"
            " ORDER BY v.pk DESC LIMIT 1",
            (embedder_pk, other["pk"]),
        ).fetchone()
        if last is not None and not last[0]:
            return True
    return False


def _waiting(
    connection: Connection, kind: str, embedder_pk: int, scope: Scope, before: datetime
) -> bool:
    """Say whether many of the last rows have waited since a moment; what is newer is on its way."""
    source, alias, condition = _SOURCE[kind]
    table = source.split()[0]
    seen = recallable.visible(scope) if kind == "memory" else ("x.agent_pk = ?", [scope.agent_pk])
    count, waiting = connection.execute(
        f"SELECT count(*), {summed('waits')} FROM (SELECT {_SAID_AT[kind]} < ? AND NOT EXISTS"
        f" (SELECT 1 FROM {bits.floats(kind)} AS v WHERE v.embedder_pk = ? AND v.pk = {alias}.pk)"
        f" AS waits FROM (SELECT pk FROM {table} WHERE pk > (SELECT max(pk) - ? FROM {table}))"
        f" AS j CROSS JOIN {source} WHERE {alias}.pk = j.pk AND {condition} AND {seen[0]})",
        [to_ms(before), embedder_pk, PROBED, *seen[1]],
    ).fetchone()
    return bool(waiting) and waiting >= WAITING_SHARE * count
