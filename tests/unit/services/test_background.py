"""Durable jobs: interrupted, postponed and abandoned ones come to their end, each once."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from app.domain.memory import MemoryFilter
from app.jobs.operation import drive
from app.main.build import build
from app.paths import Paths, ProfilePaths
from app.services.background import INDEX, LEARN, learn_job
from app.store.jobs import JobRows, JobState
from app.store.locks import FileLock
from app.store.profiles import Profiles

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def opened(tmp_path):
    profiles = Profiles(Paths(tmp_path), lambda: NOW, lambda: None)
    vault, profile = profiles.create("Ada")
    opened = build(profiles, profile, vault, lambda: NOW)
    opened.services.preferences.set("models.embedder", "hash")
    yield opened
    opened.close()


@pytest.fixture
def background(opened):
    return opened.services.background


@pytest.fixture
def jobs(opened):
    return JobRows(opened.vault)


def finish(background):
    return drive(background.run(), Event())


def test_what_a_process_that_died_was_doing_is_taken_over(opened, background, jobs):
    opened.services.memories.add("I own a boat.")
    assert jobs.claim(NOW).kind == INDEX
    finish(background)
    assert background.pending() == 1
    background.take_over()
    finish(background)
    assert background.pending() == 0
    assert opened.services.memories.embedding_status().missing == 0


def test_what_another_process_is_doing_is_left_to_it(opened, background, jobs):
    opened.services.memories.add("I own a boat.")
    job = jobs.claim(NOW)
    with closing(FileLock(ProfilePaths(opened.vault.path.parent).lock)) as theirs:
        assert theirs.acquire(exclusive=False)
        background.take_over()
        assert finish(background) == finish(background)
        assert jobs.by_key(INDEX).state is JobState.RUNNING
        jobs.finish(job.id)
    assert background.pending() == 0


def test_two_may_work_at_the_same_time(opened, background):
    opened.services.memories.add("I own a boat.")
    with closing(FileLock(ProfilePaths(opened.vault.path.parent).lock)) as theirs:
        assert theirs.acquire(exclusive=False)
        finish(background)
    assert background.pending() == 0


def test_a_job_that_was_stopped_is_resumed_and_has_lost_no_attempt(background, jobs):
    jobs.enqueue(LEARN, "learn:x", learn_job("x"))
    for _ in range(5):
        work = background.run_next(Event())
        next(work)
        work.close()
        assert jobs.by_key("learn:x").attempts == 0
    finish(background)
    assert jobs.by_key("learn:x").state is JobState.DONE


def test_nothing_is_claimed_once_stopped(opened, background, jobs):
    opened.services.memories.add("I own a boat.")
    stop = Event()
    stop.set()
    assert list(background.run_next(stop)) == []
    assert jobs.by_key(INDEX).state is JobState.QUEUED


def test_a_new_choice_of_embedder_does_not_wait_out_the_old_ones_failure(opened, background, jobs):
    opened.services.preferences.set("models.embedder", "file:gone.gguf")
    opened.services.memories.add("I own a boat.")
    finish(background)
    assert jobs.by_key(INDEX).run_after > NOW + timedelta(seconds=30)
    opened.services.library.choose_embedder("hash")
    finish(background)
    assert opened.services.memories.embedding_status().missing == 0
    assert opened.services.memories.count(MemoryFilter()) == 1
