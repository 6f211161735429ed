"""Temporary files of killed programs: swept by erasure and doctor, and counted in what they say."""

import errno
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.store.vault import scratch
from app.store.vault.locks import FileLock
from tests.unit.services.profile import erase

pytestmark = pytest.mark.expects_warnings


def leave(home, name="killed"):
    """Leave what a killed program would; return it."""
    folder = home / scratch.FOLDER
    folder.mkdir(exist_ok=True)
    left = folder / name
    left.write_bytes(b"canary")
    return left


def leave_away(home, tmp_path):
    """Leave an unfinished export where no drive is now; return it."""
    part = tmp_path / "stick" / ".out.zip.1.part"
    leave(home, "elsewhere.x").write_bytes(f"{part}\0{part.parent}".encode())
    return part


@pytest.fixture
def stuck(monkeypatch):
    """Make files of one name impossible to remove."""
    unlink = Path.unlink

    def refused(self, missing_ok=False):
        if self.name == "stuck":
            raise PermissionError(errno.EACCES, "Permission denied")
        unlink(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", refused)
    return "stuck"


def test_an_erasure_sweeps_them_and_its_proof_counts_them(home, filled, tmp_path, stuck):
    folder = home.vault.path.parent
    killed, part = leave(folder), leave_away(folder, tmp_path)
    leave(folder, stuck)
    proof = erase(home)
    assert not killed.exists()
    assert "Left unfinished by a program that was ended: temporary/killed" in proof.removed
    (away,) = [line for line in proof.remaining if str(part) in line]
    assert "a drive that is not there" in away
    (named,) = [line for line in proof.remaining if "temporary/stuck" in line]
    assert "could not be removed" in named
    assert not any("another program" in line for line in proof.remaining)


def test_a_proof_says_that_another_program_is_writing(home, filled):
    folder = home.vault.path.parent
    written = leave(folder)
    with closing(FileLock(folder / "temporary.lock")) as lock:
        lock.acquire(exclusive=False)
        proof = erase(home)
    assert written.exists()
    assert not any("ended" in line for line in proof.removed)
    (line,) = [line for line in proof.remaining if "temporary" in line]
    assert line.startswith("1 temporary file of another program could not be searched")


def test_what_is_left_of_a_profile_that_is_erased_is_told(home, filled, tmp_path):
    folder = home.vault.path.parent
    leave(folder)
    part = leave_away(folder, tmp_path)
    proof = drive(home.service.erase_everything("Ada"), Event())
    assert "Removed: temporary/killed, which was left unfinished" in proof.removed
    assert any(str(part) in line for line in proof.remaining)


def test_the_doctor_sweeps_them_and_says_what_is_left(opened, services, tmp_path, stuck):
    folder = opened.store.vault.path.parent
    clean = {"removed": 0, "in_use": 0, "away": []}
    assert services.doctor.report()["temporary_files"] == clean
    killed, part = leave(folder), leave_away(folder, tmp_path)
    report = services.doctor.report()
    assert not killed.exists()
    assert report["temporary_files"]["removed"] == 1
    (away,) = report["temporary_files"]["away"]
    assert str(part) in away
    assert report["problems"]["temporary"] == []
    assert report["ok"]
    leave(folder, stuck)
    report = services.doctor.report()
    (line,) = report["problems"]["temporary"]
    assert "temporary/stuck" in line
    assert not report["ok"]
    part.parent.mkdir()
    part.touch()
    assert services.doctor.report()["temporary_files"] == clean | {"removed": 1}
    assert not part.exists()
