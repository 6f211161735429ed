"""An import brings back nothing that the person erased, rejected or forgot since."""

from datetime import timedelta

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import DEFAULT_SCOPE, Evidence, Memory, MemoryFilter, Scope, Status
from app.memory.erasure.erase import Eraser
from app.memory.suppression import SuppressionList
from app.store.entities import Entities
from app.store.journal.entries import Journal, Note
from app.store.store import Store
from tests.unit.exchange.test_round_trip import NOW, Home, fill, forged, home, stranger

__all__ = ("home", "stranger")

WALNUTS = "You are allergic to walnuts"
BY_HAND = Note("user", "insert", "b1")
ACTIVE = MemoryFilter(statuses=frozenset({Status.ACTIVE, Status.PROPOSED}))


@pytest.fixture(params=["signed", "claimed"])
def bring_in(request, home, tmp_path):
    """Fill a home, export it, and bring the export in later, as it was written or changed."""
    fill(home)
    (talk,) = home.talks.list(1)
    home.talks.rename(talk.id, "I am allergic to walnuts.")
    path = tmp_path / "out.zip"
    home.export(path)
    if request.param == "claimed":
        path = tmp_path / "claimed.zip"
        forged(tmp_path / "out.zip", path, lambda name, data: data + b" " * (name == "README.md"))

    def come():
        report = home.bring_in(path)
        assert report.verified is (request.param == "signed")
        return report

    return come


def texts(home):
    return [m.text for m in home.memories.list(DEFAULT_SCOPE, ACTIVE)]


def erase(home, memory_id, ticked=frozenset()):
    eraser = Eraser(Store(home.vault))
    return eraser.carry_out(eraser.of_memories([memory_id]), ticked)


def test_what_was_erased_stays_so(home, bring_in):
    erase(home, "m1")
    report = bring_in()
    assert texts(home) == []
    assert "1 entry was erased here before and stays erased." in report.notes
    assert Journal(home.vault).of_memory("m1") == []


def test_a_name_that_only_what_was_erased_mentions_stays_gone(home, tmp_path):
    entities = Entities(home.vault)
    for memory_id, text, name in (("n0", "Berenike sails", "Berenike"), ("n1", "Ruth", "Ruth")):
        memory = Memory(memory_id, text, NOW, NOW, agent_pk=1)
        entities.link(home.memories.insert(memory, (), BY_HAND).pk, [name], 1, NOW)
    home.export(tmp_path / "out.zip")
    erase(home, "n0")
    home.memories.delete("n1")
    assert home.bring_in(tmp_path / "out.zip").verified
    assert [entity.name for entity in entities.list(1)] == ["Ruth"]


def test_what_was_erased_once_it_was_edited_does_not_come_back_as_it_was_before(home, bring_in):
    home.memories.update("m1", {"text": "You may eat nuts"}, Note("user", "edit", "b9"))
    erase(home, "m1")
    bring_in()
    assert texts(home) == []
    assert Journal(home.vault).of_memory("m1") == []


def test_what_was_erased_stays_so_in_other_words(home, stranger, tmp_path):
    fill(stranger)
    stranger.memories.update(
        "m1", {"text": "Walnuts: you are allergic"}, Note("user", "edit", "b9")
    )
    stranger.export(tmp_path / "theirs.zip")
    fill(home)
    erase(home, "m1")
    report = home.bring_in(tmp_path / "theirs.zip")
    assert texts(home) == []
    assert "1 entry was erased here before and stays erased." in report.notes


def test_what_was_rejected_stays_so(home, bring_in):
    home.memories.delete("m1")
    SuppressionList(Store(home.vault)).reject("You are allergic to walnuts!", 1)
    report = bring_in()
    assert texts(home) == []
    assert "1 entry was rejected here before and stays rejected." in report.notes


def test_what_was_rejected_from_another_agent_comes_back(home, bring_in):
    home.memories.delete("m1")
    SuppressionList(Store(home.vault)).reject("You are allergic to walnuts!", 2)
    report = bring_in()
    assert texts(home) == [WALNUTS]
    assert not [note for note in report.notes if "rejected" in note]


def test_what_was_rejected_from_its_agent_does_not(home, tmp_path):
    with home.vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    for agent, text in ((1, "You sail"), (2, "You sail"), (2, "You row")):
        memory = Memory(f"{agent} {text}", text, NOW, NOW, agent_pk=agent)
        home.memories.insert(memory, (), Note("user", "insert", "b1"))
    home.export(tmp_path / "out.zip")
    for memory_id in ("1 You sail", "2 You sail", "2 You row"):
        home.memories.delete(memory_id)
    SuppressionList(Store(home.vault)).reject("You sail", 2)
    home.bring_in(tmp_path / "out.zip")
    found = {m.id for agent in (1, 2) for m in home.memories.list(scope=Scope(agent))}
    assert found == {"1 You sail", "2 You row"}


def test_what_was_forgotten_stays_so(home, bring_in):
    home.memories.update("m1", {"status": Status.FORGOTTEN}, Note("user", "forget", "b9"))
    report = bring_in()
    assert texts(home) == []
    if not report.verified:  # otherwise the row itself was met, and is as it was left
        assert "1 entry was forgotten here before and stays forgotten." in report.notes
    bring_in()
    assert texts(home) == []


def test_an_erased_conversation_stays_so(home, bring_in):
    (talk,) = home.talks.list(1)
    eraser = Eraser(Store(home.vault))
    plan = eraser.of_conversation(talk.id)
    eraser.carry_out(plan, frozenset())
    bring_in()
    assert home.talks.list(1) == []
    assert home.talks.search("walnuts", 1, 9) == []


def test_erased_words_stay_out_of_what_a_changed_export_holds(home, bring_in):
    (talk,) = home.talks.list(1)
    (said, *_) = home.messages.branch(talk.id)
    assert "walnuts" in talk.title
    erase(home, "m1", frozenset({f"message:{said.id}", f"title:{talk.id}"}))
    bring_in()
    found = [m for t in home.talks.list(1) for m in home.messages.branch(t.id)]
    assert not [m.text for m in found if "walnuts" in m.text]
    assert not [t.title for t in home.talks.list(1) if "walnuts" in t.title]


def test_a_restored_export_still_brings_back_what_was_only_lost(home, bring_in):
    home.memories.delete("m1")
    report = bring_in()
    assert texts(home) == [WALNUTS]
    assert not [note for note in report.notes if "stay" in note]


def test_saying_it_again_later_is_heard_although_it_was_imported_and_forgotten(home, bring_in):
    home.memories.update("m1", {"status": Status.FORGOTTEN}, Note("user", "forget", "b9"))
    bring_in()
    talk = home.talks.create(1)
    parts = (Part("I am allergic to walnuts.", PartOrigin.TYPED),)
    said = home.messages.add(talk.id, Role.USER, parts, created_at=NOW + timedelta(days=1))
    again = Memory("m9", WALNUTS, NOW, NOW, agent_pk=1)
    home.memories.insert(again, (Evidence("", NOW, said.id),), Note("user", "insert", "b10"))
    bring_in()
    assert texts(home) == [WALNUTS]


assert Home
