"""Proposals: whatever the order in which they are accepted, what was said last holds."""

from datetime import timedelta
from itertools import permutations

import pytest

from app.domain.memory import Evidence, Memory, Status
from app.memory.proposals import Proposals
from app.store.journal import Note
from app.store.waiting import Waiting
from tests.fakes.understanding import nearby

MOVES = ("I live in Ghent.", "I moved to Lille.", "I live in Porto now.")
CITIES = ("You live in Ghent", "You live in Lille", "You live in Porto")


@pytest.fixture
def asking(desk):
    desk.set("extraction.ask_first", True)
    near = nearby(desk.vault, lambda: desk.models.embedder, lambda: desk.now)
    desk.proposals = Proposals(desk.vault, near, lambda: desk.now)
    return desk


def waiting(desk):
    return [proposal.memory for proposal in desk.proposals.waiting()]


def told(desk, *texts):
    for text in texts:
        desk.tell(text)
        desk.later(days=1)


def home(desk):
    return [m.text for m in desk.all() if m.key == "home_city" and m.status is Status.ACTIVE]


def of_city(desk, text):
    return next(m for m in waiting(desk) if m.text == text)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_one_by_one_in_any_order_the_newest_value_holds(asking, order):
    told(asking, *MOVES)
    for place in order:
        asking.proposals.accept([of_city(asking, CITIES[place]).id])
        asking.later(minutes=1)
    assert home(asking) == ["You live in Porto"]
    old = [m for m in asking.all() if m.text in CITIES[:2]]
    assert {m.status for m in old} == {Status.SUPERSEDED}
    assert all(m.valid_to is not None and m.superseded_by for m in old)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_all_at_once_in_any_order_the_newest_value_holds(asking, order):
    told(asking, *MOVES)
    ids = [of_city(asking, CITIES[place]).id for place in order]
    batch = asking.proposals.accept(ids)
    assert home(asking) == ["You live in Porto"]
    asking.journal.undo(batch, Note("user", "undo", "u"))
    assert {m.status for m in asking.all()} == {Status.PROPOSED}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_is_over_ends_it_in_any_order(asking, order):
    told(asking, "I work at KBC.", "I no longer work at KBC.", "I own a boat.")
    said = sorted(waiting(asking), key=lambda m: m.pk)
    for place in order:
        asking.proposals.accept([said[place].id])
    active = [m.text for m in asking.all() if m.status is Status.ACTIVE]
    assert active == ["You no longer work at KBC", "You own a boat"]


@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_what_began_again_is_not_ended_by_what_was_said_before(asking, order):
    told(asking, "I no longer work at KBC.", "I work at KBC.")
    asking.set("extraction.ask_first", False)
    said = sorted(waiting(asking), key=lambda m: m.pk)
    for place in order:
        asking.proposals.accept([said[place].id])
    active = [m.text for m in asking.all() if m.status is Status.ACTIVE]
    assert "You work at KBC" in active


def test_what_holds_the_place_and_was_said_later_is_told(asking):
    told(asking, "I live in Ghent.", "I moved to Lille.")
    asking.proposals.accept([of_city(asking, "You live in Lille").id])
    ghent = next(p for p in asking.proposals.waiting() if p.memory.text == "You live in Ghent")
    assert (ghent.replaces, ghent.later) == ("", "You live in Lille")


def test_another_text_for_it_is_said_now(asking):
    told(asking, "I live in Ghent.", "I moved to Lille.")
    asking.proposals.accept([of_city(asking, "You live in Lille").id])
    asking.proposals.accept([of_city(asking, "You live in Ghent").id], "You live in Antwerp")
    assert home(asking) == ["You live in Antwerp"]
    (memory,) = [m for m in asking.all() if m.text == "You live in Antwerp"]
    assert memory.value == "Antwerp"


def test_what_was_accepted_with_another_text_is_not_proposed_again(asking):
    told(asking, "I am allergic to walnuts.")
    asking.proposals.accept([waiting(asking)[0].id], "You are allergic to hazelnuts")
    told(asking, "I am allergic to walnuts.", "I'm allergic to walnuts!")
    assert waiting(asking) == []
    assert asking.texts() == ["You are allergic to hazelnuts"]
    told(asking, "Remember that I am allergic to walnuts.")
    assert "You are allergic to walnuts" in asking.texts()
    told(asking, "I am allergic to pears.")
    assert [m.text for m in waiting(asking)] == ["You are allergic to pears"]


def test_of_a_key_too_until_the_value_moves_on(asking):
    told(asking, "I live in Ghent.")
    asking.proposals.accept([waiting(asking)[0].id], "You live in Antwerp")
    told(asking, "I live in Ghent.")
    assert waiting(asking) == []
    told(asking, "I live in Lille.")
    asking.proposals.accept([of_city(asking, "You live in Lille").id])
    told(asking, "I live in Ghent.")
    assert "You live in Ghent" in [m.text for m in waiting(asking)]


def test_the_same_in_other_words_does_not_pile_up(asking):
    told(asking, "I own a boat.", "I really own a boat!", "i own a boat", "I do own a boat.")
    assert [m.text for m in waiting(asking)] == ["You own a boat"]
    told(asking, "I own a boat with a red sail.")
    assert len(waiting(asking)) == 2


def test_what_is_set_aside_does_not_keep_the_persons_own_words_away(asking):
    now = asking.now
    planted = Memory("p", "You own the yacht", now, now, status=Status.QUARANTINED)
    asking.memories.insert(planted, (), Note("import", "insert", "b"))
    told(asking, "I own a yacht.")
    assert len(waiting(asking)) == 2


def test_all_that_wait_are_listed_and_accepted(asking):
    message = asking.say("I own kites")
    for number in range(230):
        at = asking.now + timedelta(minutes=number)
        memory = Memory(f"p{number}", f"You own kite {number}", at, at, status=Status.PROPOSED)
        said = Evidence(f"I own kite {number}", at, message.id)
        asking.memories.insert(memory, (said,), Note("review", "insert", "b"))
    found = asking.proposals.waiting(asking.talk.id)
    assert len(found) == 230
    asking.proposals.accept([proposal.memory.id for proposal in found])
    assert Waiting(asking.vault).count() == 0
