"""An invitation is to a day that is still to come."""

from datetime import UTC, datetime

import pytest

from app.memory.extract.statements import statements

AT = datetime(2026, 6, 23, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "text", "month", "day"),
    [
        (
            "we've been invited to Tom's 60th on the 14th",
            "You have been invited to Tom's 60th on 14 July 2026",
            7,
            14,
        ),
        (
            "Karim has invited us to his wedding on 29 August.",
            "Karim has invited you to his wedding on 29 August 2026",
            8,
            29,
        ),
        (
            "My sister invited me to her wedding in September.",
            "Your sister invited you to her wedding in September 2026",
            9,
            1,
        ),
        (
            "My cousin has invited us round for lunch on 4 July.",
            "Your cousin has invited you round for lunch on 4 July 2026",
            7,
            4,
        ),
        (
            "I've been invited for an interview on 3 July.",
            "You have been invited for an interview on 3 July 2026",
            7,
            3,
        ),
        (
            "We are invited to dinner at the Claeys' on Saturday.",
            "You are invited to dinner at the Claeys' on 27 June 2026",
            6,
            27,
        ),
    ],
)
def test_it_is_kept_with_its_day(said, text, month, day):
    (kept,) = statements(said, AT)
    assert (kept.text, kept.category) == (text, "plan")
    assert kept.occurred_at == datetime(2026, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    "said",
    [
        "My boss invited me to dinner",
        "Ana asked me to pick her up at 5 on Monday.",
        "My boss asked me to send the report on Friday.",
        "Karim invited me to lunch yesterday.",
    ],
)
def test_without_a_day_ahead_it_is_nothing(said):
    assert statements(said, AT) == []
