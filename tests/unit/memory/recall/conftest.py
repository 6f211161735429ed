"""Hits and contexts made by hand, and a real vault with the bundled embedder."""

import os
from datetime import UTC, datetime, timedelta
from threading import Event

import numpy as np
import pytest

from app.assets import resource
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Evidence, Memory, Scope
from app.domain.recall import Hit, HitKind, Query
from app.memory.change.comparing import Relation
from app.memory.learn.index import Indexer
from app.memory.learn.remember import Remember
from app.memory.recall.compose import Recaller
from app.memory.recall.pipeline import QueryContext
from app.providers.local.hash import HashEmbedder
from app.providers.local.llamacpp import LlamaEmbedder
from app.settings.spec import Settings
from app.settings.table import replace
from app.store.conversations import Conversations
from app.store.entities import Entities
from app.store.index.vectors import Vectors
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.store import Store
from app.store.vault.file import Vault
from tests.fakes.understanding import Understanding
from tests.unit.memory.conftest import FakeModels
from tests.unit.memory.judging import Told

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)

HOME = Scope(1)
MOVED = Told((Relation.REPLACES, "I live in Lille", "I live in Ghent now"))


@pytest.fixture
def make_hit():
    def make(name="m", text="", days=100.0, **fields):
        fields.setdefault("kind", HitKind.MEMORY)
        at = NOW - timedelta(days=days)
        return Hit(
            **{"id": name, "text": text or f"text of {name}", "at": at, "score": 0.5} | fields
        )

    return make


@pytest.fixture
def context():
    def make(text="what?", vector=None):
        found = np.ones(4, np.float32) if vector is None else vector
        return QueryContext(Query(text, Scope(1), NOW), lambda _: found)

    return make


@pytest.fixture(scope="session")
def embedder():
    made = LlamaEmbedder(resource("models/loci-minilm-v2-Q8_0.gguf"), "The bundled embedder")
    yield made
    made.close()


@pytest.fixture
def vault(tmp_path):
    vault = Vault(tmp_path / "vault.db", os.urandom(32), lambda: NOW)
    yield vault
    vault.close()


class World:
    """A vault that is filled and asked."""

    def __init__(self, vault, embedder):
        self.vault = vault
        self.embedder = embedder
        self.settings = Settings()
        self.understanding = Understanding()
        self.conversations, self.messages = Conversations(vault), Messages(vault)
        self.memories = Memories(vault)
        self.recaller = Recaller(Store(vault), lambda: self.embedder, lambda: self.settings)
        self._count = 0

    def learn(self, text, *, days=30, message=None, **fields):
        self._count += 1
        at = NOW - timedelta(days=days)
        memory = Memory(
            id=f"memory-{self._count}",
            text=text,
            created_at=at,
            updated_at=at,
            **{"agent_pk": 1, **fields},
        )
        evidence = [Evidence(text, at, message_id=message.id)] if message is not None else []
        return self.memories.insert(memory, evidence, Note("user", "add", f"b{self._count}"))

    def say(self, text, *, days=30, talk=None, role=Role.USER, **fields):
        at = NOW - timedelta(days=days)
        talk = talk or self.conversations.create(1, created_at=at)
        part = Part(text, PartOrigin.TYPED)
        return self.messages.add(talk.id, role, (part,), created_at=at, **fields)

    def tell(self, text, *, days=30):
        """Say something and learn from it, as the product does; nothing replaces by hand."""
        message = self.say(text, days=days)
        at, models = NOW - timedelta(days=days), FakeModels(self.embedder, None, self.understanding)
        remember = Remember(Store(self.vault), models, lambda: self.settings, lambda: at)
        return remember.learn(message.id)

    def index(self):
        entities = Entities(self.vault)
        indexer = Indexer(Vectors(self.vault), lambda: self.embedder, entities)
        for _ in indexer.run(Event()):
            pass

    def recall(self, text, *, exclude=(), limit=None, scope=HOME):
        return self.recaller.recall(Query(text, scope, NOW, frozenset(exclude)), limit)

    def texts(self, text, **more):
        return [hit.text for hit in self.recall(text, **more).hits]


@pytest.fixture
def world(vault, embedder):
    return World(vault, embedder)


@pytest.fixture
def with_setting(world):
    """Change one setting of the world."""

    def change(key, value):
        world.settings = replace(world.settings, key, value)

    return change


@pytest.fixture(scope="session")
def shared_world(tmp_path_factory):
    vault = Vault(tmp_path_factory.mktemp("shared") / "vault.db", os.urandom(32), lambda: NOW)
    world = World(vault, HashEmbedder(256))
    world.learn("You are allergic to walnuts")
    world.say("I like smoked salmon")
    world.index()
    yield world
    vault.close()
