"""The learnt score tells what lasts from what is of the moment, and keeps sentences whole."""

import math
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.extract.clauses import parts
from app.memory.extract.salience import Traits, Weights, salience, traits, words_of
from app.memory.extract.salvage import put_together
from app.memory.extract.statements import statements
from app.memory.extract.stretches import stretches
from tests.evals.salience import LABELLED

AT = datetime(2026, 5, 8, 10, tzinfo=UTC)


def score(text):
    said = parts(text, (), [])
    return salience(said, text)


def heard(text):
    return [one.text for one in statements(text, AT)]


@pytest.mark.parametrize(
    ("lasting", "passing"),
    [
        ("I run a team of six in Gdansk", "I run the script and it stops"),
        ("I read mostly Japanese fiction", "I read your answer twice"),
        ("my screen reader needs plain text", "my screen is frozen again"),
        ("we keep bees behind the chapel", "we keep getting the same error"),
    ],
)
def test_what_lasts_scores_higher_than_what_passes(lasting, passing):
    assert score(lasting) > score(passing)


def test_a_word_never_met_counts_by_what_it_is_like():
    told = LABELLED.read_text("utf-8").casefold()
    for life, other in (("reverend", "loops"), ("friars", "kernel"), ("abbess", "parsing")):
        assert f" {life}" not in told
        assert f" {other}" not in told
        assert score(f"my aunt knows about {life}") > score(f"my aunt knows about {other}")


def test_weights_add_up():
    weights = Weights(
        0.5,
        {"own": 1.0},
        {"bees": 2.0},
        {"^ we": 0.25},
        {"keep": 4.0},
        {"we": 3.0},
        {"story": -2.0, "^ a": -0.5},
        {"a": 8.0},
    )
    one = Traits(("we", "keep", "bees"), ("own",))
    assert weights.score(one) == pytest.approx(0.5 + 1 + 2 + 0.25 + 4 / 4 + 3 / 3)
    among = replace(one, around=("a", "story"))
    assert weights.score(among) == pytest.approx(weights.score(one) - 2 - 0.5 + 8 / 8)


def test_what_stands_around_it_counts():
    text = "I was at home with my wife"
    told = "I was at home with my wife. What may I cook for her?"
    shown = "Index the names in this transcript of the witness. I was at home with my wife."
    at_home = [salience(parts(text, (), []), text, words_of(said)) for said in (told, shown)]
    assert at_home[0] > at_home[1]


@given(st.text(max_size=200))
def test_any_text_has_a_score(text):
    said = parts(text, (), [])
    for stretch in stretches(said):
        run = said[stretch.start : stretch.stop]
        assert math.isfinite(salience(run, put_together(run)))


def test_a_sentence_nobody_has_a_rule_for_is_kept_whole():
    said = "Live-in gardener, three weeks on, one off, near Lucerne. Am I entitled to breaks?"
    assert heard(said) == ["Live-in gardener, three weeks on, one off, near Lucerne"]


def test_what_is_left_of_something_else_is_trimmed():
    said = "School run is mine, Gethin does bedtime, when on earth do I exercise?"
    assert heard(said) == ["School run is yours, Gethin does bedtime"]


def test_what_stands_beside_what_was_understood_is_told_with_it():
    said = "We lost the house in the fire and are staying with my cousin Rocío in Quilpué."
    assert [("fire" in one and "Rocío" in one) for one in heard(said)] == [True]


def test_the_whole_is_kept_rather_than_a_part():
    said = "We lost the house in the fire and are staying with my cousin Rocío in Quilpué for now."
    assert len(heard(said)) == 1
    exam = "I am preparing for the bank clerk examination which is on 11 January."
    assert "January" in heard(exam)[0]


@pytest.mark.parametrize(
    "message",
    [
        "SELECT name FROM staff WHERE city = 'Lyon'",
        "My character Odile is a forger from Trieste",
        "Napoleon was born in Ajaccio in 1769.",
        "My sister and my brother are here",
        "I put the lentils in, I stirred, and it is still soup",
    ],
)
def test_what_looks_like_a_life_is_not_kept(message):
    assert heard(message) == []


def test_a_stretch_ends_at_a_question_and_at_what_is_said_to_the_assistant():
    said = parts("I keep bees, so what do I feed them", (), [], question=True)
    found = [put_together(said[one.start : one.stop]) for one in stretches(said)]
    assert found == ["I keep bees"]
    said = parts("I keep bees, so you can skip the basics", (), [])
    found = [put_together(said[one.start : one.stop]) for one in stretches(said)]
    assert found == ["I keep bees"]


def test_a_doubt_counts_against_a_life():
    def score(text):
        return salience(parts(text, (), []), text)

    assert score("I might keep bees") < score("I keep bees")
    assert heard("I might keep bees.") == []


def test_traits_are_words_in_order_and_signs_of_grammar():
    text = "My son Leif keeps 3 hens"
    found = traits(parts(text, (), []), text)
    assert found.words == ["my", "son", "leif", "keeps", "3", "hens"]
    assert {"my", "own", "figure", "named", "stated"} <= set(found.signs)
    assert next(iter(found.pairs)) == "^ my"
