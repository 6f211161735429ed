"""What can be read alone: sentences, answers with their questions, lists of a word each, names."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.reading.joining import passages, sentences
from app.memory.reading.naming import NamedMessage
from app.memory.reading.reader import Reader
from app.memory.reading.spans import statements
from tests.fakes.understanding import worker
from tests.unit.memory.reading.tagged import tagged

AT = datetime(2026, 5, 8, 10, tzinfo=UTC)


def read(text):
    (reading,) = Reader(worker).read([NamedMessage(text, AT)])
    return [one.text for one in reading.statements]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I live in Ghent. My dog is old", ["I live in Ghent", "My dog is old"]),
        (
            "I asked Mrs. Iyer downstairs. Her number is 94480",
            ["I asked Mrs. Iyer downstairs", "I asked Mrs. Iyer downstairs. Her number is 94480"],
        ),
        ("Who should be called? Not Jules", ["Who should be called? Not Jules"]),
        ("Is lunch still on? Yes. Two o'clock", ["Is lunch still on? Yes", "Two o'clock"]),
        ("…", []),
    ],
)
def test_what_points_back_comes_with_what_stands_before_it_and_an_answer_with_its_question(
    text, found
):
    assert passages(text) == found


@given(st.text(alphabet="abIt She. ?!\n", max_size=80))
def test_passages_are_words_of_the_text_and_none_of_its_sentences_is_lost(text):
    found = passages(text)
    assert all(one in text for one in found)
    for said in sentences(text):
        assert not any(map(str.isalnum, said)) or any(said in one for one in found)


def test_a_list_of_a_word_each_is_one_statement():
    assert read("ok hi. kofi. 24. bass. melbourne. the rest is a long story for another day") == [
        "Kofi. 24. bass. melbourne"
    ]


def test_what_wants_something_done_is_not_taken_along_for_a_name():
    said = "Could you write two lines to my sister Vasudha that cheer her up? She has lost her job."
    assert not any("Could you" in text and "job" in text for text in read(said))


def test_a_name_is_over_with_its_sentence_and_before_a_day():
    said = (
        "'I am getting married to Artur on Sunday,' she told the bus driver. "
        "Artur was my father; he died in 2011. I said congratulations."
    )
    assert not any("[Artur on Sunday]" in text for text in read(said))


@pytest.mark.parametrize(
    ("before", "said", "named"),
    [
        (
            "I have asked Mrs. Lalitha Iyer downstairs.",
            "Her number is 94480",
            "[Mrs. Lalitha Iyer’s] number is 94480",
        ),
        (
            "My sister Ana moved.",
            "She works with her hands",
            "[My sister Ana] works with her hands",
        ),
        ("My son is Tom.", "I live in Ghent", "I live in Ghent"),
    ],
)
def test_whom_a_sentence_speaks_of_is_named_by_what_stands_before_it(before, said, named):
    text = f"{before} {said}"
    assert Reader(worker).named(NamedMessage(text, AT), len(before) + 1, len(text)) == named


def test_whom_a_sentence_begins_with_is_no_lead_in():
    said = "Nia, that's our daughter and Ifan's mam, has started nights at the hospital in Wrexham."
    assert [text for text in read(said) if text.startswith("Nia,")]
    assert read("Besides, I live in Ghent now.") != []
    moved = "parish called, they've moved it, it has to be playing by 18 December now"
    assert [text for text in read(moved) if text.startswith("Parish called, they've moved it")]


def test_her_owns_nothing_before_the():
    said = "My nan turns 80 on Sunday. Got her the gin from that place in York."
    assert not any("[nan’s] the" in text or "’s] the" in text for text in read(said))


def test_the_words_of_the_wish_are_left_out_and_the_last_word_is_not():
    assert read("can you remember that the alarm code of the workshop is 4471") == [
        "The alarm code of the workshop is 4471"
    ]
    assert read("I'm not vegetarian by the way, people always think so") == [
        "I'm not vegetarian by the way, people always think so"
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "I live in Ghent and I'm allergic to walnuts",
            ["I live in Ghent", "I'm allergic to walnuts"],
        ),
        ("I live in Leeds and work as a roofer", ["I live in Leeds and work as a roofer"]),
        ("I and my wife live in Rome", ["I and my wife live in Rome"]),
    ],
)
def test_what_the_person_begins_anew_of_themselves_is_a_statement_of_its_own(text, wanted):
    one = NamedMessage(text, AT)
    assert [text[s.start : s.end] for s in statements(text, tagged(one, text))] == wanted


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Ich habe am 12. Dezember eine OP.", 1),
        ("Die OP wurde auf den 19. verschoben. Gut so.", 2),
        ("I am 52. I live in Ghent.", 2),
        ("i am 34. she is 30", 2),
        ("Tom is 12. Julia is 9.", 2),
    ],
)
def test_a_day_in_german_ends_no_sentence_and_an_age_does(text, count):
    assert len(sentences(text)) == count
