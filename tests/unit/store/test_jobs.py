"""Jobs run once, in order, and survive whoever was running them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from app.store.jobs import JobRows, JobState
from app.store.vault import Vault


@pytest.fixture
def jobs(vault, clock):
    return JobRows(vault)


def test_first_come_first_served_and_nothing_before_its_time(jobs, clock):
    jobs.enqueue("late", "late", {}, clock() + timedelta(hours=1))
    jobs.enqueue("learn", "one", {"message": "é"})
    jobs.enqueue("learn", "two", {})
    assert jobs.due(clock()) == 2
    job = jobs.claim(clock())
    assert (job.kind, job.unique_key, job.payload, job.state, job.attempts) == (
        "learn",
        "one",
        {"message": "é"},
        JobState.RUNNING,
        1,
    )
    assert jobs.claim(clock()).unique_key == "two"
    assert jobs.claim(clock()) is None
    assert jobs.claim(clock.forward(hours=1)).unique_key == "late"


def test_the_same_job_is_queued_once(jobs, clock):
    assert jobs.enqueue("learn", "one", {"n": 1}) is True
    assert jobs.enqueue("learn", "one", {"n": 2}) is False
    assert jobs.enqueue("learn", "one", {"n": 2}, again=True) is False
    job = jobs.claim(clock())
    assert job.payload == {"n": 1}
    jobs.finish(job.id)
    assert jobs.enqueue("learn", "one", {"n": 3}) is False
    assert jobs.claim(clock()) is None
    assert jobs.enqueue("learn", "one", {"n": 3}, again=True) is True
    job = jobs.claim(clock())
    assert (job.payload, job.attempts, job.checkpoint) == ({"n": 3}, 1, {})


def test_only_what_was_queued_before_and_never_tried_is_hastened(jobs, clock):
    later = clock() + timedelta(minutes=10)
    jobs.enqueue("learn", "waits", {}, later)
    jobs.enqueue("index", "other", {}, later)
    jobs.enqueue("learn", "failed", {})
    jobs.fail(jobs.claim(clock()).id, "It broke.", later)
    began = clock.forward(seconds=1)
    clock.forward(seconds=1)
    jobs.enqueue("learn", "young", {}, later)
    assert jobs.hasten_waiting("learn", began) == 1
    assert jobs.claim(clock()).unique_key == "waits"
    assert jobs.claim(clock()) is None


@pytest.mark.parametrize("end", ["finish", "fail"])
def test_a_running_job_that_is_asked_for_again_runs_once_more(jobs, clock, end):
    jobs.enqueue("index", "index", {})
    first = jobs.claim(clock())
    assert jobs.enqueue("index", "index", {}) is False
    assert jobs.enqueue("index", "index", {}, again=True) is True
    assert jobs.claim(clock()) is None
    if end == "finish":
        jobs.finish(first.id)
    else:
        jobs.fail(first.id, "It broke.")
    second = jobs.claim(clock())
    assert (second.id, second.attempts) == (first.id, 1)
    jobs.finish(second.id)
    assert jobs.claim(clock()) is None


def test_a_crash_loses_no_job_and_no_checkpoint(jobs, clock):
    jobs.enqueue("index", "index", {})
    job = jobs.claim(clock())
    jobs.checkpoint(job.id, {"after": 7})
    assert jobs.release_running() == 1
    again = jobs.claim(clock())
    assert (again.id, again.checkpoint, again.attempts) == (job.id, {"after": 7}, 2)


def test_an_interrupted_job_is_given_back(jobs, clock):
    jobs.enqueue("index", "index", {})
    job = jobs.claim(clock())
    jobs.checkpoint(job.id, {"after": 7})
    jobs.requeue(job.id)
    assert jobs.claim(clock()).checkpoint == {"after": 7}


def test_a_failure_is_kept_and_tried_again_when_asked(jobs, clock):
    jobs.enqueue("learn", "one", {})
    job = jobs.claim(clock())
    jobs.fail(job.id, "No answer.", clock() + timedelta(minutes=5))
    assert jobs.claim(clock()) is None
    again = jobs.claim(clock.forward(minutes=5))
    assert (again.attempts, again.error) == (2, "No answer.")
    jobs.fail(again.id, "No answer.")
    assert jobs.claim(clock.forward(days=9)) is None
    assert jobs.by_key("one").state is JobState.FAILED
    assert jobs.by_key("two") is None


def test_several_jobs_of_a_kind_are_seen_and_cancelled_together(jobs, clock):
    assert jobs.of_kind("read") is None
    for name in ("one", "two", "three"):
        jobs.enqueue("read", name, {})
    jobs.enqueue("learn", "four", {})
    jobs.finish(jobs.claim(clock()).id)
    assert jobs.of_kind("read").state is JobState.QUEUED
    running = jobs.claim(clock())
    assert jobs.of_kind("read").id == running.id
    jobs.cancel_kind("read")
    assert jobs.claim(clock()).unique_key == "four"
    assert jobs.of_kind("read").state is JobState.CANCELLED
    assert jobs.by_key("one").state is JobState.DONE


def test_counts(jobs, clock):
    for name in "abc":
        jobs.enqueue("learn", name, {})
    jobs.finish(jobs.claim(clock()).id)
    jobs.claim(clock())
    assert jobs.counts() == {"queued": 1, "running": 1, "done": 1, "failed": 0, "cancelled": 0}


def test_several_workers_never_take_the_same_job(jobs, clock, vault, key):
    for n in range(40):
        jobs.enqueue("learn", str(n), {})
    other = Vault(vault.path, key, clock)

    def work(queue):
        taken = []
        while (job := queue.claim(clock())) is not None:
            taken.append(job.unique_key)
        return taken

    try:
        with ThreadPoolExecutor(4) as pool:
            taken = list(pool.map(work, [jobs, JobRows(other), jobs, JobRows(other)]))
    finally:
        other.close()
    assert sorted(int(n) for one in taken for n in one) == list(range(40))
