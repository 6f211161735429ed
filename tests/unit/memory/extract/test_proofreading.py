"""A memory is read once more before it is kept."""

import pytest

from app.domain.memory import Candidate
from app.memory.extract.proofreading import is_unsound, proofread


def read(text, **more):
    return [one.text for one in proofread([Candidate(text=text, quote=text, **more)])]


@pytest.mark.parametrize(
    "text",
    [
        "She has a bad heart",
        "They give you energy",
        "It is a story you have had for ages",
        "You love to",
        "You have had the guts to",
        "You did not do great, even",
        "You moved house with you five times",
        "You are always here for Loci",
    ],
)
def test_what_points_at_nobody_or_breaks_off_is_dropped(text):
    assert is_unsound(text)
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "It is your dream to sail",
        "It is just you and your son",
        "You have a dog who sleeps with you",
        "You are used to what you are allergic to",
        "Your resting pulse sits at 44, always has",
    ],
)
def test_what_reads_well_is_kept_as_it_is(text):
    assert read(text) == [text]


def test_a_clause_said_twice_is_said_once():
    assert read("Your flat is small, Your flat is small, you love it") == [
        "Your flat is small, you love it"
    ]


def test_a_first_clause_about_nobody_is_left_out_where_the_next_stands_alone():
    assert read("That skyline looks amazing - you have been wanting to visit Oslo") == [
        "You have been wanting to visit Oslo"
    ]
    assert read("He gave you a torch, you use it every day") == []


def test_a_day_does_not_stand_beside_the_month_it_was_counted_from():
    said = "You will have a party, on 6 May 2023 in July 2023"
    assert read(said) == ["You will have a party in July 2023"]


def test_years_are_counted_from_today_in_plain_words():
    assert read("You started surfing about in 2018") == ["You started surfing around 2018"]


def test_what_was_asked_to_be_kept_is_kept_as_it_is():
    assert read("They are in the shed", extra={"explicit": True}) == ["They are in the shed"]
