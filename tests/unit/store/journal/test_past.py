"""What was known at a moment is what was there then, whatever happened since."""

import os
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from app.domain.memory import (
    DEFAULT_SCOPE,
    Evidence,
    Memory,
    MemoryFilter,
    MemoryType,
    Origin,
    Scope,
    Status,
    Trust,
    Visibility,
)
from app.errors import Conflict, Refused
from app.store.archive import Archive
from app.store.journal.entries import Journal, Note
from app.store.journal.past import Past
from app.store.memories import Memories
from app.store.vault.file import Vault

START = datetime(2026, 1, 1, tzinfo=UTC)
TEXTS = st.sampled_from(["a", "b", "c", "d", "e", "f"])
CHANGES = st.one_of(
    st.fixed_dictionaries({"text": TEXTS}),
    st.fixed_dictionaries({"tags": st.lists(st.sampled_from("xyz"), max_size=2)}),
    st.fixed_dictionaries({"key": st.none() | st.sampled_from("kl"), "value": st.integers(0, 2)}),
    st.fixed_dictionaries({"status": st.sampled_from(Status)}),
    st.fixed_dictionaries({"trust": st.sampled_from(Trust), "pinned": st.booleans()}),
    st.fixed_dictionaries({"visibility": st.sampled_from([Visibility.SELF, Visibility.GLOBAL])}),
    st.fixed_dictionaries({"group_pks": st.lists(st.just(1), max_size=1)}),
    st.fixed_dictionaries({"consolidated_at": st.sampled_from([None, START])}),
)


def uncounted(memory, erased=frozenset()):
    """Return a memory without what the journal does not keep."""
    heir = None if memory.superseded_by in erased else memory.superseded_by
    return replace(memory, seen_count=1, access_count=0, last_accessed_at=None, superseded_by=heir)


class Life(RuleBasedStateMachine):
    """Anything may happen to memories; every moment of it can be read later."""

    ids = Bundle("ids")
    batches = Bundle("batches")

    @initialize()
    def begin(self):
        self.folder = TemporaryDirectory()
        self.now = START
        self.vault = Vault(Path(self.folder.name) / "vault.db", os.urandom(32), lambda: self.now)
        self.memories, self.journal = Memories(self.vault), Journal(self.vault)
        self.past = Past(self.vault)
        self.moments, self.erased, self.steps = [], set(), 0
        with self.vault.write() as connection:
            connection.execute("INSERT INTO groups (id, name, created_at) VALUES ('g', 'g', 0)")

    def teardown(self):
        if hasattr(self, "vault"):
            try:
                self.every_moment_is_as_it_was()
            finally:
                self.vault.close()
                self.folder.cleanup()

    def note(self, op):
        self.steps += 1
        return Note("user", op, f"b{self.steps}")

    def is_there(self, memory_id):
        return memory_id is not None and memory_id not in self.erased

    @rule(target=ids, text=TEXTS, key=st.none() | st.sampled_from("kl"))
    def insert(self, text, key):
        memory = Memory("", text, self.now, self.now, key=key, pinned=text == "a", agent_pk=1)
        with suppress(Conflict):
            return self.memories.insert(memory, (), self.note("insert")).id

    @rule(target=batches, memory_id=ids, changes=CHANGES)
    def change(self, memory_id, changes):
        if self.is_there(memory_id):
            with suppress(Conflict, Refused):
                self.memories.update(memory_id, changes, self.note("edit"))
        return f"b{self.steps}"

    @rule(target=batches, old=ids, new=ids)
    def supersede(self, old, new):
        if self.is_there(old) and self.is_there(new):
            closed = {"status": Status.SUPERSEDED, "superseded_by": new, "valid_to": self.now}
            self.memories.update(old, closed, self.note("supersede"))
        return f"b{self.steps}"

    @rule(target=batches, some=st.lists(ids, max_size=4, unique=True))
    def forget(self, some):
        note = self.note("forget")
        for memory_id in some:
            if self.is_there(memory_id):
                self.memories.update(memory_id, {"status": Status.FORGOTTEN}, note)
        return note.batch

    @rule(target=batches, batch=batches)
    def undo(self, batch):
        note = self.note("undo")
        self.journal.undo(batch, note)
        return note.batch

    @rule(memory_id=ids)
    def use(self, memory_id):
        if self.is_there(memory_id):
            self.memories.touch([memory_id], self.now)
            self.memories.add_evidence(memory_id, Evidence("again", self.now))

    @rule(memory_id=ids)
    def erase(self, memory_id):
        if self.is_there(memory_id):
            self.memories.delete(memory_id)
            self.erased.add(memory_id)

    @invariant()
    def remember_the_moment(self):
        if hasattr(self, "vault"):
            now = self.memories.list(limit=-1, scope=Scope(1, (1,)))
            self.moments.append((self.now, now))
            self.now += timedelta(milliseconds=1)

    def every_moment_is_as_it_was(self):
        for at, then in self.moments:
            left = [uncounted(m, self.erased) for m in then if m.id not in self.erased]
            found = self.past.list(at, limit=-1, scope=Scope(1, (1,)))
            assert [uncounted(m, self.erased) for m in found] == left
            assert self.past.count(at, scope=Scope(1, (1,))) == len(left)


Life.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, database=None
)
TestLife = Life.TestCase


@pytest.fixture
def past(vault, clock):
    return Past(vault)


def texts(memories):
    return [m.text for m in memories]


def test_what_was_learnt_later_was_not_known(past, remember, clock):
    remember("one")
    then = clock()
    clock.forward(days=1)
    remember("two")
    assert texts(past.list(then, DEFAULT_SCOPE)) == ["one"]
    assert texts(past.list(clock(), DEFAULT_SCOPE)) == ["two", "one"]
    assert past.list(then - timedelta(seconds=1), DEFAULT_SCOPE) == []


def test_a_memory_is_as_it_was(past, remember, memories, clock):
    one = remember("Lives in Lyon", key="home", value={"city": "Lyon"}, tags=("a",))
    then = clock()
    clock.forward(days=1)
    changes = {"text": "Lives in Nice", "value": ["Nice"], "tags": ("b",), "pinned": True}
    memories.update(one.id, changes, Note("user", "edit", "b2"))
    memories.touch([one.id], clock())
    assert past.of(one.id, then, DEFAULT_SCOPE) == one
    assert past.of(one.id, clock(), DEFAULT_SCOPE).text == "Lives in Nice"
    assert past.of(one.id, clock(), DEFAULT_SCOPE).access_count == 0
    assert past.of("nobody", then, DEFAULT_SCOPE) is None


def test_filters_are_about_then(past, remember, memories, clock):
    tea = remember("Likes green tea", pinned=True, tags=("drinks",))
    remember("Climbs", type=MemoryType.EPISODIC, trust=Trust.EXTERNAL)
    remember("From a file", origin=Origin.IMPORT, key="k")
    then = clock()
    clock.forward(days=1)
    changes = {"status": Status.FORGOTTEN, "pinned": False, "text": "Likes beer", "tags": ()}
    memories.update(tea.id, changes, Note("user", "edit", "b2"))

    def found(**fields):
        where = MemoryFilter(**fields)
        assert past.count(then, DEFAULT_SCOPE, where) == len(past.list(then, DEFAULT_SCOPE, where))
        return texts(past.list(then, DEFAULT_SCOPE, where))

    assert found(text="TEA likes") == ["Likes green tea"]
    assert found(text="drinks") == ["Likes green tea"]
    assert found(text="beer") == found(text="none") == []
    assert found(pinned=True) == ["Likes green tea"]
    assert found(statuses=frozenset({Status.FORGOTTEN})) == []
    assert found(types=frozenset({MemoryType.EPISODIC})) == ["Climbs"]
    assert found(trusts=frozenset({Trust.EXTERNAL})) == ["Climbs"]
    assert found(origins=frozenset({Origin.IMPORT})) == found(keyed=True) == ["From a file"]
    assert found(since=then + timedelta(1)) == found(until=then) == []
    assert found(order="oldest") == ["Likes green tea", "Climbs", "From a file"]
    assert texts(past.list(then, DEFAULT_SCOPE, offset=1, limit=1)) == ["Climbs"]


def test_only_what_an_agent_could_see_then_is_shown(past, remember, memories, clock):
    one = remember("shared", visibility=Visibility.GLOBAL)
    then = clock()
    clock.forward(days=1)
    memories.update(one.id, {"visibility": Visibility.SELF}, Note("user", "edit", "b2"))
    assert texts(past.list(then, scope=Scope(2))) == ["shared"]
    assert past.list(clock(), scope=Scope(2)) == []


def test_groups_count_for_nothing_while_a_memory_is_its_agents_alone(
    past, remember, memories, vault, clock
):
    with vault.write() as connection:
        connection.execute("INSERT INTO groups (id, name, created_at) VALUES ('g', 'g', 0)")
    kept = remember("Keeps bees")
    clock.forward(days=1)
    memories.update(kept.id, {"group_pks": [1]}, Note("user", "edit", "b2"))
    then = clock()
    clock.forward(days=1)
    memories.update(kept.id, {"group_pks": []}, Note("user", "edit", "b3"))
    assert past.of(kept.id, then, DEFAULT_SCOPE).group_pks == ()


def test_a_clock_that_was_put_back_mixes_nothing_up(past, remember, memories, clock):
    one = remember("one")
    clock.forward(hours=2)
    memories.update(one.id, {"text": "two"}, Note("user", "edit", "b2"))
    clock.forward(hours=-1)
    memories.update(one.id, {"text": "three"}, Note("user", "edit", "b3"))
    assert past.of(one.id, clock(), DEFAULT_SCOPE).text == "three"
    assert past.of(one.id, clock() - timedelta(minutes=1), DEFAULT_SCOPE).text == "one"


def test_history_that_was_brought_back_counts_from_when_it_was(past, vault, remember, clock):
    one = remember("one")
    then = clock()
    archive = Archive(vault)
    kept = {table: list(archive.rows(table)) for table in ("memories", "journal")}
    Memories(vault).delete(one.id)
    clock.forward(days=1)
    remember("two")
    with vault.write():
        for table, rows in kept.items():
            archive.restore(table, rows)
        archive.seal()
    assert texts(past.list(then, DEFAULT_SCOPE)) == ["one"]
    assert texts(past.list(clock(), DEFAULT_SCOPE)) == ["two", "one"]


def test_an_import_that_dates_ahead_is_known_from_when_it_came(past, memories, clock):
    ahead = clock() + timedelta(hours=5)
    memories.insert(
        Memory("", "later", ahead, clock(), agent_pk=1), (), Note("import", "insert", "b1")
    )
    assert texts(past.list(clock(), DEFAULT_SCOPE)) == ["later"]
