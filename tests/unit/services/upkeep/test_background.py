"""Durable jobs: interrupted, postponed and abandoned ones come to their end, each once."""

from contextlib import closing
from datetime import timedelta
from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin
from app.domain.events import MessageStored
from app.domain.jobs.kinds import INDEX, LEARN
from app.domain.jobs.operation import drive
from app.domain.memory import MemoryFilter
from app.errors import VaultClosed
from app.main.build import build
from app.paths import Paths, ProfilePaths
from app.services.upkeep.queue import learn_job
from app.store.profiles import Profiles
from app.store.vault import word_index
from app.store.vault.locks import FileLock
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue, JobState
from tests.unit.services.profile import NOW


@pytest.fixture
def reopened(opened, tmp_path):
    """The next start, a minute after the person's message was left without its answer."""
    message = left_unanswered(opened.services)
    opened.close()
    now = NOW

    def clock():
        return now

    def pass_time(**by):
        nonlocal now
        now += timedelta(**by)

    pass_time(minutes=1)
    profiles = Profiles(Paths(tmp_path), clock, lambda: None)
    vault = profiles.open(opened.services.profile.slug)
    again = build(profiles, opened.services.profile, vault, clock)
    yield again, message, pass_time
    again.close()


def left_unanswered(services):
    """Send a message and let the program end before anything answers."""
    parts = (Part("I own a boat called Merel. I'm allergic to walnuts.", PartOrigin.TYPED),)
    answering = services.chat.send(None, parts, Event())
    stored = next(event for event in answering if isinstance(event, MessageStored))
    answering.close()
    return stored.message


def texts(services):
    return sorted(m.text for m in services.memories.list(MemoryFilter()))


@pytest.fixture
def background(opened):
    return opened.services.background


@pytest.fixture
def queue(opened):
    return opened.services.queue


@pytest.fixture
def jobs(opened):
    return JobQueue(opened.store.vault)


@pytest.fixture
def monitor(opened):
    return JobMonitor(opened.store.vault)


def finish(background):
    return drive(background.run(), Event())


def test_what_a_process_that_died_was_doing_is_taken_over(opened, background, queue, jobs, monitor):
    opened.services.memories.add("I own a boat.")
    assert jobs.claim(NOW).kind == INDEX
    finish(background)
    assert queue.pending() == 0
    assert opened.services.memories.embedding_status().missing == 0


def test_what_another_process_is_doing_is_left_to_it(opened, background, queue, jobs, monitor):
    opened.services.memories.add("I own a boat.")
    job = jobs.claim(NOW)
    with closing(FileLock(ProfilePaths(opened.store.vault.path.parent).lock)) as theirs:
        assert theirs.acquire(exclusive=False)
        background.take_over()
        assert finish(background) == finish(background)
        assert monitor.by_key(INDEX).state is JobState.RUNNING
        jobs.finish(job.id)
    assert queue.pending() == 0


def test_two_may_work_at_the_same_time(opened, background, queue):
    opened.services.memories.add("I own a boat.")
    with closing(FileLock(ProfilePaths(opened.store.vault.path.parent).lock)) as theirs:
        assert theirs.acquire(exclusive=False)
        finish(background)
    assert queue.pending() == 0


def test_a_job_that_was_stopped_is_resumed_and_has_lost_no_attempt(background, jobs, monitor):
    jobs.enqueue(LEARN, "learn:x", learn_job("x"))
    for _ in range(5):
        work = background.run_next(Event())
        next(work)
        work.close()
        assert monitor.by_key("learn:x").attempts == 0
    finish(background)
    assert monitor.by_key("learn:x").state is JobState.DONE


def test_nothing_is_claimed_once_stopped(opened, background, monitor):
    opened.services.memories.add("I own a boat.")
    stop = Event()
    stop.set()
    assert list(background.run_next(stop)) == []
    assert monitor.by_key(INDEX).state is JobState.QUEUED


def test_a_new_choice_of_embedder_does_not_wait_out_the_old_ones_failure(
    opened, background, monitor
):
    opened.services.preferences.set("models.embedder", "file:gone.gguf")
    opened.services.memories.add("I own a boat.")
    finish(background)
    assert monitor.by_key(INDEX).run_after > NOW + timedelta(seconds=30)
    opened.services.library.choose_embedder("hash")
    finish(background)
    assert opened.services.memories.embedding_status().missing == 0
    assert opened.services.memories.count(MemoryFilter()) == 1


def test_a_message_whose_answer_died_is_learnt_from_at_the_next_start(reopened):
    opened, message, _ = reopened
    services = opened.services
    finish(services.background)
    assert texts(services) == []
    services.background.recover()
    finish(services.background)
    assert texts(services) == ["I own a boat called Merel", "I'm allergic to walnuts"]
    assert services.queue.pending() == 0
    known = services.memories.list(MemoryFilter())
    drive(services.chat.retry(message.id, Event()), Event())
    services.background.recover()
    finish(services.background)
    assert len(services.conversations.messages(message.conversation_id)) == 2
    after = services.memories.list(MemoryFilter())
    assert [(m.text, m.seen_count, m.revision) for m in after] == [
        (m.text, m.seen_count, m.revision) for m in known
    ]


def test_a_message_that_is_just_being_answered_still_waits(reopened):
    opened, _, pass_time = reopened
    services = opened.services
    monitor = JobMonitor(opened.store.vault)
    pass_time(seconds=5)
    message = left_unanswered(services)
    services.background.recover()
    finish(services.background)
    waiting = monitor.by_key(f"{LEARN}:{message.id}")
    assert waiting.state is JobState.QUEUED
    assert waiting.run_after == message.created_at + timedelta(minutes=10)


def test_the_indexes_of_words_are_made_anew_and_a_killed_job_goes_on(
    opened, background, queue, monkeypatch
):
    rebuilt, real = [], word_index.rebuild
    monkeypatch.setattr(
        word_index, "rebuild", lambda vault, index: (rebuilt.append(index), real(vault, index))
    )
    services = opened.services
    services.memories.add("I own a boat.")
    drive(background.run(), Event())
    with opened.store.vault.write() as connection:
        connection.execute("INSERT INTO memories_fts (memories_fts) VALUES ('delete-all')")
    assert not services.doctor.report()["ok"]
    queue.enqueue_word_rebuild()
    work = background.run_next(Event())
    assert [next(work).done, next(work).done] == [0, 1]
    work.close()
    assert rebuilt == ["memories_fts"]
    drive(background.run(), Event())
    assert rebuilt == [
        *("memories_fts", "messages_fts"),
        *("document_passages_fts", "summaries_fts"),
    ]
    assert services.doctor.report()["ok"]
    assert queue.pending() == 0


def test_work_that_comes_after_everything_was_erased_leaves_no_file(opened):
    folder = opened.store.vault.path.parent
    drive(opened.services.erasure.erase_everything("Ada"), Event())
    background = opened.services.background
    for work in (background.recover, lambda: drive(background.run(), Event())):
        with pytest.raises(VaultClosed):
            work()
    assert not folder.exists()
