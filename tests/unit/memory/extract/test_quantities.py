"""A value is read with its unit, and put in the place of the one it puts right."""

import pytest

from app.memory.extract.quantities import correction, put_right, quantities


def read(text):
    return [(q.number, q.unit) for q in quantities(text)]


def test_quantities_have_a_number_and_a_unit_in_one_spelling():
    assert read("5mg, 2.5 mg or 1,200 euros; 3 tablets and 80 kilos") == [
        ("5", "mg"),
        ("2.5", "mg"),
        ("1200", "euro"),
        ("3", "tablet"),
        ("80", "kg"),
    ]
    assert read("two cats, 5 dogs, 10 am, 2026, 5 mg/kg, v1.2 m") == []


@pytest.mark.parametrize(
    ("said", "value", "instead_of", "changed"),
    [
        ("it's 10 mg now", "10 mg", "", True),
        ("Hm, no. Actually 10 mg.", "10 mg", "", False),
        ("Sorry, I meant 10 mg.", "10 mg", "", False),
        ("I take 10 mg now", "10 mg", "", True),
        ("No, it's 10 mg, not 5 mg.", "10 mg", "5", False),
        ("My doctor has increased it to 10 mg.", "10 mg", "", True),
        ("It went up to 900 euros.", "900 euros", "", True),
    ],
)
def test_a_bare_value_that_is_marked_as_a_correction_is_one(said, value, instead_of, changed):
    found = correction(said)
    assert (found.value.text, found.instead_of, found.changed) == (value, instead_of, changed)
    assert found.quote in said


@pytest.mark.parametrize(
    "said",
    [
        "10 mg",
        "It's 10 mg.",
        "Is it 10 mg now?",
        "It's 10 am now.",
        "Maybe 10 mg now.",
        "If it's 10 mg now, I am fine.",
        "Make it 10 minutes.",
        "He says it's 10 mg now.",
        "> it's 10 mg now",
        "It's 10 mg now. No, 20 mg.",
    ],
)
def test_what_is_not_marked_or_not_meant_is_none(said):
    assert correction(said) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("You take 5 mg of x every morning", "You take 10 mg of x every morning"),
        ("You take 5mg of x at 8 am", "You take 10 mg of x at 8 am"),
        ("You take 5 mg for your blood pressure", "You take 10 mg for your blood pressure"),
        ("You take 5 mg of x since 2020, every morning", "You take 10 mg of x"),
        ("You take 5 mg of x for two weeks", "You take 10 mg of x"),
        ("Since 2020 you take 5 mg of x", None),
        ("You take 5 mg of x and 20 mg of y", None),
        ("You take 10 mg of x", None),
        ("You take 5 drops of x", None),
    ],
)
def test_a_value_takes_the_place_of_the_only_one_of_its_unit(old, new):
    (value,) = quantities("10 mg")
    found = put_right(old, value)
    assert (found and found[0]) == new
    assert put_right("You take 5 mg", value, "6") is None
