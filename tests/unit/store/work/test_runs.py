"""The history of runs: newest first, whole, and bounded."""

import pytest

from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.store.work import runs as module
from app.store.work.runs import Runs


@pytest.fixture
def runs(vault, clock):
    return Runs(vault)


def test_a_run_tells_what_it_did(runs, clock):
    began = clock()
    run = runs.begin("review", Trigger.NOW)
    assert [r.outcome for r in runs.list()] == [RunOutcome.RUNNING]
    clock.forward(minutes=3)
    runs.end(run, RunOutcome.DONE, {"learned": 3}, "b1")
    (found,) = runs.list()
    assert (found.kind, found.trigger, found.outcome) == ("review", Trigger.NOW, RunOutcome.DONE)
    assert (found.started_at, found.ended_at) == (began, clock())
    assert (found.figures, found.batch, found.error) == ({"learned": 3}, "b1", "")


def test_the_newest_come_first_and_one_kind_alone(runs):
    for kind in ("review", "dream", "review"):
        runs.end(runs.begin(kind, Trigger.SCHEDULE), RunOutcome.FAILED, error="It broke.")
    assert [r.kind for r in runs.list(2)] == ["review", "dream"]
    assert [r.kind for r in runs.list(kind="dream")] == ["dream"]


def test_what_a_dead_process_was_at_can_be_told(runs):
    runs.end(runs.begin("review", Trigger.NOW), RunOutcome.DONE)
    run = runs.begin("dream", Trigger.SCHEDULE)
    assert [r.id for r in runs.broken_off()] == [run]
    runs.end(run, RunOutcome.STOPPED)
    assert runs.broken_off() == []


def test_what_went_on_tells_what_was_done_before_it_and_nobody_else_does(runs):
    def ended(kind, outcome, figures, batch):
        runs.end(runs.begin(kind, Trigger.NOW), outcome, figures, batch)

    ended("review", RunOutcome.DONE, {"learned": 1}, "")
    ended("dream", RunOutcome.DONE, {"pruned": 9}, "b0")
    ended("dream", RunOutcome.STOPPED, {"pruned": 2}, "b1")
    ended("dream", RunOutcome.DONE, {"pruned": 5}, "b1")
    assert [(r.batch, r.figures) for r in runs.list()] == [
        ("b1", {"pruned": 5}),
        ("", {}),
        ("b0", {"pruned": 9}),
        ("", {"learned": 1}),
    ]


def test_the_history_is_bounded(runs, monkeypatch):
    monkeypatch.setattr(module, "KEPT", 5)
    for _ in range(9):
        runs.begin("index", Trigger.EVENT)
    assert len(runs.list()) == 5
