"""Who is spoken to, and when one last talked, is no part of what is told."""

import pytest

from app.memory.extract.address import led_up_to, without_address


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Hey Maria, I moved", "I moved"),
        ("Wow, Gina, I am a baker", "I am a baker"),
        ("John, I had a hard time", "I had a hard time"),
        ("I cannot wait to see it, Joanna", "I cannot wait to see it"),
        ("Since we last spoke, I have moved", "I have moved"),
        ("I have been ill since our last chat", "I have been ill"),
    ],
)
def test_names_and_talks_are_taken_off(said, told):
    assert without_address(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "My brothers are Tom, Paul",
        "I live with my son, Tom",
        "I was born in Cork, Ireland",
        "Yesterday, I ran",
        "I have known her since we met",
    ],
)
def test_names_that_are_told_stay(said):
    assert without_address(said) == said


def test_a_reason_or_a_concession_said_first_is_joined():
    assert led_up_to("since I am vegan I bake") == "I am vegan, so I bake"
    assert led_up_to("although my flat is small, I have a piano") == (
        "my flat is small, but I have a piano"
    )
    assert led_up_to("every time I eat plums I get hives") == "I get hives every time I eat plums"
