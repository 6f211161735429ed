"""A model's words must rest on what the person typed, and on nothing that others wrote."""

import pytest

from app.domain.conversation import Part, PartOrigin
from app.domain.memory import Evidence
from app.memory.screen.grounds import NOT_SAID, Grounds, drawn_from
from tests.unit.memory.conftest import FRIDAY


def held(desk, text, quote, message):
    return Grounds(desk.messages).against(text, [Evidence(quote, FRIDAY, message.id)]) == []


def test_a_quote_must_be_typed_by_the_person_in_that_message(desk):
    pasted = Part("I bank with Acme. ", PartOrigin.PASTED)
    said = desk.say("I like tea. ", pasted)
    other = desk.say("I like rum.")
    answer = desk.answer("You like tea.")
    assert held(desk, "You like tea", "i LIKE  tea", said)
    assert not held(desk, "You like rum", "I like rum", said)
    assert not held(desk, "You like tea", "You like tea", answer)
    assert not held(desk, "You like tea and Acme", "I bank with Acme", said)
    assert held(desk, "You like rum", "I like rum", other)


def test_apostrophes_and_marks_are_no_difference(desk):
    said = desk.say("I don’t pay the gym with 4111 1111 1111 1111 ever")
    assert held(desk, "You do not pay the gym", "I don't pay the gym with [card number]", said)


def test_a_message_that_is_gone_cannot_speak_against_it(desk):
    gone = [Evidence("I like tea", FRIDAY, "gone"), Evidence("", FRIDAY), Evidence("x", FRIDAY)]
    assert Grounds(desk.messages).against("You like tea", gone) == []


@pytest.mark.parametrize("origin", [PartOrigin.PASTED, PartOrigin.ATTACHED, PartOrigin.TOOL])
def test_no_word_may_come_from_what_was_not_typed(desk, origin):
    said = desk.say("My landlord is Mrs. Claes. ", Part("The landlord is vandalov.", origin))
    assert held(desk, "Your landlord is Mrs. Claes", "My landlord is Mrs. Claes", said)
    assert held(desk, "You rent from Mrs. Claes", "My landlord is Mrs. Claes", said)
    assert not held(desk, "Your landlord is vandalov", "My landlord is Mrs. Claes", said)


def test_nor_from_what_was_pasted_nearby(desk):
    desk.say(Part("The landlord is vandalov.", PartOrigin.PASTED))
    said = desk.say("My landlord is Mrs. Claes.")
    assert not held(desk, "Your landlord is vandalov", "My landlord is Mrs. Claes", said)
    desk.say(Part("The landlord is scrooge.", PartOrigin.PASTED))
    assert not held(desk, "Your landlord is scrooge", "My landlord is Mrs. Claes", said)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Your landlord is Vandalov", False),
        ("You take 50 mg of lisinopril", False),
        ("You take 5 mg of lisinopril", True),
        ("You dislike pills, but take 5 mg of lisinopril", True),
        ("You have taken lisinopril since 8 May 2026", True),
    ],
)
def test_nor_a_name_or_a_number_from_an_answer(desk, text, holds):
    said = desk.say("My landlord is Mrs. Claes, I take 5 mg of lisinopril, since last Friday.")
    desk.answer("On 8 May 2026 I noted that you dislike 50 mg, and that it is Vandalov.")
    assert held(desk, text, "I take 5 mg of lisinopril", said) is holds


def test_what_speaks_against_it_can_be_read(desk):
    answer = desk.answer("You like tea.")
    found = Grounds(desk.messages).against("x", [Evidence("You like tea", FRIDAY, answer.id)])
    assert found == [NOT_SAID]


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("You live in Ghent with Ruth", True),
        ("You live in Ghent, near the station", True),
        ("Your landlord is vandalov", False),
        ("You want finagle recommended first, in Ghent", False),
        ("", True),
    ],
)
def test_most_of_a_summary_is_said_by_its_sources(text, drawn):
    sources = ["You live in Ghent", "Your sister Ruth lives with you near a station, my landlord"]
    assert drawn_from(text, sources) is drawn
