"""A game is over once the person speaks for themselves; what may belong to it waits for them."""

import pytest

PIRATE = "Let's pretend you are a pirate."
CAT = "Imagine you were a cat. What would you do?"
INN = "Let's play: you are the innkeeper and I am a knight."
PIRAT = "Stell dir vor, du wärst ein Pirat."
RITTER = "Lass uns spielen: du bist der Wirt und ich bin ein Ritter."
LEFT = [
    (
        PIRATE,
        "What is the capital of France?",
        "By the way, I'm allergic to shellfish.",
        "My birthday is 4 June 1980.",
    ),
    (CAT, "I take metformin every morning."),
    (PIRATE, "I work for Siemens in Leeds."),
    (PIRATE, "Arrr, where be the treasure?", "Actually, I'm allergic to penicillin."),
    (PIRATE, "Shiver me timbers! By the way, my wife has epilepsy."),
    (INN, "out of character: my wife has epilepsy."),
    (INN, "What is the capital of France?", "I'm allergic to peanuts."),
    (INN, "btw I live in Ghent."),
    (INN, "Remember that I'm allergic to walnuts."),
    (PIRAT, "Was ist die Hauptstadt von Frankreich?", "Ich bin allergisch gegen Walnüsse."),
    (PIRAT, "Ich nehme jeden Morgen Metformin."),
    (RITTER, "Im Ernst, ich arbeite bei Siemens in München."),
    ("Fais comme si tu étais un pirate.", "Au fait, je suis allergique aux noix."),
    ("Finge que eres un pirata.", "Por cierto, soy alérgico a las nueces."),
    ("Doe alsof je een piraat bent.", "Trouwens, ik woon in Gent."),
    ("I can't imagine a day without coffee.", "I'm allergic to penicillin."),
]
WAITS = [
    (INN, "I'm allergic to peanuts."),
    ("Pretend you are my doctor.", "I take metformin every morning."),
    (PIRATE, "By the way, matey, I'm allergic to shellfish."),
    ("Pretend you are a waiter in a seafood restaurant.", "I'm allergic to seafood."),
    (RITTER, "Ich bin allergisch gegen Nüsse."),
    (INN, "How much is a room?", "I have ridden here from Wales with my two sons."),
    ("Let's role play a job interview: you're the manager.", "I live in Ghent."),
]
PLAYED = [
    (PIRATE, "I am the captain and I lost my leg to a shark. Arrr!", "I own a ship with a crew."),
    (PIRATE, "*draws a cutlass* I was born in Tortuga."),
    (INN, "I am a knight from Wales.", "I live in a castle.", "My sword is called Bite."),
    (INN, "Your turn.", "I have slain three dragons."),
    (INN, "How much is a room?", "I'll have two beers.", "Thy ale is sour."),
    ("Let's role play a job interview: you're the manager.", "My weakness is that I eat paper."),
    (CAT, "Meow! I live under the sofa."),
    (RITTER, "Ich wohne in einer Burg.", "Ich habe einen Drachen getötet."),
    (RITTER, "Du bist dran.", "Ich würde auf einem Schloss wohnen."),
    ("Jouons : tu es l'aubergiste et je suis un chevalier.", "J'ai tué trois dragons."),
]


def tell(desk, said):
    learned = None
    for one in said:
        learned = desk.tell(one)
        desk.answer("Very well.")
    return learned


@pytest.mark.parametrize("said", LEFT, ids=" / ".join)
def test_what_the_person_says_for_themselves_is_learnt(desk, said):
    learned = tell(desk, said)
    assert [one.outcome for one in learned.became] == ["remembered"]
    assert {memory.status for memory in desk.all()} == {"active"}


def test_all_that_is_said_after_a_game_is_learnt(desk):
    tell(desk, LEFT[0])
    assert desk.texts() == ["I'm allergic to shellfish", "My birthday is 4 June 1980"]


@pytest.mark.parametrize("said", WAITS, ids=" / ".join)
def test_what_may_belong_to_the_game_waits_and_says_so(desk, said):
    learned = tell(desk, said)
    assert [(one.outcome, one.why) for one in learned.became] == [
        ("waits", "It may belong to the game.")
    ]
    assert desk.texts() == []


@pytest.mark.parametrize("said", PLAYED, ids=" / ".join)
def test_what_is_plainly_played_is_no_memory(desk, said):
    tell(desk, said)
    assert desk.all() == []


def test_a_patient_who_is_played_takes_nothing_for_certain(desk):
    begun = "You be the doctor and I'll be the patient."
    tell(desk, [begun, "My knee hurts since Monday.", "I take ibuprofen every day."])
    assert desk.texts() == []
    assert len(desk.texts("proposed")) == 2
    tell(desk, ["Thanks, that was fun.", "I'm allergic to penicillin."])
    assert desk.texts() == ["I'm allergic to penicillin"]


def test_only_a_game_that_is_begun_is_imagined(desk):
    desk.tell("My boss Henriette retires in June and nobody can imagine it.")
    assert desk.texts()
