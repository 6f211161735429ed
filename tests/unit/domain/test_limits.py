"""What of JSON counts as a value, and that counting is cheap whatever is given."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain import limits
from app.domain.language.foreign import read_json
from app.domain.limits import MOST_PIECES, is_crowded

VALUES = st.recursive(
    st.none() | st.integers() | st.text('",\\{[:é', max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('",\\:a'), inner),
    max_leaves=12,
)


def pieces(value):
    """Return how many signs between values JSON needs for a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not isinstance(value, list | dict):
        return 0
    own = 1 + max(0, len(value) - 1) + (len(value) if isinstance(value, dict) else 0)
    return own + sum(map(pieces, inner))


@given(VALUES, st.booleans())
def test_just_what_stands_between_texts_counts(value, as_bytes):
    text = json.dumps(value, ensure_ascii=False)
    data = text.encode() if as_bytes else text
    number = pieces(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "MOST_PIECES", max(0, number - 1))
        assert is_crowded(data) == (number > 0)
        patch.setattr(limits, "MOST_PIECES", number)
        assert not is_crowded(data)


@pytest.mark.parametrize(
    "data",
    [
        b"{}," * MOST_PIECES,
        b'"",' * (MOST_PIECES + 1),
        ('["' + "a" * MOST_PIECES + '",' + "1," * MOST_PIECES + "2]").encode("utf-16"),
        b'"' * 5_000_000 + b"," * (MOST_PIECES + 1),
    ],
    ids=["objects", "texts", "wide", "quotes"],
)
def test_what_holds_too_much_is_not_taken_apart(data):
    assert is_crowded(data)
    with pytest.raises(ValueError, match="too many values"):
        read_json(data)


def test_a_long_text_full_of_signs_is_one_value():
    text = "1,[2]:{3}," * 250_000
    assert read_json(json.dumps({"text": text})) == {"text": text}


def test_a_text_that_is_not_closed_is_looked_at_once():
    assert not is_crowded(b'{"text": "' + b'\\",' * 3_000_000)
