"""Tokens become stretches, and stretches whole clauses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.language.reading import Change, StatementKind
from app.memory.reading import marks, spans
from app.memory.reading.joining import TOGETHER
from tests.unit.memory.reading.tagged import said, tagged, tokens


def stated(text, *marked, asked=False, **more):
    found = spans.statements(text, tagged(text, *marked, **more), asked=asked)
    return [text[one.start : one.end] for one in found]


def scored(text, inside):
    """Return the stretches where each word is inside with a chance."""
    tags = tagged(text)
    for row, chance in enumerate(inside, start=1):
        odds = np.log(chance / (1 - chance))
        tags.statement[row] = (0, -20, odds)
    return [text[one.start : one.end] for one in spans.statements(text, tags)]


# -- the likeliest way -----------------------------------------------------------------------------


def test_what_is_marked_is_stated_and_nothing_else():
    text = "Hello! I live in Ghent. How are you?"
    assert stated(text, "I live in Ghent") == ["I live in Ghent"]
    assert stated(text) == []
    assert stated("") == stated("   ") == []


def test_a_doubtful_word_neither_breaks_a_statement_nor_makes_one():
    text = "I live in Ghent by the sea"
    assert scored(text, [0.9, 0.9, 0.9, 0.4, 0.9, 0.9, 0.9]) == [text]
    assert scored(text, [0.1, 0.1, 0.1, 0.6, 0.1, 0.1, 0.1]) == []


def of_another(text, *marked):
    """Return what is stated where the second of two stretches is not about the person."""
    tags = tagged(text, *marked)
    at = text.index(marked[1])
    tags.own[:] = np.where(tags.spans[:, 0] >= at, -5.0, 5.0)
    return [text[one.start : one.end].rstrip(",") for one in spans.statements(text, tags)]


def test_a_new_statement_begins_where_another_person_is_spoken_of():
    two = ("I live in Ghent", "my sister lives in Porto")
    assert of_another("I live in Ghent, my sister lives in Porto", *two) == [*two]


def test_what_is_said_of_one_person_in_one_sentence_is_one_statement():
    text = "I'm allergic to latex, my throat closes"
    assert stated(text, "I'm allergic to latex", "my throat closes") == [text]
    apart = "I'm allergic to latex. I live in Ghent"
    assert len(stated(apart, "I'm allergic to latex", "I live in Ghent")) == 2
    between = "I'm allergic to latex and it rained all day and then some, my throat closes"
    assert stated(between, "I'm allergic to latex", "my throat closes") == [between]
    long = f"I'm allergic to latex, {LONG}, my throat closes"
    assert len(stated(long, "I'm allergic to latex", "my throat closes")) == 2


def harmful(text, *marked):
    """Return what is stated where harm may come of forgetting it."""
    tags = tagged(text, *marked)
    tags.safety[:] = 5.0
    return [text[one.start : one.end].rstrip(" .") for one in spans.statements(text, tags)]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("I get one drop at nine, and this time in both eyes", ["I get one drop at nine"]),
        (
            "I'm allergic to penicillin so mum always told the doctors, got hives as a kid",
            ["I'm allergic to penicillin", "got hives as a kid"],
        ),
        ("They gave me codeine and I came out in hives", ["They gave me codeine", "I came out"]),
        (
            "I have asthma and for this I take Ventolin",
            ["I have asthma and for this", "I take Ven"],
        ),
    ],
)
def test_what_matters_for_safety_is_a_whole_sentence(text, marked):
    assert harmful(f"Hello. {text}. Bye now.", *marked) == [text]


def test_two_medicines_stay_two_statements():
    two = ["I take apixaban in the evening", "I take bisoprolol at noon"]
    assert harmful(" and ".join(two), *two) == two


def test_what_leans_on_what_stands_before_it_goes_with_it():
    text = "I'm pregnant. 13 weeks. My first"
    marked = ("I'm pregnant", "13 weeks", "My first")
    assert stated(text, *marked, leans=marked[1:]) == [text]
    apart = "I'm pregnant. We live in Ghent. My sister is a nurse"
    assert len(stated(apart, "I'm pregnant", "We live in Ghent", "My sister is a nurse")) == 3
    between = "I'm pregnant. Well, well, well. 13 weeks"
    assert stated(between, *marked[:2], leans=["Well, well, well", "13 weeks"]) == [between]
    led = "Hello. 13 weeks"
    assert stated(led, "13 weeks", leans=["13 weeks"]) == ["13 weeks"]
    far = f"I'm pregnant. {'So it is. ' * TOGETHER}13 weeks"
    assert stated(far, "13 weeks", leans=[far]) != [far]


def test_a_wish_goes_with_a_statement_only_where_that_points_to_something():
    wish = "Make me a list I can paste. "
    told = wish + "Oh, and Ruth is vegetarian now"
    assert stated(told, "Ruth is vegetarian now", leans=[told[len(wish) :]]) == [told[len(wish) :]]
    told = "Make me a cake without nuts. My son is allergic to them"
    assert stated(told, "My son is allergic to them", leans=["My son is allergic to them"]) == [
        told
    ]


def test_how_sure_a_stretch_is_lies_between_none_and_all():
    text = "I live in Ghent"
    (one,) = spans.statements(text, tagged(text, text))
    assert 0.9 < one.sure <= 1


# -- whole words, whole clauses --------------------------------------------------------------------


def test_stretches_are_widened_to_whole_words():
    text = "I live in Ghent"
    tags = tagged(text, text)
    tags.spans[-2] = (10, 12)  # the token is only the first letters of Ghent
    (one,) = spans.statements(text, tags)
    assert text[one.start : one.end] == text


@pytest.mark.parametrize(
    ("text", "marked", "whole"),
    [
        (
            "I live in Ghent with my two cats",
            "live in Ghent with",
            "I live in Ghent with my two cats",
        ),
        ("Well, I'm allergic to walnuts.", "allergic to walnuts", "I'm allergic to walnuts"),
        ("Well, I’m allergic to walnuts.", "m allergic to walnuts", "I’m allergic to walnuts"),
        ("My cat is twelve and she limps", "My cat is twelve", "My cat is twelve"),
        ("I run a bakery because I love bread", "I run a bakery", "I run a bakery"),
        ("I run a bakery she runs a bar", "I run a bakery", "I run a bakery"),
        (
            "I moved here (from Porto) in May",
            "I moved here (from Porto",
            "I moved here (from Porto)",
        ),
    ],
)
def test_of_a_long_sentence_stretches_are_widened_to_whole_clauses(text, marked, whole):
    assert stated(f"{text.rstrip('.')}, {LONG}", marked) == [whole]


LONG = ", ".join(["and all the rest of it is nobody's business but ours"] * 4)


def test_of_a_long_sentence_no_comma_is_crossed():
    assert stated(f"Yes, live in Ghent, {LONG}", "live in Ghent") == ["live in Ghent"]


def test_a_sentence_of_which_most_states_something_is_one_statement():
    assert stated("Nice. live in Ghent now. Bye", "live in Ghent") == ["live in Ghent now"]
    text = "I run a bakery because I love bread"
    assert stated(text, "I run a bakery") == [text]
    assert stated("I run a bakery, do you like bread?", "I run a bakery") == ["I run a bakery"]


def test_what_stands_for_a_name_goes_with_the_sentence_that_names_it():
    text = "There was a wasp in the cabin. It rained. I can die from it"
    marked = ("There was a wasp in the cabin", "I can die from it")
    assert stated(text, *marked, refers=[("it", "a wasp")]) == [text]
    assert stated(text, *marked) == list(marked)
    assert stated(text, marked[1], refers=[("it", "a wasp")]) == [text]


def test_nothing_is_taken_from_a_neighbour():
    text = "I live in Ghent, my sister Ana lives in Porto"
    both = of_another(text, "I live in Ghent", "my sister Ana lives in Porto")
    assert both == ["I live in Ghent", "my sister Ana lives in Porto"]


# -- what is enough --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["I'm diabetic", "I’m vegan", "We divorced", "She smokes"])
def test_a_subject_and_a_word_are_enough(text):
    assert stated(text, text) == [text]


@pytest.mark.parametrize("text", ["Walnuts", "blue bicycles", "Oh well"])
def test_loose_words_are_not(text):
    assert stated(text, text) == []


def test_a_number_is_enough():
    assert stated("34", "34") == ["34"]


@pytest.mark.parametrize(
    ("text", "marked", "enough"),
    [
        ("Walnuts.", "Walnuts", True),
        ("In Ghent, mostly.", "In Ghent", True),
        ("Oh well", "Oh well", False),
        ("yes", "yes", False),
        ("Let me think. Walnuts", "Walnuts", False),
    ],
)
def test_one_word_is_enough_as_the_answer_to_a_question(text, marked, enough):
    assert bool(stated(text, marked, asked=True)) is enough
    assert not stated(text, marked)


def test_only_the_first_stretch_answers():
    text = "Walnuts. Let me think. Hazelnuts"
    assert stated(text, "Walnuts", "Hazelnuts", asked=True) == ["Walnuts"]


# -- what is said of a stretch ---------------------------------------------------------------------


def test_a_stretch_has_the_kind_and_change_that_its_tokens_vote_for():
    text = "I gave up smoking in May"
    tags = tagged(text, text, kind=StatementKind.EVENT, change=Change.ENDS, safety=True)
    (one,) = spans.statements(text, tags)
    assert marks.kind(tags, one) is StatementKind.EVENT
    assert marks.change("", tags, one) is Change.ENDS
    assert marks.safety(tags, one)
    calm = tagged(text, text)
    assert marks.kind(calm, one) is StatementKind.FACT
    assert marks.change("", calm, one) is Change.NONE
    assert not marks.safety(calm, one)


def test_the_target_of_an_order_is_its_words():
    text = "Forget about my old job, please."
    assert spans.target(text, tagged(text, target="my old job")) == "my old job"
    assert spans.target(text, tagged(text)) == ""


def test_chances_make_one_however_large_the_numbers_are():
    found = marks.chances(np.array([[1e4, -1e4, 0], [0, 0, 0]], np.float32))
    assert np.allclose(found.sum(-1), 1)
    assert found[0].tolist() == [1, 0, 0]


# -- laws ------------------------------------------------------------------------------------------

PARTS = st.sampled_from(
    [
        "I",
        "I'm",
        "’s",
        "live",
        "in",
        "Ghent",
        ",",
        ".",
        "(",
        ")",
        "and",
        "34",
        "é",
        "家",
        "🦊",
        "\n",
        " ",
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PARTS, max_size=25).map(" ".join))


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(0, 2**32 - 1), st.booleans())
def test_whatever_the_marks_stretches_stand_in_order_and_inside_the_text(text, seed, asked):
    tags = tagged(said(text))
    some = np.random.default_rng(seed)
    tags.statement[:] = some.normal(0, 3, tags.statement.shape)
    tags.target[:] = some.normal(0, 3, tags.target.shape)
    last = 0
    for one in spans.statements(text, tags, asked=asked):
        assert last <= one.start < one.end <= len(text)
        last = one.end
        assert 0 <= one.sure <= 1
        assert one.tokens
        assert all(0 < row < len(tokens(text)) - 1 for row in one.tokens)
    assert all(name in text for name in spans.target(text, tags).split(", "))
