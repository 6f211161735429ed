"""What a file claims that this vault did not sign is a step of trust of its own."""

import pytest

from app.domain.memory import DEFAULT_SCOPE, Memory, MemoryFilter, Origin, Status, Trust
from app.memory.screen.gate import Gate
from app.store.memories import Note
from app.store.store import Store
from tests.unit.exchange.test_round_trip import NOW, forged, home, stranger

__all__ = ("home", "stranger")

EVERYTHING = MemoryFilter(order="oldest")


def learn(home, text, trust=Trust.LEARNED):
    memory = Memory(text, text, NOW, NOW, trust=trust, agent_pk=1)
    return home.memories.insert(memory, (), Note("user", "insert", text))


def trusts(home):
    return {m.text: m.trust for m in home.memories.list(DEFAULT_SCOPE, EVERYTHING)}


@pytest.fixture
def archive(home, tmp_path):
    """An export with a memory of every step of trust."""
    learn(home, "You sing in a choir", Trust.SYSTEM)
    learn(home, "You live in Ghent")
    learn(home, "You row on Sundays", Trust.CLAIMED)
    learn(home, "The shop closes at six", Trust.EXTERNAL)
    home.export(tmp_path / "out.zip")
    return tmp_path / "out.zip"


CLAIMS = {
    "You sing in a choir": Trust.CLAIMED,
    "You live in Ghent": Trust.CLAIMED,
    "You row on Sundays": Trust.CLAIMED,
    "The shop closes at six": Trust.EXTERNAL,
}


def test_a_strangers_file_claims_and_is_never_learnt(stranger, archive):
    report = stranger.bring_in(archive)
    assert trusts(stranger) == CLAIMS
    assert {m.status for m in stranger.memories.list(DEFAULT_SCOPE, EVERYTHING)} == {Status.ACTIVE}
    assert any("claimed by an import" in note for note in report.notes)


def test_a_file_that_was_changed_since_claims_too(home, archive, tmp_path):
    was, now = "You live in Ghent", "You live in Lille"

    def change(name, data):
        return data.replace(was.encode(), now.encode()) if name.startswith("data/") else data

    forged(archive, tmp_path / "forged.zip", change)
    home.bring_in(tmp_path / "forged.zip")
    assert trusts(home)[now] is Trust.CLAIMED


def test_what_this_vault_signed_and_what_the_person_calls_their_own_keep_their_trust(
    home, stranger, archive
):
    before = trusts(home)
    for memory in home.memories.list(DEFAULT_SCOPE, EVERYTHING):
        home.memories.delete(memory.id)
    home.bring_in(archive)
    assert trusts(home) == before
    stranger.bring_in(archive, own=True)
    assert trusts(stranger) == before


@pytest.mark.parametrize("trust", [Trust.SYSTEM, Trust.LEARNED])
def test_nothing_brought_in_is_stored_above_a_claim_by_whatever_road(home, trust):
    memory = Memory("m", "You like tea", NOW, NOW, trust=trust, origin=Origin.IMPORT, agent_pk=1)
    stored = Gate(Store(home.vault)).insert(memory, (), Note("import", "insert", "b"))
    assert stored.trust is Trust.CLAIMED


def test_what_is_drawn_from_a_claim_is_claimed(home):
    learn(home, "You live in Ghent")
    learn(home, "You live in Ghent near the station", Trust.CLAIMED)
    drawn = Memory(
        "o",
        "You live in Ghent near the station",
        NOW,
        NOW,
        trust=Trust.SYSTEM,
        origin=Origin.CONSOLIDATION,
        proof_count=2,
        source_ids=("You live in Ghent", "You live in Ghent near the station"),
        agent_pk=1,
    )
    assert (
        Gate(Store(home.vault)).insert(drawn, (), Note("job", "fold", "b")).trust is Trust.CLAIMED
    )


def test_only_the_person_raises_a_claim(home):
    claim = learn(home, "You row on Sundays", Trust.CLAIMED)
    with pytest.raises(Exception, match="Only you can trust it more"):
        home.memories.update(claim.id, {"trust": Trust.LEARNED}, Note("review", "update", "b"))
    with pytest.raises(Exception, match="trust rises only by the person"), home.vault.write() as c:
        c.execute("UPDATE memories SET trust = 'learned' WHERE id = ?", (claim.id,))
