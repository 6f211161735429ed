"""Relative dates become absolute, and point the way the sentence does."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.extract.dates import Tense, day_words, resolve

FRIDAY = date(2026, 5, 8)
PAST, FUTURE, HABIT = Tense.PAST, Tense.FUTURE, Tense.HABIT


@pytest.mark.parametrize(
    ("said", "tense", "written", "first"),
    [
        ("I ran it yesterday", PAST, "I ran it on 7 May 2026", date(2026, 5, 7)),
        ("the day after tomorrow", FUTURE, "on 10 May 2026", date(2026, 5, 10)),
        ("yesterday evening", PAST, "on the evening of 7 May 2026", date(2026, 5, 7)),
        ("last night", PAST, "on the night of 7 May 2026", date(2026, 5, 7)),
        ("on Monday", FUTURE, "on 11 May 2026", date(2026, 5, 11)),
        ("on Monday", PAST, "on 4 May 2026", date(2026, 5, 4)),
        ("on Friday", FUTURE, "on 15 May 2026", date(2026, 5, 15)),
        ("next Saturday", FUTURE, "on 16 May 2026", date(2026, 5, 16)),
        ("three days ago", PAST, "on 5 May 2026", date(2026, 5, 5)),
        ("two weeks ago", PAST, "around 24 April 2026", date(2026, 4, 24)),
        ("a month ago", PAST, "in April 2026", date(2026, 4, 1)),
        ("2 years ago", PAST, "in 2024", date(2024, 1, 1)),
        ("in three months", FUTURE, "in August 2026", date(2026, 8, 1)),
        ("last week", PAST, "in the week of 27 April 2026", date(2026, 4, 27)),
        ("over the weekend", PAST, "on the weekend of 2 May 2026", date(2026, 5, 2)),
        ("next month", FUTURE, "in June 2026", date(2026, 6, 1)),
        ("last year", PAST, "in 2025", date(2025, 1, 1)),
        ("in May", PAST, "in May 2026", date(2026, 5, 1)),
        ("in September", PAST, "in September 2025", date(2025, 9, 1)),
        ("in March", FUTURE, "in March 2027", date(2027, 3, 1)),
        ("in late March", PAST, "in late March 2026", date(2026, 3, 1)),
        ("last summer", PAST, "in summer 2025", date(2025, 6, 1)),
        ("in winter", PAST, "in winter 2025–26", date(2025, 12, 1)),
        ("on 21 June at 07:45", FUTURE, "on 21 June 2026 at 07:45", date(2026, 6, 21)),
        ("on June 3rd, 1988", PAST, "on 3 June 1988", date(1988, 6, 3)),
        ("on the 14th", FUTURE, "on 14 May 2026", date(2026, 5, 14)),
        ("on the 14th", PAST, "on 14 April 2026", date(2026, 4, 14)),
        ("on 2026-12-24", FUTURE, "on 24 December 2026", date(2026, 12, 24)),
        ("since January", HABIT, "since January 2026", date(2026, 1, 1)),
        ("since 2012", HABIT, "since 2012", date(2012, 1, 1)),
        ("have lived here for three years", HABIT, "have lived here since 2023", date(2023, 1, 1)),
    ],
)
def test_a_date_is_written_out(said, tense, written, first):
    dated = resolve(said, FRIDAY, tense)
    assert (dated.text, dated.first) == (written, first)


@pytest.mark.parametrize(
    "said",
    ["every Tuesday evening", "on Mondays", "I may go", "on 31 February", "in May", "at seven",
     "March of the penguins", "a second helping", "may I"],
)  # fmt: skip
def test_what_is_no_date_stays_as_it_was_said(said):
    assert resolve(said, FRIDAY, HABIT).text == said


@given(
    st.sampled_from(["on Monday", "yesterday", "in May", "last summer", "on the 31st", "3 days ago",
                     "in 2 weeks", "next Sunday", "29 February", "this weekend", "last March"]),
    st.dates(date(1990, 1, 1), date(2090, 1, 1)),
    st.sampled_from(list(Tense)),
)  # fmt: skip
def test_resolving_never_fails_and_changes_nothing_the_second_time(said, today, tense):
    once = resolve(said, today, tense)
    assert resolve(once.text, today, tense).text == once.text


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(1, 6))
def test_a_weekday_ahead_and_one_behind_are_found_where_they_are(today, days):
    ahead, behind = today + timedelta(days=days), today - timedelta(days=days)
    assert resolve(f"on {ahead:%A}", today, FUTURE).text == f"on {day_words(ahead)}"
    assert resolve(f"on {behind:%A}", today, PAST).text == f"on {day_words(behind)}"
