"""Whatever a file or a server says, it becomes fit to be kept, or is refused as no such value."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.foreign import (
    DEEPEST,
    MOST,
    fit,
    number_of,
    read_json,
    storable,
    text_of,
    whole_of,
)

BROKEN = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | BROKEN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(BROKEN, inner, max_size=3),
    max_leaves=8,
)


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=20))
def test_any_text_can_be_stored_and_whole_characters_are_kept(text):
    kept = storable(text)
    kept.encode("utf-8")
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        assert kept == text


def test_two_halves_that_belong_together_become_one_character():
    assert storable("\ud83d\ude00") == "\U0001f600"


@given(ANYTHING)
def test_what_is_read_can_be_written_anywhere_and_read_again(value):
    found = read_json(json.dumps(value))
    written = json.dumps(found, ensure_ascii=False, allow_nan=False)
    written.encode("utf-8")
    assert read_json(written) == found


@pytest.mark.parametrize("text", ["", "{", "[1,]", b"\xff", "[" * 100_000, "9" * 5_000])
def test_what_cannot_be_read_is_a_value_error(text):
    with pytest.raises(ValueError, match=r".*"):
        read_json(text)


@pytest.mark.parametrize("deep", [DEEPEST + 1, 900, 100_000])
def test_nobody_means_lists_that_deep(deep):
    with pytest.raises(ValueError, match="deeply"):
        read_json("[" * deep + "]" * deep)
    assert read_json("[" * DEEPEST + "]" * DEEPEST)


def test_one_number_without_end_spoils_nothing_else():
    assert read_json('{"a": NaN, "b": [1e400, -Infinity, 2]}') == {"a": None, "b": [None, None, 2]}
    assert fit({"n": float("nan")}) == {"n": None}


@given(ANYTHING | st.lists(st.integers()))
def test_a_value_is_of_its_kind_or_refused(value):
    for reader, kind in ((text_of, str), (number_of, float), (whole_of, int)):
        try:
            found = reader(value)
        except ValueError:
            continue
        assert type(found) is kind


@pytest.mark.parametrize("value", [True, "1", None, [], -1, MOST + 1, 10**400, 1.5, float("inf")])
def test_what_is_no_count(value):
    with pytest.raises(ValueError, match="no"):
        whole_of(value)


def test_counts():
    assert [whole_of(n) for n in (0, 7.0, MOST)] == [0, 7, MOST]
