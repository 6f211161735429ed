"""A message is cut into its writer's own sentences, each with its place."""

from hypothesis import given
from hypothesis import strategies as st

from app.memory.text.sentences import sentences


def texts(message):
    return [s.text for s in sentences(message)]


def test_abbreviations_times_and_addresses_do_not_end_a_sentence():
    assert texts("Dr. Mol comes at 10 a.m. on 3 Jan. 2027. Write to a.b@c.org, e.g. soon. Bye") == [
        "Dr. Mol comes at 10 a.m. on 3 Jan. 2027",
        "Write to a.b@c.org, e.g. soon",
        "Bye",
    ]


def test_lines_and_list_items_are_sentences():
    assert texts("About me:\n- I live in Ghent\n2. I like tea\nand rain") == [
        "About me:",
        "I live in Ghent",
        "I like tea",
        "and rain",
    ]


def test_code_quotations_and_transcripts_are_not_the_writers_words():
    assert texts("```\nI am code\n```\n> I am quoted\nMine") == ["Mine"]
    assert texts("[10:02] Ann: I am late\n[10:03] Ben: I am too\nMine") == ["Mine"]
    (said,) = sentences("She wrote “I hate olives” to me.")
    assert said.foreign
    assert "olives" not in said.text


def test_titles_in_quotation_marks_belong_to_the_sentence():
    assert texts('My favourite film is "Amélie".') == ["My favourite film is Amélie"]


def test_questions_are_marked():
    assert [s.question for s in sentences("Who? Me. Really?!")] == [True, False, True]


@given(st.text())
def test_every_sentence_knows_its_place(message):
    for sentence in sentences(message):
        assert message[sentence.start : sentence.end].strip() == sentence.quote
