from contextlib import closing

import pytest

from app.paths import find
from app.store.profiles import Profiles
from app.store.vault import backup


@pytest.fixture
def passphrase(monkeypatch):
    def give(text):
        monkeypatch.setenv("LOCI_PASSPHRASE", text)

    return give


def test_profiles_are_made_listed_renamed_and_switched(loci, texts):
    assert loci("profiles", "create", "Ann Sails").out == "Made Ann Sails (ann-sails).\n"
    assert "already" in loci("profiles", "create", "ann sails", code=1).err
    loci("profiles", "rename", "ann sails", "Ann")
    loci("remember", "I like tea.", "--profile", "ann")
    assert texts() == []
    assert loci("profiles", "switch", "Ann").out == "Using Ann.\n"
    assert texts() == ["I like tea."]
    listed = loci("profiles", "--json").data
    assert [(p["slug"], p["name"], p["current"]) for p in listed] == [
        ("personal", "Personal", False),
        ("ann-sails", "Ann", True),
    ]
    assert "* ann-sails  Ann  (key file)" in loci("profiles", "list").out
    for command in (("switch", "bob"), ("rename", "bob", "x")):
        assert loci("profiles", *command, code=1).err == "There is no profile called 'bob'.\n"


def test_a_key_in_a_file_is_told_once(loci, tmp_path):
    first = loci("memories", "list", "--data-dir", tmp_path / "new")
    assert "lies in a file" in first.err
    assert loci("memories", "list", "--data-dir", tmp_path / "new").err == ""
    assert "lies in a file" in loci("profiles", "create", "Bob").err


def test_a_passphrase_makes_protects_and_opens(loci, passphrase, monkeypatch, texts):
    passphrase("violet")
    assert loci("profiles", "create", "Bob").err == ""
    loci("remember", "I like tea.", "--profile", "bob")
    monkeypatch.delenv("LOCI_PASSPHRASE")
    locked = loci("memories", "list", "--profile", "bob", code=1)
    assert "passphrase" in locked.err
    assert "LOCI_PASSPHRASE" in locked.err
    passphrase("wrong")
    assert "not right" in loci("memories", "list", "--profile", "bob", code=1).err
    passphrase("violet")
    assert texts("--profile", "bob") == ["I like tea."]


def test_a_passphrase_is_set_and_taken_away(loci, passphrase, monkeypatch, texts):
    assert loci("profiles", "passphrase", "--json", say=b"violet\n").data == {
        "slots": ["passphrase"]
    }
    loci("memories", "list", code=1)
    assert "no passphrase on standard input" in passphraseless(loci, passphrase)
    loci("profiles", "passphrase", "--remove")
    monkeypatch.delenv("LOCI_PASSPHRASE")
    assert texts() == []


def passphraseless(loci, passphrase):
    passphrase("violet")
    return loci("profiles", "passphrase", code=1).err


def test_a_recovery_code_opens_when_the_passphrase_is_lost(loci, monkeypatch, texts):
    loci("remember", "I like tea.")
    code = loci("profiles", "recovery-code").out.strip()
    said = loci("profiles", "passphrase", say=b"violet\n").out
    assert "Older copies of the profile's folder still open with what opened them before" in said
    monkeypatch.setenv("LOCI_RECOVERY_CODE", code)
    assert texts() == ["I like tea."]
    monkeypatch.setenv("LOCI_RECOVERY_CODE", code[::-1])
    loci("memories", "list", code=1)


def test_a_backup_is_put_back(loci, tmp_path, texts):
    assert loci("profiles", "backups").out == "No backup yet.\n"
    assert "no backup" in loci("profiles", "restore", code=1).err
    loci("remember", "I like tea.")
    profiles = Profiles(find(None), find_keyring=lambda: None)
    with closing(profiles.open("personal")) as vault:
        copy = backup.create(vault.path, vault.key)
    loci("remember", "I like coffee.")
    assert [row["path"] for row in loci("profiles", "backups", "--json").data] == [str(copy)]
    vault.path.write_bytes(b"garbage")
    assert "damaged" in loci("memories", "list", code=1).err
    assert "--yes" in loci("profiles", "restore", code=1).err
    kept = loci("profiles", "restore", "--yes", "--json").data
    assert kept["restored"] == str(copy)
    assert texts() == ["I like tea."]
    assert "no longer exists" in loci("profiles", "restore", tmp_path / "none", "--yes", code=1).err


@pytest.mark.expects_warnings
def test_what_is_left_of_a_making_that_was_interrupted_is_told_once(loci):
    loci("remember", "I like tea.")
    loci("profiles", "create", "Ann")
    folder = find(None).profile("ann").folder
    (folder / "making.todo").touch()
    (folder / "profile.json").unlink()
    listed = loci("memories", "list")
    assert "I like tea." in listed.out
    assert "The making of the profile “ann” was interrupted" in listed.err
    assert loci("memories", "list").err == ""
    assert [p["slug"] for p in loci("profiles", "--json").data] == ["personal"]
