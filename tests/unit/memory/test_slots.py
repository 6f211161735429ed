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
