"""The journal in the order of time."""

from datetime import timedelta

import pytest

from app.domain.history import Action, deed
from app.domain.memory import Status
from app.store.journal.entries import Note
from app.store.journal.timeline import Timeline


@pytest.fixture
def timeline(vault, clock):
    return Timeline(vault)


def by(batch, op="update", actor="user"):
    return Note(actor, op, batch)


def test_changes_made_together_are_one_and_the_latest_is_first(timeline, remember, memories, clock):
    assert timeline.span() is None
    assert timeline.done(None, None, 9) == []
    begin = clock()
    one, two = remember("one"), remember("two")
    for number, memory in enumerate((one, two)):
        clock.forward(minutes=number + 1)
        memories.update(memory.id, {"pinned": True}, by("b2", "pin"))
    clock.forward(hours=1)
    memories.update(one.id, {"text": "three"}, by("b3", actor="dream"))
    found = timeline.done(None, None, 9)
    assert [(d.gist.entry.batch, d.gist.changes) for d in found] == [
        ("b3", 1),
        ("b2", 2),
        ("b1", 2),
    ]
    assert [d.at for d in found] == [clock(), begin + timedelta(minutes=3), begin]
    assert found[0].gist.entry.actor == "dream"
    assert timeline.span() == (begin, clock())


def test_a_stretch_of_time_and_a_number_can_be_asked_for(timeline, remember, clock):
    begin = clock()
    for number in range(5):
        remember(f"text {number}", batch=f"b{number}")
        clock.forward(days=1)
    found = timeline.done(begin + timedelta(1), begin + timedelta(3), 9)
    assert [d.gist.text for d in found] == ["text 2", "text 1"]
    assert [d.gist.text for d in timeline.done(None, None, 2)] == ["text 4", "text 3"]


def test_an_undo_says_what_it_is_about(timeline, remember, journal, clock):
    remember("one")
    for batch, name in (("b1", "u1"), ("u1", "u2"), ("u2", "u3")):
        clock.forward(seconds=1)
        journal.undo(batch, by(name))
    found = {
        d.gist.entry.batch: (d.origin, d.takes_back, d.undone) for d in timeline.done(None, None, 9)
    }
    assert found == {
        "u3": ("b1", True, False),
        "u2": ("b1", False, True),
        "u1": ("b1", True, False),
        "b1": ("b1", False, True),
    }


def test_days_are_the_persons_and_count_by_kind(timeline, remember, memories, journal, clock):
    begin = clock()
    one = remember("one")
    remember("maybe", status=Status.PROPOSED)
    memories.update(one.id, {"text": "two"}, by("b2"))
    clock.forward(days=1)
    memories.update(one.id, {"status": Status.FORGOTTEN}, by("b3"))
    journal.undo("b3", by("u1"))
    days = timeline.days(None, None)
    assert [day for day, _ in days] == [t.astimezone().date() for t in (begin, clock())]
    assert dict(days[0][1]) == {Action.REMEMBERED: 1, Action.PROPOSED: 1, Action.CHANGED: 1}
    assert dict(days[1][1]) == {Action.FORGOTTEN: 1, Action.UNDONE: 1}
    assert timeline.days(clock() + timedelta(1), None) == []


@pytest.mark.parametrize(
    ("was", "status", "fields", "kind"),
    [
        (None, "active", {"new": True}, Action.REMEMBERED),
        (None, "superseded", {"new": True}, Action.REMEMBERED),
        (None, "quarantined", {"new": True}, Action.PROPOSED),
        (None, None, {}, Action.CHANGED),
        ("proposed", "active", {}, Action.REMEMBERED),
        ("forgotten", "active", {}, Action.RESTORED),
        ("active", "superseded", {}, Action.REPLACED),
        ("active", "out_of_window", {}, Action.ARCHIVED),
        ("active", "forgotten", {"undoes": True}, Action.UNDONE),
    ],
)
def test_a_change_is_called_what_it_did(was, status, fields, kind):
    assert deed(was, status, **{"new": False, "undoes": False} | fields) is kind
