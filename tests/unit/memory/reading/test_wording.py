"""A stretch becomes a statement that stands alone, in the person's own words."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.domain.language.reading import StatementKind
from app.memory.reading import spans
from app.memory.reading.joining import TOGETHER
from app.memory.reading.wording import question, trimmed, with_dates, written
from tests.unit.memory.reading.tagged import FRIDAY, said, tagged


def stands(one, marked, *, kind=StatementKind.FACT, first=True, refers=()):
    """Return a stretch of a message as it is written down, and the day it names."""
    tags = tagged(one, marked, refers=refers, kind=kind)
    found = next(iter(spans.statements(one.text, tags)))
    return written(one, tags, found, kind, first=first)


def text_of(message, marked=None, **more):
    one = said(message) if isinstance(message, str) else message
    return stands(one, marked or one.text, **more)[0]


# -- its words -------------------------------------------------------------------------------------


def test_words_stay_as_they_were_typed():
    text = "I don't eat meat on Mondays but fish is fine"
    assert text_of(text) == text


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("well, i live in Ghent", "I live in Ghent"),
        ("and then I moved to Ghent,", "I moved to Ghent"),
        ("oh ok so my cat is twelve", "My cat is twelve"),
        ("i'm vegan and i’ve two cats", "I'm vegan and I’ve two cats"),
        ("I live in Ghent  \n  by the sea", "I live in Ghent by the sea"),
        ("I live in Ghent and", "I live in Ghent"),
        ("– my boat is called i.Wren", "My boat is called i.Wren"),
        ("und ich wohne in Leipzig", "Ich wohne in Leipzig"),
    ],
)
def test_it_begins_and_ends_where_its_sentence_does(typed, kept):
    assert text_of(typed) == kept


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Remember that my locker is number 12", "My locker is number 12"),
        ("please note that Ana lives in Porto", "Ana lives in Porto"),
        ("Could you keep in mind that Ana lives in Porto", "Ana lives in Porto"),
        ("Merk dir, dass ich in Leipzig wohne", "Ich in Leipzig wohne"),
        ("please remember the door code is 4411", "The door code is 4411"),
        ("Please remember, my size is 44", "My size is 44"),
        ("Remember to water the fern", "Remember to water the fern"),
        ("Remember thatched roofs burn", "Remember thatched roofs burn"),
        ("I remember that summer well", "I remember that summer well"),
    ],
)
def test_the_wish_that_it_be_remembered_is_no_part_of_a_statement(typed, kept):
    assert text_of(typed) == kept


def test_a_sentence_whose_every_word_leads_keeps_one():
    text = "well yes ok so"
    start, end = trimmed(text, next(iter(spans.statements(text, tagged(text, text)))))
    assert text[start:end] == "so" or start == end


# -- names in brackets -----------------------------------------------------------------------------


def test_what_stands_for_a_name_is_replaced_by_the_name():
    far = "It rains. " * TOGETHER
    text = f"My sister Ana lives in Porto. {far}She has two dogs."
    assert text_of(text, "She has two dogs", refers=[("She", "My sister Ana")]) == (
        "[My sister Ana] has two dogs"
    )


def test_a_name_that_is_near_is_kept_with_what_leans_on_it():
    text = "My sister Ana lives in Porto. She has two dogs."
    kept = text_of(text, "She has two dogs", refers=[("She", "My sister Ana")])
    assert kept == "My sister Ana lives in Porto. She has two dogs"


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Ana, our eldest", "[Ana]"), ("Ana not lifting", "[Ana]"), ("my", "She"), ("Ana", "[Ana]")],
)
def test_only_the_name_itself_is_filled_in(name, kept):
    one = said("She slept till two", asked=f"About {name} now.")
    assert text_of(one, refers=[("She", name)]) == f"{kept} slept till two"


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ("Is that your daughter Mia?", "your daughter Mia"),
        ("Does Mia have any allergies?", "Mia"),
    ],
)
def test_the_name_may_stand_in_what_was_asked(before, name):
    one = said("She is allergic to penicillin and can't have it", asked=before)
    kept = text_of(one, refers=[("She", name)], first=False)
    assert kept == f"[{name}] is allergic to penicillin and can't have it"


@pytest.mark.parametrize(
    ("text", "word", "name", "kept"),
    [
        ("Her vet is Dr. Peeters", "Her", "Bella", "[Bella’s] vet is Dr. Peeters"),
        ("their house is in Ghent", "their", "The Claes", "[The Claes’] house is in Ghent"),
        ("I married her in Ghent", "her", "Petra", "I married [Petra] in Ghent"),
        ("I love her and him", "her", "Petra", "I love [Petra] and him"),
        ("Ich besuche ihn oft", "ihn", "Karl", "Ich besuche [Karl] oft"),
        ("Never give her ibuprofen", "her", "Olena", "Never give [Olena] ibuprofen"),
        ("I gave her number to Tom", "her", "Olena", "I gave [Olena’s] number to Tom"),
        ("I give her dog a bone", "her", "Olena", "I give [Olena’s] dog a bone"),
        ("I know her sister", "her", "Olena", "I know [Olena’s] sister"),
    ],
)
def test_a_name_owns_what_its_word_owned(text, word, name, kept):
    one = said(text, asked=f"About {name}, then.")
    assert text_of(one, refers=[(word, name)]) == kept


def test_a_name_that_stands_in_the_statement_is_not_said_twice():
    text = "My sister Ana sold her house"
    assert text_of(text, refers=[("her", "Ana")]) == text


@pytest.mark.parametrize("name", ["it", "a line\nbreak", "x " * 8])
def test_what_is_no_name_replaces_nothing(name):
    one = said("She lives in Porto", asked=f"{name} stood here.")
    assert text_of(one, refers=[("She", name)]) == "She lives in Porto"


def test_only_a_word_that_stands_for_something_is_replaced():
    one = said("Ana lives in Porto", asked="My sister is here.")
    assert text_of(one, refers=[("Porto", "My sister")]) == "Ana lives in Porto"


def test_a_statement_without_a_subject_says_of_whom_it_is():
    one = said("Mum is visiting. And type 2 diabetic since 2012")
    told = "And type 2 diabetic since 2012"
    assert text_of(one, told, refers=[("And", "Mum")]) == "[Mum] type 2 diabetic since 2012"


def test_two_words_of_two_kinds_do_not_mean_the_same():
    one = said("He says she is to be called Nel, and his knee hurts", asked="About Emrys, then.")
    refers = [("He", "Emrys"), ("she", "Emrys"), ("his", "Emrys")]
    told = text_of(one, refers=refers)
    assert told == "[Emrys] says she is to be called Nel, and [Emrys’] knee hurts"


def test_a_doubtful_name_replaces_nothing():
    one = said("She lives in Porto", asked="My sister Ana is here.")
    tags = tagged(one, one.text, refers=[("She", "My sister Ana")])
    tags.refers[:] = 0
    (found,) = spans.statements(one.text, tags)
    assert written(one, tags, found, StatementKind.FACT, first=True)[0] == one.text


# -- dates in brackets -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "kind", "kept", "day"),
    [
        (
            "I see the dentist tomorrow at nine",
            StatementKind.PLAN,
            "I see the dentist tomorrow [9 May 2026] at nine",
            datetime(2026, 5, 9, tzinfo=UTC),
        ),
        (
            "My mother fell yesterday",
            StatementKind.EVENT,
            "My mother fell yesterday [7 May 2026]",
            datetime(2026, 5, 7, tzinfo=UTC),
        ),
        (
            "I start work on Monday",
            StatementKind.PLAN,
            "I start work on Monday [11 May 2026]",
            datetime(2026, 5, 11, tzinfo=UTC),
        ),
        (
            "The show was pushed back, it opens on 11 June now",
            StatementKind.EVENT,
            "The show was pushed back, it opens on 11 June [11 June 2026] now",
            datetime(2026, 6, 11, tzinfo=UTC),
        ),
        (
            "Precious wants me off my feet so my last day is 2 October",
            StatementKind.EVENT,
            "Precious wants me off my feet so my last day is 2 October [2 October 2026]",
            datetime(2026, 10, 2, tzinfo=UTC),
        ),
        (
            "I heard that my landlord leaves for Ghent in October",
            StatementKind.EVENT,
            "I heard that my landlord leaves for Ghent in October [October 2026]",
            datetime(2026, 10, 1, tzinfo=UTC),
        ),
        (
            "She fell in the hall on Sunday and her wrist is in plaster",
            StatementKind.EVENT,
            "She fell in the hall on Sunday [3 May 2026] and her wrist is in plaster",
            datetime(2026, 5, 3, tzinfo=UTC),
        ),
        (
            "My sister married on Monday",
            StatementKind.EVENT,
            "My sister married on Monday [4 May 2026]",
            datetime(2026, 5, 4, tzinfo=UTC),
        ),
        (
            "Luka starts school on Monday",
            StatementKind.FACT,
            "Luka starts school on Monday [11 May 2026]",
            datetime(2026, 5, 11, tzinfo=UTC),
        ),
        (
            "I turned 42 yesterday",
            StatementKind.FACT,
            "I turned 42 yesterday [7 May 2026]",
            datetime(2026, 5, 7, tzinfo=UTC),
        ),
        (
            "I was diagnosed in April",
            StatementKind.FACT,
            "I was diagnosed in April [April 2026]",
            datetime(2026, 4, 1, tzinfo=UTC),
        ),
        (
            "I went to Porto last month",
            StatementKind.EVENT,
            "I went to Porto last month [April 2026]",
            datetime(2026, 4, 1, tzinfo=UTC),
        ),
        (
            "I went to Porto last year",
            StatementKind.EVENT,
            "I went to Porto last year [2025]",
            datetime(2025, 1, 1, tzinfo=UTC),
        ),
    ],
)
def test_a_day_that_counts_from_today_gets_its_date(typed, kind, kept, day):
    assert stands(said(typed), typed, kind=kind) == (kept, day)


def test_a_date_that_names_its_year_is_left_alone():
    text, day = stands(
        said("My mother died in 2019"), "My mother died in 2019", kind=StatementKind.EVENT
    )
    assert text == "My mother died in 2019"
    assert day == datetime(2019, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("kind", [StatementKind.TASTE, StatementKind.RULE])
def test_a_habit_has_no_day(kind):
    text = "I play chess on Mondays and never drink coffee after lunch"
    assert stands(said(text), text, kind=kind) == (text, None)


def test_today_is_that_of_the_person():
    east = FRIDAY.replace(hour=23).astimezone(timezone(timedelta(hours=9)))
    one = said("My mother fell yesterday", at=east)  # it is Saturday there
    text, day = stands(one, one.text, kind=StatementKind.EVENT)
    assert text == "My mother fell yesterday [8 May 2026]"
    assert day == datetime(2026, 5, 8, tzinfo=east.tzinfo)


def test_names_and_dates_stand_in_one_statement_each_in_its_place():
    one = said("Yes! She arrives tomorrow with her dog", asked="My sister Ana is coming.")
    kept = text_of(
        one,
        "She arrives tomorrow with her dog",
        kind=StatementKind.PLAN,
        refers=[("She", "My sister Ana")],
    )
    assert kept == "[My sister Ana] arrives tomorrow [9 May 2026] with her dog"


# -- questions before short answers ----------------------------------------------------------------

ASKED = "Lovely. How many children do you have?"


def test_a_short_answer_follows_its_question():
    one = said("Two of them, Bo and Finn.", asked=ASKED)
    assert text_of(one, "Two of them, Bo and Finn") == (
        "How many children do you have? Two of them, Bo and Finn"
    )


def test_a_long_answer_stands_alone():
    one = said(
        "I have two of them and they are called Bo and Finn, and both go to school", asked=ASKED
    )
    assert text_of(one) == one.text


def test_only_what_answers_at_once_and_first_follows_the_question():
    one = said("Ha, good one. I live in Ghent", asked=ASKED)
    assert text_of(one, "I live in Ghent") == "I live in Ghent"
    answer = said("Two of them, Bo and Finn", asked=ASKED)
    assert text_of(answer, first=False) == "Two of them, Bo and Finn"


def test_where_nothing_was_asked_an_answer_stands_alone():
    one = said("Two of them, Bo and Finn", asked="That is lovely.")
    assert text_of(one) == "Two of them, Bo and Finn"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Where do you live?", "Where do you live?"),
        ("Hello! How are you? And where do you live?", "And where do you live?"),
        ("Where do you live?\nThen I can help.", "Where do you live?"),
        ("I see.", ""),
        ("", ""),
    ],
)
def test_the_last_question_counts(asked, found):
    assert question(asked) == found


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("She goes on Tuesday and Thursday", "She goes on Tuesday and Thursday"),
        ("She was born on 3 June", "She was born on 3 June"),
        ("She went on 3 March, four years ago", "She went on 3 March, four years ago"),
        (
            "Nia's been given days from the 8th of June",
            "Nia's been given days from the 8th of June [8 June 2026]",
        ),
        (
            "got a needlestick on the night of 6 May",
            "got a needlestick on the night of 6 May [6 May 2026]",
        ),
    ],
)
@pytest.mark.parametrize("kind", [StatementKind.FACT, StatementKind.PLAN, StatementKind.EVENT])
def test_a_day_is_dated_as_a_reader_would(text, dated, kind):
    assert with_dates(text, FRIDAY, kind) == dated


@pytest.mark.parametrize("kind", [StatementKind.FACT, StatementKind.EVENT])
@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("She turned 5 in July", 2025),
        ("I was looking at the papers and he'll be eleven in July", 2026),
        ("told him me and Ann are getting wed in July", 2026),
    ],
)
def test_a_month_that_is_near_is_meant_unless_the_verb_is_past(text, year, kind):
    assert with_dates(text, FRIDAY, kind) == f"{text} [July {year}]"
