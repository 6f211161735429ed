"""What a correction takes back is told from its words."""

import pytest

from app.memory.reading.corrections import corrected, taken_back, without_the_old


@pytest.mark.parametrize(
    ("text", "former"),
    [
        ("it's truck 88 I had it backwards it ain't 86", "86"),
        ("the checkup isn't 15 April anymore it's 6 May", "15 April"),
        ("It's not walnut, it's cashew", "walnut"),
        ("at 07:15, not 07:45", "07:45"),
        ("Kumi is on the list instead of Baba", "Baba"),
        ("no more 767, she's on the 777 now", "767"),
        ("er wohnt nicht mehr in Köln sondern in Bonn", "in Köln"),
        ("c'est mardi, pas jeudi", "jeudi"),
    ],
)
def test_a_former_value_is_named_behind_not_and_instead_of(text, former):
    assert taken_back(text) == (former,)


def test_what_takes_nothing_back_names_nothing():
    assert taken_back("I moved to Ghent in May") == ()


def test_a_correction_is_kept_without_what_it_takes_back():
    assert without_the_old("Swimming is at 07:15, not 07:45") == "Swimming is at 07:15"
    assert without_the_old("I like tea, coffee and cake") == "I like tea, coffee and cake"
    assert without_the_old("It's the 22nd, not the 21st, I forgot") == "It's the 22nd, I forgot"
    assert without_the_old("Room is 318 yaar not 308") == "Room is 318"
    assert without_the_old("I am not 40") == "I am not 40"
    assert without_the_old("We meet on Monday, not tuesday") == "We meet on Monday"
    assert without_the_old("I live here, not that I like it") == "I live here, not that I like it"


@pytest.mark.parametrize(
    ("before", "text", "whole", "former"),
    [
        ("My blood type is O", "It's A", "[My blood type] is A", "O"),
        (
            "the spare key is with Ann",
            "It’s with Farhad",
            "[The spare key] is with Farhad",
            "with Ann",
        ),
        (
            "My dentist is Dr Kim and our bins go out on Tuesday",
            "No wait, that's wrong. It's Dr Kimmel",
            "[My dentist] is Dr Kimmel",
            "Dr Kim",
        ),
        (
            "Lena's school was in Ghent",
            "It was in Aalst",
            "[Lena's school] was in Aalst",
            "in Ghent",
        ),
    ],
)
def test_a_correction_of_what_was_just_said_names_it(before, text, whole, former):
    assert corrected(text, before) == (whole, (former,))


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("", "It's A negative"),
        ("I take 5 mg", "It's 10 mg"),
        ("My blood type is O negative", "I am A negative"),
        ("My blood type is O negative", "That's wrong"),
        (
            "My blood type is O negative",
            "My sister told me on the phone on Monday, it's A negative",
        ),
    ],
)
def test_other_corrections_stay_as_they_are(before, text):
    assert corrected(text, before) == (text, ())


MEETING = "My meeting with Sven is on Tuesday at 10."


@pytest.mark.parametrize(
    ("before", "text", "old", "whole", "former"),
    [
        (MEETING, "No, I meant Thursday", "Tuesday", "[{}] Thursday [at 10]", "Tuesday"),
        (MEETING, "Oops, I meant Thursday", "", "[{}] Thursday [at 10]", "Tuesday"),
        (MEETING, "not Tuesday, Thursday", "Tuesday", "[{}] Thursday [at 10]", "Tuesday"),
        (
            "Ann is ill",
            "I meant my older sister, not Ann",
            "Ann",
            "My older sister [is ill]",
            "Ann",
        ),
        ("I'm 40. I keep bees", "Make that 41", "", "[I'm] 41", "40"),
        (
            "My son is in Porto",
            "I meant Lisbon instead of Porto",
            "Porto",
            "[My son is in] Lisbon",
            "Porto",
        ),
        (
            "My brother is ill",
            "I meant my sister",
            "my brother",
            "My sister [is ill]",
            "My brother",
        ),
        (
            "We have two dogs and a cat",
            "three dogs",
            "two",
            "[We have] three dogs [and a cat]",
            "two",
        ),
        (
            "Das Treffen ist am Dienstag um 10",
            "Nein, ich meinte Donnerstag",
            "Dienstag",
            "[Das Treffen ist am] Donnerstag [um 10]",
            "Dienstag",
        ),
    ],
)
def test_a_value_alone_is_put_in_place_of_the_one_it_takes_back(before, text, old, whole, former):
    told = corrected(text, before, (old,) if old else ())
    assert told == (whole.format("My meeting with Sven is on"), (former,))


@pytest.mark.parametrize(
    ("before", "text", "old"),
    [
        ("When is my meeting on Tuesday?", "I meant Thursday", ""),
        ("We meet on Tuesday and Friday", "I meant Thursday", ""),
        ("My sister lives in Ghent", "I meant she lives in Porto", ""),
        ("40", "I meant 41", "40"),
    ],
)
def test_what_is_not_plainly_one_value_for_another_stays_as_it_is(before, text, old):
    assert corrected(text, before, (old,) if old else ()) == (text, ())


def test_a_day_that_is_put_in_place_has_its_date():
    dated = lambda text: text.replace("Thursday", "Thursday [3 December 2026]")  # noqa: E731
    (text, _) = corrected("I meant Thursday", MEETING, ("Tuesday",), dated)
    assert text == "[My meeting with Sven is on] Thursday [3 December 2026] [at 10]"


def test_what_must_not_be_had_is_no_former_value():
    for said in (
        "I can have paracetamol, not ibuprofen",
        "I eat fish, no meat",
        "Tested negative, no cat allergy after all",
        "Leo may have cow's milk now, not eggs",
    ):
        assert without_the_old(said) == said


def test_what_a_correction_puts_right_goes_however_it_is_written():
    said = "The launch is at the curtin, not the gaso"
    assert without_the_old(said, corrects=True) == "The launch is at the curtin"
    assert without_the_old(said) == said
