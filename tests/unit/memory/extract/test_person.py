"""What is said of "I" is told to "you"."""

import pytest

from app.memory.extract.person import expanded, second_person


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'm allergic to walnuts.", "You are allergic to walnuts"),
        ("my sister's a nurse", "Your sister is a nurse"),
        ("my sister's husband is kind", "Your sister's husband is kind"),
        ("I've got three cats", "You have three cats"),
        ("I really am a fan of mine", "You really are a fan of yours"),
        ("when I was six my aunt left", "When you were six your aunt left"),
        ("we built our house in the US for us", "You built your house in the US for you"),
        ("my wife and I taught ourselves", "Your wife and you taught yourselves"),
        ("i dont eat pork and i cant stand coriander", "You do not eat pork and you cannot stand "
         "coriander"),
        ("my train leaves at 10 am", "Your train leaves at 10 am"),
        ("Ruth won't come; she's ill", "Ruth will not come; she is ill"),
    ],
)  # fmt: skip
def test_grammar_follows_the_person(said, told):
    assert second_person(expanded(said)) == told


def test_what_speaks_of_nobody_stays():
    assert second_person("Ruth is vegetarian") == "Ruth is vegetarian"
