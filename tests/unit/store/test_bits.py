"""The bit index keeps each row once, in its shard, and a fresh one is small."""

import numpy as np
import pytest

from app.store import bits
from app.store.vectors import Vectors

DIMS = 384


@pytest.fixture
def embedder(vault, clock):
    return Vectors(vault).use("test", DIMS)


def packed(rng):
    return bits.signs(rng.normal(size=DIMS).astype(np.float32))


def test_each_shard_and_scope_is_searched_by_itself(vault, embedder):
    rng = np.random.default_rng(1)
    question = packed(rng)
    with vault.write() as connection:
        bits.insert(
            connection, "memory", embedder, [(pk, pk % 2, packed(rng)) for pk in range(1, 65)]
        )
        found = bits.nearest(connection, "memory", embedder, question, 1, 2)
        assert len(found) == 8
        assert all(pk % 2 == 1 for pk in found)
        everything = bits.nearest(connection, "memory", embedder, question, 1, 99)
        assert sorted(everything) == [pk for pk in range(1, 65) if pk % 2]
        assert bits.nearest(connection, "memory", embedder, question, 7, 99) == []


def test_the_nearest_signs_win(vault, embedder):
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(400, DIMS)).astype(np.float32)
    with vault.write() as connection:
        rows = [(8 * n, 1, bits.signs(v)) for n, v in enumerate(vectors, start=1)]
        bits.insert(connection, "memory", embedder, rows)
        found = bits.nearest(connection, "memory", embedder, bits.signs(vectors[0]), 1, 5)
    apart = ((vectors > 0) != (vectors[0] > 0)).sum(axis=1)
    assert set(found) <= {8 * (n + 1) for n in range(400) if apart[n] <= np.sort(apart)[4]}
    assert len(found) == 5


def test_inserting_again_and_moving_leave_one_row(vault, embedder):
    rng = np.random.default_rng(3)
    with vault.write() as connection:
        for _ in range(3):
            bits.insert(connection, "memory", embedder, [(5, 1, packed(rng))])
        bits.move(connection, "memory", 5, 0)
        bits.move(connection, "memory", 6, 0)
        rows = connection.execute(
            f"SELECT rowid, scope, shard FROM bits_memory_{embedder}"
        ).fetchall()
    assert [tuple(row) for row in rows] == [(5, 0, 5)]


def test_signs_are_padded_to_whole_bytes():
    assert bits.signs(np.array([1, -1, 0, 2, 3], np.float32)) == bytes([0b10011000])


def test_a_hundred_rows_cost_less_than_a_megabyte(vault, embedder):
    rng = np.random.default_rng(4)
    vault.checkpoint()
    before = vault.path.stat().st_size
    with vault.write() as connection:
        bits.insert(connection, "memory", embedder, [(pk, 1, packed(rng)) for pk in range(100)])
    vault.checkpoint()
    assert vault.path.stat().st_size - before < 1_000_000
