"""Only what tells the same attribute of the same person is told apart by it."""

import pytest

from app.memory.text.attributes import attribute_words, of_one_attribute


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("I turned 42 yesterday [27 November 2026]", "I'm 41"),
        ("I'm 42 now", "I'm 41 and was born in Rome"),
        ("Leo turned 7 on Sunday", "My son Leo is 6"),
        ("We said we're separating first", "I've been married since 2012"),
        ("Anja and I are separating", "Married since 2012 to Anja"),
        ("I'm a widow now", "I'm married"),
        ("My sister is divorced", "My sister is married"),
    ],
)
def test_two_values_of_one_attribute_are_told_of_one_person(newer, older):
    assert of_one_attribute(newer, older)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I'm 41", "My house number is 12"),
        ("I'm 41", "My dose is 10 now"),
        ("I'm 41", "My car is 12 years old"),
        ("I'm 41", "I have a 10 year old son"),
        ("I'm 41", "I'm 5 years sober"),
        ("I'm 41", "I turned 30 pages"),
        ("I'm 41", "My sister is 39"),
        ("My daughter Lea is 6", "My daughter Mia is 8"),
        ("I'm married to Jo", "I have a single bed"),
        ("I'm married to Jo", "My single biggest worry is money"),
        ("I'm married to Jo", "I keep the chickens separated from the ducks"),
        ("I'm married to Jo", "My parents are separating"),
        ("I'm married to Jo", "I'm single-handedly renovating"),
        ("I'm single", "I was married to Ana until 2009"),
        ("My parents are married", "My mum and dad divorced"),
        ("", "I'm 41"),
    ],
)
def test_what_is_something_else_or_somebody_elses_is_not(one, other):
    assert not of_one_attribute(one, other)
    assert not of_one_attribute(other, one)


def test_an_attribute_is_sought_by_the_words_of_all_its_values():
    assert {"marri", "divorc", "singl"} <= attribute_words("We're separating")
    assert not attribute_words("I have a single bed")
