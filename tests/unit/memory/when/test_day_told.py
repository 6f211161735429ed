"""A statement tells of a day, which is found however it is said."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.when.meanings import Tense
from app.memory.when.moment import day_told

FRIDAY = datetime(2026, 5, 8, 10, tzinfo=UTC)
PAST, FUTURE, HABIT = Tense.PAST, Tense.FUTURE, Tense.HABIT


@pytest.mark.parametrize(
    ("said", "tense", "day"),
    [
        ("I ran it yesterday", PAST, date(2026, 5, 7)),
        ("we meet the day after tomorrow", FUTURE, date(2026, 5, 10)),
        ("on Monday", FUTURE, date(2026, 5, 11)),
        ("on Monday", PAST, date(2026, 5, 4)),
        ("three days ago", PAST, date(2026, 5, 5)),
        ("two weeks ago", PAST, date(2026, 4, 24)),
        ("a month ago", PAST, date(2026, 4, 8)),
        ("last week", PAST, date(2026, 4, 27)),
        ("next month", FUTURE, date(2026, 6, 1)),
        ("in September", PAST, date(2025, 9, 1)),
        ("in March", FUTURE, date(2027, 3, 1)),
        ("last summer", PAST, date(2025, 6, 1)),
        ("on June 3rd, 1988", PAST, date(1988, 6, 3)),
        ("on the 14th", FUTURE, date(2026, 5, 14)),
        ("on 2026-12-24", FUTURE, date(2026, 12, 24)),
        ("since 2012", HABIT, date(2012, 1, 1)),
        ("Rain again. I moved in on 3 March, and sold the van in April.", PAST, date(2026, 3, 3)),
    ],
)
def test_the_first_day_that_is_meant_is_found(said, tense, day):
    assert day_told(said, FRIDAY, tense) == day


@pytest.mark.parametrize(
    ("said", "tense"),
    [
        ("every Tuesday evening", HABIT), ("on Mondays", HABIT), ("I may go", PAST),
        ("on 31 February", PAST), ("in May", HABIT), ("March of the penguins", PAST),
        ("a second helping", PAST), ("I swam recently", PAST), ("before May", PAST),
    ],
)  # fmt: skip
def test_what_names_no_day_tells_of_none(said, tense):
    assert day_told(said, FRIDAY, tense) is None


@given(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)), st.integers(1, 6))
def test_a_weekday_ahead_and_one_behind_are_found_where_they_are(said, days):
    ahead, behind = said + timedelta(days=days), said - timedelta(days=days)
    assert day_told(f"on {ahead:%A}", said, FUTURE) == ahead.date()
    assert day_told(f"on {behind:%A}", said, PAST) == behind.date()
