"""What was supposed, held by another, quoted or played answers only who asks for just that."""

import pytest

from app.conversation.notebook import UNKNOWN
from tests.unit.services.notebook import say, texts

RICH = "If I were rich I'd live in Monaco"
ADVICE = "My sister says I should move to Spain"
CODE = 'for i in range(10): print("I am allergic to bees")'
KEYS = "The keys are behind the radiator today I think"


@pytest.mark.parametrize(
    ("said", "question"),
    [
        (RICH, "Where do I live?"),
        (ADVICE, "Where should I move?"),
        (CODE, "What am I allergic to?"),
        ('He goes "I live in Paris" in that song', "Where do I live?"),
    ],
)
def test_what_states_nothing_of_the_person_answers_nothing_about_them(services, said, question):
    say(services, said)
    assert texts(services) == []
    answer = say(services, question).text
    assert answer == UNKNOWN


@pytest.mark.parametrize(
    ("said", "question"),
    [
        (RICH, "did I say I would live in Monaco?"),
        (RICH, "what would I do if I were rich?"),
        (ADVICE, "what does my sister say?"),
        (KEYS, "Where are the keys?"),  # a plain small fact, though it was not kept
    ],
)
def test_who_asks_for_just_that_is_told(services, said, question):
    say(services, said)
    assert texts(services) == []
    assert say(services, question).text.startswith(f"“{said}” (you said on")


def test_what_was_said_in_a_game_is_so_of_nobody(services):
    talk = services.conversations.create()
    say(services, "Let's play: you are a dragon and I am a knight.", talk.id)
    say(services, "I live in a tower by the sea.", talk.id)
    say(services, "Anyway, out of character now.", talk.id)
    assert say(services, "Where do I live?", talk.id).text == UNKNOWN


def test_the_end_of_a_game_undoes_nothing(services):
    talk = services.conversations.create()
    say(services, "My ex-husband Rob drinks too much.", talk.id)
    say(services, "Let's play: you are a dragon and I am a knight.", talk.id)
    say(services, "Ok, enough. Back to normal.", talk.id)
    assert texts(services) == ["My ex-husband Rob drinks too much"]


@pytest.mark.parametrize("question", ["Who is Rob?", "who's rob"])
def test_who_somebody_is_is_told_by_what_introduces_them(services, question):
    say(services, "My ex-husband Rob drinks too much.")
    say(services, "Rob lent my colleague Ann a pen.")
    answer = say(services, question).text
    assert answer.startswith("“My ex-husband Rob drinks too much” (")
