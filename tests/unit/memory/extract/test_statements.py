"""What people say about themselves is heard, and what only looks like it is not."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.memory import MemoryType
from app.memory.extract.statements import noted, plays_a_part, statements

AT = datetime(2026, 5, 8, 10, tzinfo=UTC)
CASES = json.loads((Path(__file__).parent / "statements.json").read_text(encoding="utf-8"))


def heard(text, **options):
    return statements(text, AT, **options)


def texts(text, **options):
    return [candidate.text for candidate in heard(text, **options)]


def only(text, **options):
    (candidate,) = heard(text, **options)
    return candidate


def fits(candidate, expected):
    key, equals, value = expected.partition("=")
    if equals and " " not in key:
        return (candidate.key, str(candidate.value).casefold()) == (key, value.casefold())
    return expected.casefold() in candidate.text.casefold()


def judged(part):
    """Return precision and recall over a part of the cases, and what went wrong."""
    right = wrong = missed = 0
    faults = []
    for case in CASES[part]:
        found = heard(case["say"], asked=case.get("asked", ""))
        welcome = case["facts"] + case.get("may", [])
        lost = [f for f in case["facts"] if not any(fits(c, f) for c in found)]
        false = [c.text for c in found if not any(fits(c, f) for f in welcome)]
        right += len(case["facts"]) - len(lost)
        missed += len(lost)
        wrong += len(false)
        if lost or false:
            faults.append((case["say"], lost, false))
    return right / (right + wrong), right / (right + missed), faults


@pytest.mark.parametrize("part", ["dev", "held_out", "unseen"])
def test_what_is_heard_is_said_and_what_is_said_is_mostly_heard(part):
    precision, recall, faults = judged(part)
    assert precision >= 0.97, faults
    assert recall >= 0.95, faults


def test_the_cases_are_many_and_half_of_them_say_nothing():
    everything = CASES["dev"] + CASES["held_out"] + CASES["unseen"]
    assert len(everything) > 400
    assert sum(not case["facts"] for case in everything) > 180


def test_questions_play_quotations_suppositions_and_requests_yield_nothing():
    for case in (c for part in ("dev", "held_out", "unseen") for c in CASES[part]):
        if not case["facts"] and not case.get("may"):
            assert texts(case["say"]) == [], case["say"]


def test_a_fact_with_one_value_has_a_key():
    fact = only("I live in Ghent.")
    assert (fact.text, fact.key, fact.value) == ("You live in Ghent", "home_city", "Ghent")
    assert fact.type is MemoryType.SEMANTIC
    assert fact.quote == "I live in Ghent."
    assert fact.entities == ("user", "Ghent")


def test_a_second_job_does_not_replace_the_first():
    assert only("I also work at Acme.").key is None


def test_facts_of_different_people_have_different_keys():
    keys = [c.key for c in heard("Ruth lives in Leuven. My wife lives in Mons. My sister is 30.")]
    assert keys == ["ruth_home_city", "wife_home_city", None]


def test_names_typed_in_small_letters_are_understood():
    assert texts("i live in ghent and my sister ruth is a nurse") == [
        "You live in Ghent",
        "Your sister Ruth is a nurse",
    ]


def test_a_happening_has_a_date_and_says_it():
    fact = only("I ran the Antwerp marathon yesterday.")
    assert fact.text == "You ran the Antwerp marathon on 7 May 2026"
    assert fact.type is MemoryType.EPISODIC
    assert fact.occurred_at == datetime(2026, 5, 7, tzinfo=UTC)


def test_moving_is_remembered_as_an_event_and_as_the_new_home():
    moved, home = heard("We just moved to Ghent.")
    assert (moved.text, moved.key) == ("You moved to Ghent around May 2026", None)
    assert (home.text, home.key, home.value) == ("You live in Ghent", "home_city", "Ghent")
    (long_ago,) = heard("We moved to Ghent in 2009.")
    assert long_ago.key is None


def test_what_was_news_is_told_as_it_stands_since():
    autumn = datetime(2026, 11, 20, tzinfo=UTC)
    (fact,) = statements("Make me a shopping list. Oh, and Ruth went vegetarian in summer.", autumn)
    assert fact.text == "Ruth is vegetarian since summer 2026"
    assert (fact.key, fact.value) == ("ruth_diet", "vegetarian")


def test_pronouns_take_the_one_person_they_can_mean():
    assert texts("My mother was a seamstress. She lived in Kraków.")[1] == (
        "Your mother lived in Kraków"
    )
    assert texts("My sister Ruth and my sister Eva are here. She lives in Ghent.") == []
    assert texts("What do I buy for my sister Ruth? She loves gardening.") == [
        "Your sister Ruth loves gardening"
    ]
    assert texts("It's about my father's pension. He worked for the railways for ten years.") == [
        "Your father worked for the railways for ten years"
    ]


def test_what_a_doctor_or_a_scan_says_is_no_hearsay():
    (twins,) = texts("Pregnant with twins, due around Halloween according to the scan.")
    assert "twins" in twins
    assert texts("My GP thinks it's gout, in the big toe.") == [
        "Your GP thinks it is gout, in the big toe"
    ]
    assert texts("According to my boss I'm lazy.") == []


def test_a_relative_clause_is_a_statement_of_its_own():
    assert texts("My sister Ruth, who is a nurse, lives in Ghent.") == [
        "Your sister Ruth is a nurse",
        "Your sister Ruth lives in Ghent",
    ]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("From now on, answer in French.", "Answer in French"),
        ("Always use metric units, please.", "Always use metric units"),
        ("From now on, recipes are for two people.", "Recipes are for two people"),
        ("Remember to always answer in Dutch.", None),
    ],
)
def test_standing_instructions_are_told_from_orders_of_the_moment(said, rule):
    found = heard(said)
    assert [c.text.removesuffix(", please") for c in found] == ([rule] if rule else [])
    assert all(c.instruction and c.type is MemoryType.PROCEDURAL for c in found)
    assert heard("Answer in French.") == []


def test_from_now_on_may_also_open_a_fact_about_oneself():
    fact = only("From now on I'm vegan.")
    assert (fact.key, fact.value, fact.instruction) == ("diet", "vegan", False)


def test_what_one_asks_to_be_kept_is_kept_nearly_as_said():
    fact = only("Please remember that the spare key is under the blue pot.")
    assert fact.text == "The spare key is under the blue pot"
    assert fact.extra["explicit"]
    assert only("Remember that I live in Ghent.").key == "home_city"


def test_a_correction_names_what_it_stands_against():
    fact = only("Actually, I live in Ghent now, not Antwerp.")
    assert (fact.value, fact.extra["instead_of"]) == ("Ghent", "Antwerp")


def test_an_ending_names_what_ends():
    fact = only("I no longer work at Acme.")
    assert (fact.key, fact.value, fact.extra["closes"]) == ("employer", None, "Acme")


def test_a_bare_answer_is_understood_by_its_question():
    assert texts("Ghent", asked="Nice! Where do you live?") == ["You live in Ghent"]
    assert texts("Ghent", asked="Which city has the nicest canals?") == []
    assert texts("Yes", asked="Do you live in Ghent?") == []
    assert texts("Ghent") == []


def test_a_name_known_from_before_is_a_person():
    assert texts("Xanthippe lives in Leuven.") == []
    assert texts("Xanthippe lives in Leuven.", known={"Xanthippe"}) == ["Xanthippe lives in Leuven"]


def test_people_of_stories_are_not_theirs():
    assert texts("It is a novel about love. Clara lives in Lisbon.") == []


def test_a_game_ends_what_can_be_believed():
    assert texts("I live in Ghent. Let's play: I am a knight. I live in Wales.") == [
        "You live in Ghent"
    ]
    assert plays_a_part("Pretend you are a dragon.")
    assert not plays_a_part("I play the violin.")


def test_the_same_thing_said_twice_is_heard_once():
    assert len(heard("I live in Ghent. I live in Ghent!")) == 1


def test_what_is_written_to_be_kept_is_one_memory():
    at = AT
    assert noted("I am allergic to walnuts", at).text == "You are allergic to walnuts"
    assert noted("I live in Ghent", at).key == "home_city"
    both = noted("I live in Ghent. The bin goes out on Tuesdays.", at)
    assert both.text == "You live in Ghent. The bin goes out on Tuesdays"
    assert noted("Buy more oats", at).text == "Buy more oats"


@pytest.mark.parametrize(
    "text",
    ["my " * 9000, '"a ' * 9000, "I like tea and " * 2000, "Anna Bea " * 3000, "I am a, " * 4000],
)
def test_monstrous_messages_take_no_time(text):
    begin = time.monotonic()
    heard(text)
    assert time.monotonic() - begin < 2


def test_where_and_with_whom_are_two_facts_so_that_a_move_leaves_the_company():
    home, company = sorted(heard("I live in Ghent with my two cats."), key=lambda one: one.text)
    assert (home.text, home.key) == ("You live in Ghent", "home_city")
    assert (company.text, company.key) == ("You live with your two cats", None)
    assert texts("My sister lives in Lyon with her husband") == [
        "Your sister lives in Lyon with her husband"
    ]
    assert only("I live in Bath with pleasure.").text == "You live in Bath with pleasure"
