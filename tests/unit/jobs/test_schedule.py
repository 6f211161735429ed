"""Nightly work: at its hour, once a day, once where the hour was missed, and never before."""

from datetime import UTC, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.jobs.upkeep import Trigger
from app.errors import SettingsError
from app.jobs.schedule import (
    Circumstances,
    DailyPlan,
    due,
    following,
    hindered,
    latest,
    time_of_day,
)

HERE = timezone(timedelta(hours=2))
BEGUN = datetime(2026, 5, 1, 12, tzinfo=HERE)
PLAN = DailyPlan("review", True, time(2))
HOUR = timedelta(hours=1)


def at(day, hour, minute=0):
    return datetime(2026, 5, day, hour, minute, tzinfo=HERE)


def test_at_its_hour():
    assert due(PLAN, None, BEGUN, at(2, 1, 59)) is None
    assert due(PLAN, None, BEGUN, at(2, 2)) is Trigger.SCHEDULE


def test_once_a_day():
    assert due(PLAN, at(2, 2, 1), BEGUN, at(2, 2, 2)) is None
    assert due(PLAN, at(2, 2, 1), BEGUN, at(3, 1, 59)) is None
    assert due(PLAN, at(2, 2, 1), BEGUN, at(3, 2)) is Trigger.SCHEDULE


def test_a_missed_hour_is_made_up_for_once_however_many_were_missed():
    assert due(PLAN, at(2, 2), BEGUN, at(9, 14)) is Trigger.MISSED
    assert due(PLAN, at(9, 14), BEGUN, at(9, 15)) is None


def test_what_lies_before_the_beginning_was_not_missed():
    assert due(PLAN, None, BEGUN, at(1, 13)) is None


def test_a_run_by_hand_after_the_hour_counts():
    assert due(PLAN, at(2, 9), BEGUN, at(2, 10)) is None


def test_what_is_off_is_never_due():
    assert due(DailyPlan("review", False, time(2)), None, BEGUN, at(20, 2)) is None


@given(
    st.times(),
    st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(HERE)),
)
def test_the_present_lies_between_the_latest_and_the_following_hour(hour, now):
    assert latest(hour, now) <= now < following(hour, now)
    assert following(hour, now) - latest(hour, now) == timedelta(days=1)


@given(st.lists(st.integers(1, 5000), max_size=40))
def test_however_often_one_asks_it_runs_at_most_once_between_two_hours(minutes):
    now, last, runs = BEGUN, None, []
    for step in minutes:
        now += timedelta(minutes=step)
        if due(PLAN, last, BEGUN, now):
            last = now
            runs.append(latest(PLAN.at, now))
    assert len(set(runs)) == len(runs)


@pytest.mark.parametrize(
    ("idle", "mains", "why"),
    [(6, True, ""), (4, True, "5 minutes"), (6, False, "mains"), (0, False, "mains")],
)
def test_it_waits_for_rest_and_for_mains(idle, mains, why):
    found = hindered(Circumstances(timedelta(minutes=idle), mains), idle_minutes=5, mains_only=True)
    assert why in found
    assert bool(why) == bool(found)


def test_on_battery_it_runs_where_that_is_allowed():
    assert not hindered(Circumstances(HOUR, False), idle_minutes=5, mains_only=False)


def test_the_same_moment_in_another_zone_is_the_same_hour():
    moment = datetime(2026, 5, 2, 0, 30, tzinfo=UTC)
    assert due(PLAN, None, BEGUN, moment.astimezone(HERE)) is Trigger.SCHEDULE


def test_no_time_of_day():
    assert time_of_day("7:05") == time(7, 5)
    for text in ("", "seven", "25:00", "7"):
        with pytest.raises(SettingsError, match="no time of day"):
            time_of_day(text)
