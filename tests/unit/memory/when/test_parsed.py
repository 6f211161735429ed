from datetime import datetime

import pytest

from app.memory.when.parsed import day, moment

NOW = datetime(2026, 5, 8, 12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("25/12/2023", "2023-12-25"),
        ("12/25/2023", "2023-12-25"),
        ("9.6.2023", "2023-06-09"),
        ("5-5-2023", "2023-05-05"),
        ("2023/06/09", "2023-06-09"),
    ],
)
def test_a_numeric_date_is_read(text, expected):
    assert f"{day(text, NOW):%Y-%m-%d}" == expected


@pytest.mark.parametrize("text", ["9/6/2023", "9-6-23", "40/50/2023", "999/1/2023", "may", ""])
def test_what_could_be_two_days_is_none(text):
    assert day(text, NOW) is None


def test_a_sum_of_times_is_read():
    assert moment("1 year and 2 months ago", NOW) == datetime(2025, 3, 8, 12)
    assert moment("once upon a time", NOW) is None
