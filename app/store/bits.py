"""The bit index: for each embedder and kind one ``vec0`` table of signs, in small partitions.

A search runs through it first and rescores what it finds with the floats. ``vec0`` slows down as
more neighbours are asked for, so that every row lies in one of eight shards and each is asked for
few. It knows no cascade and no update of a partition key: rows are deleted and inserted here.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from app.store.connection import Connection

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


def move(connection: Connection, kind: str, pk: int, scope: int) -> None:
    """Put the bits of a row into another scope."""
    for embedder_pk in _embedders(connection):
        name = table(kind, embedder_pk)
        found = connection.execute(
            f"SELECT embedding FROM {name} WHERE rowid = ?", (pk,)
        ).fetchone()
        if found is not None:
            insert(connection, kind, embedder_pk, [(pk, scope, found["embedding"])])


def nearest(
    connection: Connection, kind: str, embedder_pk: int, packed: bytes, scope: int, per_shard: int
) -> list[int]:
    """Return the rows of one scope whose signs differ least, in no order."""
    query = (
        f"SELECT rowid FROM {table(kind, embedder_pk)}"
        " WHERE embedding MATCH vec_bit(?) AND k = ? AND scope = ? AND shard = ?"
    )
    return [
        row[0]
        for shard in range(SHARDS)
        for row in connection.execute(query, (packed, per_shard, scope, shard))
    ]


def _embedders(connection: Connection) -> list[int]:
    return [row["pk"] for row in connection.execute("SELECT pk FROM embedders")]
