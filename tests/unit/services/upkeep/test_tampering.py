"""Opening, the doctor and the screen of what waits tell what something else changed."""

import shutil
from contextlib import closing
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE
from app.main.program import Program
from app.paths import Paths
from app.services.upkeep.tampering import ACCEPT
from app.store.memories import Memories
from app.store.profiles import Profiles
from app.store.vault.connection import READ_CACHE_KB, connect
from tests.unit.services.profile import NOW

pytestmark = pytest.mark.tampers


def edit(vault, *statements):
    """Write as another program that has the key."""
    connection = connect(vault.path, vault.key, cache_kb=READ_CACHE_KB, read_only=False)
    with closing(connection):
        for statement in statements:
            connection.execute(statement)


def test_the_doctor_tells_until_it_is_accepted(opened, services):
    services.memories.add("Ann sails.")
    assert services.doctor.report()["problems"]["tampering"] == []
    edit(opened.store.vault, "UPDATE memories SET pinned = 1, text = 'Ann hates you.'")
    report = services.doctor.report()
    (told,) = report["problems"]["tampering"]
    known = "The text and the pin of the memory “Ann sails.” were changed outside Loci after "
    assert told.startswith(known)
    here = NOW.astimezone()
    assert f"{here.day} {here:%B %Y}" in told
    assert "hates" not in told
    assert not report["ok"]
    assert services.attention.counts().foreign == 1
    assert services.attention.foreign() == [told]
    assert services.attention.accept_foreign().profile
    assert services.doctor.report()["problems"]["tampering"] == []
    assert services.attention.counts().foreign == 0


CASES = {
    "DELETE FROM memories": "was removed outside Loci",
    "UPDATE journal SET actor = 'you'": "The history of a memory was changed outside Loci",
    "DELETE FROM journal": "or its history was removed, outside Loci",
    "DELETE FROM meta WHERE key = 'head'": "The record of all changes was removed",
    "UPDATE meta SET value = 'abc' WHERE key = 'changes'": (
        "The count of changes was changed outside Loci after "
    ),
    "UPDATE meta SET value = 9223372036854775807 WHERE key = 'examined'": (
        "The date of the last examination was changed outside Loci at an unknown time."
    ),
}


@pytest.mark.parametrize(("statement", "sentence"), CASES.items())
def test_the_daily_backup_looks_and_the_next_opening_tells(opened, services, statement, sentence):
    services.memories.add("Ann sails.")
    assert services.tampering.opened() == []
    edit(opened.store.vault, statement)
    drive(services.backups.make(), Event())
    *told, last = services.tampering.opened()
    assert sentence in " ".join(told)
    assert last == ACCEPT
    services.tampering.accept()
    assert services.tampering.opened() == []


def test_the_look_after_opening_tells_once(opened, services):
    services.memories.add("Ann sails.")
    assert not services.tampering.look()
    edit(opened.store.vault, "UPDATE memories SET trust = 'external'")
    changes = services.tampering.look()
    assert changes.profile
    assert "The trust of the memory" in " ".join(changes.said)
    assert not services.tampering.look()


def test_very_many_changes_are_summed_up(opened, services):
    for number in range(30):
        services.memories.add(f"Ann owns {number} boats and {number * number} kites.")
    edit(
        opened.store.vault,
        "UPDATE memories SET status = 'forgotten'",
        "UPDATE journal SET actor = 'you'",
    )
    told = services.tampering.examine()
    assert len(told) <= 22
    assert len(services.tampering.opened()) == 4


@pytest.mark.expects_warnings
def test_opening_tells_of_an_old_copy_and_accepting_ends_that(tmp_path):
    profiles = Profiles(Paths(tmp_path), lambda: NOW, lambda: None)
    profiles.create("Ada")[0].close()
    program = Program(lambda: NOW)
    file = profiles.files("ada").vault

    def open_():
        opened = program.unlock(Paths(tmp_path), "Ada")
        opened.services.preferences.set("models.embedder", "hash")
        return opened

    with closing(open_()) as opened:
        assert opened.noticed == ()
        opened.services.memories.add("Ann sails.")
    shutil.copy(file, tmp_path / "old.db")
    with closing(open_()) as opened:
        assert opened.noticed == ()
        opened.services.memories.add("Ben rows.")
    shutil.copy(tmp_path / "old.db", file)
    for _ in range(2):
        with closing(open_()) as opened:
            told = " ".join(opened.noticed)
            assert "an older copy of the vault lies in its place" in told
            assert f"after {NOW.astimezone():%Y-%m-%d %H:%M}" in told
    with closing(open_()) as opened:
        opened.services.attention.accept_foreign()
    with closing(open_()) as opened:
        assert opened.noticed == ()


@pytest.mark.parametrize("value", ["'once'", "0", "9223372036854775807", "4102444800000"])
def test_a_date_that_nobody_can_believe_is_not_told(opened, services, value):
    services.memories.add("Ann sails.")
    edit(
        opened.store.vault,
        f"UPDATE meta SET value = {value} WHERE key = 'examined'",
        "UPDATE journal SET actor = 'you'",
    )
    told = services.tampering.examine()
    assert "The history of a memory was changed outside Loci at an unknown time." in told


@pytest.mark.expects_warnings
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO meta VALUES ('changes_lost', X'4142')",
        """INSERT INTO meta VALUES ('changes_lost', '["a","b"]')""",
        "UPDATE meta SET value = 'abc' WHERE key = 'changes'",
        "UPDATE meta SET value = 9223372036854775807 WHERE key = 'changes'",
    ],
)
def test_a_profile_with_a_bent_value_opens_and_tells(tmp_path, statement):
    profiles = Profiles(Paths(tmp_path), lambda: NOW, lambda: None)
    profiles.create("Ada")[0].close()
    with closing(profiles.open("ada")) as vault:
        edit(vault, statement)
    program = Program(lambda: NOW)
    for _ in range(2):
        with closing(program.unlock(Paths(tmp_path), "Ada")) as opened:
            assert "was changed outside Loci" in " ".join(opened.noticed)
    with closing(program.unlock(Paths(tmp_path), "Ada")) as opened:
        assert opened.services.doctor.report()["problems"]["tampering"]
        opened.services.tampering.accept()
        assert opened.services.doctor.report()["problems"]["tampering"] == []
    with closing(program.unlock(Paths(tmp_path), "Ada")) as opened:
        assert opened.noticed == ()


@pytest.mark.parametrize("table", ["journal", "memories"])
def test_a_damaged_page_is_told_as_damage_and_not_as_tampering(opened, services, table):
    services.memories.add("Ann sails.")
    vault = opened.store.vault
    with vault.read() as connection:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        page = connection.execute(sql, (table,)).fetchone()[0]
    vault.compact()
    assert Memories(vault).count(DEFAULT_SCOPE) == 1
    with vault.path.open("r+b") as file:
        file.seek((page - 1) * 4096 + 500)
        file.write(b"damaged!")
    assert services.tampering.examine() == []
