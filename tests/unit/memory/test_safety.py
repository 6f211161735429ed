"""A safety fact stays as it is and in use, whatever is thinned out, aged or summed up around it."""

import pytest

from app.domain.contradiction import Clash, Settlement
from app.domain.ids import new_id
from app.domain.memory import Memory, Status
from app.memory.change.comparing import Comparer, Relation
from app.memory.change.nearby import Nearby
from app.memory.change.proposals import ProposalDecisions
from app.store.memories import Note
from tests.unit.memory.judging import Told
from tests.unit.memory.night import Echo, Night

PENICILLIN = "I'm allergic to penicillin"


@pytest.fixture
def night(tmp_path):
    night = Night(tmp_path)
    yield night
    night.vault.close()


@pytest.fixture
def crowd(night):
    """A safety fact, older than hundreds of others."""
    fact = night.remember(PENICILLIN, 900, tags=("safety",), category="health")
    for number in range(300):
        night.remember(f"I saw bird {number}", 800 - number)
    return fact


def stands(night, fact):
    """Return whether a fact is in use as it was, and nothing was drawn from it."""
    told = any(fact.text in drawn.text for drawn in night.drawn())
    return night.memories.get(fact.id) == fact and not told


def test_it_survives_thinning_to_almost_nothing(night, crowd):
    key = {"key": "insulin", "value": "3 units"}
    dose = night.remember("I take 3 units", 890, tags=("safety",), **key)
    night.remember("My locker is red", 1, key="locker", value="red")
    night.keep(cap__max_entries=1)
    night.thin(threshold=2, target=1)
    assert len(night.all(Status.ACTIVE)) < 6, "of more than three hundred"
    assert stands(night, crowd)
    assert stands(night, dose)


def test_it_survives_the_shortest_retention_whatever_its_status(night, crowd):
    old = night.remember("I take 2 units", 950, tags=("safety",), status=Status.SUPERSEDED)
    night.keep(retention__max_age_days=1)
    night.thin(threshold=500, target=500)
    assert night.texts() == [PENICILLIN]
    assert night.memories.get(old.id).text == "I take 2 units"


def test_it_is_neither_forgotten_as_stale_nor_given_to_a_model_to_sum_up(night, crowd):
    night.set(summarise=True, summarise_group_by="all", prune_after_days=790)
    for name in ("apples", "pears", "plums", "cherries", "grapes"):
        night.remember(f"I like {name}")
    night.models.model = Echo()
    done = night.dream()
    assert (done.figures["entries_pruned"], done.figures["entries_summarised"]) == (10, 295)
    assert night.models.model.prompts
    assert not any("penicillin" in turn.content for p in night.models.model.prompts for turn in p)
    assert stands(night, crowd)


def test_what_was_told_again_as_a_safety_fact_is_marked(desk):
    desk.tell("I'm allergic to walnuts.")
    (memory,) = desk.all()
    desk.memories.update(memory.id, {"tags": ()}, Note("review", "update", "r"))
    desk.later(days=3)
    desk.tell("I'm allergic to walnuts.")
    assert [m.tags for m in desk.all()] == [("safety",)]


def test_a_mark_that_the_person_took_away_does_not_come_back(desk):
    desk.tell("I'm allergic to walnuts.")
    (memory,) = desk.all()
    desk.memories.update(memory.id, {"tags": ()}, Note("user", "edit", "e"))
    desk.later(days=3)
    desk.tell("I'm allergic to walnuts.")
    assert [m.tags for m in desk.all()] == [()]


def test_what_takes_the_place_of_a_safety_fact_is_one(desk):
    desk.models.understanding = Told((Relation.REPLACES, "porridge", "porridge"))
    desk.tell("I eat porridge at seven every morning.")
    (old,) = desk.all()
    assert old.tags == ()
    desk.memories.update(old.id, {"tags": ("routine", "safety")}, Note("user", "edit", "e"))
    desk.later(days=9)
    desk.tell("I eat porridge at eight every morning now.")
    old, new = desk.all()
    assert (old.status, new.status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert new.safety


def test_a_proposal_accepted_in_place_of_a_safety_fact_is_one(desk):
    known = {"key": "insulin", "value": "2 units", "tags": ("safety",)}
    again = {"key": "insulin", "value": "3 units", "status": Status.PROPOSED}
    made = []
    for text, fields in (("I take 2 units", known), ("I take 3 units", again)):
        memory = Memory(new_id(desk.now), text, desk.now, desk.now, **{"agent_pk": 1, **fields})
        made.append(desk.memories.insert(memory, (), Note("import", "insert", "b")))
        desk.later(days=1)
    near = Nearby(desk.store, lambda: desk.models.embedder, Comparer(lambda: Told()), None)
    ProposalDecisions(desk.store, near, lambda: desk.now).accept([made[1].id])
    old, new = (desk.memories.get(memory.id) for memory in made)
    assert (old.status, new.status, new.safety) == (Status.SUPERSEDED, Status.ACTIVE, True)


@pytest.mark.parametrize("how", [Settlement.MERGE, Settlement.KEEP_NEWER, Settlement.KEEP_OLDER])
def test_what_is_kept_of_two_of_which_one_is_a_safety_fact_is_one(night, how):
    marked = {"tags": ("safety",)}
    first, then = ({}, marked) if how is Settlement.KEEP_OLDER else (marked, {})
    older = night.remember("I take 2 units", 3, **first)
    newer = night.remember("I take 3 units", 1, **then)
    with night.vault.write():
        night.inbox.between(newer, older, Clash.SLOT, Note("dream", "contradict", "c"))
    (pair,) = night.inbox.waiting(1)
    night.inbox.settle(pair.id, how, "I take 3 units instead of 2")
    (kept,) = night.all(Status.ACTIVE)
    assert kept.safety
