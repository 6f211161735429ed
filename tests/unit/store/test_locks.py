import pytest

from app.errors import VaultBusy, VaultReadOnly
from app.store.locks import FileLock, alone, taken


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
