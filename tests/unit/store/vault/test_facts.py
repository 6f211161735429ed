"""Values of the vault's own that something else bent are noticed, told and accepted."""

from contextlib import closing

import pytest

from app.domain.memory import DEFAULT_SCOPE
from app.domain.model import Failure
from app.domain.tampering import Sign, TamperingKind
from app.exchange.format import SIGNING_KEY
from app.store.journal.tombstones import Tombstones
from app.store.memories import Memories
from app.store.observations import ObservationProgress, Observations
from app.store.vault import facts, mark, tampering
from app.store.vault.meta import Erasures, Meta
from app.store.work.secrets import VaultSecrets
from app.store.work.trials import Trials
from tests.unit.store.chained import YOU, accept, examined, reopened

pytestmark = pytest.mark.tampers

BENT = [
    ("changes", "'abc'"),
    ("changes", "9223372036854775807"),
    ("changes", "-1"),
    ("changes", "CAST(x'ff' AS TEXT)"),
    ("changes_lost", "X'4142'"),
    ("changes_lost", '\'["a","b"]\''),
    ("changes_lost", 'CAST(\'["a","b"]\' AS BLOB)'),
    ("changes_lost", "CAST('[1, 9223372036854775807]' AS BLOB)"),
    ("changes_lost", "7"),
    ("examined", "'once'"),
    ("examined", "9223372036854775807"),
    ("tampering", "x'00'"),
    ("tampering", 'CAST(\'[{"sign": "odd"}]\' AS BLOB)'),
    ("erasures", "'abc'"),
    ("erasure_sought", "9223372036854775807"),
    ("erasure_finished", "x'ff'"),
    ("learner_failures", "9223372036854775807"),
    ("learner_failures", "CAST(printf('%.*c', 90000, '[') AS BLOB)"),
    ("signing_key", "'abc'"),
    ("tombstone_secret", "9223372036854775807"),
    ("secret:a", "x'00'"),
    ("consolidated_up_to:1:fold", "'1 2 3'"),
]


def bend(other, name, value):
    with other() as connection:
        connection.execute(f"INSERT OR REPLACE INTO meta VALUES (?, {value})", (name,))


def read_all(vault):
    """Read each value as Loci does."""
    for key in (SIGNING_KEY, "tombstone_secret"):
        Meta(vault).get(key)
    erasures = Erasures(vault)
    assert (erasures.count(), erasures.sought(), erasures.told()) == (0, None, [])
    assert Trials(vault).failing() is None
    assert VaultSecrets(vault).get("a") is None
    assert Observations(vault).place(1, "fold") == ObservationProgress()
    with vault.read() as connection:
        assert mark.lost(connection) is None


@pytest.mark.parametrize(("name", "value"), BENT)
def test_a_bent_value_is_told_by_every_opening_until_it_is_accepted(
    vault, remember, other, name, value
):
    memory = remember("Ann sails.")
    vault.close()
    bend(other, name, value)
    for number in range(2):
        with closing(reopened(vault)) as there:
            with there.read() as connection:
                kept = tampering.recalled(connection)
            assert [(one.sign, one.kind) for one in kept] == [(Sign.EDITED, TamperingKind.VAULT)]
            assert kept[0].fields
            assert examined(there) == kept
            read_all(there)
            Memories(there).update(memory.id, {"text": f"Ann sold {number} boats."}, YOU)
    with closing(reopened(vault)) as there:
        accept(there)
        assert not examined(there)
    with closing(reopened(vault)) as there:
        assert not examined(there)


@pytest.mark.parametrize(("name", "value"), BENT)
def test_a_value_bent_while_the_vault_is_open_is_found(vault, remember, other, found, name, value):
    memory = remember("Ann sails.")
    bend(other, name, value)
    read_all(vault)
    Memories(vault).update(memory.id, {"text": "Ann rows."}, YOU)
    (one,) = found()
    assert (one.sign, one.kind) == (Sign.EDITED, TamperingKind.VAULT)
    accept(vault)
    assert not found()
    Memories(vault).update(memory.id, {"text": "Ann dives."}, YOU)
    assert not found()


@pytest.mark.expects_warnings
def test_being_behind_shows_again_after_the_count_was_bent(vault, remember, other):
    remember("Ann sails.")
    vault.close()
    bend(other, "changes", "9223372036854775807")
    with closing(reopened(vault)) as there:
        accept(there)
    old = vault.path.read_bytes()
    with closing(reopened(vault)) as there:
        Memories(there).update(Memories(there).list(DEFAULT_SCOPE)[0].id, {"pinned": True}, YOU)
    vault.path.write_bytes(old)
    with closing(reopened(vault)) as there, there.read() as connection:
        assert mark.lost(connection).changes == 1


@pytest.mark.parametrize("value", ["'once'", "9223372036854775807", "0"])
def test_since_when_is_not_known_where_that_was_bent(vault, remember, other, found, value):
    remember("Ann sails.")
    bend(other, "examined", value)
    with other() as connection:
        connection.execute("UPDATE journal SET at = 'once'")
    assert {one.since for one in found()} == {None}


def test_whatever_loci_itself_writes_is_not_bent(vault, remember):
    remember("Ann sails.")
    Meta(vault).once(SIGNING_KEY, lambda: bytes(32))
    Meta(vault).first("told a")
    Tombstones(vault).add("Ann sails.")
    erasures = Erasures(vault)
    erasures.add()
    erasures.seek([b"Ann"])
    erasures.tell("It is finished.")
    Trials(vault).failed("a", Failure.ERROR)
    VaultSecrets(vault).set("a", "b")
    Observations(vault).move_to(1, "fold", ObservationProgress(5, 7))
    with vault.write() as connection:
        tampering.keep(connection, examined(vault), 5)
        assert facts.bent(connection) == {}
        names = {row[0] for row in connection.execute("SELECT key FROM meta")}
    assert {"changes", "examined", "tombstone_secret", "erasure_sought"} <= names
