"""Nightly work waits, gives way and is stopped as the person and the computer need it."""

from datetime import timedelta
from threading import Event

import pytest

from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.domain.memory import DEFAULT_SCOPE, MemoryFilter, Status
from app.errors import ModelError
from app.services.upkeep.background import LEAVE_ALONE
from app.store.journal.entries import Journal
from app.store.memories import Note
from app.store.vault.file import Vault
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue, JobState


def disturb(house, why):
    """Let something come in the way of nightly work."""
    if why == "writing":
        house.say()
    house.mains = why != "battery"
    house.set("upkeep.paused", why == "paused")


DISTURBED = ["writing", "battery", "paused"]
SENTENCES = {
    "writing": "It waits until nothing was written for 5 minutes.",
    "battery": "It waits for mains power.",
    "paused": "Everything is paused.",
}


def two_queued(house, trigger):
    """Queue two kinds of nightly work for a reason."""
    for kind in ("review", "dream"):
        house.queue.enqueue(kind, trigger)


@pytest.mark.parametrize("trigger", [Trigger.SCHEDULE, Trigger.NOW])
def test_of_two_that_are_queued_neither_goes_on_before_the_quiet_time(house, trigger):
    house.set("upkeep.idle_minutes", 0)
    two_queued(house, trigger)
    assert house.run_until(house.say)
    house.run()
    assert house.did == [0]
    house.now += LEAVE_ALONE - timedelta(seconds=1)
    house.upkeep.tick()
    house.run()
    assert house.did == [0]
    house.now += timedelta(seconds=1)
    house.run()
    assert sorted(kind for kind, *_ in house.runs()) == ["dream", "review", "review"]
    assert sorted(house.did) == [0, 0, 1, 1, 2, 2]


def test_what_waits_in_the_queue_does_not_begin_right_after_a_message(house):
    house.set("upkeep.idle_minutes", 0)
    two_queued(house, Trigger.SCHEDULE)
    house.say()
    house.run()
    assert house.runs() == []
    assert house.standing().waiting.startswith("It resumes at ")
    house.upkeep.start("dream")  # what the person begins afterwards does
    house.run()
    assert house.runs() == [("dream", Trigger.NOW, RunOutcome.DONE)]


@pytest.mark.parametrize("why", DISTURBED)
def test_what_is_queued_waits_as_what_is_due_does(house, why):
    house.set("upkeep.dream.enabled", True)
    house.night(hour=3)
    disturb(house, why)
    house.now += LEAVE_ALONE
    house.run()
    assert house.runs() == []
    for kind in ("review", "dream"):
        assert house.standing(kind).queued
        assert house.standing(kind).waiting == SENTENCES[why]
    disturb(house, "")
    house.now += timedelta(minutes=5)
    house.run()
    assert [kind for kind, *_ in house.runs()] == ["dream", "review"]


@pytest.mark.parametrize("why", DISTURBED)
def test_what_gave_way_or_failed_waits_too_before_it_goes_on(house, why):
    house.night()
    house.error = ModelError("The model did not answer.")
    house.run()
    disturb(house, why)
    house.error = None
    house.now += timedelta(minutes=4)
    house.run()
    assert [outcome for *_, outcome in house.runs()] == [RunOutcome.FAILED]
    assert house.standing().waiting == SENTENCES[why]


@pytest.mark.parametrize("why", DISTURBED)
def test_what_the_person_begins_runs_whatever_is_in_its_way(house, why):
    disturb(house, why)
    house.upkeep.start("review")
    assert house.standing().waiting == ""
    house.run()
    assert house.runs() == [("review", Trigger.NOW, RunOutcome.DONE)]


@pytest.mark.parametrize("why", DISTURBED)
def test_what_waits_in_the_queue_can_be_begun_by_the_person(house, why):
    house.night()
    disturb(house, why)
    house.upkeep.start("review")
    house.run()
    assert house.runs() == [("review", Trigger.NOW, RunOutcome.DONE)]


def test_what_the_person_began_gives_way_to_a_message_all_the_same(house):
    house.mains = False
    house.upkeep.start("review")
    assert house.run_until(house.say)
    house.run()
    assert house.runs() == [("review", Trigger.NOW, RunOutcome.STOPPED)]
    house.now += LEAVE_ALONE
    house.run()
    assert house.did == [0, 1, 2]


def test_pausing_stops_what_runs_at_its_next_step(house):
    house.night()
    assert house.run_until(lambda: house.set("upkeep.paused", True))
    assert house.runs() == [("review", Trigger.SCHEDULE, RunOutcome.STOPPED)]
    house.run()
    assert house.did == [0]
    house.set("upkeep.paused", False)
    house.run()
    assert house.did == [0, 1, 2]


def test_a_pulled_plug_stops_what_runs(house):
    def pull():
        house.mains = False
        house.now += timedelta(minutes=1)

    house.night()
    assert house.run_until(pull)
    assert house.standing().waiting == "It waits for mains power."


def test_what_the_person_began_is_neither_paused_nor_unplugged(house):
    def disturb_it():
        house.set("upkeep.paused", True)
        house.now += timedelta(minutes=1)

    house.upkeep.start("review")
    assert not house.run_until(disturb_it)
    assert house.did == [0, 1, 2]


def test_other_work_goes_on_while_everything_is_paused(house):
    house.night()
    house.set("upkeep.paused", True)
    house.queue.enqueue_index()
    house.run()
    assert house.did == ["index"]


# What a run tells that came to no end.


def undo(house, batch):
    Journal(house.vault).undo(batch, Note("user", "undo", "b2"))


def stop_it(house):
    house.run_until(lambda: house.upkeep.cancel("review"))


def make_it_fail(house):
    def break_it():
        house.error = ModelError("The model did not answer.")

    house.run_until(break_it)


def kill_it(house):
    working = house.background.run_next(Event())
    next(working)
    next(working)
    monitor = JobMonitor(house.vault)
    with house.vault.write() as connection:  # what the end of a process leaves
        before = connection.execute("SELECT state, checkpoint FROM jobs").fetchone()
    assert monitor.of_kind("review").state is JobState.RUNNING
    working.close()
    with house.vault.write() as connection:
        connection.execute("UPDATE jobs SET state = ?, checkpoint = ?", tuple(before))
        connection.execute(
            "UPDATE runs SET outcome = 'running', ended_at = NULL, figures = '{}', batch = ''"
        )
    house.background.take_over()


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        (stop_it, RunOutcome.STOPPED),
        (make_it_fail, RunOutcome.FAILED),
        (kill_it, RunOutcome.STOPPED),
    ],
)
def test_a_run_that_changed_memories_before_it_ended_is_seen_and_undone(house, end, outcome):
    house.adds = True
    house.night()
    end(house)
    (run,) = house.upkeep.history()
    assert (run.outcome, run.figures, run.batch) == (outcome, {"steps": 1}, "b1")
    (memory,) = house.memories.list(DEFAULT_SCOPE, MemoryFilter())
    if end is not kill_it:
        assert house.background.left.batches == {"b1"}
        assert house.background.left.everything
    undo(house, run.batch)
    assert house.memories.get(memory.id).status is Status.FORGOTTEN


def test_a_run_that_changed_no_memory_offers_nothing_to_undo(house):
    house.night()
    stop_it(house)
    (run,) = house.upkeep.history()
    assert (run.figures, run.batch) == ({"steps": 1}, "")


def test_a_run_that_went_on_tells_of_all_that_was_done_once(house):
    house.adds = True
    house.night()
    house.run_until(house.say)
    house.now += timedelta(minutes=6)
    house.run()
    last, first = house.upkeep.history()
    assert (last.outcome, last.figures, last.batch) == (RunOutcome.DONE, {"steps": 3}, "b1")
    assert (first.outcome, first.figures, first.batch) == (RunOutcome.STOPPED, {}, "")


# Stop.


def test_stop_stops_the_kind_it_names_and_no_other(house):
    house.set("upkeep.dream.enabled", True)
    house.night(hour=3)
    assert not house.run_until(lambda: house.upkeep.cancel("dream"))
    house.run()
    assert [(kind, outcome) for kind, _, outcome in house.runs()] == [("review", RunOutcome.DONE)]


def test_what_runs_is_stopped_and_the_next_goes_on(house):
    house.set("upkeep.dream.enabled", True)
    house.night(hour=3)
    assert house.run_until(house.background.stop)
    house.run()
    assert [(kind, outcome) for kind, _, outcome in house.runs()] == [
        ("dream", RunOutcome.DONE),
        ("review", RunOutcome.STOPPED),
    ]


@pytest.mark.parametrize("runs", [True, False])
def test_what_was_stopped_does_not_come_back_by_itself_before_its_next_hour(house, runs):
    house.night()
    if runs:
        assert house.run_until(house.background.stop)
    else:
        house.upkeep.cancel("review")
    did = list(house.did)
    for hour, minute in ((2, 6), (9, 0), (23, 59)):
        house.night(hour=hour, minute=minute)
        house.run()
    assert house.did == did
    assert not house.standing().queued
    house.night(2)
    house.run()
    assert house.did == [*did, 0, 1, 2]


def test_a_failure_after_it_was_stopped_does_not_bring_it_back(house):
    def stop_and_fail():
        house.upkeep.cancel("review")
        house.error = ModelError("The model did not answer.")

    house.night()
    working = house.background.run_next(Event())
    next(working)
    stop_and_fail()
    assert list(working) == []
    house.error = None
    house.now += timedelta(hours=1)
    house.upkeep.tick()
    house.run()
    assert house.did == []


def test_work_that_nothing_can_do_without_goes_on_after_a_while(house):
    house.queue.enqueue_index()
    assert house.run_until(house.background.stop, steps=1)
    house.run()
    assert house.did == []
    house.now += LEAVE_ALONE
    house.run()
    assert house.did == ["index"]


def test_stop_with_nothing_that_runs_stops_nothing(house):
    house.night()
    house.background.stop()
    house.run()
    assert house.did == [0, 1, 2]


def test_another_process_does_not_go_on_right_after_a_message_either(house):
    house.set("upkeep.idle_minutes", 0)
    two_queued(house, Trigger.NOW)
    house.run_until(house.say)
    with_other = Vault(house.vault.path, bytes(32), clock=house.clock)
    assert JobQueue(with_other).claim(house.clock()) is None
    with_other.close()
