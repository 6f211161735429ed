"""What was forgotten is found by what may bring it back."""

import pytest

from app.domain.memory import Evidence, Status
from app.store.journal.entries import Note
from app.store.journal.forgotten import Forgotten


@pytest.fixture
def forgotten(vault, clock):
    return Forgotten(vault)


@pytest.fixture
def forget(memories):
    def put_away(memory, batch="b2"):
        memories.update(memory.id, {"status": Status.FORGOTTEN}, Note("user", "forget", batch))

    return put_away


def test_it_is_found_by_its_text_and_knows_since_when(forgotten, remember, forget, memories, clock):
    one = remember("Likes tea")
    assert forgotten.saying("Likes tea", 1) == []
    since = clock.forward(days=1)
    forget(one)
    clock.forward(days=1)
    memories.update(one.id, {"tags": ("x",)}, Note("user", "edit", "b3"))
    (found,) = forgotten.saying("likes  TEA.", 1)
    assert (found.memory.id, found.since) == (one.id, since)
    assert forgotten.saying("Likes tea", 2) == []
    memories.update(one.id, {"status": Status.ACTIVE}, Note("user", "restore", "b4"))
    assert forgotten.saying("Likes tea", 1) == []


def test_an_undone_insert_counts_as_forgotten(forgotten, remember, journal, clock):
    remember("Likes tea")
    since = clock.forward(days=1)
    journal.undo("b1", Note("user", "undo", "u1"))
    assert [away.since for away in forgotten.saying("Likes tea", 1)] == [since]


def test_it_is_found_by_its_message(forgotten, remember, forget, conversations, say, clock):
    said = say(conversations.create(1), "I live in Ghent and like tea")
    tea = remember("Likes tea", evidence=[Evidence("like tea", clock(), said.id)])
    for memory in (remember("Lives in Ghent"), tea):
        forget(memory)
    assert [a.memory.id for a in forgotten.resting_on(said.id)] == [tea.id]
    assert forgotten.resting_on("nobody") == []
