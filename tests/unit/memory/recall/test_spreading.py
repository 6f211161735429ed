"""The lanes that spread from the finds, as part of recall: what they add, and that off is off."""

from datetime import timedelta

import pytest

from app.domain.reason import words
from app.domain.recall import HitKind, Query
from app.errors import StoreError
from app.memory.recall.compose import trusted
from app.memory.recall.fuse import Fused, ReciprocalRank
from app.memory.recall.lane_table import weights
from app.memory.recall.lanes import linked
from app.memory.recall.pipeline import QueryContext, Trace
from app.settings.spec import Settings
from app.settings.table import reference, replace
from app.store.journal.causes import Causes
from app.store.links import Links
from app.store.search import WordSearch
from tests.unit.memory.recall.conftest import HOME, NOW

LANES = ("rag.entity_lane", "rag.lanes.temporal", "rag.lanes.causal", "rag.lanes.pinned")
MEMORY = HitKind.MEMORY


@pytest.fixture
def switch_on(with_setting):
    def switch(*sections):
        for one in sections or LANES:
            with_setting(f"{one}.enabled", True)

    return switch


def on(days):
    return NOW - timedelta(days=days)


def fill(world):
    first = world.learn("You met Ana Souza at the harbour festival", occurred_at=on(40))
    second = world.learn("Ana Souza mends clocks", days=200)
    third = world.learn("It hailed", days=300, occurred_at=on(41))
    fourth = world.learn("You owe the bank a letter", days=5, pinned=True)
    world.say("The festival had fireworks")
    world.index()
    return first, second, third, fourth


QUESTION = "Whom did I meet at the harbour festival?"


def outcome(recall):
    return recall.hits, recall.dropped, recall.degraded


def as_reference(world):
    world.settings = reference()


def test_m12_the_lanes_bring_in_what_the_question_alone_does_not_find(world, switch_on):
    as_reference(world)
    first, second, third, fourth = fill(world)
    world.settings = replace(world.settings, "rag.entity_lane.seed_count", 1)
    found_alone = {hit.id for hit in world.recall(QUESTION).hits if "fts" in hit.lanes}
    assert found_alone == {first.id}
    Causes(world.vault).link(third.id, first.id)
    switch_on()
    hits = {hit.id: hit for hit in world.recall(QUESTION).hits}
    assert hits[first.id].lanes.keys() == {"fts", "vector"}
    assert hits[second.id].lanes["entity"] == 1
    assert hits[third.id].lanes["temporal"] == hits[third.id].lanes["causal"] == 1
    assert hits[fourth.id].lanes["pinned"] == 1
    assert "1 day from another result 0.87" in map(words, hits[third.id].reasons)
    assert all("Ana" not in words(reason) for hit in hits.values() for reason in hit.reasons)


def test_m12_fused_as_one_list_of_weight_one_beside_the_others(world):
    links = Links(world.vault)
    seed, near, far = (world.learn(f"{n} Ana Souza") for n in ("I", "You", "We"))
    world.index()
    rag = replace(Settings(), "rag.entity_lane.weight", 0.5).rag
    spreading = linked.Spread(
        [linked.SharedNames(links, trusted(rag), True, 200)],
        1,
        lambda fused: WordSearch(world.vault).hydrate([one.pk for one in fused]),
        ReciprocalRank(weights(rag)),
    )
    base = [Fused(MEMORY, seed.pk, 0.9, {"fts": 1}), Fused(MEMORY, far.pk, 0.4, {"vector": 7})]
    context = QueryContext(Query("what?", HOME, NOW), lambda _: [])
    found = {one.pk: one for one in spreading(Trace(), context, base)}
    most = 1.5 / 61
    ranks = {near.pk: 1, far.pk: 2}  # same day, so by id
    assert found[seed.pk].score == pytest.approx(1 / 61 / most, abs=1e-9)
    assert found[near.pk].score == pytest.approx(0.5 / 61 / most, abs=1e-9)
    assert found[far.pk].score == pytest.approx((1 / 62 + 0.5 / 62) / most, abs=1e-9)
    assert found[far.pk].lanes == {"vector": 7, "entity": ranks[far.pk]}


@pytest.mark.parametrize("preset", [Settings, reference])
def test_m12_lanes_that_find_nothing_change_nothing(world, switch_on, preset):
    world.settings = preset()
    world.learn("You are allergic to walnuts", days=5)
    world.learn("You play the cello badly", days=9)
    world.say("I like smoked salmon")
    world.index()
    questions = ["What am I allergic to?", "cello", "zebra", "What do you know about me?"]
    before = [outcome(world.recall(text)) for text in questions]
    switch_on()
    assert [outcome(world.recall(text)) for text in questions] == before


@pytest.mark.parametrize("preset", [Settings, reference])
def test_m12_lanes_that_fail_change_nothing_and_say_so(world, switch_on, preset, monkeypatch):
    world.settings = preset()
    fill(world)
    before = world.recall(QUESTION)

    def broken(*args):
        raise StoreError("The links could not be read.")

    for name in ("named", "around", "caused", "pinned"):
        monkeypatch.setattr(Links, name, broken)
    switch_on()
    after = world.recall(QUESTION)
    assert (after.hits, after.dropped) == (before.hits, before.dropped)
    assert after.degraded == ("The links could not be read.",)
    notes = {step.name: step.note for step in after.steps}
    assert notes["entity"] == notes["causal"] == "The links could not be read."


def test_m12_they_are_off_unless_asked_for(world, monkeypatch):
    def refuse(*args):
        raise AssertionError("a lane that is off was asked")

    for name in ("named", "memories", "messages", "around", "caused", "pinned"):
        monkeypatch.setattr(Links, name, refuse)
    fill(world)
    for preset in (Settings(), reference()):
        world.settings = preset
        names = [step.name for step in world.recall(QUESTION).steps]
        assert not {"entity", "temporal", "causal", "pinned", "spread"} & set(names)


def test_with_no_result_wanted_no_lane_is_asked(world, switch_on, with_setting):
    fill(world)
    switch_on()
    with_setting("rag.max_results", 0)
    assert world.recall(QUESTION).hits == ()
