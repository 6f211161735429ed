"""The journal tells what happened, and undo is its inverse."""

import dataclasses
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.memory import DEFAULT_SCOPE, Origin, Status, Trust, Visibility
from app.errors import Conflict, Refused
from app.store.journal.entries import Note


def by(batch, actor="user", op="update", **more):
    return Note(actor, op, batch, **more)


def texts(memories):
    return sorted(m.text for m in memories.list(DEFAULT_SCOPE) if m.status is Status.ACTIVE)


def test_an_insert_is_undone_by_forgetting_and_done_again(memories, remember, journal):
    memory = remember("Likes tea")
    assert journal.undo("b1", by("u1")) == ({memory.id}, [])
    assert memories.get(memory.id).status is Status.FORGOTTEN
    assert journal.undo("u1", by("u2")) == ({memory.id}, [])
    assert memories.get(memory.id).status is Status.ACTIVE
    assert [e.op for e in journal.of_memory(memory.id)] == ["insert", "undo", "undo"]
    assert [e.undone for e in journal.of_memory(memory.id)] == [False, True, False]


def test_an_edit_is_undone_to_the_letter(memories, remember, journal, clock):
    memory = remember("Lives in Lyon", key="home", value={"city": "Lyon"}, tags=("a",))
    changes = {
        "text": "Lives in Nice",
        "value": ["Nice"],
        "tags": ("b", "c"),
        "key": "city",
        "pinned": True,
        "occurred_at": clock(),
        "visibility": Visibility.GLOBAL,
    }
    changed = memories.update(memory.id, changes, by("b2"))
    assert journal.undo("b2", by("u1")) == ({memory.id}, [])
    back = memories.get(memory.id)
    assert back == dataclasses.replace(memory, revision=3, updated_at=back.updated_at)
    journal.undo("u1", by("u2"))
    assert memories.get(memory.id) == dataclasses.replace(changed, revision=4)


def test_a_correction_is_undone_as_a_whole(memories, remember, journal):
    old = remember("Lives in Lyon", key="home")
    memories.update(old.id, {"status": Status.SUPERSEDED}, by("b2", op="supersede"))
    new = remember("Lives in Nice", key="home", batch="b2")
    memories.update(old.id, {"superseded_by": new.id}, by("b2", op="supersede"))
    assert journal.undo("b2", by("u1")) == ({old.id, new.id}, [])
    assert texts(memories) == ["Lives in Lyon"]
    assert memories.get(old.id).superseded_by is None
    assert journal.undo("u1", by("u2")) == ({old.id, new.id}, [])
    assert texts(memories) == ["Lives in Nice"]
    assert memories.get(old.id).superseded_by == new.id


def test_a_later_edit_is_kept_and_the_rest_undone(memories, remember, journal):
    one, two = remember("one"), remember("two")
    for memory in (one, two):
        memories.update(memory.id, {"text": memory.text + " more"}, by("b2"))
    memories.update(two.id, {"text": "two, edited by hand"}, by("b3"))
    changed, refusals = journal.undo("b2", by("u1"))
    assert changed == {one.id}
    assert refusals == ["Not undone, because it was changed since: two, edited by hand"]
    assert texts(memories) == ["one", "two, edited by hand"]
    journal.undo("b3", by("u2"))
    assert journal.undo("b2", by("u3")) == ({two.id}, [])
    assert texts(memories) == ["one", "two"]


def test_what_is_undone_cannot_be_undone_twice(remember, journal):
    remember("one")
    journal.undo("b1", by("u1"))
    assert journal.undo("b1", by("u2")) == (set(), ["There is nothing left to undo."])
    assert journal.undo("never", by("u2")) == (set(), ["There is nothing left to undo."])
    assert journal.of_batch("u2") == []


def test_a_batch_that_came_to_nothing_counts_as_undone_too(memories, remember, journal):
    memory = remember("one")
    memories.update(memory.id, {"text": "two"}, by("b2"))
    memories.update(memory.id, {"text": "one"}, by("b2"))
    assert journal.undo("b2", by("u1")) == ({memory.id}, [])
    assert journal.last_batch() == "b1"
    assert journal.undo("u1", by("u2")) == ({memory.id}, [])
    assert journal.last_batch() == "b2"
    assert memories.get(memory.id).text == "one"


def test_an_undo_in_the_way_of_something_newer_is_refused(memories, remember, journal):
    old = remember("Lives in Lyon")
    memories.update(old.id, {"status": Status.FORGOTTEN}, by("b2", op="forget"))
    remember("Lives in Lyon", batch="b3")
    changed, refusals = journal.undo("b2", by("u1"))
    assert changed == set()
    assert refusals == ["This is already remembered: Lives in Lyon"]
    assert journal.of_batch("u1") == []


def test_an_edit_between_two_changes_of_a_batch_is_not_lost(memories, remember, journal):
    memory = remember("one")
    memories.update(memory.id, {"text": "two"}, by("b2"))
    memories.update(memory.id, {"text": "mine"}, by("b3"))
    memories.update(memory.id, {"pinned": True}, by("b2"))
    assert journal.undo("b2", by("u1"))[0] == set()
    assert memories.get(memory.id).text == "mine"


def test_trust_that_fell_rises_again_only_by_the_person(memories, remember, journal):
    memory = remember("Said so")
    memories.update(memory.id, {"trust": Trust.EXTERNAL, "pinned": True}, by("b2", "job"))
    changed, refusals = journal.undo("b2", by("u1", "job"))
    assert changed == set()
    assert refusals == ["Only you can trust it more: Said so"]
    assert journal.undo("b2", by("u2")) == ({memory.id}, [])
    now = memories.get(memory.id)
    assert (now.trust, now.pinned) == (Trust.LEARNED, False)
    assert journal.undo("u2", by("u3")) == ({memory.id}, [])
    assert memories.get(memory.id).trust is Trust.EXTERNAL


def test_an_elevation_can_be_taken_back(memories, remember, journal):
    memory = remember("Said so")
    memories.update(memory.id, {"trust": Trust.SYSTEM, "text": "Said it"}, by("b2"))
    assert journal.undo("b2", by("u1", "job")) == ({memory.id}, [])
    assert (memories.get(memory.id).trust, memories.get(memory.id).text) == (
        Trust.LEARNED,
        "Said so",
    )


def test_the_last_batch_is_the_newest_that_stands(memories, remember, journal):
    assert journal.last_batch() is None
    memory = remember("one")
    memories.update(memory.id, {"pinned": True}, by("b2"))
    assert journal.last_batch() == "b2"
    journal.undo("b2", by("u1"))
    assert journal.last_batch() == "b1"
    journal.undo("u1", by("u2"))
    assert journal.last_batch() == "b2"


def test_the_tail_says_what_changed_since(memories, remember, journal):
    first = remember("one")
    seen = journal.tail()
    assert journal.since(seen) == (seen, frozenset(), frozenset())
    memories.update(first.id, {"pinned": True}, by("b2"))
    second = remember("two", batch="b3")
    newest, changed, batches = journal.since(seen)
    assert changed == {first.id, second.id}
    assert batches == {"b2", "b3"}
    assert newest == journal.tail() == seen + 2


def test_an_erased_memory_has_no_history(memories, remember, journal):
    gone, kept = remember("one"), remember("two")
    memories.delete(gone.id)
    assert journal.of_memory(gone.id) == []
    assert journal.undo("b1", by("u1")) == ({kept.id}, [])


def test_receipts_name_what_was_remembered_because_of_a_message(
    memories, remember, journal, conversations, say
):
    talk = conversations.create(1)
    first, second = say(talk, "I live in Lyon and like tea"), say(talk, "I moved to Nice")
    old = remember("Lives in Lyon", message_id=first.id, key="home")
    tea = remember("Likes tea", message_id=first.id)
    memories.update(
        old.id, {"status": Status.SUPERSEDED}, by("b2", op="supersede", message_id=second.id)
    )
    new = remember("Lives in Nice", batch="b2", message_id=second.id, key="home")
    memories.update(old.id, {"superseded_by": new.id}, by("b2", op="supersede"))
    remember("Typed into the inspector", batch="b3")

    one, two = journal.receipts(talk.id)
    assert (one.message_id, one.batch, one.replaced) == (first.id, "b1", ())
    assert one.memories == ((old.id, "Lives in Lyon"), (tea.id, "Likes tea"))
    assert (two.message_id, two.batch) == (second.id, "b2")
    assert two.memories == ((new.id, "Lives in Nice"),)
    assert two.replaced == ((new.id, "Lives in Lyon"),)
    assert (two.was(new.id), one.was(tea.id)) == ("Lives in Lyon", "")

    journal.undo("b2", by("u1"))
    assert [r.message_id for r in journal.receipts(talk.id)] == [first.id]
    journal.undo("u1", by("u2"))
    assert len(journal.receipts(talk.id)) == 2
    memories.update(tea.id, {"status": Status.FORGOTTEN}, by("b4", op="forget"))
    memories.update(new.id, {"text": "Lives in Nice now"}, by("b5"))
    one, two = journal.receipts(talk.id)
    assert [text for _, text in one.memories + two.memories] == [
        "Lives in Lyon",
        "Lives in Nice now",
    ]
    assert journal.receipts(conversations.create(1).id) == []


def test_entries_name_the_message_and_the_reason(remember, memories, journal, conversations, say):
    message = say(conversations.create(1), "I like tea")
    memory = remember("Likes tea", message_id=message.id)
    memories.update(memory.id, {"pinned": True}, by("b2", op="pin", reason="asked for"))
    insert, pin = journal.of_memory(memory.id)
    assert (insert.message_id, insert.before, insert.after["text"]) == (
        message.id,
        {},
        "Likes tea",
    )
    assert (pin.op, pin.reason, pin.message_id) == ("pin", "asked for", None)
    assert journal.of_batch("b2") == [pin]


EDITS = st.one_of(
    st.fixed_dictionaries({"text": st.sampled_from(["a", "b", "c", "d", "e"])}),
    st.fixed_dictionaries({"pinned": st.booleans()}),
    st.fixed_dictionaries({"tags": st.lists(st.sampled_from("xyz"), max_size=2)}),
    st.fixed_dictionaries({"status": st.sampled_from(Status)}),
    st.fixed_dictionaries({"trust": st.sampled_from(Trust)}),
    st.fixed_dictionaries({"key": st.none() | st.sampled_from("kl")}),
    st.fixed_dictionaries({"value": st.recursive(st.none() | st.integers(), st.lists)}),
    st.fixed_dictionaries({"visibility": st.sampled_from([Visibility.SELF, Visibility.GLOBAL])}),
)
BATCHES = st.lists(
    st.lists(st.tuples(st.integers(0, 3), EDITS), min_size=1, max_size=4), min_size=1, max_size=5
)
unique = count()


@settings(
    max_examples=80,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(BATCHES)
def test_undoing_each_batch_gives_back_each_state(memories, remember, journal, vault, batches):
    """Undo is the inverse of any batch, and an undo of the undo is the batch again."""
    for memory in memories.list(DEFAULT_SCOPE, limit=-1):
        memories.delete(memory.id)
    ids = []

    def state():
        steady = {"revision": 0, "updated_at": None}
        return [dataclasses.replace(memories.get(i), **steady) for i in ids]

    def change(target, edit, batch):
        if target < len(ids):
            memories.update(ids[target], edit, by(batch))
        else:
            ids.append(remember(f"m{next(unique)}", batch=batch, origin=Origin.REVIEW).id)

    names = [f"batch-{next(unique)}" for _ in batches]
    states = []
    for name, edits in zip(names, batches, strict=True):
        states.append((list(ids), state()))
        for target, edit in edits:
            try:
                change(target, edit, name)
            except (Conflict, Refused):
                continue
    last = state()
    for name, (before_ids, before) in zip(reversed(names), reversed(states), strict=True):
        now = state()
        if not journal.of_batch(name):
            continue
        changed, refusals = journal.undo(name, by(f"undo-{name}"))
        assert refusals == []
        assert changed == {e.memory_id for e in journal.of_batch(name)}
        after = state()
        assert [m for m in after if m.id in before_ids] == before
        assert all(m.status is Status.FORGOTTEN for m in after if m.id not in before_ids)
        again = journal.undo(f"undo-{name}", by(f"redo-{name}"))
        assert again[1] == []
        assert state() == now
        assert journal.undo(f"redo-{name}", by(f"undo-again-{name}"))[1] == []
        assert state() == after
    assert len(last) == len(ids)


@pytest.mark.parametrize("op", ["insert", "update"])
def test_a_change_and_its_journal_row_stand_or_fall_together(memories, vault, remember, op):
    memory = remember("one")
    with suppress(RuntimeError), vault.write():
        if op == "insert":
            remember("two")
        else:
            memories.update(memory.id, {"text": "two"}, by("b2"))
        raise RuntimeError
    with vault.read() as connection:
        assert connection.execute("SELECT count(*) FROM journal").fetchone()[0] == 1
    assert [m.text for m in memories.list(DEFAULT_SCOPE)] == ["one"]
