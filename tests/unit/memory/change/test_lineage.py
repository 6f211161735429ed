"""Observations stay true to their statements, whatever becomes of those; one undo does both."""

from dataclasses import replace
from threading import Event

import pytest

from app.domain.contradiction import Clash, Settlement
from app.domain.memory import Status, Trust
from app.memory.change.lineage import NOTHING_LEFT, REPLACED, Lineage
from app.store.journal.entries import Note
from app.store.store import Store
from tests.unit.memory.consolidate.conftest import GHENT, STATION, Nights, nights

__all__ = ("nights",)

RUTH = "I live in Ghent with Ruth"
BOTH = "I live in Ghent near the station with Ruth"


@pytest.fixture
def drawn(nights: Nights):
    """An observation of three statements, and the statements by their text."""
    nights.know(GHENT, STATION, BOTH)
    nights.pass_by()
    (found,) = nights.drawn()
    assert (found.text, found.proof_count) == (BOTH, 3)
    return found


def said(nights, text):
    return next(m for m in nights.all() if m.text == text and m.proof_count is None)


def forget(nights, *texts, batch="f"):
    """Forget statements as the person does."""
    ids = [said(nights, text).id for text in texts]
    note = Note("user", "forget", batch)
    with nights.vault.write():
        for memory_id in ids:
            nights.memories.update(memory_id, {"status": Status.FORGOTTEN}, note)
        return Lineage(Store(nights.vault)).after_removal(ids, note)


def test_what_only_a_forgotten_statement_said_is_no_longer_said(nights, drawn):
    changed = forget(nights, BOTH)
    now = nights.memories.get(drawn.id)
    assert (now.text, now.proof_count) == (STATION, 2)
    assert nights.texts(now.source_ids) == {GHENT, STATION}
    assert now.occurred_at == said(nights, STATION).created_at
    assert said(nights, BOTH).consolidated_at is None
    assert set(changed) == {drawn.id, said(nights, BOTH).id}


def test_what_others_say_too_stays_with_fewer_proofs(nights, drawn):
    forget(nights, GHENT)
    now = nights.memories.get(drawn.id)
    assert (now.text, now.proof_count, now.status) == (BOTH, 2, Status.ACTIVE)


def test_an_observation_of_which_nothing_is_left_is_forgotten_too(nights, drawn):
    forget(nights, GHENT, STATION, BOTH)
    now = nights.memories.get(drawn.id)
    assert (now.status, now.status_reason) == (Status.FORGOTTEN, NOTHING_LEFT)


def test_one_undo_takes_back_both(nights, drawn):
    before = {m.id: m for m in nights.all()}
    forget(nights, BOTH)
    assert nights.journal.undo("f", Note("user", "undo", "u"))[1] == []
    for memory in nights.all():
        old = before[memory.id]
        assert memory == replace(old, revision=memory.revision, updated_at=memory.updated_at)
    assert nights.pass_by().figures == {}


def test_what_is_restored_may_be_folded_again(nights, drawn):
    forget(nights, GHENT, STATION, BOTH)
    for text in (GHENT, STATION, BOTH):
        note = Note("user", "restore", f"back {text}")
        nights.memories.update(said(nights, text).id, {"status": Status.ACTIVE}, note)
    assert nights.pass_by().figures["created"] == 1


def test_words_that_are_left_do_not_bring_back_the_sentence_that_was_forgotten(nights):
    nights.know(GHENT, STATION, "I reside in Ghent near the station")
    nights.pass_by()
    (drawn,) = nights.drawn()
    forget(nights, drawn.text)
    assert nights.drawn()[0].text != drawn.text


def test_a_forgotten_observation_lets_its_statements_join_others(nights, drawn):
    note = Note("user", "forget", "f")
    nights.memories.update(drawn.id, {"status": Status.FORGOTTEN}, note)
    Lineage(Store(nights.vault)).after_removal([drawn.id], note)
    assert nights.pass_by().figures == {}
    nights.know(f"{GHENT} on the river")
    assert nights.pass_by().figures["created"] == 1


@pytest.mark.parametrize(
    "fields",
    [{"text": "I live in Lille"}, {"trust": Trust.EXTERNAL}, {"expires_at": "soon"}],
)
def test_a_statement_that_changed_proves_nothing_any_more(nights, drawn, fields):
    fields = {k: nights.now if v == "soon" else v for k, v in fields.items()}
    note = Note("user", "edit", "e")
    edited = said(nights, BOTH)
    nights.memories.update(edited.id, fields, note)
    Lineage(Store(nights.vault)).after_edit(edited.id, note)
    now = nights.memories.get(drawn.id)
    assert (now.proof_count, edited.id in now.source_ids) == (2, False)
    assert now.text == STATION
    assert nights.memories.get(edited.id).consolidated_at is None


def test_a_change_that_says_no_less_leaves_the_observation_alone(nights, drawn):
    note = Note("user", "edit", "e")
    edited = said(nights, GHENT)
    nights.memories.update(edited.id, {"text": "I live in Ghent.", "tags": ("x",)}, note)
    assert Lineage(Store(nights.vault)).after_edit(edited.id, note) == []
    assert Lineage(Store(nights.vault)).after_edit("gone", note) == []
    assert nights.memories.get(drawn.id) == drawn


def test_what_was_replaced_is_said_by_no_observation(nights, drawn):
    note = Note("user", "supersede", "s")
    old = said(nights, GHENT)
    nights.memories.update(old.id, {"status": Status.SUPERSEDED}, note)
    Lineage(Store(nights.vault)).after_replacement([old.id], note)
    now = nights.memories.get(drawn.id)
    assert (now.status, now.status_reason) == (Status.FORGOTTEN, REPLACED)
    assert said(nights, STATION).consolidated_at is None
    nights.journal.undo("s", Note("user", "undo", "u"))
    assert nights.memories.get(drawn.id).status is Status.ACTIVE


def test_the_next_night_puts_right_what_nobody_did(nights, drawn):
    nights.memories.update(said(nights, BOTH).id, {"text": "I sail"}, Note("user", "edit", "e"))
    done = nights.pass_by()
    now = nights.memories.get(drawn.id)
    assert (now.text, now.proof_count, done.figures["redrawn"]) == (STATION, 2, 1)
    over = {"status": Status.SUPERSEDED, "valid_to": nights.now}
    nights.memories.update(said(nights, GHENT).id, over, Note("user", "supersede", "s"))
    assert nights.pass_by().figures == {"redrawn": 1}
    assert nights.memories.get(drawn.id).status is Status.FORGOTTEN
    assert nights.pass_by().figures == {}


def test_what_the_person_wrote_into_an_observation_is_theirs(nights, drawn):
    nights.memories.update(drawn.id, {"text": "I love Ghent"}, Note("user", "edit", "e"))
    assert Lineage(Store(nights.vault)).is_reworded(drawn.id)
    forget(nights, GHENT, STATION, BOTH)
    now = nights.memories.get(drawn.id)
    assert (now.text, now.status) == ("I love Ghent", Status.ACTIVE)
    assert nights.pass_by().figures == {}
    nights.journal.undo("e", Note("user", "undo", "u"))
    assert nights.memories.get(drawn.id).text == "I love Ghent"  # changed since: left alone


def test_an_erasure_takes_observations_with_it_and_the_rest_is_folded_anew(nights, drawn):
    lineage = Lineage(Store(nights.vault))
    memory = said(nights, BOTH)
    assert [m.id for m in lineage.erased_with(memory.id)] == [drawn.id]
    assert lineage.before_erasure(memory.id) == [drawn.id]
    nights.memories.delete(memory.id)
    assert nights.memories.by_ids([drawn.id]) == []
    assert nights.journal.of_memory(drawn.id) == []
    assert nights.pass_by().figures["created"] == 1
    assert nights.drawn()[0].text == STATION


def test_an_erasure_takes_observations_that_are_out_of_use_too(nights, drawn):
    nights.memories.update(drawn.id, {"status": Status.FORGOTTEN}, Note("user", "forget", "f"))
    assert Lineage(Store(nights.vault)).before_erasure(said(nights, GHENT).id) == [drawn.id]


def test_what_grows_too_old_leaves_its_observation_as_it_is(nights, drawn):
    nights.memories.delete(said(nights, GHENT).id)
    assert nights.pass_by().figures == {}
    now = nights.memories.get(drawn.id)
    assert (now.proof_count, len(now.source_ids)) == (3, 3)


def test_statements_that_a_dream_put_away_still_count(nights, drawn):
    stale = {"status": Status.FORGOTTEN, "status_reason": "Neither changed nor used."}
    nights.memories.update(said(nights, BOTH).id, stale, Note("dream", "prune", "d"))
    summed = {"status": Status.SUPERSEDED, "superseded_by": "summary"}
    nights.memories.update(said(nights, GHENT).id, summed, Note("dream", "summarise", "d"))
    assert nights.pass_by().figures == {}
    assert nights.memories.get(drawn.id) == drawn
    forget(nights, STATION)
    now = nights.memories.get(drawn.id)
    assert (now.text, now.proof_count, now.status) == (BOTH, 2, Status.ACTIVE)


def test_a_contradiction_that_the_person_settled_ends_the_observation(nights, drawn):
    inbox = nights.inbox
    newer = nights.know("I live in Lille")
    with nights.vault.write():
        inbox.between(newer, said(nights, GHENT), Clash.SLOT, Note("dream", "contradict", "c"))
    (pair,) = inbox.waiting(1)
    batch = inbox.settle(pair.id, Settlement.KEEP_NEWER)
    assert nights.memories.get(drawn.id).status is Status.FORGOTTEN
    nights.journal.undo(batch, Note("user", "undo", "u"))
    assert nights.memories.get(drawn.id).status is Status.ACTIVE


def test_an_observation_contradicts_nothing_that_its_statements_do_not(nights, drawn):
    nights.know("I live in Lille near the station with Ruth")
    inbox = nights.inbox
    nights.pass_by()
    for _ in inbox.look(1, Note("dream", "contradict", "c"), 0, Event(), lambda *came: None):
        pass
    assert [pair.older.proof_count for pair in inbox.waiting(1)] == [None]
    assert not nights.memories.get(drawn.id).conflicted
