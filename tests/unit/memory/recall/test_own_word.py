"""What a file claimed stays out beside what the person said on the same thing."""

import pytest

from app.domain.conversation import Role
from app.domain.memory import DEFAULT_SCOPE, Trust
from app.domain.provenance import Passage
from app.domain.recall import HitKind
from app.memory.recall.own_word import BESIDE_OWN, OwnWord, on_same_thing, own_first

ANN, BOB = "Your name is Ann", "Your name is Bob"


def left_out(hits, context):
    return {hit.id for hit in OwnWord()(context(), hits) if hit.dropped == BESIDE_OWN}


def claim(make_hit, text=BOB, **fields):
    return make_hit("claim", text, trust=Trust.CLAIMED, **fields)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (ANN, BOB, True),
        ("You live in Ghent", "You live in Lille", True),
        ("You take 5 mg of lisinopril daily", "You take 50 mg of lisinopril daily", True),
        (ANN, "You like salmon", False),
        ("You have a dog", "The dog of Ruth is called Rex and sleeps all day", False),
        ("", "", False),
    ],
)
def test_two_statements_are_on_the_same_thing_where_they_share_half_of_what_they_say(
    one, other, same
):
    assert on_same_thing(one, other) is same
    assert on_same_thing(other, one) is same


def test_a_claim_goes_beside_the_persons_own_word_and_stays_without_it(make_hit, context):
    assert left_out([make_hit("own", ANN), claim(make_hit)], context) == {"claim"}
    assert left_out([make_hit("own", "You like salmon"), claim(make_hit)], context) == set()
    assert left_out([claim(make_hit)], context) == set()


def test_a_claim_goes_where_the_persons_word_tells_as_much_of_what_is_asked(make_hit, context):
    own = make_hit("own", "You are called Ann", relevance=0.7)
    assert left_out([own, claim(make_hit, relevance=0.8)], context) == {"claim"}
    little = make_hit("own", "You are called Ann", relevance=0.2)
    assert left_out([little, claim(make_hit, relevance=0.8)], context) == set()


def test_what_was_typed_is_the_persons_word_and_what_was_pasted_or_asked_is_not(make_hit, context):
    said = {"kind": HitKind.MESSAGE, "role": Role.USER}
    assert left_out([make_hit("typed", ANN, **said), claim(make_hit)], context) == {"claim"}
    pasted = make_hit("pasted", ANN, passages=(Passage(ANN, "in something you pasted"),), **said)
    asked = make_hit("asked", "Is your name Ann?", **said)
    assert left_out([pasted, asked, claim(make_hit)], context) == set()


def test_a_list_tells_the_persons_word_first_and_no_claim_on_the_same_thing(world):
    rex = world.learn("Rex sleeps a lot", trust=Trust.CLAIMED)
    world.learn(BOB, trust=Trust.CLAIMED)
    ann = world.learn(ANN)
    assert own_first(world.memories.list(DEFAULT_SCOPE, limit=-1)) == [ann, rex]


def test_a_claim_is_found_and_weighs_less_than_the_same_that_was_learnt(world):
    said = world.learn("Ruth has a red bicycle")
    world.learn("Ruth has a green bicycle", trust=Trust.EXTERNAL)
    other = world.learn("The tram to the museum is number nine", trust=Trust.CLAIMED)
    world.index()
    (found,) = world.recall("Which tram goes to the museum?").hits
    assert (found.id, found.factors["trust"]) == (other.id, pytest.approx(0.95))
    assert world.recall("What does Ruth have?").hits[0].id == said.id


def test_the_setting_may_leave_claims_out(world, with_setting):
    world.learn("The tram to the museum is number nine", trust=Trust.CLAIMED)
    world.index()
    assert world.texts("Which tram goes to the museum?")
    with_setting("rag.claims", False)
    assert world.texts("Which tram goes to the museum?") == []
