"""What contradicts each other is put in order and labelled, and nothing is lost."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation import block
from app.domain.memory import Memory, Status, Trust
from app.domain.recall import Hit, HitKind
from app.domain.trace import REPLACED
from app.memory.recall.conflicts import DOUBTED, LESS_TRUSTED, PREFERRED, Conflicts
from tests.unit.memory.recall.conftest import NOW

CITY = {"key": "home_city"}


@pytest.fixture
def memory_hit(make_hit):
    def make(name, text="", days=10.0, trust=Trust.LEARNED, occurred=None, superseded=None, **more):
        hit = make_hit(name, text, days, trust=trust, superseded_by=superseded)
        happened = None if occurred is None else NOW - timedelta(days=occurred)
        memory = Memory(name, hit.text, hit.at, hit.at, trust=trust, **{"agent_pk": 1, **more})
        return replace(hit, memory=memory, occurred_at=happened)

    return make


def settled(hits):
    return [(hit.id, hit.disputed) for hit in Conflicts()(None, hits)]


def test_m11_higher_trust_stands_first_even_if_it_is_older(memory_hit):
    hits = [
        memory_hit("new", days=1, value="Ghent", **CITY),
        memory_hit("old", days=900, trust=Trust.SYSTEM, value="Lille", **CITY),
    ]
    assert settled(hits) == [("old", None), ("new", LESS_TRUSTED)]


def test_m11_among_equals_the_newer_stands_first_and_both_are_returned(memory_hit):
    hits = [
        memory_hit("old", days=900, value="Lille", **CITY),
        memory_hit("other", days=5),
        memory_hit("new", days=1, value="Ghent", **CITY),
    ]
    found = Conflicts()(None, hits)
    assert [(hit.id, hit.disputed) for hit in found] == [
        ("new", None),
        ("other", None),
        ("old", REPLACED),
    ]
    assert found[2].superseded_by == "new"
    assert (found[0].reasons, found[2].reasons) == ((PREFERRED,), (REPLACED,))
    assert not any(hit.dropped for hit in found)
    assert [hit.score for hit in found] == [0.5, 0.5, 0.5], "no score is averaged or changed"
    assert "replaced by “text of new”: text of old" in block.line(3, found[2])


def test_m11_when_it_happened_counts_before_when_it_was_learnt(memory_hit):
    hits = [
        memory_hit("learnt later", days=1, occurred=700, value="Lille", **CITY),
        memory_hit("happened later", days=90, occurred=100, value="Ghent", **CITY),
    ]
    assert settled(hits) == [("happened later", None), ("learnt later", REPLACED)]


def test_m11_one_that_took_the_place_of_another_stands_before_it(memory_hit):
    hits = [memory_hit("old", days=90, superseded="new"), memory_hit("new", days=1)]
    assert settled(hits) == [("new", None), ("old", REPLACED)]


def test_m11_even_what_was_replaced_wins_by_trust_and_does_not_say_it_lost(memory_hit):
    hits = [
        memory_hit("new", days=1),
        memory_hit("old", days=90, trust=Trust.SYSTEM, superseded="new"),
    ]
    found = Conflicts()(None, hits)
    assert [(hit.id, hit.superseded_by) for hit in found] == [("old", None), ("new", None)]
    assert "replaced" not in block.line(1, found[0])


def test_m11_what_was_filed_as_replaced_never_wins_and_keeps_the_heir_it_has(memory_hit):
    """Learnt late from an old message, more trusted since, or of one key with a third."""
    old = memory_hit("old", days=0, trust=Trust.SYSTEM, superseded="new", status=Status.SUPERSEDED)
    (first, second) = Conflicts()(None, [old, memory_hit("new", days=90)])
    assert (first.id, second.id) == ("new", "old")
    assert (second.disputed, second.superseded_by) == (REPLACED, "new")
    third = memory_hit("third", days=1, value="Bruges", **CITY)
    old = memory_hit("old", superseded="new", status=Status.SUPERSEDED, value="Lille", **CITY)
    found = Conflicts()(None, [third, memory_hit("new", days=5, value="Ghent", **CITY), old])
    assert [hit.id for hit in found] == ["third", "new", "old"]
    assert [hit.superseded_by for hit in found] == [None, "third", "new"]


def test_m11_what_was_noticed_to_contradict_is_ordered_and_said_with_care(memory_hit):
    hits = [
        memory_hit("old", "You have 2 cats", days=90),
        memory_hit("new", "You have 3 cats", days=1, conflicted=True),
        memory_hit("apart", "You have 4 bicycles", days=1, conflicted=True),
    ]
    found = Conflicts()(None, hits)
    assert [(hit.id, hit.disputed) for hit in found] == [
        ("new", None),
        ("old", DOUBTED),
        ("apart", None),
    ]
    assert found[1].superseded_by is None
    assert "3 Mar 2026, a later line says otherwise:" in block.line(2, found[1])


def test_the_same_value_in_other_words_is_no_conflict(memory_hit):
    hits = [
        memory_hit("a", days=9, value="Ghent", **CITY),
        memory_hit("b", days=1, value=" ghent. ", **CITY),
        memory_hit("c", days=1, value=None, key="note"),
        memory_hit("d", "text of c!", days=0, value=None, key="note"),
        memory_hit("e", days=1, value="Ghent", key="birth_city"),
    ]
    assert Conflicts()(None, hits) == hits


def test_three_values_of_one_key_keep_the_places_they_have_together(memory_hit):
    hits = [
        memory_hit("first", days=90, value="Lille", **CITY),
        memory_hit("apart", days=50),
        memory_hit("again", days=40, value="Bruges", **CITY),
        memory_hit("last", days=1, value="Bruges", **CITY),
    ]
    assert settled(hits) == [("last", None), ("apart", None), ("again", None), ("first", REPLACED)]


def test_messages_and_memories_without_a_key_are_left_alone(memory_hit, make_hit):
    hits = [memory_hit("a"), make_hit("m", kind=HitKind.MESSAGE), memory_hit("b")]
    assert Conflicts()(None, hits) == hits


def test_m11_through_the_whole_recall(world, with_setting):
    with world.vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    old = world.learn("You live in Lille", key="home_city", value="Lille", days=300)
    new = world.learn(
        "You live in Ghent", key="home_city", value="Ghent", days=2, visibility="global", agent_pk=2
    )
    world.index()
    found = world.recall("Which town do I live in?").hits
    assert [(hit.id, hit.disputed) for hit in found] == [(new.id, None), (old.id, REPLACED)]
    assert world.memories.get(old.id) == old, "nothing is written for it"


HITS = st.lists(
    st.builds(
        lambda n, trust, key, value, days, heir, conflicted: Hit(
            f"h{n}",
            HitKind.MEMORY,
            f"You have {value} cats",
            NOW - timedelta(days=days),
            trust=trust,
            superseded_by=heir,
            memory=Memory(
                f"h{n}",
                "x",
                NOW,
                NOW,
                key=key,
                value=value,
                trust=trust,
                conflicted=conflicted,
                agent_pk=1,
            ),
        ),
        st.integers(0, 30),
        st.sampled_from(Trust),
        st.sampled_from([None, "a", "b"]),
        st.sampled_from([None, 1, 2, 3]),
        st.integers(0, 3),
        st.sampled_from([None, "h1", "h2", "h3"]),
        st.booleans(),
    ),
    max_size=8,
    unique_by=lambda hit: hit.id,
)


@given(HITS)
def test_nothing_is_ever_lost_added_or_scored_and_doing_it_again_changes_no_order(hits):
    found = Conflicts()(None, hits)
    assert sorted(hit.id for hit in found) == sorted(hit.id for hit in hits)
    assert {(hit.id, hit.score, hit.dropped) for hit in found} == {
        (hit.id, hit.score, hit.dropped) for hit in hits
    }
    assert [hit.id for hit in Conflicts()(None, found)] == [hit.id for hit in found]
