"""Rows become nouns and back without loss."""

import json

from hypothesis import given
from hypothesis import strategies as st

from app.store.vault import rows

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(VALUES)
def test_a_keyed_value_keeps_its_kind(value):
    stored = rows.column("value", rows.plain(value))
    assert rows.plain_of_row("value", stored) == value


def test_json_keeps_every_script_readable():
    assert rows.dumps(["naïve", "東京"]) == '["naïve","東京"]'
    assert json.loads(rows.dumps({"a": [1, None]})) == {"a": [1, None]}
