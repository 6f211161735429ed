"""Which statements can hardly both be true; every doubt says that they can."""

import pytest

from app.domain.contradiction import Clash
from app.memory import slots


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        ("You no longer play tennis", "You play tennis", Clash.CLOSING),
        ("You do not eat meat", "You eat meat", Clash.CLOSING),
        ("You are not allergic to nuts", "You are allergic to nuts", Clash.CLOSING),
        ("Bram is not afraid of dogs any more", "Bram is still afraid of dogs", Clash.CLOSING),
        ("You have stopped learning Spanish", "You are learning Spanish", Clash.CLOSING),
        ("You no longer play in the band", "You play the bass in a big band", Clash.CLOSING),
        ("You sold the Volvo and bought a Zoe", "You drive a grey Volvo V60", Clash.CLOSING),
        ("You no longer row on Sunday mornings", "You row every Sunday morning", Clash.CLOSING),
        ("You gave away your piano", "You have a piano", Clash.CLOSING),
        ("Your GP is Dr Okafor", "Your doctor is Dr Lind", Clash.SLOT),
        (
            "You are not going to Porto any more",
            "You are going to Porto in September",
            Clash.CLOSING,
        ),
        ("Your dentist is Dr Patel", "Your dentist is Dr Kim", Clash.SLOT),
        ("Your landlord is now Mr Osei", "Your landlord is Mrs Lind", Clash.SLOT),
        ("Your shoe size is 43", "Your shoe size is 42", Clash.SLOT),
        ("You take 10 mg of lisinopril", "You take 5 mg of lisinopril", Clash.SLOT),
    ],
)
def test_these_contradict_each_other(new, old, kind):
    assert slots.clash(new, old) is kind


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Your sister is Ruth", "Your sister is Ada"),
        ("Your sister Ruth is a nurse", "Your sister is Ruth"),
        ("Your dentist is on holiday", "Your dentist is Dr Kim"),
        ("Your dentist is Dr Kim", "Your dentist is Dr Hana Kim"),
        ("You also play the cello", "You play the violin"),
        ("You play chess", "You play tennis"),
        ("Your favourite film is Alien", "Your favourite film is Heat"),
        ("You were not there", "You were there yesterday"),
        ("You do not eat meat on weekdays", "You eat meat"),
        ("You do not like your boss", "You like your boss's dog"),
        ("You do not play tennis", "You play table tennis"),
        ("You sold your flat in Ghent", "You have a flat in Antwerp"),
        ("You quit smoking in 2019", "You do not smoke"),
        ("You live in Ghent", "You live in Ghent"),
        ("Your cat is Miso", "Your dog is Rex"),
        ("No", "Not"),
        ("", "You live in Ghent"),
    ],
)
def test_both_may_be_true(new, old):
    assert slots.clash(new, old) is None


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        ("You quit smoking", "You smoke", Clash.CLOSING),
        ("You no longer smoke", "You smoke", Clash.CLOSING),
        ("You do not smoke", "You smoke", Clash.CLOSING),
        ("You quit smoking in 2019", "You smoke", Clash.CLOSING),
        ("You gave up smoking last year", "You smoke", Clash.CLOSING),
        ("You gave up coffee", "You drink coffee", Clash.CLOSING),
        ("You left Acme", "You work at Acme", Clash.CLOSING),
        ("You left Acme in March 2026", "You work as a nurse at Acme", Clash.CLOSING),
        (
            "Your dentist appointment is on 9 June 2026",
            "Your next dentist appointment is on 8 June 2026 at 9",
            Clash.SLOT,
        ),
        (
            "The bank appointment was moved to 6 July 2026",
            "Your appointment at the bank is on 3 July 2026 at 14:30",
            Clash.SLOT,
        ),
        (
            "You quit the bakery",
            "You work night shifts at the bakery on Mill Street",
            Clash.CLOSING,
        ),
        (
            "You quit the bakery in the week of 9 November 2026, you are at the post office",
            "You work at the bakery",
            Clash.CLOSING,
        ),
        ("Your blood type is O negative", "Your blood type is A positive", Clash.SLOT),
        ("Your blood type is O+", "Your blood type is O negative", Clash.SLOT),
    ],
)
def test_short_denials_and_blood_types_contradict_too(new, old, kind):
    assert slots.clash(new, old) is kind


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("It does not work", "You work"),
        ("Bram does not smoke", "You smoke"),
        ("You did not smoke", "You smoke"),
        ("You were not there", "You were there"),
        ("You do not sleep", "You sleep badly"),
        ("You do not work", "You work at Acme"),
        ("You quit smoking", "You work at the bakery"),
        ("Your dentist appointment is on 9 June 2026", "Your bank appointment is on 8 June 2026"),
        ("You left the keys at the bakery", "You work at the bakery"),
        ("You left the house at six", "You work at the house of parliament"),
        ("You stopped running", "You run a bakery"),
        ("You stopped drinking coffee", "You drink tea"),
        ("You left the office", "You work at the office"),
        ("You left Ghent", "You live in Ghent"),
        ("Your blood type is O", "Your blood type is O negative"),
    ],
)
def test_a_short_denial_of_something_else_contradicts_nothing(new, old):
    assert slots.clash(new, old) is None


@pytest.mark.parametrize(
    "quote",
    [
        "I live in Lille too.",
        "I live in Lille, too!",
        "I live in Lille as well.",
        "Also, I live in Lille.",
        "I also live in Lille.",
        "Besides, I live in Lille.",
        "I live in Lille. Also",
        "I have another home: I live in Lille.",
        "I live in Lille too these days.",
        "I too live in Lille.",
    ],
)
def test_an_addition_is_one_wherever_its_word_stands(quote):
    assert slots.adds(quote, "You live in Lille", "Lille")


@pytest.mark.parametrize(
    "quote",
    [
        "I live in Lille.",
        "I moved to Lille and I also like pizza.",
        "I moved to Lille, my sister likes it too.",
        "I moved to another city, I live in Lille now.",
        "It is too cold in Ghent so I live in Lille",
        "Too many people there, I now live in Lille",
        "On the second of May I moved to Lille",
    ],
)
def test_what_adds_something_else_is_no_addition(quote):
    assert not slots.adds(quote, "You live in Lille", "Lille")


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        (
            "You are not going to Porto any more, you are going to Galway",
            "You are going to Porto in September 2026",
            Clash.CLOSING,
        ),
        ("You do not smoke, but you vape", "You smoke", Clash.CLOSING),
        ("You are not going to Porto, you are going to Galway", "You are going to Galway", None),
        ("Your boss does not smoke, your sister does", "You smoke", None),
    ],
)
def test_what_is_denied_may_be_said_with_what_holds_instead(new, old, kind):
    assert slots.clash(new, old) is kind
