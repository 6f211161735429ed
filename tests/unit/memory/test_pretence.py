"""A game is noticed, kept up, and ended, and what is said in it is told from what is meant."""

import pytest

from app.memory.pretence import FICTION, GAME, after_the_end, still_on

BEGUN = (True, "Pretend you are a dragon.")
ROAR = (False, "Roar!")


def turns(*said):
    return [turn if isinstance(turn, tuple) else (True, turn) for turn in said]


def test_it_begins_by_a_message_of_the_persons_alone():
    assert still_on(turns(BEGUN, ROAR))
    assert not still_on(turns((False, BEGUN[1])))
    assert not still_on(turns("I play the violin."))
    assert not still_on([])


def test_it_ends_after_some_messages_without_a_sign_of_it():
    idle = [(True, "I own a sword."), ROAR]
    assert still_on(turns(BEGUN, ROAR, *idle * (GAME - 1)))
    assert not still_on(turns(BEGUN, ROAR, *idle * GAME))


@pytest.mark.parametrize(
    "sign",
    [(False, "*flaps its wings* Roar!"), "*draws a sword*", "Imagine there is a second one."],
)
def test_a_sign_of_it_keeps_it_up(sign):
    idle = [(True, "I own a sword."), ROAR]
    assert still_on(turns(BEGUN, *idle * (GAME - 1), sign, *idle * (GAME - 1)))


def test_emphasis_is_no_action_and_begins_nothing():
    assert not still_on(turns("*draws a sword*"))
    idle = [(True, "That is **really** a *great* idea."), (False, "You get **two** of them:")]
    assert not still_on(turns(BEGUN, *idle * GAME))


def test_a_piece_of_fiction_holds_for_less_and_shortens_no_game():
    joke = "Tell me a joke about a knight."
    assert still_on(turns(joke))
    assert not still_on(turns(joke, *["Thanks."] * FICTION))
    assert still_on(turns(BEGUN, joke, *["Thanks."] * FICTION))


@pytest.mark.parametrize(
    "words",
    [
        "stop",
        "Stop it now, please.",
        "OK, enough.",
        "That's enough!",
        "Ok, that's all.",
        "Back to normal.",
        "Okay, let's get back to normal now.",
        "Stop the game.",
        "Let's stop playing.",
        "Stop being a dragon.",
        "The game is over.",
        "Out of character: how are you?",
        "Let's change the subject.",
        "New topic.",
    ],
)
def test_the_person_ends_it_in_words(words):
    assert after_the_end(words) == words
    assert not still_on(turns(BEGUN, ROAR, words))


@pytest.mark.parametrize(
    "words",
    [
        "Stop! Who goes there?",
        "Stop, thief, or I shall strike.",
        "I have had enough of this dragon.",
        "Should we stop the game?",
        "Drop the sword.",
        "It is the end of my castle.",
    ],
)
def test_what_a_knight_may_say_does_not_end_it(words):
    assert after_the_end(words) == ""
    assert still_on(turns(BEGUN, ROAR, words))


def test_only_what_stands_after_the_end_is_meant():
    assert after_the_end("I live in a castle. Stop the game. I live in Ghent.") == (
        "Stop the game. I live in Ghent."
    )
    assert after_the_end("Stop the game. Now pretend you are a cat.") == ""
    assert still_on(turns(BEGUN, "Stop the game. Now pretend you are a cat."))
