"""What was archived can be corrected, ended and said again, and its list follows."""

from threading import Event

import pytest

from app.domain.memory import Status
from app.jobs.operation import drive
from app.memory.consolidate.fold import Folder
from app.memory.consolidate.wording import Wording
from app.memory.erase import Eraser
from app.memory.guardrails import Guardrails
from app.store.memories import Note

THINGS = ("a red kite", "a blue boat", "an old piano", "a green tent", "a small drone")


def archive(desk):
    """Archive all but what was said last."""
    for key, value in (("enabled", True), ("threshold", 4), ("target_size", 3)):
        desk.set(f"memory.compaction.{key}", value)
    guards = Guardrails(desk.vault, lambda: desk.settings, lambda: desk.now)
    return drive(guards.run({}, lambda data: None, Event()), Event())


def say(desk, *said):
    for text in said:
        desk.tell(text)
        desk.later(days=1)


@pytest.fixture
def archived(desk):
    """A desk whose oldest facts are archived."""
    say(desk, "I live in Ghent.", "I work at Siemens.", *(f"I bought {x}." for x in THINGS))
    archive(desk)
    found = {m.key: m for m in desk.all() if m.status is Status.OUT_OF_WINDOW}
    assert found["home_city"].text == "You live in Ghent"
    assert found["employer"].text == "You work at Siemens"
    return found


def lists(desk):
    return " ".join(m.text for m in desk.all() if m.source_ids and m.status is Status.ACTIVE)


def test_an_archived_fact_can_be_corrected(desk, archived):
    before = lists(desk)
    assert "Ghent" in before
    done = desk.tell("I moved to Lille.")
    old = desk.memories.get(archived["home_city"].id)
    assert (old.status, old.valid_to) == (Status.SUPERSEDED, desk.now)
    assert desk.memories.get(old.superseded_by).value == "Lille"
    assert "Ghent" not in lists(desk)
    assert "Siemens" in lists(desk)
    desk.journal.undo(done.batch, Note("user", "undo", "u"))
    assert (desk.memories.get(old.id).status, lists(desk)) == (Status.OUT_OF_WINDOW, before)


def test_an_archived_fact_can_end(desk, archived):
    desk.tell("I no longer work at Siemens.")
    assert desk.memories.get(archived["employer"].id).status is Status.SUPERSEDED
    assert "You work at Siemens" not in lists(desk)


def test_an_archived_fact_that_is_said_again_is_in_use_again(desk, archived):
    desk.tell("I live in Ghent.")
    (now,) = [m for m in desk.all() if m.key == "home_city" and m.status is Status.ACTIVE]
    assert (now.text, now.value) == ("You live in Ghent", "Ghent")
    desk.later(days=1)
    desk.tell("I moved to Lille.")
    told = {m.id: m.status for m in desk.all() if m.value == "Ghent"}
    assert told == {now.id: Status.SUPERSEDED, archived["home_city"].id: Status.SUPERSEDED}
    assert "Ghent" not in lists(desk)


def test_what_was_archived_without_a_key_is_in_use_again_once_it_is_said_again(desk, archived):
    assert desk.memories.get(archived[None].id).status is Status.OUT_OF_WINDOW
    text = archived[None].text
    desk.tell(text.replace("You", "I", 1) + ".")
    assert text in desk.texts()
    assert [m.seen_count for m in desk.all() if m.source_ids] == [1]


# -- erasing the conversation in which it was said -------------------------------------------------


def test_the_inventory_of_a_conversation_names_the_list_and_what_it_goes_with(desk, archived):
    plan = Eraser(desk.vault).of_conversation(desk.talk.id)
    (named,) = [copy for copy in plan.inventory.copies if copy.follows]
    assert named.label.startswith("A list of archived memories, written anew without")
    on_it = [m.id for m in desk.all() if m.status is Status.OUT_OF_WINDOW]
    assert named.follows == {f"memory:{memory_id}" for memory_id in on_it}
    assert {f"memory:{m.id}" for m in archived.values() if m.key} <= named.follows


def test_a_list_is_written_anew_without_what_is_erased_and_that_is_told(desk, archived):
    eraser = Eraser(desk.vault)
    plan = eraser.of_conversation(desk.talk.id)
    (named,) = [copy for copy in plan.inventory.copies if copy.follows]
    removed, changes = eraser.carry_out(plan, frozenset({f"memory:{archived['home_city'].id}"}))
    assert named.label in removed
    assert named.key.removeprefix("memory:") in changes.memories
    assert "Ghent" not in lists(desk)
    assert "Siemens" in lists(desk)


def test_a_list_of_memories_that_stay_stays_as_it_is_whatever_is_ticked(desk, archived):
    before = lists(desk)
    eraser = Eraser(desk.vault)
    plan = eraser.of_conversation(desk.talk.id)
    (named,) = [copy for copy in plan.inventory.copies if copy.follows]
    removed, _ = eraser.carry_out(plan, frozenset({named.key}))
    assert (lists(desk), named.label in removed) == (before, False)


def test_an_observation_drawn_from_what_was_learnt_there_is_named_too(desk):
    say(desk, "I own a red boat.", "I own a boat.", "I sail.")
    boats = [m for m in desk.all() if "boat" in m.text]
    with desk.vault.write():
        Folder(desk.vault, lambda: desk.now).fold(Wording("You own a red boat"), boats, "b")
    plan = Eraser(desk.vault).of_conversation(desk.talk.id)
    (named,) = [copy for copy in plan.inventory.copies if copy.follows]
    assert named.label == "An observation drawn from what was learnt here: “You own a red boat”"
    assert named.follows == {f"memory:{m.id}" for m in boats}
