"""What cannot be done does not hold up the rest: it is set aside, and the person is told."""

from threading import Event

import pytest

from app.domain.jobs.kinds import INDEX, LEARN
from app.domain.jobs.operation import drive
from app.errors import ModelError, NotFound
from app.services.upkeep.remains import ENDED
from app.services.upkeep.work import Work
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue, JobState
from tests.unit.services.profile import NOW, learn, memories, send

SAID = "I'm allergic to walnuts."


@pytest.fixture
def jobs(opened):
    return JobQueue(opened.store.vault)


@pytest.fixture
def monitor(opened):
    return JobMonitor(opened.store.vault)


def unlearnt(services, monitor):
    """Say something that is still to be learnt from."""
    services.preferences.set("extraction.enabled", False)
    send(services, SAID)
    services.preferences.set("extraction.enabled", True)
    (job,) = [monitor.by_key(key) for key in keys(services)]
    return job.unique_key


def keys(services):
    talk = services.conversations.list()[0]
    said = services.conversations.messages(talk.id)[0]
    return [f"{LEARN}:{said.id}"]


def killed(services, jobs):
    """Let a process begin the job that waits, and end in the midst of it."""
    services.background.take_over()
    return jobs.claim(NOW, without=[INDEX])


def test_a_message_that_ends_loci_does_so_three_times_and_no_more(services, jobs, monitor):
    key = unlearnt(services, monitor)
    jobs.enqueue(LEARN, key, {"message": key.removeprefix("learn:")}, again=True)
    assert [killed(services, jobs).unique_key for _ in range(3)] == [key] * 3
    assert services.failed_jobs.list() == []
    assert killed(services, jobs) is None
    (aside,) = services.failed_jobs.list()
    assert (aside.title, aside.about, aside.error) == ("Remember", f"“{SAID}”", ENDED)
    services.background.recover()
    learn(services)
    assert memories(services) == set(), "a start does not begin it again"
    services.failed_jobs.try_again(aside.id)
    learn(services)
    assert memories(services) == {"I'm allergic to walnuts"}
    assert services.failed_jobs.list() == []
    with pytest.raises(NotFound):
        services.failed_jobs.try_again(aside.id)


def test_what_fails_three_times_is_told_with_its_reason(services, jobs, monitor):
    def fail(job, mark, cancel):
        yield from ()
        raise ModelError("Nothing answers.")

    works = dict(services.background.works)
    services.background.works = works | {"words": Work("words", "Index words", "Makes.", fail)}
    jobs.enqueue("words", "words", {})
    for _ in range(3):
        jobs.run_now("words")
        learn(services)
    (aside,) = services.failed_jobs.list()
    assert (aside.title, aside.about, aside.error) == ("Index words", "Makes.", "Nothing answers.")
    services.failed_jobs.leave(aside.id)
    assert services.failed_jobs.list() == []
    assert monitor.by_key("words").state is JobState.CANCELLED
    with pytest.raises(NotFound):
        services.failed_jobs.leave(aside.id)


def test_learning_does_not_wait_for_a_backlog_of_indexing(services, jobs, monitor):
    turns = ((str(at), "one", "Ruth", NOW, f"Number {at}") for at in range(150))
    services.transfer.add_transcript(turns)
    working = services.background.run()
    next(working)
    assert monitor.of_kind(INDEX).state is JobState.RUNNING
    jobs.enqueue(LEARN, "learn:new", {"message": "gone"})
    labels = [progress.label for progress in working]
    assert labels[0] == "Remembering"
    assert labels.count("Indexing by meaning") > 2
    assert services.doctor.report()["embedder"]["missing"] == 0


def test_indexing_may_be_left_out(services, monitor):
    services.memories.add("I own a boat.")
    drive(services.background.run(without=[INDEX]), Event())
    assert monitor.of_kind(INDEX).state is JobState.QUEUED
