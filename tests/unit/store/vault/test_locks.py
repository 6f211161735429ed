import subprocess
import sys

import pytest

from app.errors import VaultBusy, VaultReadOnly
from app.paths import ProfilePaths
from app.store.vault import locks
from app.store.vault.locks import FileLock, alone, asked, taken, vault_alone


def test_many_may_share_and_one_may_be_alone(tmp_path):
    path = tmp_path / "use.lock"
    first, second = taken(path, exclusive=False), taken(path, exclusive=False)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(VaultBusy, match="another window"):
        taken(path, exclusive=True, seconds=0)
    first.close()
    first.close()
    second.close()
    with alone(path, seconds=0):
        with pytest.raises(VaultBusy):
            taken(path, exclusive=False, seconds=0)
        with pytest.raises(VaultBusy):
            taken(path, exclusive=True, seconds=0)
    taken(path, exclusive=False, seconds=0).close()


def test_waiting_ends_when_there_is_nothing_to_wait_for(tmp_path):
    holder = taken(tmp_path / "lock", exclusive=True)
    lock = FileLock(tmp_path / "lock")
    assert not lock.acquire(exclusive=True, seconds=60, unless=lambda: True)
    holder.release()
    assert lock.acquire(exclusive=True, seconds=0)
    lock.close()
    holder.close()


def test_a_lock_that_is_waited_for_is_got_when_it_is_let_go(tmp_path):
    holder = taken(tmp_path / "lock", exclusive=True)

    def let_go():
        holder.close()
        return False

    lock = FileLock(tmp_path / "lock")
    assert lock.acquire(exclusive=False, seconds=10, unless=let_go)
    lock.close()


def test_a_folder_that_cannot_be_written_gives_a_sentence(unprivileged):
    with unprivileged() as folder:
        folder.chmod(0o500)
        with pytest.raises(VaultReadOnly):
            FileLock(folder / "lock")


def test_to_look_whether_somebody_asks_makes_no_file(tmp_path):
    assert not asked(tmp_path / "ask.lock")
    assert not asked(tmp_path / "gone" / "ask.lock")
    assert not list(tmp_path.iterdir())


def test_others_are_asked_while_the_block_runs_and_one_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "_ASKING_SECONDS", 0)
    paths = ProfilePaths(tmp_path)
    with vault_alone(paths):
        assert asked(paths.ask_lock)
        assert paths.ask_lock.stat().st_mode & 0o777 == 0o600
        with pytest.raises(VaultBusy), vault_alone(paths):
            raise AssertionError("two have it alone")
    assert not asked(paths.ask_lock)


def test_whoever_died_asks_no_more(tmp_path):
    path = tmp_path / "ask.lock"
    code = (
        "import sys, pathlib; from app.store.vault.locks import taken;"
        "taken(pathlib.Path(sys.argv[1]), exclusive=True);"
        "print('asking', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as asker:
        assert asker.stdout.readline() == b"asking\n"
        assert asked(path)
        asker.kill()
    assert not asked(path)
