"""Guardrails: retention deletes what its age says, cap and compaction archive, pins stay."""

from datetime import timedelta
from threading import Event

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from app.domain.ids import new_id
from app.domain.jobs.operation import drive
from app.domain.memory import (
    DEFAULT_SCOPE,
    Memory,
    MemoryFilter,
    MemoryType,
    Status,
    Trust,
    Visibility,
)
from app.memory.dream.guardrails import ARCHIVED, Guardrails
from app.settings import table
from app.settings.spec import Settings
from app.settings.table import reference
from app.store.journal.entries import Journal
from app.store.memories import Memories, Note
from app.store.store import Store
from app.store.vault.file import Vault
from tests.fakes import kills
from tests.unit.memory.conftest import FRIDAY


class House:
    """A vault with guardrails whose settings a test changes."""

    def __init__(self, folder):
        self.settings = Settings()
        self.vault = Vault(folder / "vault.db", bytes(32), lambda: FRIDAY)
        self.memories = Memories(self.vault)
        self.begin()

    def begin(self):
        """Make them anew, as after the end of the process."""
        self.guards = Guardrails(Store(self.vault), lambda: self.settings, lambda: FRIDAY)

    def set(self, **values):
        for name, value in values.items():
            self.settings = table.replace(self.settings, f"memory.{name.replace('__', '.')}", value)

    def compact(self, threshold, target):
        self.set(
            compaction__enabled=True,
            compaction__threshold=threshold,
            compaction__target_size=target,
        )

    def remember(self, text, days=0, **fields):
        at = FRIDAY - timedelta(days=days)
        memory = Memory(new_id(at), text, at, at, **{"agent_pk": 1, **fields})
        return self.memories.insert(memory, (), Note("user", "insert", new_id(at)))

    def fill(self, count, **fields):
        return [self.remember(f"I saw bird {n}", count - n, **fields) for n in range(count)]

    def run(self):
        return drive(self.guards.run({}, lambda data: None, Event()), Event())

    def texts(self, status=Status.ACTIVE):
        wanted = MemoryFilter(statuses=frozenset({status}), order="oldest")
        return [memory.text for memory in self.memories.list(DEFAULT_SCOPE, wanted, limit=-1)]

    def birds(self):
        return [text for text in self.texts() if text.startswith("I saw")]


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    yield house
    house.vault.close()


def test_by_default_nothing_goes(house):
    house.fill(30)
    house.remember("Ages ago", 4000)
    assert not any(house.run().figures.values())
    assert len(house.texts()) == 31


def test_m5_the_reference_preset_has_its_limits():
    memory = reference().memory
    assert memory.compaction.enabled
    assert (memory.compaction.threshold, memory.compaction.target_size) == (1000, 500)
    assert memory.cap.max_entries == 500


def test_the_reference_preset_deletes_what_is_too_many_once_it_is_summed_up(house):
    house.fill(20)
    house.settings = reference()
    house.compact(10, 5)
    assert len(house.guards.preview().delete) > 0
    assert not house.guards.preview().archive
    done = house.run()
    assert house.texts(Status.OUT_OF_WINDOW) == []
    left, summed = (
        house.birds(),
        [m for m in house.memories.list(DEFAULT_SCOPE) if m.actor == "compact"],
    )
    gone = [f"I saw bird {n}" for n in range(20) if f"I saw bird {n}" not in left]
    assert len(house.texts()) <= 5
    assert all(any(text in memory.text for memory in summed) for text in gone)
    assert (done.figures["deleted"], done.figures["archived"]) == (len(gone), 0)
    assert done.batch == "", "there is nothing to undo"
    assert len(house.memories.list(DEFAULT_SCOPE, limit=-1)) == len(house.texts()), (
        "nothing is kept aside"
    )


def test_m5_compaction_begins_strictly_above_its_threshold_and_stops_at_its_target(house):
    house.fill(20)
    house.compact(20, 10)
    assert not any(house.run().figures.values())
    house.remember("I saw bird 20")
    done = house.run()
    assert len(house.texts()) <= 10
    assert done.figures["archived"] == len(house.texts(Status.OUT_OF_WINDOW))
    assert house.birds()[-1] == "I saw bird 20", "the newest stay"
    assert not any(house.run().figures.values())


def test_what_is_archived_is_summed_up_and_can_be_brought_back(house):
    before = house.fill(12)
    house.compact(10, 5)
    done = house.run()
    summed = [memory for memory in house.memories.list(DEFAULT_SCOPE) if memory.actor == "compact"]
    gone = set(house.texts(Status.OUT_OF_WINDOW))
    assert gone
    assert all(any(text in memory.text for memory in summed) for text in gone)
    assert all(memory.type is MemoryType.EPISODIC for memory in summed)
    one = next(m for m in house.memories.list(DEFAULT_SCOPE) if m.status is Status.OUT_OF_WINDOW)
    assert one.status_reason == ARCHIVED
    archived = MemoryFilter(text="bird 0", statuses=frozenset({Status.OUT_OF_WINDOW}))
    assert [memory.text for memory in house.memories.list(DEFAULT_SCOPE, archived)] == [
        "I saw bird 0"
    ]
    Journal(house.vault).undo(done.batch, Note("user", "undo", "undo"))
    assert house.texts() == [memory.text for memory in before]


def test_pins_and_system_rows_are_protected(house):
    house.fill(12)
    pinned = house.remember("I saw an owl", 999, pinned=True)
    ours = house.remember("Loci is yours", 999, trust=Trust.SYSTEM)
    house.compact(5, 1)
    house.set(retention__max_age_days=30)
    house.run()
    assert {pinned.text, ours.text} <= set(house.texts())


def test_a_standing_instruction_is_not_archived_for_its_age(house):
    order = house.remember("Always answer in metric units", 400, type=MemoryType.PROCEDURAL)
    house.fill(6)
    house.compact(5, 3)
    house.run()
    assert order.text in house.texts()
    assert not any(order.text in text for text in house.texts() if text != order.text)


def test_m5_the_least_trusted_go_first_and_what_is_proven_last(house):
    house.remember("Proven", 90, proof_count=3)
    house.remember("Learned, old", 80)
    house.remember("Learned, new", 1)
    house.remember("A page said", 1, trust=Trust.EXTERNAL)
    house.remember("A page said more", 1, trust=Trust.EXTERNAL)
    house.compact(4, 4)
    house.run()
    assert set(house.texts(Status.OUT_OF_WINDOW)) == {"A page said", "A page said more"}


@pytest.mark.parametrize("trust", [Trust.EXTERNAL, Trust.CLAIMED])
def test_trust_is_never_raised_by_summing_up(house, trust):
    house.fill(6, trust=trust)
    house.compact(3, 2)
    house.run()
    assert {m.trust for m in house.memories.list(DEFAULT_SCOPE) if m.actor == "compact"} == {trust}


def test_m5_retention_deletes_what_its_age_says_and_nothing_else(house):
    old = house.remember("I saw a dodo", 31)
    house.remember("I saw a gull", 30)
    house.remember("I saw an auk", 400, pinned=True)
    house.set(retention__max_age_days=30)
    done = house.run()
    assert done.figures["deleted"] == 1
    assert set(house.texts()) == {"I saw a gull", "I saw an auk"}
    assert house.memories.by_ids([old.id]) == []


def test_the_cap_counts_keyed_memories_alone(house):
    for n in range(6):
        house.remember(f"My locker {n} is red", 10 - n, key=f"locker_{n}", value="red")
    house.fill(10)
    house.set(cap__max_entries=3)
    house.run()
    assert len(house.birds()) == 10
    assert house.texts(Status.OUT_OF_WINDOW) == [f"My locker {n} is red" for n in range(3)]


@pytest.mark.parametrize("over", [1, 2, 25])
def test_the_cap_is_kept_however_little_is_over(house, over):
    for n in range(5 + over):
        house.remember(f"My locker {n} is red", 90 - n, key=f"locker_{n}", value="red")
    house.set(cap__max_entries=5)
    assert len(house.guards.preview().archive) == over
    assert house.run().figures["archived"] == over
    assert len([text for text in house.texts() if text.startswith("My locker")]) == 5
    assert not any(house.run().figures.values())


def test_a_target_above_the_threshold_counts_as_the_threshold(house):
    house.fill(30)
    house.compact(10, 500)
    assert house.run().figures["archived"]
    assert len(house.texts()) <= 10


@pytest.mark.parametrize(
    "change", [{"status": Status.FORGOTTEN}, {"text": "I saw a roc"}, {"pinned": True}]
)
def test_what_the_person_does_between_two_steps_is_not_overwritten(house, change):
    first = house.fill(8)[0]
    house.compact(4, 3)
    running = house.guards.run({}, lambda data: None, Event())
    next(running)
    house.memories.update(first.id, change, Note("user", "edit", "e"))
    drive(running, Event())
    now = house.memories.get(first.id)
    listed = " ".join(m.text for m in house.memories.list(DEFAULT_SCOPE) if m.source_ids)
    assert first.text not in listed or change == {"pinned": True}
    assert all(getattr(now, name) == value for name, value in change.items() if name != "text")
    assert "I saw a roc" in listed or "text" not in change
    assert now.status is (Status.ACTIVE if "pinned" in change else now.status)


def test_what_is_deleted_for_its_age_is_in_no_list_either(house):
    house.remember("I saw a dodo", 40)
    house.fill(8)
    house.compact(4, 3)
    batch = house.run().batch
    assert any("dodo" in m.text for m in house.memories.list(DEFAULT_SCOPE) if m.source_ids)
    house.set(compaction__enabled=False, retention__max_age_days=30)
    assert house.run().figures["deleted"] == 1
    assert not any("dodo" in memory.text for memory in house.memories.list(DEFAULT_SCOPE, limit=-1))
    with house.vault.read() as connection:
        told = connection.execute("SELECT count(*) FROM journal WHERE after LIKE '%dodo%'")
        assert told.fetchone()[0] == 0
    Journal(house.vault).undo(batch, Note("user", "undo", "u"))
    assert house.texts() == [f"I saw bird {n}" for n in range(8)]


def test_those_who_may_see_it_are_never_mixed(house):
    for n in range(6):
        house.remember(f"I saw bird {n}", 10 - n)
        house.remember(f"Everybody saw bird {n}", 10 - n, visibility=Visibility.GLOBAL)
    house.compact(4, 2)
    house.run()
    for memory in (m for m in house.memories.list(DEFAULT_SCOPE, limit=-1) if m.actor == "compact"):
        sources = house.memories.by_ids(memory.source_ids)
        assert {m.visibility for m in sources} == {memory.visibility}


def test_a_preview_names_what_would_go_and_changes_nothing(house):
    house.fill(12)
    house.remember("I saw a dodo", 400)
    house.compact(10, 5)
    house.set(retention__max_age_days=365)
    preview = house.guards.preview()
    assert [memory.text for memory in preview.delete] == ["I saw a dodo"]
    assert len(preview.archive) >= 7
    assert "I saw a dodo" not in {memory.text for memory in preview.archive}
    assert len(house.texts()) == 13


@profile(max_examples=25, deadline=None)
@given(st.integers(0, 60), st.integers(2, 40), st.integers(1, 40), st.randoms())
def test_compaction_shrinks_ends_and_loses_nothing(
    tmp_path_factory, count, threshold, target, chance
):
    house = House(tmp_path_factory.mktemp("house"))
    try:
        trusts = (Trust.LEARNED, Trust.EXTERNAL)
        texts = {
            house.remember(f"I saw bird {n}", n, trust=chance.choice(trusts)).text
            for n in range(count)
        }
        house.compact(threshold, target)
        house.run()
        assert len(house.texts()) <= max(threshold, target) + 1
        assert texts <= {*house.texts(), *house.texts(Status.OUT_OF_WINDOW)}
    finally:
        house.vault.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_run_killed_at_any_point_ends_as_one_that_was_not(tmp_path, seed):
    ends = []
    for name in ("whole", "torn"):
        (tmp_path / name).mkdir()
        house = House(tmp_path / name)
        house.fill(80)
        for n in range(20):
            house.remember(f"My locker {n} is red", 60 - n, key=f"locker_{n}", value="red")
        house.compact(60, 30)
        house.set(retention__max_age_days=75, cap__max_entries=7)

        def begin(checkpoint, mark, cancel, house=house):
            house.begin()
            return house.guards.run(checkpoint, mark, cancel)

        job = kills.Job(house.vault, begin, "compact")
        done = job.run_with_kills(seed) if name == "torn" else job.run()
        ends.append((kills.state(house.vault), done.figures))
        house.vault.close()
    assert job.kills > 3
    assert ends[0] == ends[1]


def test_even_a_list_of_one_is_in_use(house):
    house.remember("I own a kite", 3, key="kite", value="red")
    house.remember("I own a boat", 2, key="boat", value="red")
    house.set(cap__max_entries=1)
    house.run()
    (one,) = [memory for memory in house.memories.list(DEFAULT_SCOPE) if memory.source_ids]
    assert (one.status, one.trust) == (Status.ACTIVE, Trust.LEARNED)
