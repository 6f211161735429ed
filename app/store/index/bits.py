"""The bit index: for each embedder and kind one ``vec0`` table of signs, in small partitions.

A search runs through it first and rescores what it finds with the floats. ``vec0`` keeps signs in
chunks of a thousand, but to find k neighbours it goes through each chunk k times; here the chunks
are read as they lie and every row is compared once, which for hundreds of neighbours is many times
faster. ``vec0`` knows no cascade and no update of a partition key: rows are deleted and inserted
here.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.store.vault.connection import Connection

Chunk = tuple[NDArray[np.int64], NDArray[Any]]
Kept = dict[int, tuple[int, Chunk]]

SHARDS = 8
KINDS = ("memory", "message")


def table(kind: str, embedder_pk: int) -> str:
    """Return the name of a bit table."""
    if kind not in KINDS:
        raise ValueError(f"no vectors are kept of a {kind}")
    return f"bits_{kind}_{int(embedder_pk)}"


def floats(kind: str) -> str:
    """Return the name of the table that keeps the floats."""
    if kind not in KINDS:
        raise ValueError(f"no vectors are kept of a {kind}")
    return f"{kind}_vectors"


def create(connection: Connection, kind: str, embedder_pk: int, dims: int) -> None:
    """Make the bit table of an embedder unless it is there."""
    connection.execute(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS {table(kind, embedder_pk)} USING vec0("
        f"scope INTEGER PARTITION KEY, shard INTEGER PARTITION KEY,"
        f" embedding bit[{-(-dims // 8) * 8}], chunk_size=1024)"
    )


def signs(vector: NDArray[np.float32]) -> bytes:
    """Return one bit per dimension, padded to whole bytes."""
    return np.packbits(vector > 0).tobytes()


def insert(
    connection: Connection, kind: str, embedder_pk: int, rows: Iterable[tuple[int, int, bytes]]
) -> None:
    """Add rows of (pk, scope, bits), each in place of an older one."""
    name = table(kind, embedder_pk)
    for pk, scope, packed in rows:
        connection.execute(f"DELETE FROM {name} WHERE rowid = ?", (pk,))
        connection.execute(
            f"INSERT INTO {name} (rowid, scope, shard, embedding) VALUES (?, ?, ?, vec_bit(?))",
            (pk, scope, pk % SHARDS, packed),
        )


def drop(connection: Connection, kind: str, pks: Sequence[int]) -> None:
    """Delete every vector of these rows, by whichever embedder."""
    each = [(pk,) for pk in pks]
    for embedder_pk in _embedders(connection):
        connection.executemany(f"DELETE FROM {table(kind, embedder_pk)} WHERE rowid = ?", each)
    connection.executemany(f"DELETE FROM {floats(kind)} WHERE pk = ?", each)


def shed(connection: Connection, kind: str, embedder_pk: int, limit: int) -> int:
    """Delete some vectors of an embedder, and return how many."""
    found = connection.execute(
        f"SELECT pk FROM {floats(kind)} WHERE embedder_pk = ? ORDER BY pk LIMIT ?",
        (embedder_pk, limit),
    ).fetchall()
    name, pks = table(kind, embedder_pk), [row["pk"] for row in found]
    connection.executemany(f"DELETE FROM {name} WHERE rowid = ?", [(pk,) for pk in pks])
    connection.executemany(
        f"DELETE FROM {floats(kind)} WHERE embedder_pk = ? AND pk = ?",
        [(embedder_pk, pk) for pk in pks],
    )
    return len(pks)


def move(connection: Connection, kind: str, pk: int, scope: int) -> None:
    """Put the bits of a row into another scope."""
    for embedder_pk in _embedders(connection):
        name = table(kind, embedder_pk)
        found = connection.execute(
            f"SELECT embedding FROM {name} WHERE rowid = ?", (pk,)
        ).fetchone()
        if found is not None:
            insert(connection, kind, embedder_pk, [(pk, scope, found["embedding"])])


class BitIndex:
    """Finds the rows whose signs differ least from those of a vector.

    ``vec0`` fills only the newest chunk of a partition; older ones lose rows, which they note apart
    from the signs. So the older are read once and kept, for as long as the chunk that was newest is
    there: what a connection has read is gone from its cache as soon as anybody writes.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int, int], Kept] = {}

    def rows(
        self,
        connection: Connection,
        kind: str,
        embedder_pk: int,
        packed: bytes,
        scopes: Sequence[int],
        count: int,
        few: int = 0,
    ) -> list[int]:
        """Return the ``count`` nearest rows of some scopes, in no order; all where they are few."""
        one = np.frombuffer(packed, np.uint8 if len(packed) % 8 else np.uint64)[:, np.newaxis]
        pks, apart = [np.zeros(0, np.int64)], [np.zeros(0, np.uint16)]
        for validity, (rowids, columns) in self._chunks(
            connection, table(kind, embedder_pk), embedder_pk, scopes, one.dtype
        ):
            differing = np.bitwise_count(columns ^ one).sum(axis=0, dtype=np.uint16)
            if validity.count(0xFF) < len(validity):
                used = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")
                rowids, differing = rowids[used.view(bool)], differing[used.view(bool)]
            pks.append(rowids)
            apart.append(differing)
        every, distances = np.concatenate(pks), np.concatenate(apart)
        if len(every) > max(count, few):
            every = every[np.argpartition(distances, count - 1)[:count]]
        return [int(pk) for pk in every]

    def _chunks(
        self,
        connection: Connection,
        name: str,
        embedder_pk: int,
        scopes: Sequence[int],
        unit: np.dtype[Any],
    ) -> Iterator[tuple[bytes, Chunk]]:
        """Yield every chunk of some scopes, and which of its rows are used."""
        chunks = connection.execute(
            "SELECT chunk_id, validity, max(chunk_id) OVER (PARTITION BY partition00, partition01)"
            f" FROM {name}_chunks WHERE partition00 IN (SELECT value FROM json_each(?))",
            (json.dumps(list(scopes)),),
        ).fetchall()
        present, kept = {row[0] for row in chunks}, self._of(connection, name, embedder_pk)
        for chunk_id, validity, newest in chunks:
            known = kept.get(chunk_id)
            if known is not None and known[0] in present and chunk_id != newest:
                yield validity, known[1]
                continue
            chunk = _chunk(connection, name, chunk_id, unit)
            if chunk_id != newest:
                kept[chunk_id] = newest, chunk
            yield validity, chunk

    def _of(self, connection: Connection, name: str, embedder_pk: int) -> Kept:
        """Return the chunks kept of a table; none inside a transaction that may be taken back."""
        if not connection.execute("PRAGMA query_only").fetchone()[0]:
            return {}
        made = connection.execute(
            "SELECT created_at, dims FROM embedders WHERE pk = ?", (embedder_pk,)
        ).fetchone()
        for key in [key for key in self._kept if key[0] == name and key[1:] != tuple(made)]:
            del self._kept[key]
        return self._kept.setdefault((name, *made), {})


def _chunk(connection: Connection, name: str, chunk_id: int, unit: np.dtype[Any]) -> Chunk:
    """Read a chunk: its rows, and their signs with one column for each row."""
    rowids, vectors = connection.execute(
        f"SELECT c.rowids, v.vectors FROM {name}_chunks AS c, {name}_vector_chunks00 AS v"
        " WHERE c.chunk_id = ?1 AND v.rowid = ?1",
        (chunk_id,),
    ).fetchone()
    rows = np.frombuffer(rowids, np.int64)
    return rows, np.ascontiguousarray(np.frombuffer(vectors, unit).reshape(len(rows), -1).T)


def _embedders(connection: Connection) -> list[int]:
    return [row["pk"] for row in connection.execute("SELECT pk FROM embedders")]
