"""A vault with statements in it, and nights that pass over it."""

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, Memory, Origin
from app.memory.change.comparing import Comparer, Relation
from app.memory.change.contradictions import Inbox
from app.memory.change.nearby import Nearby
from app.memory.consolidate.job import Consolidation
from app.settings import table
from app.settings.spec import Settings
from app.store.journal.entries import Journal
from app.store.memories import Memories, Note
from app.store.observations import Observations
from app.store.store import Store
from app.store.vault.file import Vault
from tests.unit.memory.conftest import FakeModels
from tests.unit.memory.judging import Told

MAY = datetime(2026, 5, 4, 3, 30, tzinfo=UTC)
GHENT = "I live in Ghent"
STATION = "I live in Ghent near the station"
JUDGED = Told((Relation.REPLACES, "live in Ghent", "live in Lille"))


@dataclass
class Nights:
    """What happens night by night; statements alike in half their words are compared."""

    vault: Vault
    models: FakeModels = field(default_factory=FakeModels)
    now: datetime = MAY
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self):
        self.vault.clock = lambda: self.now
        self.memories, self.journal = Memories(self.vault), Journal(self.vault)
        self.observations = Observations(self.vault)
        self.job = Consolidation(
            Store(self.vault), self.models, lambda: self.settings, lambda: self.now
        )
        self.set("similarity_threshold", 0.5)
        near = Nearby(
            Store(self.vault),
            lambda: self.models.embedder,
            Comparer(lambda: JUDGED),
            lambda: self.now,
        )
        self.inbox = Inbox(Store(self.vault), near, lambda: self.now)

    def set(self, key, value):
        self.settings = table.replace(self.settings, f"upkeep.consolidation.{key}", value)

    def know(self, *texts, **fields):
        """Remember statements, a minute after one another; return the last one."""
        for text in texts:
            self.now += timedelta(minutes=1)
            memory = Memory(
                "",
                text,
                self.now,
                self.now,
                **{"agent_pk": 1, "origin": Origin.CONVERSATION, **fields},
            )
            stored = self.memories.insert(memory, (), Note("user", "insert", f"said {text}"))
        return stored

    def pass_by(self, checkpoint=None, mark=None):
        """Let a night pass; return what the job tells."""
        self.now += timedelta(days=1)
        running = self.job.run(checkpoint or {}, mark or (lambda saved: None), Event())
        return drive(running, Event())

    def all(self):
        return sorted(self.memories.list(DEFAULT_SCOPE, limit=-1), key=lambda m: m.pk)

    def drawn(self, status="active"):
        """Return the observations of one status."""
        return [m for m in self.all() if m.proof_count is not None and m.status == status]

    def texts(self, ids):
        return {m.text for m in self.memories.by_ids(list(ids))}


@pytest.fixture
def nights(tmp_path):
    vault = Vault(tmp_path / "vault.db", os.urandom(32))
    yield Nights(vault)
    vault.close()
