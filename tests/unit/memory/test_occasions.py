"""What was moved to another day: the day it was on before does not stand any longer."""

from threading import Event

import pytest

from app.assets import resource
from app.domain.contradiction import Clash
from app.domain.memory import Status, Trust
from app.jobs.operation import drive
from app.memory import slots
from app.memory.contradictions import Inbox
from app.memory.occasions import other_day
from app.providers.llamacpp import LlamaEmbedder
from app.store.memories import Note
from app.store.vault import Vault
from tests.unit.memory.recall.conftest import NOW, World


@pytest.fixture(scope="module")
def embedder():
    made = LlamaEmbedder(resource("models/loci-minilm-v2-Q8_0.gguf"), "The bundled embedder")
    yield made
    made.close()


@pytest.fixture
def world(tmp_path, embedder):
    vault = Vault(tmp_path / "vault.db", bytes(32), lambda: NOW)
    yield World(vault, embedder)
    vault.close()


def standing(world):
    return [m.text for m in world.memories.list(limit=-1) if m.status is Status.ACTIVE]


@pytest.mark.parametrize(
    ("set_for", "moved"),
    [
        (
            "My appointment at the bank is on 3 July at 14:30.",
            "The bank appointment was moved to 6 July.",
        ),
        (
            "I have an appointment at the bank on 3 July at 14:30.",
            "The bank moved my appointment to 6 July.",
        ),
        (
            "My next dentist appointment is on 3 July at 9.",
            "My dentist appointment has been moved to 6 July.",
        ),
        ("My flight to Porto is on 3 July.", "My flight to Porto was postponed to 4 July."),
        (
            "My interview at Google is on 3 July.",
            "My Google interview was rescheduled to Friday 10 July.",
        ),
        ("My driving test is on 3 July.", "My driving test was brought forward to 1 July."),
        ("My exam is on 3 July.", "My exam was moved to 13 July at 10."),
        ("My surgery is on 3 July.", "My surgery has been postponed to 10 August."),
    ],
)
def test_what_was_moved_takes_the_place_of_the_day_before(world, set_for, moved):
    world.tell(set_for, days=9)
    assert len(standing(world)) == 1
    world.tell(moved, days=4)
    old, new = sorted(world.memories.list(limit=-1), key=lambda memory: memory.pk)
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, new.id)
    assert new.status is Status.ACTIVE
    assert not new.conflicted


def test_moved_twice_the_last_day_stands(world):
    world.tell("My exam is on 3 July.", days=9)
    world.tell("My exam was moved to 10 July.", days=7)
    world.tell("My exam was moved to 14 July.", days=5)
    assert standing(world) == ["Your exam was moved to 14 July 2026"]


def test_every_wording_of_the_day_before_gives_way(world):
    world.tell("My appointment at the bank is on 3 July at 14:30.", days=9)
    world.tell("I have an appointment at the bank on 3 July.", days=8)
    world.tell("The bank appointment was moved to 6 July.", days=4)
    assert standing(world) == ["The bank appointment was moved to 6 July 2026"]


def test_another_appointment_is_left_alone(world):
    world.tell("My dentist appointment is on 3 July at 9.", days=9)
    world.tell("My flight to Rome is on 4 July.", days=8)
    world.tell("The bank appointment was moved to 6 July.", days=4)
    assert len(standing(world)) == 3
    assert not any(memory.conflicted for memory in world.memories.list(limit=-1))


def test_what_says_more_than_the_day_is_not_lost(world):
    world.learn("Your interview at Google is on 3 July 2026 with Dana in Zürich", days=9)
    world.index()
    world.tell("My interview at Google was moved to 6 July.", days=4)
    assert len(standing(world)) == 2
    assert all(memory.conflicted for memory in world.memories.list(limit=-1))


def test_what_is_called_by_some_of_its_words_is_for_the_person_to_decide(world):
    world.tell("My interview at Google is on 3 July.", days=9)
    world.tell("My interview was moved to 6 July.", days=4)
    assert len(standing(world)) == 2
    inbox = Inbox(world.vault, lambda: world.embedder, lambda: NOW)
    (pair,) = inbox.waiting()
    assert (pair.kind, pair.newer.text) == (Clash.SLOT, "Your interview was moved to 6 July 2026")


def test_the_pin_and_what_is_trusted_more_hold(world):
    world.learn("Your exam is on 3 July 2026", days=9, pinned=True)
    world.index()
    world.tell("My exam was moved to 6 July.", days=4)
    assert standing(world) == ["Your exam is on 3 July 2026"]
    world.learn("Your surgery is on 3 July 2026", days=9, trust=Trust.SYSTEM)
    world.index()
    world.tell("My surgery was moved to 6 July.", days=4)
    assert "Your surgery is on 3 July 2026" in standing(world)


def test_the_inbox_sees_two_days_whatever_the_memories_were_taken_for(world):
    world.learn("Your appointment at the bank is on 3 July 2026", days=9, type="episodic")
    world.learn("The bank appointment was moved to 6 July 2026", days=4)
    world.index()
    inbox = Inbox(world.vault, lambda: world.embedder, lambda: NOW)
    drive(inbox.look(1, Note("dream", "contradict", "d"), 0, Event(), lambda *_: None), Event())
    assert [pair.kind for pair in inbox.waiting()] == [Clash.SLOT]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Your concert is on 3 July 2026", "Your concert is on 14 August 2026"),
        ("Your exam is on 3 July 2026", "Your exam is on 3 July 2026 at 9"),
        ("Your exam was moved to 3 July 2026", "Your exam is on 3 July 2026"),
        ("Your exam was moved to 3 July 2026", "Your exam is on 3 May 2027"),
        (
            "Your dentist appointment is on 3 March 2026",
            "Your dentist appointment is on 3 July 2026",
        ),
        ("Your exam was moved to 31 June 2026", "Your exam is on 3 July 2026"),
        ("Your desk was moved to the window", "Your desk is on 3 July 2026"),
        ("The concert was moved to 6 July 2026", "Your exam is on 3 July 2026"),
    ],
)
def test_both_may_be_true(one, other):
    assert not other_day(one, other)
    assert slots.clash(one, other) is None
