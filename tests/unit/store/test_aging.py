"""What is stale was neither changed, used nor said for a long time, nor drawn from what was."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.memory import Evidence, Memory, Origin, Status
from app.store.aging import Aging
from app.store.journal.entries import Note
from app.store.memories import Memories
from app.store.vault.file import Vault

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
LATELY = LONG_AGO + timedelta(days=100)
BEFORE = LONG_AGO + timedelta(days=50)


@pytest.fixture
def vault(tmp_path):
    vault = Vault(tmp_path / "vault.db", bytes(32), lambda: LONG_AGO)
    yield vault
    vault.close()


def remembered(vault, name, **fields):
    memory = Memory(name, f"You like {name}", LONG_AGO, LONG_AGO, **{"agent_pk": 1, **fields})
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


def test_what_was_summed_up_comes_of_age_with_its_summary(vault):
    remembered(vault, "fruit", origin=Origin.DREAM, actor="dream", source_ids=("pears",))
    for name in ("pears", "figs"):
        remembered(vault, name)
        over = {"status": Status.SUPERSEDED, "superseded_by": "fruit"}
        Memories(vault).update(name, over, Note("dream", "summarise", "d"))

    def outlived():
        return [memory.id for memory in Aging(vault).outlived(BEFORE, 10)]

    assert outlived() == ["fruit", "pears", "figs"]
    Memories(vault).update("fruit", {"pinned": True}, Note("user", "pin", "p"))
    assert outlived() == ["figs"], "only what the summary was made of waits for it"
    Memories(vault).update("pears", {"status": Status.ACTIVE}, Note("user", "undo", "u"))
    assert outlived() == ["pears", "figs"]


@pytest.mark.parametrize("tags", [("safety",), ("health", "Safety")])
def test_a_safety_fact_is_never_among_what_may_go(vault, tags):
    remembered(vault, "insulin", tags=tags, key="insulin", value="3 units")
    remembered(vault, "helmets", tags=("safety first",), key="helmets", value="red")
    aging = Aging(vault)
    found = [
        aging.stale(LATELY, 10),
        aging.outlived(LATELY, 10),
        aging.crowding(10),
        aging.crowding(10, keyed=True),
    ]
    assert [[memory.id for memory in some] for some in found] == [["helmets"]] * 4
    assert aging.entries(1) == []
