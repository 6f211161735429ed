"""The bit index keeps each row once, in its shard, and a fresh one is small."""

import numpy as np
import pytest

from app.store.index import bits
from app.store.index.vectors import Vectors

DIMS = 384


@pytest.fixture
def embedder(vault, clock):
    return Vectors(vault).use("test", DIMS)


def packed(rng):
    return bits.signs(rng.normal(size=DIMS).astype(np.float32))


def test_only_the_scopes_that_are_asked_for_are_searched(vault, embedder):
    rng = np.random.default_rng(1)
    question = packed(rng)
    with vault.write() as connection:
        bits.insert(
            connection, "memory", embedder, [(pk, pk % 2, packed(rng)) for pk in range(1, 65)]
        )
        found = bits.BitIndex().rows(connection, "memory", embedder, question, [1], 8)
        assert len(found) == 8
        assert all(pk % 2 == 1 for pk in found)
        everything = bits.BitIndex().rows(connection, "memory", embedder, question, [1], 99)
        assert sorted(everything) == [pk for pk in range(1, 65) if pk % 2]
        assert bits.BitIndex().rows(connection, "memory", embedder, question, [7], 99) == []


def test_the_nearest_signs_win(vault, embedder):
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(400, DIMS)).astype(np.float32)
    with vault.write() as connection:
        rows = [(8 * n, 1, bits.signs(v)) for n, v in enumerate(vectors, start=1)]
        bits.insert(connection, "memory", embedder, rows)
        found = bits.BitIndex().rows(connection, "memory", embedder, bits.signs(vectors[0]), [1], 5)
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


def test_a_search_goes_on_where_chunks_filled_emptied_and_came_back(vault, embedder):
    """Older chunks are kept in memory; whatever becomes of them, the search tells the truth."""
    rng, near = np.random.default_rng(5), bits.BitIndex()
    signs = {8 * n: packed(rng) for n in range(1, 2100)}

    def found(pk):
        with vault.search() as connection:
            return near.rows(connection, "memory", embedder, signs[pk], [1], 1)

    def write(pks):
        with vault.write() as connection:
            bits.insert(connection, "memory", embedder, [(pk, 1, signs[pk]) for pk in pks])

    def drop(pks):
        with vault.write() as connection:
            bits.drop(connection, "memory", pks)

    every = list(signs)
    write(every[:1500])
    assert [found(pk) for pk in (8, 8 * 1400)] == [[8], [8 * 1400]]
    write(every[1500:])
    drop([8, 8 * 1400])
    signs[8 * 3] = packed(rng)
    write([8 * 3])
    assert found(8 * 2099) == [8 * 2099]
    assert found(8 * 3) == [8 * 3]
    assert found(8) != [8]
    drop(every[1024:])
    signs[8] = packed(rng)
    write([8])
    assert found(8) == [8]
    with vault.search() as connection:
        assert len(near.rows(connection, "memory", embedder, signs[8], [1], 5000)) == 1024


def test_what_a_transaction_takes_back_is_not_kept(vault, embedder):
    rng, near = np.random.default_rng(6), bits.BitIndex()
    first, second = [[(8 * n, 1, packed(rng)) for n in range(1, 1100)] for _ in range(2)]

    def search_and_take_back():
        with vault.write() as connection:
            bits.insert(connection, "memory", embedder, first)
            assert near.rows(connection, "memory", embedder, first[0][2], [1], 1) == [8]
            raise KeyError

    with pytest.raises(KeyError):
        search_and_take_back()
    with vault.write() as connection:
        bits.insert(connection, "memory", embedder, second[::-1])
    with vault.search() as connection:
        assert near.rows(connection, "memory", embedder, second[5][2], [1], 1) == [second[5][0]]


def test_it_agrees_with_the_search_of_the_index_itself(vault, embedder):
    rng = np.random.default_rng(7)
    rows = [(pk, 1, packed(rng)) for pk in range(1, 1500)]
    with vault.write() as connection:
        bits.insert(connection, "memory", embedder, rows)
        question = packed(rng)
        its_own = [
            row[0]
            for shard in range(bits.SHARDS)
            for row in connection.execute(
                f"SELECT distance FROM bits_memory_{embedder} WHERE embedding MATCH vec_bit(?)"
                " AND k = 20 AND scope = 1 AND shard = ?",
                (question, shard),
            )
        ]
        found = bits.BitIndex().rows(connection, "memory", embedder, question, [1], 20)
    signs = {pk: np.unpackbits(np.frombuffer(packed, np.uint8)) for pk, _, packed in rows}
    asked = np.unpackbits(np.frombuffer(question, np.uint8))
    apart = sorted(int((signs[pk] != asked).sum()) for pk in found)
    assert apart == sorted(its_own)[:20]
