"""Whatever has no vector by the embedder in use gets one, and can be stopped at any point (C7)."""

import os
from datetime import UTC, datetime
from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.domain.memory import Memory, Scope, Trust
from app.errors import ModelError
from app.memory.learn import index
from app.memory.learn.index import BATCH, Indexer
from app.providers.local.hash import HashEmbedder
from app.store.conversations import Conversations
from app.store.entities import Entities
from app.store.index.vectors import Vectors
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.vault.file import Vault

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def vault(tmp_path):
    vault = Vault(tmp_path / "vault.db", os.urandom(32), lambda: NOW)
    yield vault
    vault.close()


def fill(vault, memories, messages):
    for n in range(memories):
        Memories(vault).insert(
            Memory(f"m{n}", f"You own {n} cats", NOW, NOW, agent_pk=1),
            (),
            Note("user", "insert", "b"),
        )
    talk = Conversations(vault).create(1)
    for n in range(messages):
        part = Part(f"I own {n} dogs", PartOrigin.TYPED)
        Messages(vault).add(talk.id, Role.USER, (part,))


def run(indexer, cancel=None):
    return drive(indexer.run(cancel or Event()), Event())


def test_everything_is_embedded_once(vault):
    fill(vault, BATCH + 5, 3)
    indexer = Indexer(Vectors(vault), HashEmbedder)
    status = indexer.status()
    assert (status.total, status.missing, status.stale) == (BATCH + 8, BATCH + 8, 0)
    assert run(indexer) == BATCH + 8
    assert indexer.status().missing == 0
    assert run(indexer) == 0


def test_c7_after_a_swap_old_vectors_are_not_eligible_until_reembedded(vault):
    fill(vault, 4, 0)
    vectors = Vectors(vault)
    old, new = HashEmbedder(32), HashEmbedder(64)
    run(Indexer(vectors, lambda: old))
    swapped = Indexer(vectors, lambda: new)
    status = swapped.status()
    assert (status.embedder, status.missing, status.stale) == ("hash-64", 4, 4)
    pk = vectors.use("hash-64", 64)
    (query,) = new.embed(["You own 2 cats"], "query")
    assert not vectors.nearest(
        "memory", query.vector, 5, embedder_pk=pk, scope=Scope(1), trusts=set(Trust), now=NOW
    )
    assert run(swapped) == 4
    found = vectors.nearest(
        "memory", query.vector, 5, embedder_pk=pk, scope=Scope(1), trusts=set(Trust), now=NOW
    )
    assert found[0][1] > 0.99
    assert swapped.status().missing == 0


def test_what_is_new_is_embedded_without_what_another_embedder_read(vault):
    fill(vault, 4, 0)
    vectors = Vectors(vault)
    assert Indexer(vectors, lambda: HashEmbedder(32)).outdated() == ""
    run(Indexer(vectors, lambda: HashEmbedder(32)))
    swapped = Indexer(vectors, lambda: HashEmbedder(64))
    assert swapped.outdated() == "hash-64"
    fill(vault, 0, 2)
    steps = list(swapped.run(Event(), fresh=True))
    assert [(step.done, step.total) for step in steps if step.total] == [(2, 2)]
    assert swapped.status().missing == 4
    assert swapped.outdated() == "hash-64"
    assert run(swapped) == 4
    assert swapped.outdated() == ""


def test_a_stop_keeps_what_was_done_and_the_next_run_goes_on(vault):
    fill(vault, BATCH * 3, 0)
    stop = Event()
    indexer = Indexer(Vectors(vault), HashEmbedder)
    operation = indexer.run(stop)
    next(operation)
    stop.set()
    assert list(operation) == []
    assert indexer.status().missing == BATCH * 2
    assert run(indexer) == BATCH * 2


def test_an_embedder_that_fails_loses_nothing(vault):
    class Broken(HashEmbedder):
        def embed(self, texts, purpose):
            raise ModelError("The embedder did not answer.")

    fill(vault, 2, 0)
    with pytest.raises(ModelError):
        run(Indexer(Vectors(vault), Broken))
    assert Indexer(Vectors(vault), Broken).status().missing == 2


@pytest.mark.parametrize("killed_after", [1, 2, 3])
def test_killed_at_any_batch_it_goes_on_without_doing_anything_twice(vault, killed_after):
    embedded = []

    class Counting(HashEmbedder):
        def embed(self, texts, purpose):
            embedded.extend(texts)
            return super().embed(texts, purpose)

    fill(vault, BATCH * 2, BATCH * 2)
    operation = Indexer(Vectors(vault), Counting).run(Event())
    seen = [next(operation) for _ in range(killed_after)]
    operation.close()
    assert [(p.done, p.total) for p in seen] == [
        (BATCH * (n + 1), BATCH * 4) for n in range(killed_after)
    ]
    assert run(Indexer(Vectors(vault), Counting)) == BATCH * (4 - killed_after)
    assert len(embedded) == len(set(embedded)) == BATCH * 4


@pytest.mark.parametrize("method", [(Vectors, "put"), (Entities, "link_new")])
def test_killed_within_a_batch_no_name_is_lost(vault, monkeypatch, method):
    """Whichever of the two had its turn when the program was killed, the next run does both."""

    class Killed(BaseException):
        pass

    def die(*_):
        raise Killed

    said = Memory("m", "You visit Ruth in Ghent", NOW, NOW, agent_pk=1)
    memory = Memories(vault).insert(said, (), Note("user", "insert", "b"))
    entities = Entities(vault)
    indexer = Indexer(Vectors(vault), HashEmbedder, entities)
    with monkeypatch.context() as dying:
        dying.setattr(*method, die)
        with pytest.raises(Killed):
            run(indexer)
    assert indexer.status().missing == 1
    assert run(indexer) == 1
    assert indexer.status().missing == 0
    assert entities.of_memory(memory.pk) == ["Ghent", "Ruth", "user"]


class Dead(HashEmbedder):
    """An embedder whose server is gone; ``at`` says what of it fails."""

    def __init__(self, at):
        super().__init__()
        self.at = at

    @property
    def info(self):
        if self.at == "info":
            raise ModelError("The embedder does not start.")
        return super().info

    def embed(self, texts, purpose):
        raise ModelError("The embedder did not answer.")


@pytest.mark.parametrize("at", ["info", "embed"])
def test_names_are_linked_though_no_embedder_answers(vault, at):
    entities, memories = Entities(vault), Memories(vault)
    fill(vault, BATCH * 3, 2)
    said = Memory("m", "You visit Ruth in Ghent", NOW, NOW, agent_pk=1)
    memory = memories.insert(said, (), Note("user", "insert", "b"))
    indexer = Indexer(Vectors(vault), lambda: Dead(at), entities)
    with pytest.raises(ModelError):
        run(indexer)
    assert entities.of_memory(memory.pk) == ["Ghent", "Ruth", "user"]
    memories.update("m", {"text": "You visit Ruth in Lille"}, Note("user", "update", "b2"))
    assert entities.of_memory(memory.pk) == []
    with pytest.raises(ModelError):
        run(indexer)
    assert entities.of_memory(memory.pk) == ["Lille", "Ruth", "user"]


def test_what_is_linked_is_not_read_for_names_again(vault, monkeypatch):
    asked = []
    link_new = Entities.link_new

    def noting(self, found):
        found = list(found)
        asked.append([pk for pk, _ in found])
        return link_new(self, found)

    monkeypatch.setattr(Entities, "link_new", noting)
    fill(vault, 3, 0)
    indexer = Indexer(Vectors(vault), lambda: Dead("embed"), Entities(vault))
    for _ in range(2):
        with pytest.raises(ModelError):
            run(indexer)
    assert asked == [[1, 2, 3]]


def test_names_of_all_are_linked_before_anything_is_embedded(vault):
    fill(vault, BATCH + 3, 0)
    entities, linked = Entities(vault), []

    class Slow(HashEmbedder):
        def embed(self, texts, purpose):
            linked.append([bool(entities.of_memory(pk)) for pk in range(1, BATCH + 4)])
            return super().embed(texts, purpose)

    run(Indexer(Vectors(vault), Slow, entities))
    assert all(linked[0])


def test_a_text_that_changes_while_others_are_embedded_gets_its_names(vault):
    fill(vault, BATCH + 3, 0)
    entities, memories = Entities(vault), Memories(vault)
    operation = Indexer(Vectors(vault), HashEmbedder, entities).run(Event())
    for progress in operation:
        if progress.done == BATCH:
            last = memories.get(f"m{BATCH + 2}")
            changes = {"text": "You visit Ruth in Lille"}
            memories.update(last.id, changes, Note("user", "update", "b2"))
    assert entities.of_memory(last.pk) == ["Lille", "Ruth", "user"]


def test_links_that_the_person_made_stay(vault):
    entities = Entities(vault)
    said = Memory("m", "You visit Ruth in Ghent", NOW, NOW, agent_pk=1)
    memory = Memories(vault).insert(said, (), Note("user", "insert", "b"))
    entities.link(memory.pk, ["Aunt Ruth"], 1, NOW)
    with pytest.raises(ModelError):
        run(Indexer(Vectors(vault), lambda: Dead("info"), entities))
    assert run(Indexer(Vectors(vault), HashEmbedder, entities)) == 1
    assert entities.of_memory(memory.pk) == ["Aunt Ruth"]


def kept(vault):
    """Return how many vectors there are of each embedder."""
    with vault.read() as connection:
        found = connection.execute(
            "SELECT e.id, (SELECT count(*) FROM memory_vectors AS v WHERE v.embedder_pk = e.pk)"
            " + (SELECT count(*) FROM message_vectors AS v WHERE v.embedder_pk = e.pk)"
            " FROM embedders AS e"
        )
        return {row[0]: row[1] for row in found}


def test_vectors_of_an_earlier_embedder_go_once_nothing_waits_any_more(vault):
    fill(vault, 4, 3)
    vectors, old, new = Vectors(vault), HashEmbedder(32), HashEmbedder(64)
    run(Indexer(vectors, lambda: old))
    stop = Event()
    operation = Indexer(vectors, lambda: new).run(stop)
    next(operation)
    stop.set()
    assert list(operation) == []
    assert kept(vault) == {"hash-32": 7, "hash-64": 4}, "the messages wait for the new one"
    assert run(Indexer(vectors, lambda: new)) == 3
    assert kept(vault) == {"hash-64": 7}
    assert run(Indexer(vectors, lambda: old)) == 7, "back again, everything is embedded anew"
    assert kept(vault) == {"hash-32": 7}


def test_removing_them_can_be_stopped_and_taken_up_again(vault, monkeypatch):
    monkeypatch.setattr(index, "PAGE", 2)
    fill(vault, 5, 4)
    vectors, old, new = Vectors(vault), HashEmbedder(32), HashEmbedder(64)
    run(Indexer(vectors, lambda: old))
    operation = Indexer(vectors, lambda: new).run(Event())
    for progress in operation:
        if progress.label.startswith("Removing"):
            break
    operation.close()
    assert kept(vault) == {"hash-32": 7, "hash-64": 9}
    assert run(Indexer(vectors, lambda: new)) == 0
    assert kept(vault) == {"hash-64": 9}


def test_they_stay_where_the_person_switched_back_meanwhile(vault, monkeypatch):
    monkeypatch.setattr(index, "PAGE", 2)
    fill(vault, 5, 0)
    vectors, old, new = Vectors(vault), HashEmbedder(32), HashEmbedder(64)
    run(Indexer(vectors, lambda: old))
    chosen = [new]
    for progress in Indexer(vectors, lambda: chosen[0]).run(Event()):
        if progress.label.startswith("Removing"):
            chosen[0] = old
    assert kept(vault) == {"hash-32": 3, "hash-64": 5}
    assert run(Indexer(vectors, lambda: chosen[0])) == 2
    assert kept(vault) == {"hash-32": 5}
