from datetime import UTC, date, datetime, timedelta

from app.memory.when.periods import Period
from app.memory.when.spans import Range, Timing, day_in, local, undated

NOW = datetime(2026, 5, 8, 12, tzinfo=UTC)
DAY = timedelta(days=1)
MARCH = Range(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))


def test_a_range_is_half_open():
    assert MARCH.gap(datetime(2026, 3, 1, tzinfo=UTC)) == timedelta()
    assert MARCH.gap(datetime(2026, 4, 1, tzinfo=UTC)) > timedelta()
    assert MARCH.gap(datetime(2026, 2, 27, tzinfo=UTC)) == 2 * DAY


def test_days_are_compared_as_the_calendar_says_them():
    assert MARCH.day_gap(date(2026, 3, 31)) == timedelta()
    assert MARCH.day_gap(date(2026, 4, 2)) == 2 * DAY
    assert MARCH.day_gap(date(2026, 2, 28)) == DAY


def test_a_range_may_be_open():
    since, before = Range(MARCH.start, None), Range(None, MARCH.start)
    assert since.gap(NOW) == since.day_gap(NOW.date()) == timedelta()
    assert before.gap(NOW) > DAY
    assert (str(since), str(before)) == ("since 1 March 2026", "until 28 February 2026")
    assert str(Range(None, None)) == "any time"
    assert since.length is None


def test_the_time_zone_of_the_computer_serves_where_none_is_given():
    old = local(Period(datetime(1900, 1, 1), None), None, NOW)
    assert old.start.tzinfo is not None
    assert day_in(date(2026, 5, 8), UTC, NOW) == datetime(2026, 5, 8, tzinfo=UTC)


def test_an_undated_question_restricts_nothing():
    assert undated("May I?") == Timing((), "May I?")
    assert undated("May I?").restricting == ()
