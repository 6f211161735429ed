"""The inbox: what contradicts each other stays until the person decides, and can be undone."""

from threading import Event

import pytest

from app.assets import resource
from app.domain.contradiction import Clash, Settlement
from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, Status
from app.errors import ModelError, NotFound, Refused
from app.memory.change.comparing import Comparer, Relation
from app.memory.change.contradictions import Inbox
from app.memory.change.nearby import Nearby
from app.providers.local.llamacpp import LlamaEmbedder
from app.store.journal.contradictions import Contradictions
from app.store.journal.entries import Journal
from app.store.memories import Note
from app.store.store import Store
from app.store.vault.file import Vault
from tests.fakes.understanding import Understanding
from tests.unit.memory.judging import Told
from tests.unit.memory.recall.conftest import NOW, World

JUDGED = Told(
    (Relation.ENDS, "My dentist is Dr Kim", "I have no dentist"),
    (Relation.ADDS, "Kim", "Kim"),
    (Relation.CONTRADICTS, "My dentist is", "My dentist is"),
)


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


@pytest.fixture
def inbox(world):
    return Inbox(Store(world.vault), comparing(world, JUDGED), lambda: NOW)


def comparing(world, judge):
    return Nearby(Store(world.vault), lambda: world.embedder, Comparer(lambda: judge), lambda: NOW)


@pytest.fixture
def pair(world, inbox):
    """Two dentists."""
    older = world.learn("My dentist is Dr Kim", days=30)
    newer = world.learn("My dentist is Dr Patel", days=3)
    world.index()
    look(inbox)
    return older, newer


def look(inbox, marks=None):
    """Look once; return how many contradictions were new."""
    told = []

    def came(pk, found):
        told.append(found)
        if marks is not None:
            marks.append(pk)

    drive(inbox.look(1, Note("dream", "contradict", "dream-1"), 0, Event(), came), Event())
    return sum(told)


def statuses(world, *memories):
    return [world.memories.get(memory.id).status for memory in memories]


def test_a_look_finds_what_contradicts_and_changes_nothing_else(world, inbox, pair):
    older, newer = pair
    (found,) = inbox.waiting(1)
    assert (found.older.id, found.newer.id, found.kind) == (older.id, newer.id, Clash.SLOT)
    for memory in pair:
        now = world.memories.get(memory.id)
        assert (now.status, now.conflicted, now.text) == (Status.ACTIVE, True, memory.text)
    assert look(inbox) == 0
    assert inbox.count(1) == 1


def test_a_pair_waits_on_where_nothing_can_compare_it_now(world, inbox, pair):
    judge = Told()
    judge.judge = lambda task, pairs: (_ for _ in ()).throw(ModelError("Out of reach."))
    look(Inbox(Store(world.vault), comparing(world, judge), lambda: NOW))
    assert inbox.count(1) == 1


def test_what_says_that_a_memory_is_over_is_told_apart(world, inbox):
    world.learn("My dentist is Dr Kim", days=30)
    world.learn("I have no dentist now that Dr Kim retired", days=3)
    world.index()
    look(inbox)
    assert [pair.kind for pair in inbox.waiting(1)] == [Clash.CLOSING]


def test_what_may_both_be_true_is_left_alone(world):
    inbox = Inbox(Store(world.vault), comparing(world, Understanding()), lambda: NOW)
    for text in ("My sister is Ruth", "My sister is Ada", "I also run", "I swim"):
        world.learn(text)
    world.index()
    assert look(inbox) == 0
    assert inbox.waiting(1) == []


@pytest.mark.parametrize(
    ("how", "older", "newer"),
    [
        (Settlement.KEEP_BOTH, Status.ACTIVE, Status.ACTIVE),
        (Settlement.KEEP_OLDER, Status.ACTIVE, Status.SUPERSEDED),
        (Settlement.KEEP_NEWER, Status.SUPERSEDED, Status.ACTIVE),
    ],
)
def test_the_person_decides_and_may_undo_it(world, inbox, pair, how, older, newer):
    (found,) = inbox.waiting(1)
    batch = inbox.settle(found.id, how)
    assert statuses(world, *pair) == [older, newer]
    assert not any(world.memories.get(memory.id).conflicted for memory in pair)
    assert inbox.count(1) == 0
    assert look(inbox) == 0, "what was decided is not asked again"
    Journal(world.vault).undo(batch, Note("user", "undo", "undo-1"))
    Contradictions(world.vault).take_back(batch)
    assert statuses(world, *pair) == [Status.ACTIVE, Status.ACTIVE]
    assert [one.id for one in inbox.waiting(1)] == [found.id]


@pytest.mark.parametrize("how", [Settlement.EDIT, Settlement.MERGE])
def test_an_edit_and_a_merge_need_a_text(inbox, pair, how):
    (found,) = inbox.waiting(1)
    with pytest.raises(Refused, match="needs a text"):
        inbox.settle(found.id, how, "  ")


def test_a_merge_closes_the_older(world, inbox, pair):
    (found,) = inbox.waiting(1)
    inbox.settle(found.id, Settlement.MERGE, "My dentist is Dr Patel, since Dr Kim retired")
    older, newer = (world.memories.get(memory.id) for memory in pair)
    assert newer.text == "My dentist is Dr Patel, since Dr Kim retired"
    assert (older.status, older.superseded_by) == (Status.SUPERSEDED, newer.id)
    assert older.valid_to is not None


def test_what_agrees_by_now_settles_itself(world, inbox, pair):
    older, newer = pair
    world.memories.update(newer.id, {"text": "My dentist is Dr Hana Kim"}, Note("user", "e", "b"))
    look(inbox)
    assert inbox.waiting(1) == []
    assert not world.memories.get(older.id).conflicted


def test_what_was_forgotten_waits_no_longer(world, inbox, pair):
    world.memories.update(pair[0].id, {"status": Status.FORGOTTEN}, Note("user", "forget", "b"))
    assert inbox.waiting(1) == []
    assert inbox.count(1) == 0


def test_erasing_a_memory_takes_its_contradiction_along(world, inbox, pair):
    (found,) = inbox.waiting(1)
    world.memories.delete(pair[0].id)
    assert inbox.waiting(1) == []
    with pytest.raises(NotFound):
        inbox.settle(found.id, Settlement.KEEP_BOTH)


def test_a_look_that_was_stopped_goes_on_where_it_was(world, inbox):
    for number in range(40):
        world.learn(f"My locker {number} is Alpha")
    world.index()
    marks = []
    look(inbox, marks)
    assert marks == sorted(marks)
    assert marks[-1] == max(memory.pk for memory in world.memories.list(DEFAULT_SCOPE, limit=-1))


def test_without_vectors_nothing_is_found_and_nothing_fails(world, inbox):
    world.learn("My dentist is Dr Kim")
    world.learn("My dentist is Dr Patel")
    assert look(inbox) == 0
