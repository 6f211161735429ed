"""Forgetting all that came from one source, and taking that back."""

import pytest

from app.domain.history import MemorySource, SourceKind
from app.domain.memory import Memory, Origin, Status
from app.memory.change.comparing import Relation
from app.memory.erasure.forget import Forgetter
from app.store.journal.entries import Note
from tests.unit.memory.judging import Told


@pytest.fixture
def forgetter(desk):
    desk.models.understanding = Told((Relation.REPLACES, "I live in", "I live in"))
    return Forgetter(desk.store, lambda: desk.now)


def source_of(talk):
    return MemorySource(SourceKind.CONVERSATION, talk.id)


def test_a_conversation_is_forgotten_as_one_batch(desk, forgetter):
    other = desk.conversations.create(1, created_at=desk.now)
    for text in ("I keep bees.", "I play the cello.", "I study law in Leuven."):
        desk.tell(text)
    desk.learn(desk.say("I play the cello.", talk=other))
    batch, ids = forgetter.forget(source_of(desk.talk))
    assert desk.texts() == ["I play the cello"]
    assert len(ids) == 2
    assert {e.op for e in desk.journal.of_batch(batch)} == {"forget"}
    assert desk.journal.undo(batch, Note("user", "undo", "u1")) == (set(ids), [])
    assert len(desk.texts()) == 3
    assert forgetter.forget(MemorySource(SourceKind.IMPORT, "none"))[1] == frozenset()


def test_what_it_replaced_is_known_again(desk, forgetter):
    desk.tell("I live in Ghent.")
    before = [m for m in desk.all() if m.text == "I live in Ghent"]
    other = desk.conversations.create(1, created_at=desk.now)
    desk.later(days=1)
    desk.learn(desk.say("I live in Porto now.", talk=other))
    assert desk.texts() == ["I live in Porto now"]
    batch, _ = forgetter.forget(source_of(other))
    assert desk.texts() == ["I live in Ghent"]
    (now,) = [m for m in desk.all() if m.text == "I live in Ghent"]
    assert (now.valid_to, now.superseded_by) == (before[0].valid_to, None)
    assert desk.journal.undo(batch, Note("user", "undo", "u1"))[1] == []
    assert desk.texts() == ["I live in Porto now"]


def test_what_was_archived_before_it_was_replaced_is_archived_again_and_says_why(desk, forgetter):
    desk.tell("I live in Ghent.")
    (old,) = desk.all()
    archived = {"status": Status.OUT_OF_WINDOW, "status_reason": "Archived."}
    desk.memories.update(old.id, archived, Note("compact", "archive", "b1"))
    other = desk.conversations.create(1, created_at=desk.now)
    desk.later(days=1)
    desk.learn(desk.say("I live in Porto now.", talk=other))
    assert desk.memories.get(old.id).status_reason == ""
    forgetter.forget(source_of(other))
    back = desk.memories.get(old.id)
    assert (back.status, back.status_reason) == (Status.OUT_OF_WINDOW, "Archived.")


def test_what_has_another_heir_by_now_stays_replaced(desk, forgetter):
    desk.tell("I live in Ghent.")
    other = desk.conversations.create(1, created_at=desk.now)
    for where, talk in (("Porto", other), ("Lille", desk.talk)):
        desk.later(days=1)
        desk.learn(desk.say(f"I live in {where} now.", talk=talk))
    forgetter.forget(source_of(other))
    assert desk.texts() == ["I live in Lille now"]
    assert desk.texts("superseded") == ["I live in Ghent"]


def test_what_was_drawn_from_it_says_no_more_than_the_rest(desk, forgetter):
    desk.tell("I keep bees.")
    (one,) = desk.all()
    fields = {"origin": Origin.CONSOLIDATION, "proof_count": 1, "source_ids": (one.id,)}
    drawn = Memory("", "I keep fine bees", desk.now, desk.now, **{"agent_pk": 1, **fields})
    drawn = desk.memories.insert(drawn, (), Note("consolidate", "insert", "c1"))
    source = source_of(desk.talk)
    assert forgetter.holding(source).derived == (drawn.id,)
    _, ids = forgetter.forget(source)
    assert ids == {one.id, drawn.id}
    assert desk.memories.get(drawn.id).status is Status.FORGOTTEN


def test_what_is_pinned_goes_only_when_asked_for(desk, forgetter):
    desk.tell("I keep bees.")
    (one,) = desk.all()
    desk.memories.update(one.id, {"pinned": True}, Note("user", "pin", "p1"))
    forgetter.forget(source_of(desk.talk))
    assert desk.texts() == ["I keep bees"]
    forgetter.forget(source_of(desk.talk), protected=True)
    assert desk.texts() == []
