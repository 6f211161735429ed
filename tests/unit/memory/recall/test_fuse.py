from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.recall import HitKind
from app.memory.recall.fuse import LaneRow, ReciprocalRank

WEIGHTS = {"fts": 1.0, "vector": 1.5, "entity": 1.0, "temporal": 1.0}
FUSE = ReciprocalRank(WEIGHTS)


def rows(*pks):
    return [LaneRow(HitKind.MEMORY, pk) for pk in pks]


def fused(fts=(), vector=(), **others):
    lanes = {"fts": rows(*fts), "vector": rows(*vector)}
    lanes |= {name: rows(*pks) for name, pks in others.items()}
    return {one.pk: one.score for one in FUSE(list(lanes.items()))}


def test_m7_first_in_every_lane_is_one():
    assert fused([1, 2], [1, 3])[1] == pytest.approx(1.0, abs=1e-12)


def test_m7_first_in_one_lane_earns_its_share_of_the_weights():
    scores = fused([2, 9], [1, 9])
    assert scores[1] == pytest.approx(0.6, abs=1e-12)
    assert scores[2] == pytest.approx(0.4, abs=1e-12)


def test_m7_tenth_in_both_lanes():
    others = list(range(100, 109))
    assert fused([*others, 1], [*others, 1])[1] == pytest.approx(61 / 70, abs=1e-12)


def test_m7_fiftieth_in_words_only():
    scores = fused([*range(100, 149), 1], [100])
    assert scores[1] == pytest.approx(0.4 * 61 / 110, abs=1e-12)


def test_m7_weights_are_configurable():
    even = ReciprocalRank({"fts": 1.0, "vector": 1.0})
    scores = {one.pk: one.score for one in even([("fts", rows(2)), ("vector", rows(1))])}
    assert scores == {1: pytest.approx(0.5), 2: pytest.approx(0.5)}


def test_m7_the_default_weights_rank_by_meaning_where_lanes_disagree():
    ranked = FUSE([("fts", rows(1, 2, 3)), ("vector", rows(3, 2, 1))])
    assert [one.pk for one in ranked] == [3, 2, 1]


def test_m7_empty_lanes_do_not_deflate_the_maximum():
    assert fused([1], [1], entity=[], temporal=[]) == {1: pytest.approx(1.0)}


def test_m7_one_remaining_lane_passes_through():
    ranked = FUSE([("fts", rows(5, 3, 4)), ("vector", [])])
    assert [(one.pk, one.score, one.lanes) for one in ranked] == [
        (5, 1.0, {"fts": 1}),
        (3, 1 / 2, {"fts": 2}),
        (4, 1 / 3, {"fts": 3}),
    ]


def test_m7_ties_stand_as_first_seen():
    even = ReciprocalRank({"fts": 1.0, "vector": 1.0})
    ranked = even([("fts", rows(7, 8)), ("vector", rows(9, 6))])
    assert [one.pk for one in ranked] == [7, 9, 8, 6]


def test_m7_a_row_found_twice_by_one_lane_counts_once():
    once, twice = fused([1, 2, 1, 3], [3]), fused([1, 2, 3], [3])
    assert once == twice


def test_a_memory_and_a_message_of_one_row_number_are_two_finds():
    ranked = FUSE(
        [("fts", [LaneRow(HitKind.MEMORY, 1)]), ("vector", [LaneRow(HitKind.MESSAGE, 1)])]
    )
    assert {one.kind for one in ranked} == set(HitKind)


def test_nothing_found_is_nothing():
    assert FUSE([("fts", []), ("vector", [])]) == []


LANES = st.lists(st.lists(st.integers(1, 12), max_size=8, unique=True), min_size=2, max_size=4).map(
    lambda lists: list(zip(WEIGHTS, (rows(*pks) for pks in lists), strict=False))
)


@given(LANES)
def test_fusion_is_a_permutation_of_the_union_best_first(lanes):
    ranked = FUSE(lanes)
    assert sorted(one.pk for one in ranked) == sorted(
        {one.pk for _, found in lanes for one in found}
    )
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


@given(LANES)
def test_the_order_of_lanes_changes_no_score(lanes):
    expected = {one.pk: one.score for one in FUSE(lanes)}
    for order in permutations(lanes):
        assert {one.pk: one.score for one in FUSE(list(order))} == expected
