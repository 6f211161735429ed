"""Conversations from elsewhere: who typed what decides what may be learnt."""

from datetime import UTC, datetime

import pytest

from app.domain.conversation import PartOrigin, Role
from app.exchange.transcript import TranscriptTurn, store
from app.store.messages import Messages
from app.store.store import Store
from app.store.vault.file import Vault

AT = datetime(2024, 3, 4, 10, tzinfo=UTC)
LINES = (
    TranscriptTurn("1", "a", "User", AT, "I live in Ghent."),
    TranscriptTurn("2", "a", "Assistant", AT, "Nice."),
    TranscriptTurn("3", "b", "Maria", AT, "I live in Lima."),
)


@pytest.fixture
def vault(tmp_path):
    vault = Vault(tmp_path / "vault.db", bytes(32))
    yield vault
    vault.close()


@pytest.mark.parametrize(("own", "origin"), [(True, PartOrigin.TYPED), (False, PartOrigin.PASTED)])
def test_only_the_persons_own_words_are_typed(vault, own, origin):
    messages = Messages(vault)
    stored = store(Store(vault), 1, LINES, own=own)
    assert list(stored.ids.values()) == ["1", "2", "3"]
    first, second = (messages.branch(talk_id) for talk_id in stored.conversations)
    assert [(m.role, m.speaker, m.parts[0].origin) for m in (*first, *second)] == [
        (Role.USER, "", origin),
        (Role.ASSISTANT, "", PartOrigin.MODEL),
        (Role.USER, "Maria", PartOrigin.PASTED),
    ]
    assert messages.typed_in(stored.conversations) == int(own)
    assert messages.typed_in([]) == 0
