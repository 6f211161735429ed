"""A vault of before there was a chain is sealed in pages, and nothing slips in between them."""

from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.memory import DEFAULT_SCOPE
from app.domain.tampering import Sign, TamperingKind
from app.errors import StoreError
from app.store.memories import Memories
from app.store.vault import backup, sealing
from app.store.vault.chain import Chain
from app.store.vault.file import Vault
from tests.unit.store.chained import (
    YOU,
    examined,
    make_older,
    reopened,
    stands_until_accepted,
)

pytestmark = pytest.mark.tampers
TEXTS = [f"Ann has {number} boats and {number * number} kites." for number in range(5)]
PAGES = 8  # four of the journal's entries, an empty one, and three of memories


@pytest.fixture
def older(vault, remember, memories, monkeypatch):
    """A closed vault of the version before, which is sealed two rows at a time."""
    made = [remember(text) for text in TEXTS]
    memories.update(made[0].id, {"pinned": True}, YOU)
    memories.update(made[1].id, {"text": "Ben rows."}, YOU)
    memories.update(made[1].id, {"category": "water"}, YOU)
    vault.close()
    make_older(vault.path, vault.key)
    monkeypatch.setattr(sealing, "PAGE", 2)
    return vault


def opening(vault):
    return Vault.opening(vault.path, vault.key, vault.clock, wal=True)


def stopped_after(vault, pages):
    """Open, and be stopped at a page; return what was told of it."""
    steps = opening(vault)
    told = [next(steps) for _ in range(pages)]
    steps.close()
    return told[-1]


def seals(other):
    with other() as connection:
        found = connection.execute(
            "SELECT 'm', pk, seal FROM memories UNION ALL SELECT 'j', pk, link FROM journal"
        )
        return {(kind, pk): seal for kind, pk, seal in found if seal is not None}


def test_it_tells_how_far_it_is(older):
    told = list(opening(older))
    assert len(told) == PAGES
    shares = [one.done / one.total for one in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert {one.label for one in told} == {sealing.LABEL}
    assert not list(opening(older))


@pytest.mark.parametrize("pages", range(1, PAGES + 1))
def test_stopped_at_any_page_it_goes_on_there(older, other, pages):
    far = stopped_after(older, pages)
    before = seals(other)
    assert len(before) == min(2 * pages, 8) + min(2 * max(0, pages - 5), 5)
    assert all(one.done >= far.done for one in opening(older))
    after = seals(other)
    assert before.items() <= after.items()
    assert len(after) == len(TEXTS) + 8
    with closing(reopened(older)) as there:
        assert not examined(there)
        memory = Memories(there).list(DEFAULT_SCOPE)[0]
        Memories(there).update(memory.id, {"text": "Ann rows."}, YOU)
        assert not examined(there)


@pytest.mark.parametrize("number", range(1, 14))
def test_what_fails_within_a_page_leaves_the_pages_before_it(older, other, monkeypatch, number):
    left, hashed = [number], Chain._hashed

    def failing(self, *asked):
        left[0] -= 1
        if not left[0]:
            raise StoreError("It failed.")
        return hashed(self, *asked)

    monkeypatch.setattr(Chain, "_hashed", failing)
    with pytest.raises(StoreError):
        reopened(older)
    assert len(seals(other)) == (number - 1) // 2 * 2
    with closing(reopened(older)) as there:
        assert not examined(there)


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(turns=st.lists(st.booleans(), max_size=PAGES))
def test_two_programs_that_open_it_take_turns(older, turns):
    one, two = opening(older), opening(older)
    for first in turns:
        next(one if first else two, None)
    one.close()
    two.close()
    with closing(reopened(older)) as there:
        assert not examined(there)


MEANWHILE = [
    ("UPDATE memories SET text = 'Ann hates you.' WHERE pk = 1", Sign.EDITED, TamperingKind.MEMORY),
    ("UPDATE memories SET pinned = 1, seal = NULL WHERE pk = 2", Sign.FORGED, TamperingKind.MEMORY),
    ("DELETE FROM memories WHERE pk = 5", Sign.REMOVED, TamperingKind.MEMORY),
    ("UPDATE journal SET actor = 'eve' WHERE pk = 3", Sign.EDITED, TamperingKind.ENTRY),
    ("UPDATE journal SET link = NULL WHERE pk = 3", Sign.FORGED, TamperingKind.ENTRY),
    ("DELETE FROM journal WHERE pk = 3", Sign.REMOVED, TamperingKind.ENTRY),
    (
        "INSERT INTO journal (id, batch, at, actor, op, memory_id, before, after)"
        " VALUES ('j', 'b', 0, 'user', 'update', 'x', '{}', '{}')",
        Sign.FORGED,
        TamperingKind.ENTRY,
    ),
]


@pytest.mark.parametrize(("statement", "sign", "kind"), MEANWHILE)
def test_what_another_program_changes_between_is_told(older, other, statement, sign, kind):
    stopped_after(older, 6)  # all entries, and two memories
    with other() as connection:
        connection.execute(statement)
    with closing(reopened(older)) as there:
        assert (sign, kind) in {(one.sign, one.kind) for one in examined(there)}


def noted(other):
    with other() as connection:
        return connection.execute("SELECT value FROM meta WHERE key = 'sealing'").fetchone()[0]


@pytest.mark.parametrize("pages", [1, 5, 7])
@pytest.mark.parametrize("forged", [None, b"", bytes(33), 7])
def test_a_vault_whose_note_is_gone_or_forged_is_told_until_accepted(older, other, pages, forged):
    stopped_after(older, pages)
    with other() as connection:
        connection.execute("DELETE FROM meta WHERE key = 'sealing'")
        if forged is not None:
            connection.execute("INSERT INTO meta VALUES ('sealing', ?)", (forged,))
    stands_until_accepted(older, Sign.UNCHAINED, among=True)


def test_a_note_of_one_vault_is_none_in_another(older, other, tmp_path):
    stopped_after(older, 1)
    there = tmp_path / "other" / "vault.db"
    with closing(Vault(there, bytes(32))) as stranger, stranger.write() as connection:
        connection.execute("DELETE FROM meta WHERE key = 'head'")
        connection.execute("INSERT INTO meta VALUES ('sealing', ?)", (noted(other),))
    there.with_suffix(".mark").unlink()
    with closing(Vault(there, bytes(32))) as stranger:
        assert Sign.UNCHAINED in {one.sign for one in examined(stranger)}


def test_an_earlier_note_put_back_hides_nothing_that_was_sealed(older, other):
    stopped_after(older, 1)
    earlier = noted(other)
    reopened(older).close()
    older.path.with_suffix(".mark").unlink()
    with other() as connection:
        connection.execute("UPDATE memories SET text = 'Ann hates you.' WHERE pk = 1")
        connection.execute("UPDATE journal SET actor = 'eve' WHERE pk = 5")
        connection.execute("DELETE FROM meta WHERE key = 'head'")
        connection.execute("INSERT INTO meta VALUES ('sealing', ?)", (earlier,))
    with closing(reopened(older)) as there:
        found = {(one.sign, one.kind) for one in examined(there)}
    assert {(Sign.EDITED, TamperingKind.MEMORY), (Sign.EDITED, TamperingKind.ENTRY)} <= found


@pytest.mark.parametrize("pages", [0, 1, 6])
def test_a_backup_of_a_vault_that_is_half_sealed_goes_on_too(older, profile_paths, pages):
    if pages:
        stopped_after(older, pages)
    copy = backup.create(older.path, older.key, older.clock)
    reopened(older).close()
    backup.restore(profile_paths, copy, older.key, older.clock)
    with closing(reopened(older)) as there:
        assert not examined(there)
