"""What is stale was neither changed, used nor said for a long time, nor drawn from what was."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.memory import Evidence, Memory, Origin, Status
from app.store.aging import Aging
from app.store.journal import Note
from app.store.memories import Memories
from app.store.vault import Vault

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
LATELY = LONG_AGO + timedelta(days=100)
BEFORE = LONG_AGO + timedelta(days=50)


@pytest.fixture
def vault(tmp_path):
    vault = Vault(tmp_path / "vault.db", bytes(32), lambda: LONG_AGO)
    yield vault
    vault.close()


def remembered(vault, name, **fields):
    memory = Memory(name, f"You like {name}", LONG_AGO, LONG_AGO, **fields)
    said = Evidence(f"I like {name}.", LONG_AGO)
    return Memories(vault).insert(memory, (said,), Note("user", "insert", name))


def stale(vault):
    return [memory.id for memory in Aging(vault).stale(BEFORE, 10)]


def test_what_the_person_goes_on_saying_is_not_stale(vault):
    remembered(vault, "tea")
    remembered(vault, "coffee")
    assert stale(vault) == ["tea", "coffee"]
    Memories(vault).add_evidence("coffee", Evidence("I do like coffee.", LATELY))
    assert stale(vault) == ["tea"]


def test_what_is_used_is_not_stale(vault):
    remembered(vault, "tea")
    Memories(vault).touch(["tea"], LATELY)
    assert stale(vault) == []


def test_an_observation_is_as_fresh_as_what_it_was_drawn_from(vault):
    for name in ("tea", "coffee"):
        remembered(vault, name)
    drawn = {"origin": Origin.CONSOLIDATION, "proof_count": 2, "source_ids": ("tea", "coffee")}
    remembered(vault, "drinks", **drawn)
    Memories(vault).add_evidence("coffee", Evidence("I do like coffee.", LATELY))
    assert stale(vault) == ["tea"]
    Memories(vault).update("coffee", {"status": Status.FORGOTTEN}, Note("user", "forget", "b"))
    assert stale(vault) == ["tea", "drinks"]


def test_only_what_a_summary_was_made_of_is_an_original_of_it(vault):
    remembered(vault, "fruit", origin=Origin.DREAM, actor="dream", source_ids=("pears", "figs"))
    for name in ("pears", "figs", "tea"):
        remembered(vault, name)
        over = {"status": Status.SUPERSEDED, "superseded_by": "fruit"}
        closed = {"valid_to": LATELY} if name == "figs" else {}
        Memories(vault).update(name, over | closed, Note("dream", "summarise", "d"))
    assert [memory.id for memory in Aging(vault).originals(BEFORE, 10)] == ["pears"]
