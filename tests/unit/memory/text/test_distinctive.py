"""What is distinctive in a text, and how another text stands to it."""

import pytest

from app.memory.text import distinctive
from app.memory.text.distinctive import OF_ANOTHER, ErasedStatement, pattern, sentences, sources


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("You drive a Skoda", {"Skoda": 1}),
        ("Anna's number is 0471 23 45 67", {"Anna": 1, "0471 23 45 67": 2}),
        ("You moved in 2019, on 2019-03-04 at 10:30", {}),
        ("Your PIN is 1987", {"1987": 2, "PIN": 1}),
        ("The code of the locker is 317, not 318", {"317": 2}),
        ("It was the year 2019, or in 2020; he was 101 days away", {}),
        ("Write to anna@kestrel.be", {"anna@kestrel.be": 2}),
        ("You are allergic to walnuts", {}),
    ],
)
def test_names_and_numbers_are_distinctive_years_and_times_are_not(text, marks):
    assert distinctive.marks(text) == marks


def test_a_number_is_known_however_it_is_spaced():
    assert pattern("0471 23 45 67").search("call 0471/234567 now")
    assert not pattern("0471 23 45 67").search("call 10471234567")


def test_a_name_is_a_word_of_its_own():
    assert pattern("Ann").search("ann's car")
    assert not pattern("Ann").search("Planning for Anna")


def test_only_few_rows_make_a_word_distinctive():
    counts = {"Skoda": 5, "Ghent": 40}
    rare, common = distinctive.rare(list(counts), 1_000, counts.__getitem__)
    assert (rare, common) == ({"Skoda"}, {"Ghent": 40})
    rare, _ = distinctive.rare(["Ghent"], 5_000, counts.__getitem__)
    assert rare == {"Ghent"}


CAR = sources("You drive a Skoda")[0]
HIS = sources("My brother Tom drives a Skoda")[0]
NUMBER = sources("Anna's number is 0471 23 45 67")[0]
NUTS = sources("You are allergic to walnuts")[0]


@pytest.mark.parametrize(
    ("source", "text", "why", "sure"),
    [
        (CAR, "I said: you drive a Skoda, right?", "quotes it", True),
        (CAR, "It is a Skoda that I drive", "says the same", True),
        (CAR, "The skoda needs new tyres", "holds “Skoda”", True),
        (NUMBER, "Call 0471234567 after six", "holds “0471 23 45 67”", True),
        (NUMBER, "Anna lives in a boat", "holds “Anna”", False),
        (CAR, "My brother Tom drives a Skoda too", f"says the same, but {OF_ANOTHER}", False),
        (HIS, "I drive a 2015 Skoda Octavia", f"holds “Skoda”, but {OF_ANOTHER}", False),
        (HIS, "Tom polished the Skoda", "holds “Tom” and “Skoda”", True),
        (NUTS, "Walnuts, to which I am so allergic, are out", "says the same", True),
    ],
)
def test_why_another_text_is_listed(source, text, why, sure):
    match = source.match(text)
    assert (match.why, match.sure) == (why, sure)


@pytest.mark.parametrize("text", ["You drive too fast", "I am allergic to cats", "[erased].", ""])
def test_a_common_word_alone_lists_nothing(text):
    assert CAR.match(text) is None
    assert NUTS.match(text) is None


def test_what_is_common_is_no_mark_any_more():
    assert CAR.rare(frozenset()).match("The Skoda needs new tyres") is None
    assert ErasedStatement("x").match("Anything at all") is None


def test_sentences_leave_out_what_closes_them_and_keep_numbers_whole():
    found = [text for *_, text in sentences("It costs 3.50 euros. Really?! Yes…\nGood")]
    assert found == ["It costs 3.50 euros", "Really", "Yes", "Good"]
