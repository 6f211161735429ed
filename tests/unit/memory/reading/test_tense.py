"""A day without its year gets the one that a reader would take, or none where that is open."""

from datetime import UTC, datetime

import pytest

from app.domain.language.reading import StatementKind
from app.memory.reading.wording import with_dates

NOVEMBER = datetime(2026, 11, 27, 20, tzinfo=UTC)
EVERY = (StatementKind.FACT, StatementKind.EVENT, StatementKind.PLAN)


def dated(text, kind):
    return with_dates(text, NOVEMBER, kind).removeprefix(text).strip(" []")


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("We split up in March", "March 2026"),
        ("Me and Hannah split up in March", "March 2026"),
        ("I split my ankle in May", "May 2026"),
        ("They let me go in February", "February 2026"),
        ("I put the car in the garage in March", "March 2026"),
        ("My sister quit her job in May", "May 2026"),
        ("She has quit in May", "May 2026"),
        ("I hurt my back in February", "February 2026"),
        ("The boiler cost me 900 in July", "July 2026"),
        ("I just let him stay in April", "April 2026"),
        ("I broke my arm on 3 March", "3 March 2026"),
        ("I didn't go in March", "March 2026"),
    ],
)
def test_a_verb_of_the_past_means_the_last(text, date, kind):
    assert dated(text, kind) == date


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("I'll put the house on the market in April", "April 2027"),
        ("I want to quit in May", "May 2027"),
        ("Let's meet in May", "May 2027"),
        ("I have a hair cut on 5 December", "5 December 2026"),
        ("I booked the dentist on 3 March", "3 March 2027"),
        ("Ana's birthday party is on 3 December", "3 December 2026"),
        ("My birthday is on Tuesday", "1 December 2026"),
    ],
)
def test_what_is_spelt_like_the_past_may_be_to_come(text, date, kind):
    assert dated(text, kind) == date


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize(
    "text",
    [
        "My birthday is in May",
        "My wife's birthday is on 3 June",
        "3 June is our anniversary",
        "Mein Geburtstag ist im Mai",
        "We always go to Spain in August",
    ],
)
def test_what_comes_every_year_has_none(text, kind):
    assert dated(text, kind) == ""


@pytest.mark.parametrize("kind", [StatementKind.FACT, StatementKind.EVENT])
@pytest.mark.parametrize(
    "text", ["Flights to Oslo cost a fortune in July", "We shut in August", "My knees hurt in May"]
)
def test_where_the_tense_is_open_no_year_is_guessed(text, kind):
    assert dated(text, kind) == ""


def test_what_begins_with_its_verb_is_told_by_what_follows_or_went_before():
    assert dated("Cut my hand in April", StatementKind.FACT) == "April 2026"
    assert dated("We fell out and split for good in April", StatementKind.FACT) == "April 2026"
    assert dated("Put the bins out in April", StatementKind.FACT) == ""
    assert dated("The course starts in May", StatementKind.FACT) == "May 2027"
