"""A person who uses only the command line has a backup of every day, too."""

from datetime import timedelta

import pytest

from app.cli.main import run
from app.domain.ids import utc_now
from app.errors import StoreError
from app.main.program import Program
from app.paths import find
from app.store.profiles import Profiles
from app.store.vault import backup


@pytest.fixture
def copies(loci):
    """Return the backups of the one profile there is."""
    loci("remember", "I own a boat called Wren.")
    profiles = Profiles(find(None), find_keyring=lambda: None)
    return lambda: list(backup.copies(profiles.files(profiles.list()[0].slug).vault))


@pytest.fixture
def tomorrow(loci, capsys):
    """Run a command on the day after; return its exit code and what it printed."""
    program = Program(lambda: utc_now() + timedelta(days=1, minutes=1))

    def call(*arguments):
        code = run(program, list(arguments))
        return code, *capsys.readouterr()

    return call


def test_a_command_makes_the_backup_that_is_due_and_says_nothing(copies, tomorrow):
    assert copies() == []
    assert tomorrow("memories", "list", "--json")[2] == ""
    assert len(copies()) == 1
    tomorrow("memories", "list")
    assert len(copies()) == 1


def test_it_comes_after_what_the_command_prints(copies, tomorrow, monkeypatch, capsys):
    printed = []

    def create(*given):
        printed.append(capsys.readouterr().out)
        raise StoreError("The disk is away.")

    monkeypatch.setattr(backup, "create", create)
    code, out, err = tomorrow("memories", "list")
    assert (code, out) == (0, "")
    assert "Wren" in printed[0]
    assert "The daily backup: The disk is away." in err


def test_a_command_that_failed_or_a_pause_makes_none(copies, tomorrow, loci):
    assert tomorrow("memories", "show", "none")[0] == 1
    loci("upkeep", "pause")
    tomorrow("memories", "list")
    assert copies() == []
    loci("restrict", "on")
    loci("upkeep", "resume")
    tomorrow("memories", "list")
    assert len(copies()) == 1


def test_one_that_takes_too_long_is_stopped_and_left_for_the_day(copies, tomorrow, monkeypatch):
    create = backup.create

    def late(path, key, clock, cancel):
        cancel.set()  # as the timer does
        return create(path, key, clock, cancel)

    monkeypatch.setattr(backup, "create", late)
    assert "took too long" in tomorrow("memories", "list")[2]
    assert tomorrow("memories", "list")[2] == ""
    assert copies() == []


def test_a_backup_that_was_asked_for_is_the_one_of_the_day(copies, tomorrow):
    tomorrow("profiles", "backup")
    assert len(copies()) == 1


def test_what_was_erased_has_no_backup(copies, tomorrow):
    code, _out, err = tomorrow("erase", "--all", "--yes")
    assert (code, "daily backup" in err) == (0, False)
    assert not any(path.is_dir() for path in find(None).profiles.iterdir())
