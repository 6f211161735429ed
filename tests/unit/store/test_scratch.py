"""What a killed program was writing is swept, wherever it lies, and nothing else."""

import errno
import multiprocessing
import os

import pytest

from app.errors import DiskFull
from app.store import scratch

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
        assert scratch.left(tmp_path) == 2
        part.replace(target)
    assert scratch.left(tmp_path) == 0
    assert [p.name for p in target.parent.iterdir()] == ["out.zip"]
    assert target.read_bytes() == b"whole"


def test_what_a_killed_program_left_is_swept_there_and_elsewhere(tmp_path):
    away = tmp_path / "away"
    away.mkdir()
    (away / ".mine.part").write_bytes(b"mine")
    kill(_killed_in_room, tmp_path)
    kill(_killed_beside, tmp_path, away / "out.zip")
    assert scratch.left(tmp_path) == 2
    assert len(list(away.iterdir())) == 2
    assert len(scratch.sweep(tmp_path)) == 2
    assert scratch.left(tmp_path) == 0
    assert [p.name for p in away.iterdir()] == [".mine.part"]
    assert scratch.sweep(tmp_path) == []


def test_what_is_being_written_is_left_alone(tmp_path):
    with scratch.room(tmp_path) as made:
        (made / "draft").write_bytes(b"x")
        assert scratch.sweep(tmp_path) == []
        assert scratch.left(tmp_path) == 1
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
    assert scratch.left(tmp_path) == 0


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    path = tmp_path / "slots.json"
    scratch.write_private(path, b"old")

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match="Nothing was lost"):
        scratch.write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert scratch.left(tmp_path) == 0
