"""What waits for the person: accept, edit, reject, all of a conversation; and what contradicts."""

from datetime import timedelta
from threading import Event

import pytest

from app.domain.contradiction import Clash, Settlement
from app.domain.jobs.operation import drive
from app.domain.memory import Memory, MemoryFilter, Status
from app.domain.reply import MAY_REPLACE, became_of
from app.errors import NotFound, Refused
from app.store.journal.contradictions import Contradictions
from app.store.journal.entries import Note
from app.store.memories import Memories
from tests.unit.services.profile import NOW, learn, send
from tests.unit.services.ruling import Ruling, moved


@pytest.fixture
def asking(services):
    """A profile that asks before it remembers."""
    services.preferences.set("extraction.ask_first", True)
    return services


def told(services, *texts):
    """Say things in one conversation; return it and what waits because of them, newest first."""
    talk = None
    for text in texts:
        talk, _ = send(services, text, talk)
        learn(services)
    return talk, [proposal.memory for proposal in services.attention.proposals()]


def texts(services, status=Status.ACTIVE):
    wanted = MemoryFilter(statuses=frozenset({status}))
    return sorted(memory.text for memory in services.memories.list(wanted))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My blood type is A positive", "My blood type is O negative"),
        ("My middle name is Rose", "My middle name is Ruth"),
        ("My grandmother was born in Hull", "My grandmother was born in Leeds"),
        ("I met my wife Ana in Hull", "I met my wife Ana in Leeds"),
        ("My father was a baker all his life", "My father was a teacher all his life"),
    ],
)
def test_what_is_said_against_what_was_said_before_is_found_in_the_inbox(services, first, then):
    talk, _ = send(services, f"{first}.")
    learn(services)
    assert services.attention.counts().contradictions == 0
    _, events = send(services, f"{then}.", talk)
    assert events[-1].message.text.startswith(f"Remembered: “{then}”. It may replace")
    (*_, receipt) = services.conversations.receipts(events[-1].message.conversation_id)
    assert became_of(receipt)[-1].why == MAY_REPLACE
    assert texts(services) == sorted([first, then]), "nothing is closed without the person"
    (pair,) = services.attention.contradictions()
    assert (pair.older.text, pair.newer.text) == (first, then)
    assert pair.older.conflicted
    assert pair.newer.conflicted
    assert services.attention.counts().contradictions == 1
    services.attention.settle(pair, Settlement.KEEP_NEWER)
    assert texts(services) == [then]
    assert services.attention.counts().contradictions == 0


def test_what_is_learnt_waits_where_the_person_wants_to_be_asked(asking):
    _, (memory,) = told(asking, "I'm allergic to walnuts.")
    assert memory.status is Status.PROPOSED
    assert memory.status_reason
    assert texts(asking) == []
    assert asking.attention.counts().proposals == 1
    (proposal,) = asking.attention.proposals()
    assert proposal.evidence.quote == "I'm allergic to walnuts"
    assert asking.memories.recall("What am I allergic to?").hits[0].id != memory.id


def test_what_the_person_asks_for_by_name_does_not_wait(asking):
    told(asking, "Remember that my locker is number 12.")
    assert asking.attention.counts().proposals == 0
    assert len(texts(asking)) == 1


def test_accepting_makes_it_a_memory_and_can_be_undone(asking):
    _, (memory,) = told(asking, "I'm allergic to walnuts.")
    changes = asking.attention.accept([memory.id])
    assert texts(asking) == ["I'm allergic to walnuts"]
    assert changes.memories == {memory.id}
    (batch,) = changes.batches
    asking.undo.undo(batch)
    assert asking.attention.counts().proposals == 1
    with pytest.raises(NotFound, match="no longer"):
        asking.attention.accept([memory.id, "another"])


def test_accepting_with_another_text(asking):
    _, (memory,) = told(asking, "I'm allergic to walnuts.")
    asking.attention.accept([memory.id], "I'm allergic to walnuts and pecans")
    assert texts(asking) == ["I'm allergic to walnuts and pecans"]


def test_a_text_fits_one_memory(asking):
    _, found = told(asking, "I'm allergic to walnuts.", "I own a boat called Merel.")
    with pytest.raises(Refused, match="one memory"):
        asking.attention.accept([memory.id for memory in found], "Something")


def test_what_is_rejected_is_not_proposed_again(asking):
    _, (memory,) = told(asking, "I'm allergic to walnuts.")
    asking.attention.reject([memory.id])
    assert asking.attention.counts().proposals == 0
    told(asking, "I am allergic to walnuts!", "Also, I'm allergic to walnuts.")
    assert asking.attention.counts().proposals == 0
    assert texts(asking) == []


def test_all_of_one_conversation_at_once(asking):
    first, _ = told(asking, "I'm allergic to walnuts.", "I own a boat called Merel.")
    told(asking, "I play the cello in an orchestra.")
    assert len(asking.attention.proposals(first)) == 2
    asking.attention.accept([p.memory.id for p in asking.attention.proposals(first)])
    assert texts(asking) == ["I own a boat called Merel", "I'm allergic to walnuts"]
    assert asking.attention.counts().proposals == 1
    assert not asking.attention.proposals(first)


def test_what_is_accepted_takes_the_place_of_what_it_is_instead_of(opened, monkeypatch):
    services = opened.services
    monkeypatch.setattr(opened.host, "current_understanding", lambda: Ruling(moved))
    told(services, "I work as a nurse in Leeds.")
    services.preferences.set("extraction.ask_first", True)
    _, (memory,) = told(services, "I work as a nurse in York now.")
    assert texts(services) == ["I work as a nurse in Leeds"]
    changes = services.attention.accept([memory.id])
    assert texts(services) == ["I work as a nurse in York now"]
    assert texts(services, Status.SUPERSEDED) == ["I work as a nurse in Leeds"]
    (batch,) = changes.batches
    services.undo.undo(batch)
    assert texts(services) == ["I work as a nurse in Leeds"]


def test_a_contradiction_waits_until_it_is_settled(opened):
    services, rows = opened.services, Memories(opened.store.vault)
    pks = []
    for number, name in enumerate(("Kim", "Patel")):
        at = NOW + timedelta(hours=number)
        memory = Memory(f"m{number}", f"My dentist is Dr {name}", at, at, agent_pk=1)
        pks.append(rows.insert(memory, (), Note("user", "insert", f"b{number}")).pk)
    Contradictions(opened.store.vault).note(*pks, Clash.SLOT)
    assert services.attention.counts().contradictions == 1
    (pair,) = services.attention.contradictions()
    assert services.attention.merge_text(pair) == (
        "My dentist is Dr Patel. Before: My dentist is Dr Kim."
    )
    changes = services.attention.settle(pair, Settlement.KEEP_NEWER)
    assert changes.memories == {"m0", "m1"}
    assert services.attention.counts().contradictions == 0
    (batch,) = changes.batches
    services.undo.undo(batch)
    assert services.attention.counts().contradictions == 1, "undone, it waits again"


def test_a_rejection_that_is_undone_lets_it_be_learnt_again(asking):
    _, (memory,) = told(asking, "I'm allergic to walnuts.")
    (batch,) = asking.attention.reject([memory.id]).batches
    asking.undo.undo(batch)
    asking.memories.forget([memory.id])
    drive(asking.background.run(), Event())
    told(asking, "Also, I'm allergic to walnuts.")
    assert asking.attention.counts().proposals == 1


def test_accepting_that_something_is_over_ends_it_and_can_be_undone(services):
    told(services, "I work at KBC.")
    services.preferences.set("extraction.ask_first", True)
    _, (memory,) = told(services, "I no longer work at KBC.")
    assert texts(services) == ["I work at KBC"]
    (batch,) = services.attention.accept([memory.id]).batches
    assert texts(services) == ["I no longer work at KBC"]
    services.undo.undo(batch)
    assert texts(services) == ["I work at KBC"]


def test_undoing_another_text_lets_the_old_one_be_proposed_again(asking):
    _, (memory,) = told(asking, "I'm allergic to walnuts.")
    (batch,) = asking.attention.accept([memory.id], "I'm allergic to hazelnuts").batches
    told(asking, "I'm allergic to walnuts!")
    assert asking.attention.counts().proposals == 0
    asking.undo.undo(batch)
    assert [p.memory.text for p in asking.attention.proposals()] == ["I'm allergic to walnuts"]
    asking.memories.forget([memory.id])
    told(asking, "Also, I'm allergic to walnuts.")
    assert asking.attention.counts().proposals == 1, "it was not turned away any more"
