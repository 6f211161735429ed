"""What is left of a profile whose making was cut short is nobody's profile, and in nobody's way."""

import errno
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.paths import Paths
from app.store.profiles import Profiles


@pytest.fixture
def root(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def profiles(root):
    return Profiles(Paths(root), lambda: datetime(2026, 11, 21, tzinfo=UTC), lambda: None)


def test_a_creation_that_was_interrupted_is_no_profile(profiles, root):
    (root / "profiles" / "personal").mkdir(parents=True)
    (root / "profiles" / "personal" / "vault.db").touch()
    assert profiles.list() == []
    assert profiles.first().slug == "personal-2"
    profiles.open("personal-2").close()


@pytest.mark.expects_warnings
def test_a_making_that_was_interrupted_is_set_aside_and_nobody_s_default(profiles, root):
    profiles.first()
    vault, _ = profiles.create("Work")
    vault.close()
    folder = root / "profiles" / "work"
    (folder / "making.todo").touch()
    (folder / "profile.json").unlink()
    assert [profile.slug for profile in profiles.list()] == ["personal"]
    assert profiles.first().slug == "personal"
    (told,) = profiles.set_aside_unfinished()
    assert "“work”" in told
    assert not folder.exists()
    assert len([*(root / "unfinished").glob("work-*/vault.db")]) == 1
    assert profiles.set_aside_unfinished() == []
    profiles.create("Work")[0].close()
    assert [profile.slug for profile in profiles.list()] == ["personal", "work"]


def interrupted(root, slug="work"):
    """What is left of a profile whose making was cut short."""
    folder = root / "profiles" / slug
    folder.mkdir(parents=True)
    (folder / "making.todo").touch()
    (folder / "slots.json").write_text("{}")
    return folder


@pytest.mark.expects_warnings
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EXDEV])
def test_remains_that_cannot_be_moved_are_passed_over_and_told(profiles, root, monkeypatch, number):
    profiles.first()
    folders = [interrupted(root), interrupted(root, "zoo")]
    rename = Path.rename

    def refused(self, target):
        if self == folders[0]:
            raise OSError(number, os.strerror(number))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refused)
    stays, moved = profiles.set_aside_unfinished()
    assert "“work” was interrupted" in stays
    assert f"could not be moved out of {folders[0]} and is passed over" in stays
    assert "“zoo”" in moved
    assert folders[0].exists()
    assert not folders[1].exists()
    assert [profile.slug for profile in profiles.list()] == ["personal"]
    profiles.open("personal").close()
    profiles.create("Work")[0].close()
    assert profiles.get("Work").slug == "work-2"
    monkeypatch.undo()
    (told,) = profiles.set_aside_unfinished()
    assert "What is left lies in" in told


@pytest.mark.expects_warnings
def test_remains_are_passed_over_where_there_is_no_place_for_them(profiles, root):
    profiles.first()
    folder = interrupted(root)
    (root / "unfinished").touch()  # in the way of the folder
    (told,) = profiles.set_aside_unfinished()
    assert "passed over" in told
    assert folder.exists()
    profiles.open("personal").close()


@pytest.mark.expects_warnings
def test_a_folder_left_before_it_was_marked_is_noticed(profiles, root):
    """Killed before making.todo was there, or while it was being written."""
    profiles.first()
    for slug in ("bare", "begun"):
        (root / "profiles" / slug).mkdir()
    half = root / "profiles" / "begun" / "temporary" / "tmpx"
    half.mkdir(parents=True)
    (half / "making.todo").touch()
    (root / "profiles" / "begun" / "temporary.lock").touch()
    told = profiles.set_aside_unfinished()
    assert ["“bare”" in told[0], "“begun”" in told[1]] == [True, True]
    assert sorted(p.name for p in (root / "profiles").iterdir() if p.is_dir()) == ["personal"]
    assert profiles.set_aside_unfinished() == []
    profiles.create("Bare")[0].close()
    assert profiles.get("Bare").slug == "bare"


def test_what_holds_anything_or_is_not_ours_is_no_remains(profiles, root):
    profiles.first()
    kept, foreign = root / "profiles" / "kept", root / "profiles" / "lost+found"
    (kept / "backups").mkdir(parents=True)
    (kept / "backups" / "vault.db").write_bytes(b"x")
    foreign.mkdir()
    assert profiles.set_aside_unfinished() == []
    assert kept.exists()
    assert foreign.exists()
