"""A statement that is at work is broken off once its work is to stop, and nothing is changed."""

from threading import Event

import pytest

from app.errors import Cancelled, StoreError

ENDLESS = (
    "INSERT INTO meta SELECT 'row ' || n, 'kept' FROM (WITH RECURSIVE c(n) AS"
    " (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c)"
)


def names(vault):
    with vault.read() as connection:
        found = connection.execute("SELECT key FROM meta WHERE value = 'kept' ORDER BY key")
        return [row[0] for row in found]


def put(vault, name):
    with vault.write() as connection:
        connection.execute("INSERT INTO meta VALUES (?, 'kept')", (name,))


def stopped_in_the_middle(vault, stop):
    with vault.write_until(stop):
        put(vault, "within")
        stop.set()
        with vault.write() as connection:
            connection.execute(ENDLESS)


def test_a_statement_without_end_is_broken_off_with_all_around_it(vault):
    put(vault, "before")
    with pytest.raises(Cancelled):
        stopped_in_the_middle(vault, Event())
    assert names(vault) == ["before"]


def test_afterwards_what_is_written_hears_of_that_stop_no_more(vault):
    stop = Event()
    stop.set()
    with pytest.raises(Cancelled), vault.write_until(stop) as connection:
        connection.execute(ENDLESS)
    with vault.write():
        for number in range(2_000):
            put(vault, f"after {number}")
    assert len(names(vault)) == 2_000


def test_what_fails_by_itself_is_told_as_it_is(vault):
    with pytest.raises(StoreError, match="no such table"), vault.write_until(Event()) as connection:
        connection.execute("INSERT INTO nowhere VALUES (1)")
