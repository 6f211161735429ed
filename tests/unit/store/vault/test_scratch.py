"""What a killed program was writing is swept, wherever it lies, and nothing else."""

import errno
import multiprocessing
import os
from pathlib import Path

import pytest

from app.errors import DiskFull
from app.store.vault import scratch

pytestmark = pytest.mark.expects_warnings
_SPAWN = multiprocessing.get_context("spawn")


def _killed_in_room(home):
    with scratch.room(home) as made:
        (made / "draft").write_bytes(b"canary")
        os._exit(9)


def _killed_beside(home, target):
    with scratch.beside(home, target) as part:
        part.write_bytes(b"canary")
        os._exit(9)


def count(home):
    return len(list((home / scratch.FOLDER).iterdir()))


def kill(target, *arguments):
    child = _SPAWN.Process(target=target, args=arguments)
    child.start()
    child.join()
    assert child.exitcode == 9


def test_nothing_is_left_of_what_comes_to_its_end(tmp_path):
    target = tmp_path / "away" / "out.zip"
    target.parent.mkdir()
    with scratch.room(tmp_path) as made, scratch.beside(tmp_path, target) as part:
        (made / "draft").write_bytes(b"x")
        part.write_bytes(b"whole")
        assert part.stat().st_mode & 0o777 == 0o600
        assert count(tmp_path) == 2
        part.replace(target)
    assert scratch.left(tmp_path) == scratch.Left()
    assert [p.name for p in target.parent.iterdir()] == ["out.zip"]
    assert target.read_bytes() == b"whole"


def test_what_a_killed_program_left_is_swept_there_and_elsewhere(tmp_path):
    away = tmp_path / "away"
    away.mkdir()
    (away / ".mine.part").write_bytes(b"mine")
    kill(_killed_in_room, tmp_path)
    kill(_killed_beside, tmp_path, away / "out.zip")
    assert count(tmp_path) == 2
    assert len(list(away.iterdir())) == 2
    assert len(scratch.sweep(tmp_path)) == 2
    assert scratch.left(tmp_path) == scratch.Left()
    assert [p.name for p in away.iterdir()] == [".mine.part"]
    assert scratch.sweep(tmp_path) == []


def test_what_is_being_written_is_left_alone(tmp_path):
    with scratch.room(tmp_path) as made:
        (made / "draft").write_bytes(b"x")
        assert scratch.sweep(tmp_path) == []
        assert scratch.left(tmp_path).in_use == 1
        assert (made / "draft").exists()


def test_a_list_that_names_something_else_removes_nothing(tmp_path):
    mine = tmp_path / "diary.txt"
    mine.write_text("mine")
    with scratch.room(tmp_path):
        pass
    (tmp_path / scratch.FOLDER / "elsewhere.abc").write_text(str(mine))
    scratch.sweep(tmp_path)
    assert mine.read_text() == "mine"


def test_a_file_is_replaced_whole_and_is_the_owners_alone(tmp_path):
    path = tmp_path / "slots.json"
    scratch.write_private(path, b"old")
    scratch.write_private(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert scratch.left(tmp_path) == scratch.Left()


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    path = tmp_path / "slots.json"
    scratch.write_private(path, b"old")

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match="Nothing was lost"):
        scratch.write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert scratch.left(tmp_path) == scratch.Left()


@pytest.fixture
def stick(tmp_path, monkeypatch):
    """A folder that counts as where a drive is mounted as long as ``there`` says so."""
    folder = tmp_path / "stick"
    folder.mkdir()
    there, ismount = [True], os.path.ismount
    monkeypatch.setattr(os.path, "ismount", lambda p: there[0] if Path(p) == folder else ismount(p))
    return folder, there


@pytest.fixture
def listed(tmp_path, stick):
    """An unfinished export on that drive, left by a program that was killed."""
    folder, _ = stick
    aside = tmp_path / "aside"
    with scratch.beside(tmp_path, folder / "out.zip") as part:
        part.write_bytes(b"canary")
        (entry,) = (tmp_path / scratch.FOLDER).iterdir()
        kept, name = entry.read_bytes(), part.name
    entry.write_bytes(kept)
    part.write_bytes(b"canary")
    return folder / name, aside


@pytest.mark.parametrize("mount_point_stays", [True, False])
def test_a_listed_file_on_an_absent_drive_is_not_forgotten(
    tmp_path, stick, listed, mount_point_stays
):
    (folder, there), (part, aside) = stick, listed
    folder.rename(aside)
    there[0] = False
    if mount_point_stays:
        folder.mkdir()
    for _ in range(2):
        assert scratch.sweep(tmp_path) == []
        rest = scratch.left(tmp_path)
        assert rest == scratch.Left(away=(str(part),))
        (told,) = rest.to_come()
        assert "not encrypted" in told
    if mount_point_stays:
        folder.rmdir()
    aside.rename(folder)
    there[0] = True
    assert scratch.sweep(tmp_path) == [str(part)]
    assert not part.exists()
    assert scratch.left(tmp_path) == scratch.Left()


def test_a_listed_file_that_was_seen_to_be_gone_is_forgotten(tmp_path, listed):
    part, _ = listed
    part.unlink()
    assert scratch.sweep(tmp_path) == []
    assert scratch.left(tmp_path) == scratch.Left()


def test_an_entry_of_an_older_version_waits_for_the_folder(tmp_path):
    with scratch.room(tmp_path):
        pass
    part = tmp_path / "stick" / ".out.zip.1.part"
    (tmp_path / scratch.FOLDER / "elsewhere.old").write_text(str(part))
    assert scratch.sweep(tmp_path) == []
    assert scratch.left(tmp_path).away == (str(part),)
    part.parent.mkdir()
    part.touch()
    assert scratch.sweep(tmp_path) == [str(part)]


def test_a_drive_pulled_out_in_the_middle_keeps_its_file_listed(tmp_path, stick):
    folder, there = stick
    with scratch.beside(tmp_path, folder / "out.zip") as part:
        part.write_bytes(b"canary")
        folder.rename(tmp_path / "aside")
        there[0] = False
    assert scratch.left(tmp_path).away == (str(part),)


def test_what_cannot_be_removed_keeps_no_other_and_is_named(tmp_path, monkeypatch):
    with scratch.room(tmp_path):
        pass
    folder = tmp_path / scratch.FOLDER
    for name in ("a/draft", "m/a", "m/stuck", "m/z", "z/draft"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    unlink = os.unlink

    def refused(path, **where):
        if Path(path).name == "stuck":
            raise PermissionError(errno.EACCES, "Permission denied")
        unlink(path, **where)

    monkeypatch.setattr(os, "unlink", refused)
    assert scratch.sweep(tmp_path) == ["temporary/a", "temporary/z"]
    assert [p.name for p in (folder / "m").iterdir()] == ["stuck"]
    rest = scratch.left(tmp_path)
    assert rest == scratch.Left(stuck=("temporary/m",))
    (told,) = rest.to_do()
    assert "could not be removed" in told
    monkeypatch.undo()
    assert scratch.sweep(tmp_path) == ["temporary/m"]
