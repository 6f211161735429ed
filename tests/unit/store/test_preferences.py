"""Changed settings come back as the values they were."""

import pytest

from app.store.preferences import Preferences


@pytest.fixture
def preferences(vault, clock):
    return Preferences(vault)


def test_values_keep_their_kind(preferences):
    values = {"a.b": True, "a.c": 0.1, "b": "é", "c": 12, "d": None, "e": [1, "x"]}
    for key, value in values.items():
        preferences.set(key, value)
    assert preferences.all() == values
    assert list(preferences.all()) == sorted(values)


def test_the_last_value_counts_and_a_removed_one_is_gone(preferences):
    preferences.set("a", 1)
    preferences.set("a", 2)
    assert preferences.all() == {"a": 2}
    preferences.remove("a")
    preferences.remove("a")
    assert preferences.all() == {}
