"""A memory is marked as contradicted exactly while an open pair names it, whatever happens.

What contradicts what is told by a rule here, because what becomes of it is what is tested.
"""

import random
import re
from contextlib import suppress
from datetime import timedelta
from threading import Event

import pytest

from app.domain.contradiction import Clash, Settlement
from app.domain.ids import new_id
from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, Memory, MemoryFilter, Status
from app.errors import Conflict, NotFound, Refused
from app.memory.change.comparing import Comparer, Relation
from app.memory.change.contradictions import Inbox
from app.memory.change.nearby import Nearby
from app.providers.local.hash import HashEmbedder
from app.store.journal.contradictions import Contradictions
from app.store.journal.entries import Note
from app.store.memories import Memories
from tests.unit.services.profile import NOW, learn
from tests.unit.services.ruling import Ruling

EVERY = MemoryFilter(statuses=frozenset(Status))
TEXTS = [
    *(f"I take {number} mg of lisinopril" for number in (5, 10, 20)),
    "My dentist is Dr Kim",
    "My dentist is Dr Patel",
    "I smoke cigars",
    "I quit smoking cigars",
    "I own a boat",
]
_ABOUT = re.compile(r"I take \d+ mg of (\w+)|My (dentist) is Dr \w+|I (?:quit )?smok\w+ (cigars)")


def against(older, newer):
    """Rule that what says two things about one thing contradicts itself."""
    told = _ABOUT.fullmatch(older), _ABOUT.fullmatch(newer)
    both = older != newer and all(told) and told[0].groups() == told[1].groups()
    return Relation.CONTRADICTS if both else Relation.UNRELATED


@pytest.fixture
def opened(opened, monkeypatch):
    monkeypatch.setattr(opened.host, "current_understanding", lambda: Ruling(against))
    return opened


class Life:
    """Memories that contradict each other, and all that may happen to them."""

    def __init__(self, opened, seed):
        self.services, self.vault = opened.services, opened.store.vault
        self.chance = random.Random(seed)
        self.rows, self.pairs = Memories(opened.store.vault), Contradictions(opened.store.vault)
        nearby = Nearby(opened.store, HashEmbedder, Comparer(lambda: Ruling(against)), lambda: NOW)
        self.inbox = Inbox(opened.store, nearby, lambda: NOW)
        self.batches, self.ids = [], []
        for text in TEXTS:
            self.learn(text)
        self.index()

    def learn(self, text):
        at = NOW + timedelta(hours=len(self.ids) - 100)
        memory = Memory(f"m{len(self.ids)}", text, at, at, agent_pk=1)
        self.ids.append(self.rows.insert(memory, (), Note("user", "insert", f"b-{text}")).id)

    def index(self):
        self.services.queue.enqueue_index()
        learn(self.services)

    def marked(self):
        return {m.id for m in self.rows.list(DEFAULT_SCOPE, EVERY, limit=-1) if m.conflicted}

    def named(self):
        return {m.id for pair in self.pairs.open(1, 1000) for m in (pair.older, pair.newer)}

    def some(self):
        return self.chance.sample(self.ids, self.chance.randint(1, 3))

    def dream(self):
        self.index()
        batch = new_id(NOW)
        look = self.inbox.look(1, Note("dream", "contradict", batch), 0, Event(), lambda *_: None)
        drive(look, Event())
        self.batches.append(batch)

    def settle(self):
        if pairs := self.inbox.waiting(1):
            pair, how = self.chance.choice(pairs), self.chance.choice(list(Settlement)[:5])
            side = self.chance.choice((pair.older, pair.newer)).id
            text = f"I row {self.chance.randrange(99)}" if how in ("edit", "merge") else ""
            self.batches += self.services.attention.settle(pair, how, text, side).batches

    def forget(self):
        self.batches += self.services.memories.forget(self.some()).batches

    def restore(self):
        away = [
            m.id
            for m in self.rows.list(DEFAULT_SCOPE, EVERY, limit=-1)
            if m.status == Status.FORGOTTEN
        ]
        self.batches += self.services.memories.restore(away).batches

    def archive(self):
        for memory_id in self.some():
            change = {"status": Status.OUT_OF_WINDOW}
            self.rows.update(memory_id, change, Note("compact", "archive", new_id(NOW)))

    def pin(self):
        self.services.memories.pin(self.some(), True)

    def undo(self):
        if self.batches:
            batch = self.chance.choice(self.batches[-4:])
            self.batches += self.services.undo.undo(batch)[0].batches

    def undo_last(self):
        self.services.undo.undo_last()

    def redo_last(self):
        self.services.undo.redo_last()

    def note(self):
        one, other = self.chance.sample(self.ids, 2)
        memories = self.rows.by_ids([one, other])
        if len(memories) == 2:
            self.pairs.note(*(m.pk for m in memories), Clash.SLOT)

    def delete(self):
        if len(self.ids) > 4:
            self.rows.delete(self.ids.pop(self.chance.randrange(len(self.ids))))

    def step(self):
        deeds = (self.dream, self.settle, self.settle, self.settle, self.forget, self.restore)
        more = (self.archive, self.pin, self.undo, self.undo, self.note, self.delete)
        deed = self.chance.choice((*deeds, *more, self.undo_last, self.redo_last))
        with suppress(Conflict, NotFound, Refused):
            deed()
        return deed.__name__


@pytest.mark.parametrize("seed", range(12))
def test_marked_exactly_while_an_open_pair_names_it(opened, seed):
    life, done = Life(opened, seed), []
    life.dream()
    assert len(life.named()) == 7
    for _ in range(30):
        done.append(life.step())
        assert life.marked() == life.named(), done


@pytest.fixture
def life(opened):
    return Life(opened, 0)


def test_settling_one_of_several_pairs_leaves_the_mark_of_the_others(life):
    life.pairs.note(life.rows.get("m0").pk, life.rows.get("m1").pk, Clash.SLOT)
    life.pairs.note(life.rows.get("m1").pk, life.rows.get("m2").pk, Clash.SLOT)
    pair = next(pair for pair in life.inbox.waiting(1) if pair.older.id == "m0")
    (batch,) = life.services.attention.settle(pair, Settlement.KEEP_BOTH).batches
    assert life.marked() == {"m1", "m2"}
    life.services.undo.undo(batch)
    assert life.marked() == {"m0", "m1", "m2"}
    (first,) = [one for one in life.inbox.waiting(1) if one.id == pair.id]
    life.pairs.settle(first, Settlement.KEEP_BOTH, Note("user", "keep_both", "b1"))
    (second,) = life.inbox.waiting(1)
    (batch,) = life.services.attention.settle(second, Settlement.KEEP_BOTH).batches
    assert life.marked() == set()
    life.services.undo.undo(batch)
    assert life.marked() == {"m1", "m2"}


def test_one_side_forgotten_frees_the_other_and_is_no_change_of_it(life):
    life.dream()
    before = life.rows.get("m4")
    assert before.conflicted
    (batch,) = life.services.memories.forget(["m3"]).batches
    after = life.rows.get("m4")
    assert (after.conflicted, after.revision) == (False, before.revision)
    life.services.undo.undo(batch)
    assert life.rows.get("m4").conflicted


def test_undoing_a_dream_takes_back_what_it_noticed_and_redo_notices_it_again(life):
    life.dream()
    waiting = {pair.id for pair in life.inbox.waiting(1)}
    changes, refused = life.services.undo.undo(life.batches[-1])
    assert not refused
    assert life.marked() == set()
    assert life.inbox.waiting(1) == []
    life.dream()
    assert life.inbox.waiting(1) == [], "what was taken back is not noticed again by itself"
    (undo,) = changes.batches
    life.services.undo.undo(undo)
    assert {pair.id for pair in life.inbox.waiting(1)} == waiting
    assert life.marked() == life.named() != set()


def test_what_was_noticed_is_in_no_ones_way_of_undoing(life):
    edit = life.services.memories.edit("m3", 1, {"text": "My dentist is Dr Kimber"})
    life.index()
    life.dream()
    assert life.rows.get("m3").conflicted
    (batch,) = edit.batches
    _, refused = life.services.undo.undo(batch)
    assert (not refused, life.rows.get("m3").text) == (True, "My dentist is Dr Kim")


def test_a_decision_that_is_done_again_is_settled_again(life):
    life.dream()
    pair = life.inbox.waiting(1)[0]
    (batch,) = life.services.attention.settle(pair, Settlement.KEEP_BOTH).batches
    (undo,) = life.services.undo.undo(batch)[0].batches
    assert pair.id in {one.id for one in life.inbox.waiting(1)}
    life.services.undo.undo(undo)
    assert pair.id not in {one.id for one in life.inbox.waiting(1)}
    assert life.marked() == life.named()


def test_many_doses_wait_once_each_and_deciding_for_the_newer_comes_to_an_end(opened):
    life = Life(opened, 0)
    for number in range(20):
        life.learn(f"I take {number + 30} mg of metformin")
    life.dream()

    def doses():
        return [pair for pair in life.inbox.waiting(1) if "metformin" in pair.newer.text]

    assert 10 <= len(doses()) <= 20
    decided = 0
    while pairs := doses():
        life.services.attention.settle(pairs[0], Settlement.KEEP_NEWER)
        assert life.marked() == life.named()
        decided += 1
    assert decided <= 20
    used = life.rows.list(
        DEFAULT_SCOPE, MemoryFilter(statuses=frozenset({Status.ACTIVE})), limit=-1
    )
    assert [m.text for m in used if "metformin" in m.text] == ["I take 49 mg of metformin"]


def test_what_contradicted_a_closed_memory_meets_the_one_that_was_kept(life):
    for older, newer in (("m0", "m1"), ("m1", "m2")):
        life.pairs.note(life.rows.get(older).pk, life.rows.get(newer).pk, Clash.SLOT)
    pair = next(pair for pair in life.inbox.waiting(1) if pair.newer.id == "m2")
    (batch,) = life.services.attention.settle(pair, Settlement.KEEP_NEWER).batches
    (left,) = life.inbox.waiting(1)
    assert (left.older.id, left.newer.id) == ("m0", "m2")
    life.services.undo.undo(batch)
    assert {(p.older.id, p.newer.id) for p in life.inbox.waiting(1)} == {("m0", "m1"), ("m1", "m2")}
    assert life.marked() == life.named()


def test_an_edit_puts_one_of_the_two_right_and_keeps_both(life):
    life.dream()
    pair = next(pair for pair in life.inbox.waiting(1) if pair.newer.id == "m4")
    edit = life.services.attention.settle
    edit(pair, Settlement.EDIT, "My dentist is Dr Kimber", "m3")
    assert pair.id in {one.id for one in life.inbox.waiting(1)}, "they still contradict each other"
    edit(pair, Settlement.EDIT, "My dentist was Dr Kim until May", "m3")
    assert pair.id not in {one.id for one in life.inbox.waiting(1)}
    one, other = life.rows.by_ids(["m3", "m4"])
    assert (one.status, other.status) == (Status.ACTIVE, Status.ACTIVE)
    assert (one.text, other.text) == (
        "My dentist was Dr Kim until May",
        "My dentist is Dr Patel",
    )
    assert life.marked() == life.named()


def test_a_mark_that_nothing_gives_a_reason_for_goes_at_the_next_look(life):
    now = NOW + timedelta(hours=1)
    memory = Memory("old", "I row on Sundays", now, now, conflicted=True, agent_pk=1)
    life.rows.insert(memory, (), Note("user", "insert", "b-old"))
    life.dream()
    assert life.marked() == life.named()
