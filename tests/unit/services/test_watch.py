"""What another process changes is noticed, once."""

import os
from datetime import UTC, datetime

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Memory
from app.services.preferences import PreferencesService
from app.services.watch import WatchService
from app.store.conversations import Conversations
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.preferences import Preferences
from app.store.store import Store
from app.store.vault.file import Vault
from app.store.vault.meta import Erasures

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def vaults(tmp_path):
    key = os.urandom(32)
    made = [Vault(tmp_path / "vault.db", key, lambda: NOW) for _ in range(2)]
    yield made
    for vault in made:
        vault.close()


def test_changes_elsewhere_are_seen_once(vaults, tmp_path):
    mine, other = vaults
    preferences = PreferencesService(Preferences(mine), tmp_path / "app.json")
    watch = WatchService(Store(mine), preferences)
    assert not watch.look()
    assert not watch.look()
    talk = Conversations(other).create(1, title="Elsewhere")
    part = Part("Hello", PartOrigin.TYPED)
    Messages(other).add(talk.id, Role.USER, (part,))
    Memories(other).insert(
        Memory("m1", "You like tea", NOW, NOW, agent_pk=1), (), Note("user", "insert", "b1")
    )
    seen = watch.look()
    assert (seen.memories, seen.batches, seen.conversations) == ({"m1"}, {"b1"}, {talk.id})
    assert not watch.look()
    Conversations(other).delete(talk.id)
    assert watch.look().conversations == {talk.id}


def test_settings_changed_elsewhere_are_read_again(vaults, tmp_path):
    mine, other = vaults
    preferences = PreferencesService(Preferences(mine), tmp_path / "app.json")
    watch = WatchService(Store(mine), preferences)
    watch.look()
    assert preferences.values().rag.max_results == 5
    Preferences(other).set("rag.max_results", 9)
    watch.look()
    assert preferences.values().rag.max_results == 9


def test_an_erasure_elsewhere_concerns_everything_once(vaults, tmp_path):
    mine, other = vaults
    Erasures(other).add()
    watch = WatchService(Store(mine), PreferencesService(Preferences(mine), tmp_path / "app.json"))
    assert not watch.look()
    Erasures(other).add()
    assert watch.look().everything
    assert not watch.look()
    Conversations(other).create(1, title="Elsewhere")
    assert not watch.look().everything


def test_it_is_seen_that_another_program_asks(vaults, tmp_path):
    mine, other = vaults
    watch = WatchService(Store(mine), PreferencesService(Preferences(mine), tmp_path / "app.json"))
    assert not watch.is_asked_to_close()
    with other.asking():
        assert watch.is_asked_to_close()
    with mine.asking():
        assert not watch.is_asked_to_close()
