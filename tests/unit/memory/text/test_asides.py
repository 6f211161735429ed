"""What a message says of itself is told from what only sounds like it."""

import pytest

from app.memory.text.asides import is_pleasant, jokes, takes_back, unkept, without_order


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Don't remember this, but I was in rehab.", "but I was in rehab."),
        ("Off the record: I'm leaving my husband.", "I'm leaving my husband."),
        ("Ok so off the record, I am ill", "I am ill"),
        ("This is off the record. I hate my boss.", "I hate my boss."),
        ("I'm seeing a therapist, please don’t save that.", "I'm seeing a therapist."),
        ("My salary is 90k - please don't store that.", "My salary is 90k."),
        ("I am ill and please don't save this", "I am ill and "),
        ("Keep this out of your memory: I owe Tom 500", "I owe Tom 500"),
        ("Don't put this in your memory: I am ill", "I am ill"),
        ("I'd rather you didn't keep this, I'm ill", "I'm ill"),
        ("I am ill (don't save it)", "I am ill )"),
        ("I drink too much. Can you please not remember that?", "I drink too much. ?"),
        ("Ich war in Therapie, bitte nicht speichern.", "Ich war in Therapie."),
        ("Merk dir das nicht: ich war krank.", "ich war krank."),
        ("No guardes esto, pero gano 3000 euros.", "pero gano 3000 euros."),
        ("Je vois un psy, ne l'enregistre pas.", "Je vois un psy."),
        ("Ik ben ziek, onthoud dit niet.", "Ik ben ziek."),
    ],
)
def test_an_order_to_remember_nothing_is_heard_and_is_no_part_of_what_is_said(text, rest):
    assert unkept(text)
    assert without_order(text) == rest


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember her name but I live in Ghent",
        "I don't remember that.",
        "My brother told me off the record that he quits.",
        "Don't store that in the fridge, I'm allergic to it.",
        "When I talk about work, don't remember it.",
        "From now on, don't save that.",
        "Remember this: I live in Ghent.",
        "Don't forget that I live in Ghent",
        "He said “please don't save that” and I live in Ghent.",
        "> Don't save that.\n\nI live in Ghent.",
        "Ich kann mir das nicht merken, ich wohne in Kassel.",
        "Why don't you remember this?",
        "Don't keep that from me",
    ],
)
def test_what_only_sounds_like_such_an_order_is_none(text):
    assert not unkept(text)
    assert without_order(text) == text


def test_an_order_alone_is_of_what_was_said_before():
    assert takes_back("Please don't save that.")
    assert not takes_back("Off the record.")
    assert not takes_back("I'm ill, don't save that.")


@pytest.mark.parametrize(
    "text",
    [
        "just kidding, my wife left me",
        "My wife left me. Just kidding!",
        "My wife left me lol jk",
        "My wife left me, that was a joke",
        "War nur Spaß, ich wohne in Kassel",
        "J'habite à Lyon, je rigole",
        "Vivo en Porto, es broma",
        "Ik woon in Gent, grapje",
    ],
)
def test_a_joke_is_told(text):
    assert jokes(text)


@pytest.mark.parametrize(
    "text",
    [
        "I bought a boat lol",
        "My son is always just kidding around",
        "He was just kidding",
        "I'm not kidding, I live in Ghent",
        "My salary is 20k, it's a joke",
    ],
)
def test_laughter_and_what_is_said_of_jokes_is_none(text):
    assert not jokes(text)


def test_a_polite_question_is_told_from_one_that_asks():
    for text in ("How are you?", "Hi, how's it going today?", "¿Qué tal?", "wie geht's dir?"):
        assert is_pleasant(text)
    for text in ("How old are you?", "¿Dónde trabajo?", "Wo wohne ich?"):
        assert not is_pleasant(text)
