"""Whatever has no vector by the embedder in use gets one, and can be stopped at any point (C7)."""

import os
from datetime import UTC, datetime
from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Memory, Scope, Trust
from app.errors import ModelError
from app.jobs.operation import drive
from app.memory.index import BATCH, Indexer
from app.providers.hash import HashEmbedder
from app.store.conversations import Conversations
from app.store.entities import Entities
from app.store.memories import Memories, Note
from app.store.vault import Vault
from app.store.vectors import Vectors

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def vault(tmp_path):
    vault = Vault(tmp_path / "vault.db", os.urandom(32), lambda: NOW)
    yield vault
    vault.close()


def fill(vault, memories, messages):
    for n in range(memories):
        Memories(vault).insert(
            Memory(f"m{n}", f"You own {n} cats", NOW, NOW), (), Note("user", "insert", "b")
        )
    talk = Conversations(vault).create()
    for n in range(messages):
        part = Part(f"I own {n} dogs", PartOrigin.TYPED)
        Conversations(vault).add_message(talk.id, Role.USER, (part,))


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

    said = Memory("m", "You visit Ruth in Ghent", NOW, NOW)
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
