"""Proposals: whatever the order in which they are accepted, what was said last holds."""

from datetime import timedelta
from itertools import permutations
from threading import Event

import pytest

from app.domain.ids import new_id
from app.domain.jobs.operation import drive
from app.domain.memory import Evidence, Memory, Origin, Status, Trust
from app.memory.change.comparing import Comparer, Relation
from app.memory.change.nearby import Nearby
from app.memory.change.proposals import ProposalDecisions
from app.memory.learn.index import Indexer
from app.store.entities import Entities
from app.store.index.vectors import Vectors
from app.store.journal.entries import Note
from app.store.proposals import Proposals
from tests.unit.memory.judging import Told

PLACES = ("Ghent", "Lille", "Porto")
MOVES = tuple(f"My brother Tom lives in {place}" for place in PLACES)
HOMES = tuple(f"I live in {place}" for place in PLACES)
JUDGED = Told(
    (Relation.REPLACES, "My brother Tom lives", "My brother Tom lives"),
    (Relation.ENDS, "I work at KBC", "I no longer work at KBC"),
    (Relation.REPLACES, "I no longer work at KBC", "I work at KBC"),
)


@pytest.fixture
def asking(desk):
    desk.set("extraction.ask_first", True)
    desk.models.understanding = JUDGED
    near = Nearby(
        desk.store, lambda: desk.models.embedder, Comparer(lambda: JUDGED), lambda: desk.now
    )
    desk.proposals = ProposalDecisions(desk.store, near, lambda: desk.now)
    return desk


def waiting(desk):
    return [proposal.memory for proposal in desk.proposals.waiting()]


def told(desk, *texts):
    for text in texts:
        desk.tell(f"{text}.")
        desk.later(days=1)


def keyed(desk, *texts):
    """Let memories with one key wait, one said a day after the other."""
    for text in texts:
        known = {"key": "home_city", "value": text.split()[-1], "status": Status.PROPOSED}
        memory = Memory(new_id(desk.now), text, desk.now, desk.now, **{"agent_pk": 1, **known})
        said = Evidence(text, desk.now)
        desk.memories.insert(memory, (said,), Note("import", "insert", "b"))
        desk.later(days=1)


def saying(desk, text):
    return next(m for m in waiting(desk) if m.text == text)


@pytest.mark.parametrize(("road", "texts"), [(told, MOVES), (keyed, HOMES)])
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_one_by_one_in_any_order_the_newest_value_holds(asking, order, road, texts):
    road(asking, *texts)
    for place in order:
        asking.proposals.accept([saying(asking, texts[place]).id])
        asking.later(minutes=1)
    assert asking.texts() == [texts[2]]
    old = [m for m in asking.all() if m.text in texts[:2]]
    assert {m.status for m in old} == {Status.SUPERSEDED}
    assert all(m.valid_to is not None and m.superseded_by for m in old)


@pytest.mark.parametrize(("road", "texts"), [(told, MOVES), (keyed, HOMES)])
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_all_at_once_in_any_order_the_newest_value_holds(asking, order, road, texts):
    road(asking, *texts)
    ids = [saying(asking, texts[place]).id for place in order]
    batch = asking.proposals.accept(ids)
    assert asking.texts() == [texts[2]]
    asking.journal.undo(batch, Note("user", "undo", "u"))
    assert {m.status for m in asking.all()} == {Status.PROPOSED}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_is_over_ends_it_in_any_order(asking, order):
    told(asking, "I work at KBC", "I no longer work at KBC", "I keep bees")
    said = sorted(waiting(asking), key=lambda m: m.pk)
    for place in order:
        asking.proposals.accept([said[place].id])
    assert asking.texts() == ["I no longer work at KBC", "I keep bees"]


@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_what_began_again_is_not_ended_by_what_was_said_before(asking, order):
    asking.models.understanding = Told((Relation.REPLACES, "no longer work", "I work at KBC"))
    told(asking, "I no longer work at KBC", "I work at KBC")
    asking.set("extraction.ask_first", False)
    said = sorted(waiting(asking), key=lambda m: m.pk)
    for place in order:
        asking.proposals.accept([said[place].id])
    assert asking.texts() == ["I work at KBC"]


def test_what_contradicts_a_memory_that_is_trusted_more_replaces_it_once_accepted(asking):
    asking.remember.remember_text(MOVES[0], 1)
    told(asking, MOVES[1])
    assert asking.texts() == [MOVES[0]]
    asking.proposals.accept([saying(asking, MOVES[1]).id])
    assert asking.texts() == [MOVES[1]]


@pytest.mark.parametrize("trust", [Trust.LEARNED, Trust.EXTERNAL])
def test_what_somebody_else_said_takes_the_place_of_nothing_the_person_said(asking, trust):
    asking.remember.remember_text(MOVES[0], 1)
    asking.later(days=1)
    theirs = {"trust": trust, "origin": Origin.DOCUMENT, "status": Status.PROPOSED}
    memory = Memory("p", MOVES[1], asking.now, asking.now, **{"agent_pk": 1, **theirs})
    asking.memories.insert(memory, (), Note("import", "insert", "b"))
    indexer = Indexer(Vectors(asking.vault), lambda: asking.models.embedder, Entities(asking.vault))
    drive(indexer.run(Event()), Event())
    asking.proposals.accept(["p"])
    assert (MOVES[0] in asking.texts()) is (trust is Trust.EXTERNAL)


def test_what_holds_the_place_and_was_said_later_is_told(asking):
    keyed(asking, *HOMES[:2])
    asking.proposals.accept([saying(asking, HOMES[1]).id])
    (ghent,) = asking.proposals.waiting()
    assert (ghent.replaces, ghent.later) == ("", HOMES[1])


@pytest.mark.parametrize(("road", "texts"), [(told, MOVES), (keyed, HOMES)])
def test_another_text_for_it_is_said_now(asking, road, texts):
    road(asking, *texts[:2])
    asking.proposals.accept([saying(asking, texts[1]).id])
    another = texts[0].replace("Ghent", "Antwerp")
    asking.proposals.accept([saying(asking, texts[0]).id], another)
    assert asking.texts() == [another]
    (memory,) = [m for m in asking.all() if m.text == another]
    assert memory.value is None  # it was Ghent


def test_what_was_accepted_with_another_text_is_not_proposed_again(asking):
    told(asking, "I'm allergic to walnuts")
    asking.proposals.accept([waiting(asking)[0].id], "I'm allergic to hazelnuts")
    told(asking, "I'm allergic to walnuts", "I am really allergic to walnuts")
    assert waiting(asking) == []
    assert asking.texts() == ["I'm allergic to hazelnuts"]
    told(asking, "Remember: I'm allergic to walnuts")
    assert "I'm allergic to walnuts" in asking.texts()
    told(asking, "I'm allergic to pears")
    assert [m.text for m in waiting(asking)] == ["I'm allergic to pears"]


def test_the_same_in_other_words_does_not_pile_up(asking):
    told(asking, "I keep bees", "I really keep bees", "i keep bees", "I do keep bees")
    assert [m.text for m in waiting(asking)] == ["I keep bees"]
    told(asking, "I keep bees on the roof")
    assert len(waiting(asking)) == 2


def test_what_is_set_aside_does_not_keep_the_persons_own_words_away(asking):
    now = asking.now
    planted = Memory("p", "I keep the bees", now, now, status=Status.QUARANTINED, agent_pk=1)
    asking.memories.insert(planted, (), Note("import", "insert", "b"))
    told(asking, "I keep bees")
    assert len(waiting(asking)) == 2


def test_all_that_wait_are_listed_and_accepted(asking):
    message = asking.say("I own kites")
    for number in range(230):
        at = asking.now + timedelta(minutes=number)
        memory = Memory(
            f"p{number}", f"You own kite {number}", at, at, status=Status.PROPOSED, agent_pk=1
        )
        said = Evidence(f"I own kite {number}", at, message.id)
        asking.memories.insert(memory, (said,), Note("review", "insert", "b"))
    found = asking.proposals.waiting(asking.talk.id)
    assert len(found) == 230
    asking.proposals.accept([proposal.memory.id for proposal in found])
    assert Proposals(asking.vault).count() == 0
