"""What nightly work waits for, in one sentence, the person's own wish first."""

import pytest


@pytest.fixture
def idle(house):
    return house.idle


def test_nothing_is_waited_for_where_nobody_is_disturbed(idle):
    assert idle.waits_for() == ""


def test_a_pause_comes_first(house, idle):
    house.mains = False
    assert idle.waits_for() == "It waits for mains power."
    house.set("upkeep.paused", True)
    assert idle.paused
    assert idle.waits_for() == "Everything is paused."


def test_the_battery_is_no_matter_where_the_person_says_so(house, idle):
    house.mains = False
    house.set("upkeep.mains_only", False)
    assert idle.waits_for() == ""


def test_the_person_counts_as_at_work_for_as_long_as_they_set(house, idle):
    house.say()
    assert idle.waits_for() == "It waits until nothing was written for 5 minutes."
    house.set("upkeep.idle_minutes", 0)
    assert idle.waits_for() == ""
