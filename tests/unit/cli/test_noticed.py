"""What was damaged or interrupted is said on the terminal, once, and by the doctor."""

import sys
from contextlib import closing

import pytest

from app.cli.main import run
from app.errors import VaultBusy
from app.main.program import Program
from app.paths import find
from app.settings import computer
from app.store.profiles import Profiles
from app.store.vault import keys, sealing
from app.store.vault.connection import connect
from app.store.vault.file import Vault
from app.store.vault.scratch import write_private
from tests.unit.store.chained import make_older

pytestmark = pytest.mark.expects_warnings


@pytest.fixture
def paths():
    return find(None)


@pytest.fixture
def files(loci, paths):
    """The files of the one profile there is."""
    loci("remember", "I own a boat called Wren.")
    profiles = Profiles(paths, find_keyring=lambda: None)
    return profiles.files(profiles.list()[0].slug)


def test_damaged_settings_are_said_once_and_their_copy_counts(loci, files, paths):
    loci("settings", "set", "appearance.theme", "dark")
    paths.settings.write_text("{")
    said = loci("settings", "get", "appearance.theme")
    assert said.out == "dark\n"
    assert "app.json with the settings of this computer was damaged" in said.err
    assert loci("settings", "get", "appearance.theme").err == ""


def test_what_was_noticed_waits_until_the_profile_is_open(files, paths, capsys, monkeypatch):
    computer.save(paths.settings, {"appearance.theme": "dark"})
    paths.settings.write_text("{")
    slots = files.slots.read_bytes()
    for path in (files.slots, files.slots.with_suffix(".bak")):
        path.write_bytes(b"{}")
    program = Program()
    assert run(program, ["doctor"]) == 1
    assert "settings" not in capsys.readouterr().err
    files.slots.write_bytes(slots)
    assert run(program, ["memories", "list"]) == 0
    assert "the settings of this computer was damaged" in capsys.readouterr().err


def test_a_profile_of_an_older_version_says_once_that_it_is_sealed(loci, files, monkeypatch):
    make_older(files.vault, keys.unlock(files))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert sealing.LABEL in loci("memories", "list").err
    assert sealing.LABEL not in loci("memories", "list").err
    assert loci("doctor", "--json").data["problems"]["tampering"] == []


def test_a_copy_of_the_keys_that_was_mended_is_said(loci, files):
    files.key_spare.write_bytes(b"x")
    assert "A copy of vault.key.bak" in loci("memories", "list").err
    files.slots.with_suffix(".bak").unlink()
    assert "A copy of slots.json" in loci("memories", "list").err
    assert loci("memories", "list").err == ""


def test_the_doctor_tells_of_a_lost_card_and_renaming_mends_it(loci, files):
    files.card.write_text("{")
    said = loci("doctor", code=1)
    assert "profile.json" in said.out
    loci("profiles", "rename", files.slug, "Ada")
    loci("doctor")


def test_the_doctor_tries_the_newest_backup_and_another_one_mends_it(loci, files):
    loci("profiles", "backup")
    (copy,) = files.backups.glob("*.db")
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)
    assert f"{copy.name} could not be restored" in loci("doctor", code=1).out
    loci("profiles", "backup")
    loci("doctor")
    loci("doctor", "--thorough", code=1)


def test_what_is_missing_can_be_accepted(loci, files):
    old = files.vault.read_bytes()
    loci("remember", "I am allergic to walnuts.")
    files.vault.write_bytes(old)
    assert "missing" in loci("memories", "list").err
    assert "missing" in loci("doctor", code=1).out
    loci("doctor", "--accept")
    assert loci("memories", "list").err == ""


def test_an_erasure_of_everything_that_was_interrupted_is_told_when_it_is_finished(loci, files):
    loci("profiles", "create", "Bob")
    write_private(files.erase_todo, b"everything\n")
    assert "The erasure of a profile" in loci("memories", "list").err
    assert not files.folder.exists()
    assert loci("memories", "list").err == ""


def test_an_erasure_that_is_owed_is_said_and_finished_by_the_next_command(loci, files, monkeypatch):
    (boat,) = loci("memories", "list", "--json").data
    with monkeypatch.context() as patch:
        patch.setattr(Vault, "compact", refuse)
        said = loci("memories", "erase", boat["id"], "--yes")
    assert "the erasure is not finished: Another program is reading the vault." in said.out
    assert "An interrupted erasure has been finished" in loci("memories", "list").err
    assert loci("memories", "list").err == ""
    loci("doctor")


def refuse(_vault):
    raise VaultBusy("Another program is reading the vault.")


DAMAGES = [
    ("UPDATE memories SET pinned = 1", "`loci doctor --accept`; otherwise restore an earlier"),
    ("DELETE FROM memories_fts WHERE rowid = 1", "`loci doctor --rebuild` rebuilds"),
    ("UPDATE evidence SET memory_pk = 99", "restore an earlier backup, with `loci profiles"),
]


@pytest.mark.tampers
@pytest.mark.parametrize(("statement", "advice"), DAMAGES)
def test_the_doctor_says_at_once_what_to_do(loci, files, statement, advice):
    loci("chat", "--once", "I own a punt called Fred.")
    key = keys.unlock(files)
    with closing(connect(files.vault, key, cache_kb=1024, read_only=False)) as other:
        other.execute("PRAGMA foreign_keys = OFF")
        other.execute(statement)
    found = loci("doctor", code=1)
    assert advice in " ".join(found.out.split())


def test_whichever_page_is_damaged_the_doctor_says_to_restore_a_backup(loci, files):
    sound = files.vault.read_bytes()
    pages = len(sound) // 4096
    for number in range(1, pages, pages // 8):
        at = number * 4096
        files.vault.write_bytes(sound[:at] + bytes(4096) + sound[at + 4096 :])
        found = loci("doctor", code=1)
        assert "estore a backup" in f"{found.out} {found.err}"


@pytest.fixture
def bend(files, paths):
    """Write into the vault as another program that has the key, bound by nothing."""

    def write(*statements):
        profiles = Profiles(paths, find_keyring=lambda: None)
        with closing(profiles.open(profiles.list()[0].slug)) as vault, vault.write() as connection:
            for statement in ("PRAGMA ignore_check_constraints = ON", *statements):
                connection.execute(statement)
            connection.execute("PRAGMA ignore_check_constraints = OFF")

    return write


JOB = (
    "INSERT OR REPLACE INTO jobs (id, kind, unique_key, payload, checkpoint, state, run_after,"
    " created_at, updated_at) VALUES ('j', 'review', 'review', '[1]', '[2]', 'running', 0, 0, 0)"
)
RUNS = (
    "INSERT INTO runs (id, kind, begun_by, outcome, started_at) VALUES"
    " ('r', 'review', 'now', 'done', 'once'), ('s', 'dream', 'now', 'done', 5)",
    "INSERT INTO runs (id, kind, begun_by, outcome, started_at, figures)"
    " VALUES ('t', 'consolidate', 'now', 'running', 5, '[1]')",
)


def test_bent_work_stops_nothing_and_the_doctor_sets_it_right(loci, bend):
    bend(JOB, *RUNS)
    loci("remember", "I own a kite.")
    status = loci("upkeep", "status").out
    assert "Set aside: " in status
    assert "It is damaged (payload, checkpoint)." in status
    assert len(loci("upkeep", "history", "--json").data) == 3
    problems = loci("doctor", "--json", code=1).data["problems"]
    (job,), (one, other) = problems["jobs"], problems["runs"]
    assert job.startswith("A piece of background work (“review”) is damaged (payload, checkpoint)")
    assert one.startswith("A line (“review”) in the history of background work is damaged")
    assert "(figures)" in other
    assert not any(loci("doctor", "--accept", "--json").data["problems"].values())
    assert [run["kind"] for run in loci("upkeep", "history", "--json").data] == ["dream"]
    assert "Set aside: " not in loci("upkeep", "status").out


def test_what_is_bent_can_be_tried_again_or_left(loci, bend):
    bend(JOB)
    assert loci("upkeep", "retry").out == "Nothing is set aside.\n"
    loci("doctor")
    bend(JOB)
    loci("upkeep", "retry", "--leave")
    loci("doctor")
