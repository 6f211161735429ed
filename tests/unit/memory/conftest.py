"""A real vault, a clock that stands still, and models that are as simple as can be."""

import os
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import DEFAULT_SCOPE
from app.domain.model import ChatInfo
from app.memory.learn.remember import Remember
from app.providers.base import Measured
from app.providers.local.hash import HashEmbedder
from app.settings import table
from app.settings.spec import Settings
from app.store.store import Store
from app.store.vault.file import Vault
from tests.fakes.understanding import Understanding

FRIDAY = datetime(2026, 5, 8, 10, tzinfo=UTC)


@dataclass
class FakeChat:
    """Answers with what it was told to answer; a fake, because no test has a language model."""

    reply: str = '{"memories": []}'
    error: Exception | None = None
    prompts: list = field(default_factory=list)
    samplings: list = field(default_factory=list)
    info = ChatInfo("fake", "Fake", 4096, local=True)

    def count(self, text):
        return len(text) // 4

    calls_tools = False

    def measure(self, prompt, cancel, tools=()):
        return Measured(sum(self.count(turn.content) for turn in prompt), 4096, exact=True)

    def stream(self, prompt, sampling, cancel):
        self.prompts.append(list(prompt))
        self.samplings.append(sampling)
        if self.error is not None:
            raise self.error
        yield from (self.reply[i : i + 7] for i in range(0, len(self.reply), 7))


class Listening(Understanding):
    """Notes what the reader is given."""

    def __init__(self):
        self.given = []

    def read(self, messages, *, urgent=False):
        self.given += messages
        return super().read(messages, urgent=urgent)


@dataclass
class FakeModels:
    """Lends an embedder and, where there is one, a chat model."""

    embedder: object = field(default_factory=HashEmbedder)
    model: FakeChat | None = None
    understanding: object = field(default_factory=Understanding)

    def chat_info(self, *, learning=False):
        return ChatInfo("fake", "Fake", 4096, local=True, weights=self.model is not None)

    @contextmanager
    def chat(self, interactive=True, *, learning=False, cancel=None):
        assert learning
        assert not interactive
        yield self.model


@dataclass
class Desk:
    """Everything a test of remembering touches."""

    vault: Vault
    models: FakeModels
    now: datetime = FRIDAY
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self):
        self.store = Store(self.vault)
        self.conversations = self.store.conversations
        self.messages = self.store.messages
        self.memories = self.store.memories
        self.journal = self.store.journal
        self.remember = Remember(self.store, self.models, lambda: self.settings, lambda: self.now)
        self.talk = self.conversations.create(1, created_at=self.now)

    def set(self, key, value):
        self.settings = table.replace(self.settings, key, value)

    def later(self, **by):
        self.now += timedelta(**by)

    def say(self, *parts, role=Role.USER, talk=None):
        """Add a message; a plain text is typed."""
        made = [Part(p, PartOrigin.TYPED) if isinstance(p, str) else p for p in parts]
        where = (talk or self.talk).id
        return self.messages.add(where, role, made, created_at=self.now)

    def answer(self, text):
        return self.say(Part(text, PartOrigin.MODEL), role=Role.ASSISTANT)

    def learn(self, message):
        """Learn what is read, and then what a model finds besides."""
        learned = self.remember.learn(message.id)
        if not learned.more:
            return learned
        more = self.remember.learn_more(message.id, Event())
        return replace(more, batch=learned.batch or more.batch, became=learned.became + more.became)

    def tell(self, *parts):
        return self.learn(self.say(*parts))

    def all(self):
        return sorted(self.memories.list(DEFAULT_SCOPE, limit=-1), key=lambda m: m.pk)

    def texts(self, status="active"):
        return [m.text for m in self.all() if m.status == status]


@pytest.fixture
def desk(tmp_path):
    vault = Vault(tmp_path / "vault.db", os.urandom(32), lambda: FRIDAY)
    yield Desk(vault, FakeModels())
    vault.close()


@pytest.fixture
def night(desk):
    """A desk whose conversations are reviewed."""
    from tests.unit.memory.reviewing import Night

    return Night(desk)
