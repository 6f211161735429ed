"""A moment that a person names is the end of what they name."""

from datetime import UTC, datetime, timedelta

import pytest

from app.memory.when.moment import moment

NOW = datetime(2026, 5, 8, 10, tzinfo=UTC)  # a Friday
INSTANT = timedelta(milliseconds=1)


def local(*wall):
    return datetime(*wall).astimezone()


@pytest.mark.parametrize(
    ("words", "end"),
    [
        ("2026-03-31", (2026, 4, 1)),
        (" 2026-02-28 ", (2026, 3, 1)),
        ("2025-12-31", (2026, 1, 1)),
        ("last March", (2026, 4, 1)),
        ("March 2025", (2025, 4, 1)),
        ("in March", (2026, 4, 1)),
        ("yesterday", (2026, 5, 8)),
        ("last year", (2026, 1, 1)),
        ("2024", (2025, 1, 1)),
        ("3 days ago", (2026, 5, 6)),
        ("the 3rd of April", (2026, 4, 4)),
    ],
)
def test_a_stretch_of_time_means_its_end(words, end):
    assert moment(words, NOW) == local(*end) - INSTANT


def test_a_time_is_meant_to_the_second():
    assert moment("2026-03-31T18:30", NOW) == local(2026, 3, 31, 18, 30)
    assert moment("2026-03-31 18:30:05", NOW) == local(2026, 3, 31, 18, 30, 5)
    there = datetime(2026, 3, 31, 16, 30, tzinfo=UTC)
    assert moment("2026-03-31T18:30+02:00", NOW) == there


@pytest.mark.parametrize("words", ["today", "2026-05-08", "2030-01-01", "this week"])
def test_nothing_is_known_ahead(words):
    assert moment(words, NOW) == NOW


@pytest.mark.parametrize("words", ["", "nonsense", "2026-02-30", "last March in Ghent", "25:00"])
def test_what_names_no_moment_is_none(words):
    assert moment(words, NOW) is None
