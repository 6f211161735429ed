"""One bent job or run hides and stops no other, is told, and begins anew or goes."""

from contextlib import closing

import pytest

from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.services.upkeep.remains import Remains
from app.store.store import Store
from app.store.vault.connection import READ_CACHE_KB, connect
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue, JobState
from app.store.work.runs import Runs
from app.store.work.unsound import UnsoundJobs

JOBS = [
    "payload = '[1]', checkpoint = '[2]'",
    "payload = 'abc'",
    "checkpoint = x'00ff'",
    "checkpoint = '[2]', state = 'running'",
    "state = 'odd'",
    "attempts = 'many'",
    "attempts = 9223372036854775807",
    "run_after = 'once'",
    "run_after = 9223372036854775807",
    "updated_at = 'once'",
    "id = x'00ff'",
    "kind = x'00ff'",
    "error = x'00ff'",
]
RUNS = [
    "started_at = 'once'",
    "started_at = 9223372036854775807",
    "ended_at = 'once'",
    "figures = '[1]'",
    "figures = 'abc'",
    """figures = '{"learned": "three"}'""",
    "outcome = 'odd'",
    "begun_by = x'00'",
    "kind = x'00ff'",
]


def bend(vault, statement):
    """Write as another program that has the key, bound by nothing."""
    with closing(connect(vault.path, vault.key, cache_kb=READ_CACHE_KB, read_only=False)) as there:
        there.execute("PRAGMA ignore_check_constraints = ON")
        there.execute(statement)


def meant(key):
    return {"about": key} if key.startswith("learn:") else None


@pytest.mark.parametrize("change", JOBS)
def test_a_bent_job_stops_no_other_and_begins_anew(vault, clock, change):
    jobs, unsound = JobQueue(vault), UnsoundJobs(vault)
    monitor = JobMonitor(vault)
    jobs.enqueue("learn", "learn:a", {"about": "learn:a"})
    jobs.enqueue("index", "index", {"trigger": "now"})
    bend(vault, f"UPDATE jobs SET {change} WHERE unique_key = 'learn:a'")
    (told,) = unsound.sentences()
    assert told.startswith("A piece of background work")
    assert monitor.noted(["learn:a", "index"], "became") == {}
    assert monitor.by_key("learn:a").damaged
    assert [job.damaged != () for job in monitor.failed()] == [True]
    jobs.revive("index", "now")
    clock.forward(minutes=1)
    assert jobs.claim(clock(), held=["index"]).unique_key == "index"
    Remains(Store(vault)).take_back()
    jobs.settle("index")
    assert jobs.claim(clock()) is None
    assert unsound.set_right(meant)
    assert not unsound.sentences()
    again = jobs.claim(clock())
    assert (again.kind, again.unique_key, again.checkpoint) == ("learn", "learn:a", {})
    assert again.payload == {"about": "learn:a"}
    assert not again.damaged
    jobs.finish(again.id)
    assert monitor.by_key("learn:a").state is JobState.DONE


@pytest.mark.parametrize("change", ["unique_key = x'00ff'", "unique_key = 'odd:1', attempts = -1"])
def test_a_job_that_does_not_say_what_it_is_goes(vault, change):
    jobs, unsound = JobQueue(vault), UnsoundJobs(vault)
    monitor = JobMonitor(vault)
    jobs.enqueue("learn", "learn:a", {})
    bend(vault, f"UPDATE jobs SET {change}")
    assert unsound.set_right(meant)
    assert not any(monitor.counts().values())


def test_one_that_was_over_stays_over(vault, clock):
    jobs, unsound = JobQueue(vault), UnsoundJobs(vault)
    monitor = JobMonitor(vault)
    jobs.enqueue("learn", "learn:a", {})
    jobs.settle("learn:a")
    bend(vault, "UPDATE jobs SET payload = '[1]'")
    assert unsound.set_right(meant)
    assert not unsound.sentences()
    assert jobs.claim(clock()) is None
    assert monitor.by_key("learn:a").state is JobState.DONE


@pytest.mark.parametrize("change", RUNS)
def test_a_bent_run_hides_no_other_and_goes(vault, clock, change):
    runs = Runs(vault)
    whole = runs.begin("review", Trigger.NOW)
    runs.end(whole, RunOutcome.DONE, {"learned": 3})
    runs.begin("dream", Trigger.NOW)
    bend(vault, f"UPDATE runs SET {change} WHERE kind = 'dream'")
    shown, other = runs.list()
    assert (shown.outcome, other.id) == (RunOutcome.FAILED, whole)
    assert shown.error.startswith("It is damaged (")
    assert runs.broken_off() == []
    (told,) = runs.damaged()
    assert "in the history of background work is damaged" in told
    runs.drop_damaged()
    assert [run.id for run in runs.list()] == [whole]
    assert runs.damaged() == []
