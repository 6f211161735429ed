"""What was noticed stands, also over openings, until the person accepts it; then all is well."""

from contextlib import closing

import pytest

from app.domain.memory import DEFAULT_SCOPE
from app.domain.tampering import Sign, TamperingKind
from app.store.memories import Memories
from app.store.vault import mark, tampering
from tests.unit.store.chained import YOU, accept, examined, reopened, stands_until_accepted

pytestmark = pytest.mark.tampers


def test_accepting_takes_everything_as_it_is(vault, remember, other, found):
    for text in ("Ann sails.", "Ben rows.", "Cleo swims."):
        remember(text)
    with other() as connection:
        connection.execute("UPDATE memories SET pinned = 1, seal = 'none' WHERE pk = 1")
        connection.execute("UPDATE journal SET link = 5 WHERE pk = 2")
        connection.execute("DELETE FROM memories WHERE pk = 3")
        connection.execute("INSERT INTO meta VALUES ('tampering', x'00')")
    assert {one.sign for one in found()} == {Sign.EDITED, Sign.FORGED, Sign.RETURNED, Sign.REMOVED}
    with vault.write() as connection:
        tampering.keep(connection, found(), 0)
    with vault.read() as connection:
        assert tampering.recalled(connection)
    accept(vault)
    assert not found()
    remember("Dora dives.")
    assert not found()


def test_accepting_takes_also_history_of_no_memory_that_can_be(vault, remember, other, found):
    for text in ("Ann sails.", "Ben rows.", "Cleo swims."):
        remember(text)
    with other() as connection:
        connection.execute("UPDATE journal SET memory_id = x'00ff' WHERE pk > 1")
    assert found()
    accept(vault)
    assert not [one for one in found() if one.kind is TamperingKind.ENTRY]


def test_what_was_found_stands_until_it_is_accepted(vault, remember, other, found):
    remember("Ann sails.")
    with other() as connection:
        connection.execute("UPDATE memories SET pinned = 1")
    with vault.write() as connection:
        tampering.keep(connection, found(), 0)
    with other() as connection:
        connection.execute("UPDATE memories SET pinned = 0")
    (one,) = found()
    assert one.fields == ("pin",)


@pytest.mark.expects_warnings
def test_an_old_copy_is_noticed_also_where_it_went_on(vault, remember, clock):
    remember("Ann sails.")
    vault.close()
    old = vault.path.read_bytes()
    with closing(reopened(vault)) as there:
        Memories(there).update(Memories(there).list(DEFAULT_SCOPE)[0].id, {"pinned": True}, YOU)
    kept, good = vault.path.with_suffix(".mark").read_bytes(), vault.path.read_bytes()
    vault.path.write_bytes(old)
    elsewhere = vault.path.with_suffix(".mark")
    mark.begin(elsewhere, vault.key)
    with closing(reopened(vault)) as there:
        for number in range(3):
            one = Memories(there).list(DEFAULT_SCOPE)[0].id
            Memories(there).update(one, {"text": f"Ann sold {number} boats."}, YOU)
    elsewhere.write_bytes(kept)
    stands_until_accepted(vault, Sign.OTHER)
    vault.path.write_bytes(good)  # what was put aside is another copy now
    with closing(reopened(vault)) as there, there.read() as connection:
        assert mark.lost(connection)


@pytest.mark.parametrize("left", [None, b"", b"LOCIHEAD" + bytes(64)])
def test_a_mark_that_is_gone_or_forged_is_noticed(vault, remember, left):
    remember("Ann sails.")
    vault.close()
    path = vault.path.with_suffix(".mark")
    path.unlink() if left is None else path.write_bytes(left)
    stands_until_accepted(vault, Sign.UNKNOWN)


def test_a_chain_that_was_removed_does_not_begin_again_by_itself(vault, remember, other):
    remember("Ann sails.")
    vault.close()
    with other() as connection:
        connection.execute("UPDATE memories SET pinned = 1")
        connection.execute("DELETE FROM meta WHERE key = 'head'")
    with closing(reopened(vault)) as there:
        signs = {one.sign for one in examined(there)}
        assert Sign.UNCHAINED in signs
        Memories(there).update(
            Memories(there).list(DEFAULT_SCOPE)[0].id, {"text": "Ann rows."}, YOU
        )
        assert {Sign.UNCHAINED, Sign.EDITED} <= {one.sign for one in examined(there)}
        accept(there)
        assert not examined(there)


def test_a_chain_that_was_removed_with_its_seals_and_the_mark_does_not_begin_again(
    vault, remember, other
):
    remember("Ann sails.")
    vault.close()
    vault.path.with_suffix(".mark").unlink()
    with other() as connection:
        connection.execute("DELETE FROM meta WHERE key = 'head'")
        connection.execute("UPDATE memories SET seal = NULL, pinned = 1")
        connection.execute("UPDATE journal SET link = NULL")
    stands_until_accepted(vault, Sign.UNCHAINED, among=True)
