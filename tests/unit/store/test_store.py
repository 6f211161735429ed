"""The store is one door: a transaction is kept together or not at all."""

from contextlib import suppress

import pytest

from app.store.store import Store


@pytest.fixture
def store(vault):
    return Store(vault)


def breaks(store, *names):
    """Write something in a transaction, then raise."""
    with suppress(ZeroDivisionError), store.transaction():
        for name in names:
            store.meta.once(name, lambda: b"1")
        raise ZeroDivisionError


def kept(store):
    return {name for name in "ab" if store.meta.get(name) is not None}


def test_a_transaction_that_raises_keeps_nothing_of_it(store):
    breaks(store, "a", "b")
    assert kept(store) == set()


def test_an_inner_one_joins_the_outer_and_takes_back_only_what_it_did(store):
    with store.transaction():
        store.meta.once("a", lambda: b"1")
        breaks(store, "b")
        assert kept(store) == {"a"}, "it reads its own writes"
    assert kept(store) == {"a"}
