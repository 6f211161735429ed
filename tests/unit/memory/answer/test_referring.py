"""Orders that name nothing: what was said last, a matter that is dropped, the rules."""

import pytest

from app.memory.answer.referring import (
    asks_for_rules,
    behind_dropping,
    is_hearsay,
    keeps,
    lets_drop,
    means_last,
    supposes,
)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Forget what I just said", True),
        ("please delete the last thing I told you", True),
        ("Scratch that.", True),
        ("Vergiss, was ich gerade gesagt habe", True),
        ("oublie ce que je viens de dire", True),
        ("Forget what I just said about Rob", False),
        ("forget that I drive a Skoda", False),
        ("don't forget that", False),
        ("delete everything", False),
    ],
)
def test_what_was_said_last_is_meant_where_nothing_is_named(text, last):
    assert means_last(text) is last


@pytest.mark.parametrize(
    ("text", "alone", "rest"),
    [
        ("never mind", True, ""),
        ("Oh, forget it please.", True, ""),
        ("Forget it, I'll do it myself.", False, "I'll do it myself."),
        ("Forget it. My number is 5", False, "My number is 5"),
        ("never mind, what's the time?", False, "what's the time?"),
        ("Forget it, the thing about the car", False, ""),  # is what is to be forgotten
        ("never mind, keep it", False, ""),
        ("forget item four", False, ""),
        ("forget that, I sold it", False, ""),
    ],
)
def test_a_matter_may_be_dropped_without_an_order(text, alone, rest):
    assert (lets_drop(text), behind_dropping(text)) == (alone, rest)


@pytest.mark.parametrize("text", ["never mind, keep it", "no, put it back", "wait, keep that one"])
def test_what_is_not_named_may_be_wanted_back(text):
    assert keeps(text)


@pytest.mark.parametrize("text", ["keep it short", "never mind", "leave it", "keep the dentist"])
def test_what_else_is_to_be_kept_takes_nothing_back(text):
    assert not keeps(text)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What instructions do you have from me?", True),
        ("what rules did I give you", True),
        ("What are the rules of chess?", False),
        ("What instructions did the doctor give me?", False),
        ("Forget my rules", False),
        ("Stop following my instructions", False),
    ],
)
def test_who_asks_for_their_rules_asks_for_nothing_else(text, asked):
    assert asks_for_rules(text) is asked


@pytest.mark.parametrize(
    ("text", "supposed", "heard"),
    [
        ("If I were rich I'd live in Monaco", True, False),
        ("I wish I had a dog", True, False),
        ("I'd like the refund from Amazon", False, False),
        ("If I am late, the key is under the mat", False, False),
        ("They say coffee is bad for me", False, True),
        ("I heard that Tom moved", False, True),
        ("The keys are behind the radiator, I think", False, False),
        ("I told Tom the code is on the fridge", False, False),
    ],
)
def test_what_is_supposed_or_held_by_another(text, supposed, heard):
    assert (supposes(text), is_hearsay(text)) == (supposed, heard)
