"""A game is noticed, kept up, and ended, and what is said in it is told from what is meant."""

from datetime import UTC, datetime

import pytest

from app.memory.reading.naming import NamedMessage
from app.memory.reading.reader import Reader
from app.memory.text import pretence
from app.memory.text.playing import GAME
from app.memory.text.pretence import FICTION, after_the_end, plays
from tests.fakes.understanding import Understanding

BEGUN = (True, "Pretend you are a dragon.")
ROAR = (False, "Roar!")


def read(text):
    (reading,) = Reader(Understanding).read([NamedMessage(text, datetime(2026, 5, 8, tzinfo=UTC))])
    return reading


def still_on(said):
    return pretence.game_on(said, read).left > 0


def turns(*said):
    return [turn if isinstance(turn, tuple) else (True, turn) for turn in said]


def test_it_begins_by_a_message_of_the_persons_alone():
    assert still_on(turns(BEGUN, ROAR))
    assert not still_on(turns((False, BEGUN[1])))
    assert not still_on(turns("I play the violin."))
    assert not still_on([])


def test_it_ends_with_the_message_unless_it_is_plainly_continued():
    assert still_on(turns(BEGUN, ROAR, *[(True, "I own a sword."), ROAR] * 6))
    assert not still_on(turns(BEGUN, ROAR, "What is the capital of France?"))
    assert not still_on(turns(BEGUN, ROAR, "I take metformin every morning."))
    assert not still_on(turns(BEGUN, ROAR, *[(True, "I like jazz."), ROAR] * GAME))


@pytest.mark.parametrize(
    "sign",
    [(False, "*flaps its wings* Roar!"), "*draws a sword*", "Imagine there is a second one."],
)
def test_a_sign_of_it_keeps_it_up(sign):
    idle = [(True, "I like jazz."), ROAR]
    assert still_on(turns(BEGUN, *idle, sign, *idle))
    assert not still_on(turns(BEGUN, *idle, *idle))


def test_emphasis_is_no_action_and_begins_nothing():
    assert not still_on(turns("*draws a sword*"))
    idle = [(True, "That is **really** a *great* idea."), (False, "You get **two** of them:")]
    assert not still_on(turns(BEGUN, *idle * GAME))


def test_a_piece_of_fiction_is_over_with_its_message_and_shortens_no_game():
    joke = "Tell me a joke about a knight."
    assert plays(joke)
    assert not still_on(turns(joke))
    assert still_on(turns(BEGUN, joke, "Thanks."))


@pytest.mark.parametrize("opening", ["Chapter 1", "Once upon a time there was a king called Tom."])
def test_a_story_that_is_only_begun_goes_on_in_the_next_message(opening):
    assert still_on(turns(opening))
    assert not still_on(turns(opening, *["He lived in a castle."] * FICTION))
    assert plays(f"{opening}\nHe lived in a castle.")
    assert not still_on(turns(f"{opening}\nHe lived in a castle."))


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


SAID_ONCE = [
    "Imagine I was an astronaut, what would I eat?",
    "Write me a short poem",
    "Act as a nutritionist and make me a meal plan for the week.",
    "Pretend you are my doctor. Is 10 mg of lisinopril a lot?",
    "You are an expert chef. What can I cook with leeks?",
    "Explain it to me as if I were five.",
    "Let's say I earn 50k a year: what tax do I pay?",
    "What happens next?",
    "Testing, testing, 1 2 3",
    "You are the best!",
    "You are a star. I am a nurse in Leeds.",
    "I'll play the violin at the concert on Friday.",
    "Let's play chess.",
    "I love role-play games.",
    "Be my Spanish teacher.",
    "Stell dir vor, ich wäre Astronaut: was würde ich essen?",
    "Schreib mir ein kurzes Gedicht.",
    "Imagine que je suis astronaute : que mangerais-je ?",
    "Imagina que soy astronauta, ¿qué comería?",
    "Stel je voor dat ik astronaut was, wat zou ik eten?",
    "Lass uns Schach spielen.",
]


@pytest.mark.parametrize("words", SAID_ONCE)
def test_what_is_asked_once_begins_no_game(words):
    assert not still_on(turns(words, (False, "Here you are.")))


SET_UP = [
    "let's play: you are the innkeeper and I am a knight",
    "You be the cashier and I'll be the customer.",
    "You are Gandalf and I am Frodo.",
    "Let's role play a job interview: you're the manager. Ask me your first question!",
    "roleplay: you're my boss and you say I've been moved to Paris. I'll act surprised",
    "Act as my grandmother in 1920s Chicago. I'm your grandson Vinnie, I owe the mob $90.",
    "pretend you're a shopkeeper in 1850. good day sir, i'm a whaler, i'd like a left boot",
    "You are now a pirate. Talk like one.",
    "Imagine you're the last human on Mars. I am mission control.",
    "Stay in character.",
    "Lass uns ein Rollenspiel machen: du bist der Wirt und ich bin ein Ritter.",
    "Du bist der Drache und ich bin ein Ritter.",
    "Jouons : tu es l'aubergiste et je suis un chevalier.",
    "Fais comme si tu étais un dragon.",
    "Juguemos: tú eres el posadero y yo soy un caballero.",
    "Tú eres el dragón y yo soy un caballero.",
    "Laten we een spel spelen: jij bent de waard en ik ben een ridder.",
    "Doe alsof je een draak bent.",
]


@pytest.mark.parametrize("words", SET_UP)
def test_a_game_is_set_up_by_play_make_believe_or_parts(words):
    assert plays(words)
    assert still_on(turns(words, (False, "Very well.")))


@pytest.mark.parametrize(
    "words",
    [
        "Genug mit dem Spiel. Ich wohne in Gent.",
        "Fin du jeu. J'habite à Gand.",
        "Fin del juego. Vivo en Gante.",
        "Einde van het spel. Ik woon in Gent.",
    ],
)
def test_a_game_ends_in_other_languages_too(words):
    assert after_the_end(words) == words
