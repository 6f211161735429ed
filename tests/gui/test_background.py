"""Work in the background, over a queue that is made up."""

import pytest

from app.domain.changes import Changes
from app.domain.jobs.progress import Progress
from app.gui.background import BackgroundWork


class Queue:
    """Jobs that yield progress, fail, or never end."""

    def __init__(self, *jobs):
        self.jobs = list(jobs)
        self.runtime = self.background = self.upkeep = self.erasure = self
        self.finished = []
        self.left = Changes(jobs=True, batches=frozenset({"b1"}))
        self.ran = []

    def told(self):
        told, self.finished = self.finished, []
        return told

    def warm(self):
        self.ran.append("warm")

    def recover(self):
        self.ran.append("recover")
        return Changes()

    def look_after(self, stop):
        return Changes()

    def tick(self):
        return Changes()

    def stop(self):
        self.cancel.set()
        return Changes(jobs=True)

    def run_next(self, cancel):
        self.cancel = cancel
        if not self.jobs:
            return None
        job = self.jobs.pop(0)
        self.ran.append(job)
        yield Progress(f"Doing {job}")
        if job == "bug":
            raise ValueError("x")
        while job == "endless":
            yield Progress("Going on")
        return Changes(memories=frozenset({job}))


@pytest.fixture
def begun(bridge):
    """Begin the work on some jobs; what it says of its progress, and what fails, is noted."""

    def begin(*jobs):
        queue, seen, told = Queue(*jobs), [], []
        bridge.failed.connect(told.append)
        work = BackgroundWork(queue, bridge)
        work.progressed.connect(seen.append)
        work.start()
        return work, queue, seen, told

    return begin


def test_jobs_run_one_after_another_until_none_is_left(qtbot, bridge, begun):
    published = []
    bridge.changed.connect(published.append)
    _work, queue, seen, _told = begun("a", "b")
    qtbot.waitUntil(lambda: bool(seen) and seen[-1] is None)
    assert queue.ran == ["warm", "recover", "a", "b"]
    assert [c.memories for c in published] == [frozenset({"a"}), frozenset({"b"})]
    assert [p.label for p in seen[:-1]] == ["Doing a", "Doing b"]


def test_new_work_is_taken_up_when_something_changed(qtbot, begun):
    work, queue, seen, _told = begun()
    qtbot.waitUntil(lambda: seen == [None])
    assert queue.ran == ["warm", "recover"]
    queue.jobs.append("later")
    work.apply_changes(Changes(settings=frozenset({"x"})))
    assert queue.jobs == ["later"]
    work.apply_changes(Changes(jobs=True))
    qtbot.waitUntil(lambda: "later" in queue.ran)


def test_a_failing_job_is_told_once_and_not_tried_in_a_loop(qtbot, begun):
    work, queue, _seen, told = begun("bug", "next")
    qtbot.waitUntil(lambda: bool(told))
    assert queue.jobs == ["next"]
    work._on_interval_passed()
    qtbot.waitUntil(lambda: queue.jobs == [])


def test_the_job_that_runs_can_be_stopped_and_the_next_goes_on(qtbot, bridge, begun):
    published = []
    bridge.changed.connect(published.append)
    work, queue, seen, told = begun("endless", "next")
    qtbot.waitUntil(lambda: len(seen) > 2)
    work.stop()
    qtbot.waitUntil(lambda: "next" in queue.ran)
    qtbot.waitUntil(lambda: seen[-1] is None)
    assert told == []
    assert queue.left in published  # views show what it did until then


def test_stopping_while_nothing_runs_stops_nothing(qtbot, begun):
    work, queue, seen, _told = begun()
    qtbot.waitUntil(lambda: seen == [None])
    work.stop()
    queue.jobs.append("later")
    work.apply_changes(Changes(jobs=True))
    qtbot.waitUntil(lambda: "later" in queue.ran)


def test_an_erasure_that_was_finished_is_told_at_once(qtbot, begun):
    work, queue, _seen, _failed = begun()
    said = []
    work.told.connect(said.append)
    queue.finished = ["An erasure is finished."]
    queue.jobs.append("scrub")
    work.apply_changes(Changes(jobs=True))
    qtbot.waitUntil(lambda: bool(said))
    assert said == ["An erasure is finished."]
