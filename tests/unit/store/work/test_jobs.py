"""Jobs run once, in order, and survive whoever was running them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from app.store.vault.file import Vault
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue, JobState


@pytest.fixture
def jobs(vault, clock):
    return JobQueue(vault)


@pytest.fixture
def monitor(vault, clock):
    return JobMonitor(vault)


def test_first_come_first_served_and_nothing_before_its_time(jobs, monitor, clock):
    jobs.enqueue("late", "late", {}, clock() + timedelta(hours=1))
    jobs.enqueue("learn", "one", {"message": "é"})
    jobs.enqueue("learn", "two", {})
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


def test_what_may_wait_is_begun_when_nothing_else_is_left(jobs, clock):
    jobs.enqueue("index", "index", {})
    clock.forward(seconds=1)
    jobs.enqueue("learn", "one", {})
    taken = [jobs.claim(clock(), last=["index"]).kind for _ in range(2)]
    assert taken == ["learn", "index"]


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
    assert jobs.run_waiting_now("learn", began) == 1
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
    assert jobs.release_running(3, "It ended.") == 1
    again = jobs.claim(clock())
    assert (again.id, again.checkpoint, again.attempts) == (job.id, {"after": 7}, 2)


def test_an_interrupted_job_is_given_back(jobs, clock):
    jobs.enqueue("index", "index", {})
    job = jobs.claim(clock())
    jobs.checkpoint(job.id, {"after": 7})
    jobs.requeue(job.id)
    assert jobs.claim(clock()).checkpoint == {"after": 7}


def test_a_failure_is_kept_and_tried_again_when_asked(jobs, monitor, clock):
    jobs.enqueue("learn", "one", {})
    job = jobs.claim(clock())
    jobs.fail(job.id, "No answer.", clock() + timedelta(minutes=5))
    assert jobs.claim(clock()) is None
    again = jobs.claim(clock.forward(minutes=5))
    assert (again.attempts, again.error) == (2, "No answer.")
    jobs.fail(again.id, "No answer.")
    assert jobs.claim(clock.forward(days=9)) is None
    assert monitor.by_key("one").state is JobState.FAILED
    assert monitor.by_key("two") is None


def test_several_jobs_of_a_kind_are_seen_and_cancelled_together(jobs, monitor, clock):
    assert monitor.of_kind("read") is None
    for name in ("one", "two", "three"):
        jobs.enqueue("read", name, {})
    jobs.enqueue("learn", "four", {})
    jobs.finish(jobs.claim(clock()).id)
    assert monitor.of_kind("read").state is JobState.QUEUED
    running = jobs.claim(clock())
    assert monitor.of_kind("read").id == running.id
    jobs.cancel_kind("read")
    assert jobs.claim(clock()).unique_key == "four"
    assert monitor.of_kind("read").state is JobState.CANCELLED
    assert monitor.by_key("one").state is JobState.DONE


def test_counts(jobs, monitor, clock):
    for name in "abc":
        jobs.enqueue("learn", name, {})
    jobs.finish(jobs.claim(clock()).id)
    jobs.claim(clock())
    assert monitor.counts() == {"queued": 1, "running": 1, "done": 1, "failed": 0, "cancelled": 0}


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
            taken = list(pool.map(work, [jobs, JobQueue(other), jobs, JobQueue(other)]))
    finally:
        other.close()
    assert sorted(int(n) for one in taken for n in one) == list(range(40))


def test_what_is_held_waits_unless_the_person_began_it(jobs, clock):
    jobs.enqueue("dream", "dream", {"trigger": "schedule"})
    jobs.enqueue("review", "review", {"trigger": "now"})
    jobs.enqueue("read", "read:1", {})
    nightly = ("dream", "review", "read")
    assert jobs.claim(clock(), held=nightly).kind == "review"
    assert jobs.claim(clock(), held=nightly) is None
    assert jobs.claim(clock(), held=("dream",)).kind == "read"
    assert jobs.claim(clock()).kind == "dream"


def test_a_queued_job_is_begun_for_another_reason_without_losing_its_place(jobs, monitor, clock):
    jobs.enqueue("dream", "dream", {"trigger": "schedule"}, clock() + timedelta(hours=1))
    jobs.run_now("dream", {"trigger": "now"})
    job = jobs.claim(clock())
    assert job.is_asked
    jobs.run_now("dream", {"trigger": "event"})  # it runs already
    assert monitor.by_key("dream").is_asked


def test_kinds_that_are_held_back_wait_and_others_do_not(jobs, clock):
    until = clock() + timedelta(minutes=2)
    for kind, later in (
        ("dream", clock()),
        ("review", until + timedelta(hours=1)),
        ("index", None),
    ):
        jobs.enqueue(kind, kind, {}, later)
    jobs.hold_back(["dream", "review"], until)
    assert jobs.claim(clock()).kind == "index"
    assert jobs.claim(clock()) is None
    clock.forward(minutes=2)
    assert jobs.claim(clock()).kind == "dream"
    assert jobs.claim(clock()) is None  # what waits for longer still does


def test_what_was_given_up_is_revived_when_asked_and_what_is_done_is_not(jobs, monitor, clock):
    for number in range(3):
        jobs.enqueue("read", f"read:{number}", {"n": number})
    jobs.finish(jobs.claim(clock()).id)
    jobs.fail(jobs.claim(clock()).id, "It broke.")
    jobs.cancel_kind("read")
    jobs.enqueue("read", "read:3", {"n": 3})
    assert monitor.given_up("read") == 2
    assert jobs.revive("read", "now") == 3
    assert monitor.given_up("read") == 0
    found = [jobs.claim(clock()) for _ in range(4)]
    assert [job and (job.payload["n"], job.is_asked, job.attempts) for job in found] == [
        (1, True, 1),
        (2, True, 1),
        (3, True, 1),
        None,
    ]
    assert jobs.revive("read", "now") == 0


def test_a_cancelled_job_that_fails_is_not_tried_again(jobs, monitor, clock):
    jobs.enqueue("dream", "dream", {})
    job = jobs.claim(clock())
    jobs.cancel_kind("dream")
    jobs.fail(job.id, "It broke.", clock())
    assert monitor.by_key("dream").state is JobState.CANCELLED
    assert jobs.claim(clock()) is None
    assert monitor.by_key("dream").changed_at == clock()


def test_what_ended_its_process_three_times_is_set_aside(jobs, monitor, clock):
    jobs.enqueue("learn", "one", {})
    for attempt in (1, 2, 3):
        assert jobs.claim(clock()).attempts == attempt
        assert monitor.failed() == []
        jobs.release_running(3, "It ended.")
    assert jobs.claim(clock.forward(days=9)) is None
    (aside,) = monitor.failed()
    assert (aside.unique_key, aside.error) == ("one", "It ended.")
    assert jobs.again(aside.id)
    assert (jobs.claim(clock()).attempts, monitor.failed()) == (1, [])
    assert not jobs.again(aside.id)


def test_what_comes_further_each_time_is_not_set_aside(jobs, monitor, clock):
    jobs.enqueue("read", "one", {})
    for after in range(9):
        job = jobs.claim(clock())
        jobs.checkpoint(job.id, {"after": after})
        jobs.release_running(3, "It ended.")
    for _ in range(2):
        jobs.checkpoint(jobs.claim(clock()).id, {"after": 8})
        jobs.release_running(3, "It ended.")
    assert jobs.claim(clock()) is None
    assert monitor.by_key("one").state is JobState.FAILED


def test_what_is_left_for_good_is_not_told_of_again(jobs, monitor, clock):
    jobs.enqueue("learn", "one", {})
    job = jobs.claim(clock())
    assert not jobs.drop(job.id)
    jobs.fail(job.id, "No answer.")
    assert jobs.drop(job.id)
    assert (monitor.failed(), jobs.claim(clock())) == ([], None)
