"""What was erased, rejected or forgotten comes back by no road but the person's own."""

import json
from datetime import timedelta
from threading import Event

import pytest

from app.domain.ids import new_id
from app.domain.jobs.operation import drive
from app.domain.memory import Candidate, Origin, Scope, Status
from app.memory.change.proposals import ProposalDecisions
from app.memory.consolidate.fold import Folder
from app.memory.consolidate.wording import Wording
from app.memory.erasure.erase import Eraser
from app.memory.learn.context import LearningContext
from app.memory.learn.index import Indexer
from app.memory.review import ReviewJob
from app.memory.suppression import SuppressionList
from app.store.entities import Entities
from app.store.index.vectors import Vectors
from app.store.journal.entries import Note
from tests.fakes.understanding import nearby
from tests.unit.memory.conftest import FRIDAY, FakeChat
from tests.unit.memory.judging import Told

BEES = "I keep bees"


@pytest.fixture
def proposals(desk):
    near = nearby(desk.vault, lambda: desk.models.embedder, lambda: desk.now)
    return ProposalDecisions(desk.store, near, lambda: desk.now)


@pytest.fixture(autouse=True)
def moving(desk):
    """The vault's clock goes with the desk's."""
    desk.vault.clock = lambda: desk.now


def forget(desk, text=BEES):
    desk.later(minutes=1)
    (memory,) = [m for m in desk.all() if m.text == text and m.status is Status.ACTIVE]
    note = Note("user", "forget", new_id(desk.now))
    desk.memories.update(memory.id, {"status": Status.FORGOTTEN}, note)
    desk.later(minutes=1)
    return memory


def erase(desk, text=BEES):
    desk.later(minutes=1)
    (memory,) = [m for m in desk.all() if m.text == text]
    eraser = Eraser(desk.store)
    plan = eraser.of_memories([memory.id])
    eraser.carry_out(plan, frozenset({f"memory:{memory.id}"}))  # the message keeps its words
    desk.later(minutes=1)


def reject(desk, proposals, text=BEES):
    desk.later(minutes=1)
    (memory,) = [m for m in desk.all() if m.text == text and m.status is Status.PROPOSED]
    proposals.reject([memory.id])
    desk.later(minutes=1)


def review(desk, *items):
    """Let a review read everything again, with a model that proposes these items."""
    desk.models.model = FakeChat(json.dumps({"memories": list(items)})) if items else None
    with desk.vault.write() as connection:
        connection.execute("DELETE FROM watermarks")
    desk.set("upkeep.review.min_messages", 1)
    given = LearningContext(
        desk.store,
        desk.models,
        lambda: desk.settings,
        desk.remember,
        lambda: None,
        lambda: desk.now,
    )
    return drive(ReviewJob(given).run({}, lambda saved: None, Event()), Event())


def item(quote, content):
    return {
        "reasoning": "It lasts.",
        "message": 1,
        "quote": quote,
        "content": content,
        "kind": "fact",
    }


# -- forgotten ---------------------------------------------------------------------------------


def test_an_older_message_does_not_bring_back_what_was_forgotten(desk):
    earlier = desk.say("I keep bees.")
    desk.later(minutes=1)
    desk.tell("I keep bees.")
    forget(desk)
    assert desk.learn(earlier).batch == ""
    assert desk.texts() == []
    assert desk.texts("forgotten") == [BEES]


def test_saying_it_again_afterwards_does(desk):
    desk.tell("I keep bees.")
    forget(desk)
    assert desk.tell("I keep bees.").batch
    assert desk.texts() == [BEES]


def test_so_does_asking_for_it(desk):
    said = desk.say("I keep bees.")
    desk.learn(said)
    forget(desk)
    desk.remember.remember_selection(said.id)
    assert desk.texts() == [f"{BEES}."]
    forget(desk, f"{BEES}.")
    desk.remember.remember_text(BEES, 1)
    assert desk.texts() == [BEES]


def test_an_undone_memory_counts_as_forgotten(desk):
    earlier = desk.say("I keep bees.")
    desk.later(minutes=1)
    learned = desk.tell("I keep bees.")
    desk.later(minutes=1)
    desk.journal.undo(learned.batch, Note("user", "undo", "u1"))
    desk.later(minutes=1)
    desk.learn(earlier)
    assert desk.texts() == []


def test_an_older_message_that_says_it_in_other_words_does_not_either(desk):
    earlier = desk.say("I really do live in Ghent.")
    desk.later(minutes=1)
    desk.tell("I live in Ghent.")
    forget(desk, "I live in Ghent")
    desk.learn(earlier)
    assert desk.texts() == []


def test_another_value_is_no_return(desk):
    earlier = desk.say("I live in Lille.")
    desk.later(minutes=1)
    desk.tell("I live in Ghent.")
    forget(desk, "I live in Ghent")
    desk.learn(earlier)
    assert desk.texts() == ["I live in Lille"]


def test_the_same_message_brings_nothing_of_it_back_however_it_is_read(desk):
    said = desk.say("By the way, my sailing boat lies in the harbour of Ostend.")
    candidate = "Your sailing boat lies in the harbour of Ostend"
    desk.models.model = FakeChat(json.dumps({"memories": [item(said.text, candidate)]}))
    desk.learn(said)
    (learnt,) = desk.texts()
    forget(desk, learnt)
    review(desk, item("my sailing boat lies in the harbour", "Your boat lies in the harbour"))
    assert desk.texts() == []


def test_a_review_reads_old_messages_and_brings_nothing_back(desk):
    desk.tell("I keep bees.")
    forget(desk)
    review(desk)
    assert desk.texts() == []
    desk.say("I keep bees.")
    desk.later(minutes=1)
    review(desk)
    assert desk.texts() == [BEES]


# -- rejected ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "again", ["I keep bees.", "I keep BEES!", "It is bees that I keep.", "I do keep bees."]
)
def test_what_was_rejected_is_not_proposed_again(desk, proposals, again):
    desk.set("extraction.ask_first", True)
    desk.tell("I keep bees.")
    reject(desk, proposals)
    desk.tell(again)
    assert desk.texts("proposed") == desk.texts() == []
    review(desk, item(again, "You keep bees"))
    assert desk.texts("proposed") == desk.texts() == []


def test_what_was_rejected_can_be_asked_for(desk, proposals):
    desk.set("extraction.ask_first", True)
    desk.tell("I keep bees.")
    reject(desk, proposals)
    desk.tell("Remember that I keep bees.")
    assert desk.texts() == [BEES]


@pytest.fixture
def nurse(desk):
    """A conversation with another agent, which asks first as well."""
    desk.set("extraction.ask_first", True)
    with desk.vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    return desk.conversations.create(2, created_at=desk.now)


def of(desk, agent_pk):
    return desk.memories.list(limit=-1, scope=Scope(agent_pk))


def proposed(desk, agent_pk):
    return [m.text for m in of(desk, agent_pk) if m.status is Status.PROPOSED]


@pytest.mark.parametrize("first", [1, 2])
def test_what_was_rejected_from_one_agent_may_be_told_to_another(desk, proposals, nurse, first):
    talks = {1: desk.talk, 2: nurse}
    other = 3 - first
    desk.learn(desk.say("I keep bees.", talk=talks[first]))
    desk.later(minutes=1)
    (memory,) = of(desk, first)
    proposals.reject([memory.id])
    desk.later(minutes=1)
    desk.learn(desk.say("I keep bees.", talk=talks[other]))
    desk.learn(desk.say("It is bees that I keep.", talk=talks[first]))
    assert (proposed(desk, first), proposed(desk, other)) == ([], [BEES])


def test_taking_a_rejection_back_takes_back_no_other(desk, nurse):
    gone = SuppressionList(desk.store)
    for agent in (1, 2):
        gone.reject(BEES, agent)
    gone.allow(BEES, 2)
    assert [gone.why_suppressed("Bees, that I keep", agent) for agent in (1, 2)] == ["rejected", ""]


def test_what_was_erased_comes_back_from_no_agent(desk, nurse):
    desk.set("extraction.ask_first", False)
    desk.tell("I keep bees.")
    erase(desk)
    desk.learn(desk.say("It is bees that I keep.", talk=nurse))
    desk.learn(desk.say("I keep bees.", talk=nurse))
    assert of(desk, 1) == of(desk, 2) == []


# -- erased ------------------------------------------------------------------------------------


def test_what_was_erased_comes_back_neither_by_learning_nor_by_review(desk):
    said = desk.say("I keep bees.")
    desk.learn(said)
    erase(desk)
    desk.learn(said)
    desk.tell("I keep bees!")
    review(desk, item("I keep bees", "You keep the bees"), item("I keep bees", "You keep bees"))
    assert desk.all() == []


def test_what_it_said_before_it_was_edited_does_not_come_back_either(desk):
    earlier = desk.say("I keep bees.")
    desk.remember.remember_text(BEES, 1)
    (memory,) = desk.all()
    desk.memories.update(memory.id, {"text": "I keep hens"}, Note("user", "edit", "b2"))
    erase(desk, "I keep hens")
    desk.learn(earlier)
    assert desk.all() == []


def test_an_index_that_is_made_anew_holds_nothing_of_it(desk):
    for text in ("I keep bees.", "I work as a nurse."):
        desk.tell(text)
    forget(desk, "I work as a nurse")
    erase(desk)
    vectors = Vectors(desk.vault)
    with desk.vault.write() as connection:
        connection.execute("DELETE FROM memory_vectors")
        for index in ("memories_fts", "messages_fts"):
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
    drive(
        Indexer(vectors, lambda: desk.models.embedder, Entities(desk.vault)).run(Event()), Event()
    )
    assert desk.texts() == []
    with desk.vault.read() as connection:
        found = connection.execute(
            "SELECT m.text FROM memories_fts AS f JOIN memories AS m ON m.pk = f.rowid"
            " WHERE memories_fts MATCH 'bees OR nurse'"
        ).fetchall()
    assert [row["text"] for row in found] == ["I work as a nurse"]


# -- what is made of others --------------------------------------------------------------------


@pytest.mark.parametrize("how", [erase, forget])
def test_consolidation_makes_no_observation_that_says_it(desk, how):
    desk.models.understanding = Told()
    whole = "I keep black bees in Ostend"
    for text in ("I keep black bees.", "I keep bees in Ostend.", "I keep black bees in Ostend."):
        desk.tell(text)
        desk.later(minutes=1)
    assert whole in desk.texts()
    members = [m for m in desk.all() if m.text != whole]
    folder = Folder(desk.store, lambda: desk.now)
    how(desk, whole)
    with desk.vault.write():
        assert folder.fold(Wording(whole), members, "c1") is None
        assert folder.fold(Wording(f"{whole} harbour"), members, "c2") is not None
    assert whole not in desk.texts()


def test_a_text_that_nobody_stated_is_kept_out_with_the_reason(desk):
    gone = SuppressionList(desk.store)
    assert gone.why_suppressed(BEES, 1) == ""
    desk.tell("I keep bees.")
    forget(desk)
    assert gone.why_suppressed("i keep  BEES.", 1) == "forgotten"
    gone.reject(BEES, 1)
    assert gone.why_suppressed("Bees are kept by me", 1) == ""
    assert gone.why_suppressed("Bees, that I keep", 1) == "rejected"
    gone.allow(BEES, 1)
    assert gone.why_suppressed("Bees, that I keep", 1) == ""


def test_what_somebody_else_says_later_brings_nothing_back(desk):
    desk.tell("I keep bees.")
    memory = forget(desk)
    gone, later = SuppressionList(desk.store), FRIDAY + timedelta(days=9)
    candidate = Candidate(text=BEES, quote="")
    for origin in Origin:
        theirs = origin in (Origin.USER_TYPED, Origin.CONVERSATION, Origin.REVIEW)
        found = gone.forgotten(candidate, origin, later, 1)
        assert (found is None) if theirs else (found is not None and found.id == memory.id)
