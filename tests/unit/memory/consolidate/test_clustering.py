from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app.domain.memory import Memory, MemoryType, Trust, Visibility
from app.memory.change.agreement import agree, holds
from app.memory.consolidate.clustering import clusters, identity, star, told_by_one
from tests.unit.memory.conftest import FRIDAY

LIKE = np.ones((2, 1), np.float32)


def memory(name, text="I live in Ghent", **fields):
    return replace(Memory(name, text, FRIDAY, FRIDAY, agent_pk=1), **fields)


def along(*degrees):
    """Vectors that lie so many degrees apart."""
    turned = np.radians(degrees)
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def test_a_cluster_is_known_by_its_statements_in_any_order():
    assert identity(["b", "a"]) == identity(("a", "b")) != identity(["a,b", ""])
    assert len(identity(["a"])) == 64


def test_a_star_takes_in_what_is_like_its_middle_not_what_is_like_a_member():
    assert star(along(0, 30, 60), 0.85, 9) == [0, 1]
    assert star(along(30, 0, 60), 0.85, 9) == [0, 1, 2]


def test_the_oldest_come_first_and_a_full_star_leaves_the_rest_to_others():
    assert star(along(0, 1, 2, 3, 4), 0.9, 2) == [0, 1]
    named = [memory(str(number)) for number in range(5)]
    found = clusters(named, along(0, 1, 2, 3, 4), 0.9, 2)
    assert [[member.id for member in group] for group in found] == [["0", "1"], ["2", "3"]]
    assert clusters([], along(), 0.9, 2) == []


def test_what_may_not_be_folded_with_the_first_is_free_for_the_next():
    said = [
        memory("0", "I live in Ghent near the station"),
        memory("1"),
        memory("2", "I sail", tags=("home",)),
        memory("3", "I sail near the station", tags=("home",)),
    ]
    found = clusters(said, along(0, 10, 60, 30), 0.85, 9)
    assert [{member.id for member in group} for group in found] == [{"0", "1"}, {"2", "3"}]


@given(
    arrays(np.float32, st.tuples(st.integers(1, 20), st.just(3)), elements=st.integers(-2, 2)),
    st.floats(0.5, 1),
    st.integers(2, 5),
)
def test_every_cluster_is_like_its_oldest_and_no_statement_is_in_two(vectors, threshold, most):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors / np.where(lengths == 0, 1, lengths)
    named = [memory(str(number)) for number in range(len(vectors))]
    found = clusters(named, vectors, threshold, most)
    rows = [[int(member.id) for member in group] for group in found]
    taken = [row for group in rows for row in group]
    assert len(taken) == len(set(taken))
    for first, *others in rows:
        assert 1 <= len(others) < most
        assert all(vectors[first] @ vectors[row] >= threshold for row in others)


@pytest.mark.parametrize(
    "other",
    [
        {"trust": Trust.EXTERNAL},
        {"tags": ("home",)},
        {"type": MemoryType.EPISODIC},
        {"agent_pk": 2},
        {"visibility": Visibility.GLOBAL},
        {"visibility": Visibility.GROUP, "group_pks": (1,)},
        {"text": "I do not live in Ghent"},
        {"text": "I live in Lille"},
    ],
)
def test_what_must_not_mix_is_split(other):
    one, two = memory("a"), memory("b", **other)
    assert clusters([one, two], LIKE, 0.8, 12) == []
    three = memory("c", **other)
    assert clusters([one, two, three], np.ones((3, 1), np.float32), 0.8, 12) == [(two, three)]


def test_tags_are_compared_in_any_order():
    pair = [memory("a", tags=("x", "y")), memory("b", tags=("y", "x"))]
    assert clusters(pair, LIKE, 0.8, 12) == [tuple(pair)]


SAID = st.builds(
    memory,
    st.uuids().map(str),
    st.sampled_from(
        [
            "I live in Ghent",
            "I live in Ghent near the station",
            "I do not live in Ghent",
            "I live in Lille",
            "I take 5 mg of lisinopril",
            "I take 10 mg of lisinopril",
        ]
    ),
    trust=st.sampled_from(Trust),
    tags=st.sampled_from([(), ("a",), ("a", "b"), ("b", "a")]),
    agent_pk=st.integers(1, 2),
    visibility=st.sampled_from([Visibility.SELF, Visibility.GLOBAL]),
)


@given(st.lists(SAID, max_size=12))
def test_no_cluster_mixes_or_contradicts_whatever_is_said(members):
    vectors = np.ones((len(members), 1), np.float32)
    for cluster in clusters(members, vectors, 0.8, 12):
        assert len(cluster) > 1
        for attribute in ("trust", "agent_pk", "visibility", "type"):
            assert len({getattr(m, attribute) for m in cluster}) == 1
        assert len({tuple(sorted(m.tags)) for m in cluster}) == 1
        assert all(agree(a, b) for a in cluster for b in cluster)
        for best, group in told_by_one(cluster):
            assert best in group
            assert all(holds(best.text, m.text) for m in group)


def test_without_a_model_the_fullest_tells_what_it_holds_and_others_tell_the_rest():
    station, flat = memory("a", "I live in Ghent near the station"), memory("b")
    ruth, alone = memory("c", "I live in Ghent with Ruth"), memory("d", "I sail")
    assert told_by_one([station, flat, ruth]) == [(station, (station, flat))]
    assert told_by_one([flat, alone]) == []
    assert told_by_one([station, flat, ruth], [{"a", "b", "z"}]) == [(ruth, (flat, ruth))]
