"""Nightly work begins when it is due and nobody is disturbed, and tells what it did."""

from datetime import timedelta
from threading import Event

import pytest

from app.domain.jobs.kinds import BACKUP
from app.domain.jobs.operation import drive
from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.errors import Cancelled, ModelError, NotFound
from app.store.journal.entries import Journal
from app.store.memories import Note
from tests.unit.services.house import BEGUN


def test_it_runs_once_each_night(house):
    for day in (1, 2):
        for minute in (5, 6, 40):
            house.night(day, minute=minute)
            house.run()
    assert house.runs() == [("review", Trigger.SCHEDULE, RunOutcome.DONE)] * 2
    assert house.did == [0, 1, 2] * 2


def test_missed_nights_are_made_up_for_once_at_the_next_start(house):
    house.night(6, hour=14)
    house.run()
    house.night(6, hour=15)
    house.run()
    assert house.runs() == [("review", Trigger.MISSED, RunOutcome.DONE)]


@pytest.mark.parametrize("why", ["writing", "battery", "paused", "off"])
def test_it_does_not_begin_at_a_bad_moment(house, why):
    house.now = BEGUN + timedelta(days=1)
    if why == "writing":
        house.now = house.now.replace(hour=2, minute=4)
        house.say()
    house.mains = why != "battery"
    house.set("upkeep.paused", why == "paused")
    house.set("upkeep.review.enabled", why != "off")
    house.night()
    house.run()
    assert house.runs() == []
    said = {
        "writing": "It waits until nothing was written for 5 minutes.",
        "battery": "It waits for mains power.",
        "paused": "Everything is paused.",
        "off": "",
    }
    assert house.standing().waiting == said[why]
    house.mains = True
    house.set("upkeep.paused", False)
    house.set("upkeep.review.enabled", True)
    house.night(hour=4)
    house.run()
    assert [outcome for *_, outcome in house.runs()] == [RunOutcome.DONE]


@pytest.mark.parametrize("why", ["writing", "battery"])
def test_light_work_waits_for_nobody(house, why):
    """A backup is made while the person writes, and on a battery."""
    house.lights = True
    house.mains = why != "battery"
    house.now = BEGUN.replace(hour=12, minute=40)
    house.say()
    house.upkeep.tick()
    if why == "writing":
        house.say()
    assert house.standing(BACKUP).waiting == ""
    house.run()
    assert house.runs() == [(BACKUP, Trigger.SCHEDULE, RunOutcome.DONE)]


def test_light_work_is_paused_with_everything(house):
    house.lights = True
    house.set("upkeep.paused", True)
    house.now = BEGUN.replace(hour=12, minute=40)
    house.upkeep.tick()
    house.run()
    assert house.runs() == []
    house.set("upkeep.paused", False)
    house.upkeep.tick()
    house.set("upkeep.paused", True)
    house.run()
    assert house.runs() == []
    assert house.standing(BACKUP).waiting == "Everything is paused."


def test_now_means_now_whatever_the_schedule_says(house):
    house.mains = False
    house.set("upkeep.paused", True)
    house.upkeep.start("dream")
    house.run()
    assert house.runs() == [("dream", Trigger.NOW, RunOutcome.DONE)]
    with pytest.raises(NotFound, match="review, dream, compact"):
        house.upkeep.start("nonsense")


def test_it_gives_way_when_the_person_writes_and_goes_on_where_it_was(house):
    house.night()
    working = house.background.run_next(Event())
    next(working)
    next(working)
    house.background.yield_to_user()
    with pytest.raises(Cancelled):
        next(working)
    assert house.runs() == [("review", Trigger.SCHEDULE, RunOutcome.STOPPED)]
    house.run()
    assert house.did == [0]
    house.now += timedelta(minutes=3)
    house.run()
    assert house.did == [0, 1, 2]
    assert house.runs()[0] == ("review", Trigger.SCHEDULE, RunOutcome.DONE)


def test_a_run_that_died_goes_on_where_it_was(house):
    house.night()
    working = house.background.run_next(Event())
    next(working)
    next(working)
    with house.vault.write() as connection:  # what the end of a process leaves
        before = connection.execute("SELECT state, checkpoint FROM jobs").fetchone()
    working.close()
    with house.vault.write() as connection:
        connection.execute("UPDATE jobs SET state = ?, checkpoint = ?", tuple(before))
        connection.execute("UPDATE runs SET outcome = 'running', ended_at = NULL")
    house.background = house.started()
    house.background.take_over()
    house.run()
    assert house.did == [0, 1, 2]
    assert [outcome for *_, outcome in house.runs()] == [RunOutcome.DONE, RunOutcome.STOPPED]


def test_cancelled_work_does_not_come_back_until_its_next_hour(house):
    house.night()
    stop = Event()
    working = house.background.run_next(stop)
    next(working)
    house.upkeep.cancel("review")
    stop.set()
    with pytest.raises(Cancelled):
        working.throw(Cancelled("Stopped."))
    house.night(minute=30)
    house.run()
    assert house.did == []
    assert not house.standing().queued
    house.night(2)
    house.run()
    assert house.did == [0, 1, 2]


def test_a_failure_is_told_and_tried_again(house):
    house.error = ModelError("The model did not answer.")
    house.night()
    house.run()
    (run,) = house.upkeep.history()
    assert (run.outcome, run.error) == (RunOutcome.FAILED, "The model did not answer.")
    house.error = None
    house.now += timedelta(minutes=5)
    house.run()
    assert house.upkeep.history()[0].outcome is RunOutcome.DONE


def test_one_kind_at_a_time_whoever_works(house):
    house.upkeep.start("review")
    house.upkeep.start("dream")
    working = house.background.run_next(Event())
    next(working)
    assert list(house.started().run_next(Event())) == []
    working.close()


def test_commands_leave_nightly_work_to_the_window(house):
    house.upkeep.start("review")
    drive(house.background.run(), Event())
    assert house.did == []
    house.run()
    assert house.did == [0, 1, 2]


def test_what_found_nothing_to_do_says_so(house):
    house.steps = 0
    house.night()
    house.run()
    assert house.runs() == [("review", Trigger.SCHEDULE, RunOutcome.NOTHING)]


def test_the_standing_tells_when_it_runs_next(house):
    review, dream = house.standing(), house.standing("dream")
    assert review.enabled
    assert review.next_at == (BEGUN + timedelta(days=1)).replace(hour=2, minute=0)
    assert (dream.enabled, dream.next_at) == (False, None)


def test_what_may_not_ask_the_model_says_what_is_to_be_set(house):
    house.refused = "Set a price."
    assert house.standing().without == "Set a price."
    assert house.standing("compact").without == ""  # it asks no model
    assert house.standing("dream").without == ""  # it is off
    house.set("upkeep.dream.enabled", True)
    assert house.standing("dream").without == ""  # it asks only in order to sum up
    house.set("upkeep.dream.summarise", True)
    assert house.standing("dream").without == "Set a price."
    house.refused = ""
    assert house.standing("dream").without == ""


# Thinning between two hours.


def crowd(house, count=4):
    """Allow three memories and store more, on the day after the thinning of the night."""
    house.set("memory.compaction.enabled", True)
    house.set("memory.compaction.threshold", 3)
    house.set("memory.compaction.target_size", 3)
    house.set("upkeep.review.enabled", False)
    house.night(hour=4)
    house.run()
    house.now += timedelta(hours=8)
    for number in range(count):
        house.add(f"boat{number}")


def thinned(house):
    """Let half a minute pass; return why thinning ran since the night."""
    house.now += timedelta(seconds=30)
    house.upkeep.tick()
    house.run()
    return [trigger for kind, trigger, _ in house.runs() if kind == "compact"][:-1]


def test_a_crowded_memory_is_thinned_before_the_night_and_once_an_hour(house):
    crowd(house)
    assert thinned(house) == [Trigger.EVENT]
    for _ in range(3):
        assert thinned(house) == [Trigger.EVENT]
    house.now += timedelta(hours=1)
    assert thinned(house) == [Trigger.EVENT] * 2


def test_a_memory_within_its_limits_is_left_alone(house):
    crowd(house, 3)
    assert thinned(house) == []
    house.add("one_more")
    assert thinned(house) == [Trigger.EVENT]


def test_keyed_memories_above_their_cap_are_thinned_too(house):
    crowd(house, 0)
    house.set("memory.cap.max_entries", 1)
    for key in ("city", "name"):
        house.add(f"the_{key}")
        assert thinned(house) == []
        house.memories.update(f"the_{key}", {"key": key}, Note("user", "edit", "b3"))
    assert thinned(house) == [Trigger.EVENT]


@pytest.mark.parametrize("why", ["writing", "battery", "paused", "off"])
def test_a_crowded_memory_is_not_thinned_at_a_bad_moment(house, why):
    crowd(house)
    if why == "writing":
        house.say()
    house.mains = why != "battery"
    house.set("upkeep.paused", why == "paused")
    house.set("memory.compaction.enabled", why != "off")
    assert thinned(house) == []
    house.mains = True
    house.set("upkeep.paused", False)
    house.set("memory.compaction.enabled", True)
    house.now += timedelta(minutes=5)
    assert thinned(house) == [Trigger.EVENT]


def test_thinning_that_was_stopped_waits_for_its_hour_however_crowded_it_is(house):
    crowd(house)
    house.upkeep.tick()
    house.upkeep.cancel("compact")
    house.now += timedelta(hours=2)
    assert thinned(house) == []
    house.night(2, hour=4)
    house.run()
    assert thinned(house) == [Trigger.SCHEDULE]


def test_thinning_that_was_undone_waits_for_its_hour(house):
    crowd(house)
    house.adds = True
    assert thinned(house) == [Trigger.EVENT]
    batch = next(run.batch for run in house.upkeep.history() if run.kind == "compact")
    Journal(house.vault).undo(batch, Note("user", "undo", "u"))
    house.add("one_more")
    house.now += timedelta(hours=2)
    assert thinned(house) == [Trigger.EVENT]


def test_thinning_that_can_take_nothing_away_leaves_no_run_behind(house):
    crowd(house)
    house.steps = 0
    assert thinned(house) == []
    house.now += timedelta(hours=1)
    assert thinned(house) == []


def age(house, days=7):
    """Set nothing but an age, with one memory that comes of it in an hour."""
    house.set("upkeep.review.enabled", False)
    house.add("old_boat")
    house.now += timedelta(days=days, hours=-1)
    house.set("memory.retention.max_age_days", days)
    house.upkeep.tick()


def aged(house):
    house.upkeep.tick()
    house.run()
    return [trigger for kind, trigger, _ in house.runs() if kind == "compact"]


def test_what_comes_of_age_is_thinned_before_the_night_though_nothing_is_crowded(house):
    age(house)
    house.now += timedelta(minutes=59)
    assert aged(house) == []
    house.now += timedelta(minutes=2)
    assert aged(house) == [Trigger.EVENT]
    house.memories.delete("old_boat")
    house.now += timedelta(hours=2)
    assert aged(house) == [Trigger.EVENT]


def test_an_age_that_was_just_set_deletes_nothing_for_an_hour(house):
    age(house, days=30)
    house.now += timedelta(hours=2)
    house.set("memory.retention.max_age_days", 3)  # on the way to 365
    assert aged(house) == []
    house.now += timedelta(minutes=59)
    house.set("memory.retention.max_age_days", 365)
    assert aged(house) == []
    house.set("memory.retention.max_age_days", 3)
    assert aged(house) == []
    house.now += timedelta(hours=1)
    assert aged(house) == [Trigger.EVENT]


def test_a_limit_that_deletes_and_was_just_set_deletes_nothing_for_an_hour(house):
    crowd(house)
    house.set("memory.compaction.delete", True)
    assert thinned(house) == []
    house.now += timedelta(minutes=58)
    assert thinned(house) == []
    house.now += timedelta(minutes=2)
    assert thinned(house) == [Trigger.EVENT]


def test_an_age_that_was_just_set_deletes_nothing_because_it_is_crowded(house):
    crowd(house)
    house.set("memory.retention.max_age_days", 1)
    assert thinned(house) == []
    house.now += timedelta(hours=1)
    assert thinned(house) == [Trigger.EVENT]
