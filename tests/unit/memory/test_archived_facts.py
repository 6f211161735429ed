"""What was archived can be corrected, ended and said again, and its list follows."""

from datetime import timedelta
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.memory import Evidence, MemoryType, Status, Visibility
from app.memory.change.comparing import Relation
from app.memory.consolidate.fold import Folder
from app.memory.consolidate.wording import Wording
from app.memory.dream.guardrails import Guardrails
from app.memory.erasure.erase import Eraser
from app.memory.learn.index import Indexer
from app.store.entities import Entities
from app.store.index.vectors import Vectors
from app.store.memories import Note
from tests.unit.memory.judging import Told

HOME, WORK = "I live in Ghent", "I work at Siemens"
HABITS = (
    "I keep bees",
    "I play the cello",
    "I play tennis on Mondays",
    "I study law in Leuven",
    "I drink tea every morning",
)
JUDGED = Told(
    (Relation.REPLACES, HOME, "I live in Lille now"),
    (Relation.ENDS, WORK, "I no longer work at Siemens"),
)


def archive(desk):
    """Archive all but what was said last."""
    for key, value in (("enabled", True), ("threshold", 4), ("target_size", 3)):
        desk.set(f"memory.compaction.{key}", value)
    guards = Guardrails(desk.store, lambda: desk.settings, lambda: desk.now)
    return drive(guards.run({}, lambda data: None, Event()), Event())


def say(desk, *said):
    for text in said:
        desk.tell(f"{text}.")
        desk.later(days=1)


@pytest.fixture
def archived(desk):
    """A desk whose oldest facts are archived."""
    desk.models.understanding = JUDGED
    say(desk, HOME, WORK, *HABITS)
    archive(desk)
    found = {m.text: m for m in desk.all() if m.status is Status.OUT_OF_WINDOW}
    assert found.keys() > {HOME, WORK}
    return found


def lists(desk):
    return " ".join(m.text for m in desk.all() if m.source_ids and m.status is Status.ACTIVE)


def test_an_archived_fact_can_be_corrected(desk, archived):
    before = lists(desk)
    assert "Ghent" in before
    done = desk.tell("I live in Lille now.")
    old = desk.memories.get(archived[HOME].id)
    assert (old.status, old.valid_to) == (Status.SUPERSEDED, desk.now)
    assert desk.memories.get(old.superseded_by).text == "I live in Lille now"
    assert "Ghent" not in lists(desk)
    assert "Siemens" in lists(desk)
    desk.journal.undo(done.batch, Note("user", "undo", "u"))
    assert (desk.memories.get(old.id).status, lists(desk)) == (Status.OUT_OF_WINDOW, before)


def test_an_archived_fact_can_end(desk, archived):
    desk.tell("I no longer work at Siemens.")
    assert desk.memories.get(archived[WORK].id).status is Status.SUPERSEDED
    assert WORK not in lists(desk)


def test_an_archived_fact_that_is_said_again_is_in_use_again(desk, archived):
    desk.tell(f"{HOME}.")
    (now,) = [m for m in desk.all() if m.text == HOME and m.status is Status.ACTIVE]
    desk.later(days=1)
    desk.tell("I live in Lille now.")
    told = {m.id: m.status for m in desk.all() if m.text == HOME}
    assert told == {now.id: Status.SUPERSEDED, archived[HOME].id: Status.SUPERSEDED}
    assert "Ghent" not in lists(desk)


def test_what_says_the_same_in_other_words_ends_with_it_wherever_it_is(desk):
    """People say one thing in several ways; none of them may go on holding, in use or on a list."""
    same, kept = "We live in Ghent, as you know", "My sister lives in Ghent"
    desk.models.understanding = Told(
        (Relation.SAME, HOME, same),
        (Relation.SAME, same, HOME),
        (Relation.REPLACES, HOME, "I live in Lille now"),
    )
    say(desk, HOME, same, kept, *HABITS)
    archive(desk)
    now = "In Ghent is where I live"
    desk.models.understanding.rules += ((Relation.SAME, now, HOME), (Relation.SAME, HOME, now))
    say(desk, now)
    before = {m.text: m.status for m in desk.all() if not m.source_ids}
    assert (before[HOME], before[same]) == (Status.OUT_OF_WINDOW, Status.OUT_OF_WINDOW)
    assert before[now] is Status.ACTIVE
    done = desk.tell("I live in Lille now.")
    after = {m.text: m.status for m in desk.all() if not m.source_ids}
    assert {after[text] for text in (HOME, same, now)} == {Status.SUPERSEDED}
    assert after[kept] is before[kept]
    assert same not in lists(desk)
    desk.journal.undo(done.batch, Note("user", "undo", "u"))
    back = {m.text: m.status for m in desk.all() if not m.source_ids}
    assert {text: back[text] for text in before} == before


FULLER = "My mother, a diabetic, lives with me in Ghent"


@pytest.mark.parametrize(
    "kept", ["says more", "pinned", "an instruction", "another's", "said since"]
)
def test_what_is_not_the_same_or_not_to_be_closed_stays(desk, kept):
    twin = FULLER if kept == "says more" else "Ghent is where I live"
    rules = [(Relation.REPLACES, HOME, "I live in Lille"), (Relation.SAME, twin, HOME)]
    if kept != "says more":
        rules.append((Relation.SAME, HOME, twin))
    desk.models.understanding = Told(*rules)
    say(desk, HOME, twin)
    other = next(m for m in desk.all() if m.text == twin)
    changes = {"pinned": {"pinned": True}, "an instruction": {"type": MemoryType.PROCEDURAL}}
    changes["another's"] = {"visibility": Visibility.GLOBAL}
    with desk.vault.write():
        desk.memories.update(other.id, changes.get(kept, {}), Note("user", "edit", "e"))
        if kept == "said since":
            later = Evidence(twin, desk.now + timedelta(days=9), None)
            desk.memories.add_evidence(other.id, later)
    desk.tell("I live in Lille now.")
    assert HOME not in desk.texts()
    assert twin in desk.texts()


def test_what_is_said_again_is_more_evidence_of_no_list(desk, archived):
    (text,) = archived.keys() & set(HABITS[:1])
    desk.tell(f"{text}.")
    assert text in desk.texts()
    assert [m.seen_count for m in desk.all() if m.source_ids] == [1]


def test_what_contradicts_one_thing_on_a_list_does_not_take_the_place_of_the_list(desk, archived):
    desk.models.understanding = Told((Relation.REPLACES, "What was learnt from", "Lille"))
    indexer = Indexer(Vectors(desk.vault), lambda: desk.models.embedder, Entities(desk.vault))
    drive(indexer.run(Event()), Event())
    before = lists(desk)
    desk.tell("I live in Lille now.")
    assert lists(desk) == before


# -- erasing the conversation in which it was said -------------------------------------------------


def test_the_inventory_of_a_conversation_names_the_list_and_what_it_goes_with(desk, archived):
    plan = Eraser(desk.store).of_conversation(desk.talk.id)
    (named,) = [copy for copy in plan.inventory.copies if copy.follows]
    assert named.label.startswith("A list of archived memories, written anew without")
    on_it = [m.id for m in desk.all() if m.status is Status.OUT_OF_WINDOW]
    assert named.follows == {f"memory:{memory_id}" for memory_id in on_it}
    assert {f"memory:{m.id}" for m in archived.values()} <= named.follows


def test_a_list_is_written_anew_without_what_is_erased_and_that_is_told(desk, archived):
    eraser = Eraser(desk.store)
    plan = eraser.of_conversation(desk.talk.id)
    (named,) = [copy for copy in plan.inventory.copies if copy.follows]
    removed, changes = eraser.carry_out(plan, frozenset({f"memory:{archived[HOME].id}"}))
    assert named.label in removed
    assert named.key.removeprefix("memory:") in changes.memories
    assert "Ghent" not in lists(desk)
    assert "Siemens" in lists(desk)


def test_a_list_of_memories_that_stay_stays_as_it_is_whatever_is_ticked(desk, archived):
    before = lists(desk)
    eraser = Eraser(desk.store)
    plan = eraser.of_conversation(desk.talk.id)
    (named,) = [copy for copy in plan.inventory.copies if copy.follows]
    removed, _ = eraser.carry_out(plan, frozenset({named.key}))
    assert (lists(desk), named.label in removed) == (before, False)


def test_an_observation_drawn_from_what_was_learnt_there_is_named_too(desk):
    say(desk, "I keep black bees", "I keep bees", "I play the cello")
    bees = [m for m in desk.all() if "bees" in m.text]
    with desk.vault.write():
        Folder(desk.store, lambda: desk.now).fold(Wording("I keep black bees"), bees, "b")
    plan = Eraser(desk.store).of_conversation(desk.talk.id)
    (named,) = [copy for copy in plan.inventory.copies if copy.follows]
    assert named.label == "An observation drawn from what was learned here: “I keep black bees”"
    assert named.follows == {f"memory:{m.id}" for m in bees}
