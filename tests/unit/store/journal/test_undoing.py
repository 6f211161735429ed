"""Going back step by step, and forth again, over whatever was done."""

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.memory import Evidence, Status
from app.store.journal import undoing
from app.store.journal.entries import Note


def by(batch, actor="user", op="update", **more):
    return Note(actor, op, batch, **more)


@pytest.fixture
def go(memories, journal):
    """Undo and redo as a person does, by steps."""

    class Steps:
        number = count(1)

        def back(self):
            batch = journal.last_batch()
            return batch and journal.undo(batch, by(f"u{next(self.number)}")) and batch

        def forth(self):
            batch = journal.last_undone()
            return batch and journal.undo(batch, by(f"r{next(self.number)}")) and batch

    return Steps()


def test_undo_walks_back_and_redo_walks_forth(memories, remember, journal, go):
    one = remember("one")
    for number in (2, 3, 4):
        memories.update(one.id, {"text": f"text {number}"}, by(f"b{number}", "job"))
    assert [go.back() for _ in range(3)] == ["b4", "b3", "b2"]
    assert memories.get(one.id).text == "one"
    assert [go.forth() for _ in range(4)] == ["u3", "u2", "u1", None]
    assert memories.get(one.id).text == "text 4"
    assert [go.back() for _ in range(5)] == ["b4", "b3", "b2", "b1", None]
    assert memories.get(one.id).status is Status.FORGOTTEN
    assert go.forth() is not None
    assert memories.get(one.id).text == "one"


def test_nothing_is_redone_over_something_newer(memories, remember, journal, go):
    one = remember("one")
    memories.update(one.id, {"text": "two"}, by("b2"))
    go.back()
    assert journal.last_undone() == "u1"
    memories.update(one.id, {"pinned": True}, by("b3"))
    assert journal.last_undone() is None
    assert go.back() == "b3"
    assert journal.last_undone() == "u2"


def test_counting_uses_and_evidence_confuses_neither(memories, remember, journal, go, clock):
    one = remember("one")
    memories.update(one.id, {"text": "two"}, by("b2"))
    memories.touch([one.id], clock())
    memories.add_evidence(one.id, Evidence("again", clock()))
    assert go.back() == "b2"
    memories.touch([one.id], clock())
    memories.add_evidence(one.id, Evidence("and again", clock()))
    assert go.forth() == "u1"
    now = memories.get(one.id)
    assert (now.text, now.access_count, now.seen_count) == ("two", 2, 3)


def test_what_an_undo_left_alone_is_met_again_when_its_turn_comes(memories, remember, journal, go):
    one, two = remember("one", batch="b0"), remember("two")
    for memory in (one, two):
        memories.update(memory.id, {"text": f"{memory.text} more"}, by("b2"))
    memories.update(two.id, {"text": "by hand"}, by("b3"))
    changed, refusals = journal.undo("b2", by("u0"))
    assert (changed, len(refusals)) == ({one.id}, 1)
    assert journal.standing(9) == ["b3", "b2", "b1", "b0"]
    assert journal.standing(1) == ["b3"]
    assert [go.back() for _ in range(2)] == ["b3", "b2"]
    assert memories.get(two.id).text == "two"
    assert journal.standing(9) == ["b1", "b0"]


def test_what_was_done_in_a_batch_after_it_was_undone_stands(memories, remember, journal):
    one, two = remember("one"), remember("two", batch="b2")
    journal.undo("b2", by("u0"))
    assert journal.standing(9) == ["b1"]
    memories.update(one.id, {"text": "one more"}, by("b2"))
    assert journal.standing(9) == ["b2", "b1"]
    assert memories.get(two.id).status is Status.FORGOTTEN


def test_what_an_undo_is_about_is_known(memories, remember, journal, vault):
    remember("one")
    assert journal.origin_of("b1") == ("b1", False)
    for batch, name in (("b1", "u1"), ("u1", "u2"), ("u2", "u3")):
        journal.undo(batch, by(name))
    assert journal.origin_of("u1") == ("b1", True)
    assert journal.origin_of("u2") == ("b1", False)
    assert journal.origin_of("u3") == ("b1", True)
    assert journal.last_undone() == "u3"
    with vault.read() as connection:
        undoings = undoing.read(connection)
    assert [one.batch for one in undoings.standing()] == ["u3", "u1"]
    assert set(undoings.undone()) == {"u2", "b1"}


def test_a_batch_is_told_by_what_was_remembered_and_by_its_words_then(memories, remember, journal):
    old = remember("Lives in Lyon", batch="b0")
    new = remember("Lives in Nice", batch="b5")
    memories.update(old.id, {"status": Status.SUPERSEDED}, by("b2", op="supersede"))
    third = remember("Lives in Metz", batch="b2")
    gist = journal.gist("b2")
    assert (gist.entry.memory_id, gist.text) == (third.id, "Lives in Metz")
    assert (gist.changes, gist.alike) == (2, 1)
    memories.update(new.id, {"pinned": True}, by("b3", op="pin"))
    memories.update(new.id, {"text": "Lives in Rome"}, by("b4", op="edit"))
    assert journal.gist("b3").text == "Lives in Nice"
    assert [journal.text_then(e) for e in journal.of_memory(new.id)] == [
        "Lives in Nice",
        "Lives in Nice",
        "Lives in Rome",
    ]


unique = count()


@settings(
    max_examples=40,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.sampled_from(["do", "back", "forth"]), max_size=25))
def test_back_and_forth_is_like_a_stack(memories, journal, remember, steps):
    """The text is always what a plain list of texts with a cursor says."""
    one = remember(f"start {next(unique)}", batch=f"s{next(unique)}")
    texts, at = [one.text], 0
    for step in steps:
        if step == "do":
            texts, at = [*texts[: at + 1], f"text {next(unique)}"], at + 1
            memories.update(one.id, {"text": texts[at]}, by(f"d{next(unique)}"))
        elif step == "back" and at:
            journal.undo(journal.last_batch(), by(f"u{next(unique)}"))
            at -= 1
        elif step == "forth":
            batch = journal.last_undone()
            assert (batch is not None) == (at + 1 < len(texts))
            if batch:
                journal.undo(batch, by(f"r{next(unique)}"))
                at += 1
        assert memories.get(one.id).text == texts[at]
