import sys
from threading import Event, Thread

import pytest
from sqlcipher3.dbapi2 import IntegrityError

from app.errors import DiskFull, StoreError, VaultBusy, VaultCorrupt, VaultTooNew
from app.paths import ProfilePaths
from app.store.vault.file import Vault
from tests.fakes import disks


def put(vault, name, value="kept"):
    with vault.write() as connection:
        connection.execute("INSERT INTO meta VALUES (?, ?)", (name, value))


def put_twice(vault, name):
    with vault.write():
        put(vault, name)
        put(vault, name)


def put_until_full(vault):
    """Return the rows whose writing succeeded."""
    written = []
    while True:
        name = f"row {len(written):04}"
        try:
            put(vault, name, "x" * 2000)
        except DiskFull:
            return written
        written.append(name)


def names(vault):
    with vault.read() as connection:
        keys = [row[0] for row in connection.execute("SELECT key FROM meta ORDER BY key")]
        own = ("changes", "examined", "head")  # what the vault notes of itself
        return [key for key in keys if key not in own]


def mode(path):
    return path.stat().st_mode & 0o777


def test_m4_file_mode_and_wal(tmp_path, key):
    """The folder is 0700, its files are 0600, the log is on unless it is switched off."""
    paths = ProfilePaths(tmp_path / "new" / "profile")
    vault = Vault(paths.vault, key)
    put(vault, "word")
    files = {file.name: mode(file) for file in paths.folder.iterdir()}
    assert {"vault.db", "vault.db-wal", "vault.db-shm"} <= set(files)
    assert set(files.values()) == {0o600}
    assert mode(paths.folder) == 0o700
    with vault.read() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchall()[0][0] == "wal"
    vault.close()

    vault = Vault(paths.vault, key, wal=False)
    put(vault, "another")
    assert not (paths.folder / "vault.db-wal").exists()
    with vault.read() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchall()[0][0] == "delete"
    assert names(vault) == ["another", "word"]
    vault.close()


@pytest.mark.parametrize("wal", [True, False])
def test_what_was_committed_outlasts_a_power_cut(tmp_path, key, wal):
    """Every commit waits for the disk; that is what FULL (2) means, with and without the log."""
    vault = Vault(tmp_path / "vault.db", key, wal=wal)
    with vault.write() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
    vault.close()


def test_the_log_stays_as_it_is_while_another_program_uses_it(vault):
    other = Vault(vault.path, vault.key, wal=False)
    put(other, "word")
    assert names(vault) == ["word"]
    other.close()


def test_a_write_that_fails_changes_nothing(vault):
    put(vault, "one")

    def failing():
        with vault.write() as connection:
            connection.execute("INSERT INTO meta VALUES ('two', '')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    assert names(vault) == ["one"]


def test_a_nested_write_takes_back_its_own_part_alone(vault):
    with vault.write() as connection:
        connection.execute("INSERT INTO meta VALUES ('outer', '')")
        with pytest.raises(IntegrityError):
            put_twice(vault, "inner")
        assert names(vault) == ["outer"]
        with vault.search() as same:
            assert same is connection
    assert names(vault) == ["outer"]


def test_readers_cannot_write(vault):
    for lend in (vault.read, vault.search):
        with pytest.raises(StoreError), lend() as connection:
            connection.execute("INSERT INTO meta VALUES ('x', '')")


def test_one_block_reads_one_moment(vault):
    with vault.read() as connection:
        before = connection.execute("SELECT count(*) FROM meta").fetchall()
        writer = Thread(target=put, args=(vault, "word"))
        writer.start()
        writer.join()
        assert connection.execute("SELECT count(*) FROM meta").fetchall()[0][0] == before[0][0]
    assert names(vault) == ["word"]


@pytest.mark.parametrize("lend", ["read", "search"])
def test_a_cursor_left_unfinished_does_not_keep_the_log_from_being_cut(vault, lend):
    for number in range(300):
        put(vault, f"word {number}")
    with getattr(vault, lend)() as connection:
        left = connection.execute("SELECT * FROM meta")
        left.fetchone()
    put(vault, "last")
    vault.checkpoint()
    assert (vault.path.parent / "vault.db-wal").stat().st_size == 0
    del left


def test_the_log_is_cut_once_readers_have_returned(vault):
    reading, done = Event(), Event()

    def read():
        with vault.read() as connection:
            connection.execute("SELECT * FROM meta").fetchall()
            reading.set()
            done.wait()
            names(vault)

    reader = Thread(target=read)
    reader.start()
    reading.wait()
    put(vault, "word")
    cutter = Thread(target=vault.checkpoint)
    cutter.start()
    done.set()
    reader.join()
    cutter.join()
    assert (vault.path.parent / "vault.db-wal").stat().st_size == 0
    assert names(vault) == ["word"]


def test_data_version_tells_of_writes_here_and_elsewhere(vault):
    before = vault.data_version()
    assert vault.data_version() == before
    put(vault, "here")
    here = vault.data_version()
    assert here != before
    other = Vault(vault.path, vault.key)
    put(other, "there")
    other.close()
    assert vault.data_version() != here


def test_a_closed_vault_says_so(vault):
    vault.close()
    vault.close()
    for use in (vault.read, vault.write, vault.search):
        with pytest.raises(StoreError, match="closed"), use():
            pass
    with pytest.raises(StoreError, match="closed"):
        vault.data_version()


def test_another_process_that_writes_for_long_gives_a_sentence(vault, monkeypatch):
    other = Vault(vault.path, vault.key)
    with vault.write() as connection:
        connection.execute("INSERT INTO meta VALUES ('x', '')")
        other._writer.execute("PRAGMA busy_timeout = 0")
        with pytest.raises(VaultBusy), other.write():
            pass
    other.close()


@pytest.mark.parametrize("content", [b"hello world" * 1000, b"ab", b"SQLite format 3\0" * 512])
def test_a_file_that_is_no_vault_is_left_alone(tmp_path, key, content):
    path = tmp_path / "vault.db"
    path.write_bytes(content)
    with pytest.raises(VaultCorrupt):
        Vault(path, key)
    assert path.read_bytes() == content


def test_a_wrong_key_opens_nothing_and_harms_nothing(vault, capfd):
    put(vault, "word")
    vault.close()
    before = vault.path.read_bytes()
    with pytest.raises(VaultCorrupt, match="key does not fit"):
        Vault(vault.path, bytes(32))
    assert vault.path.read_bytes() == before
    assert capfd.readouterr() == ("", "")
    again = Vault(vault.path, vault.key)
    assert names(again) == ["word"]
    again.close()


def test_a_damaged_page_gives_a_sentence_not_a_wrong_row(vault, capfd):
    for number in range(500):
        put(vault, f"word {number}", "x" * 200)
    vault.checkpoint()
    vault.close()
    data = bytearray(vault.path.read_bytes())
    for page in range(1, 20):
        data[-page * 4096 + 100] ^= 1
    vault.path.write_bytes(data)
    again = Vault(vault.path, vault.key)
    with pytest.raises(VaultCorrupt), again.read() as connection:
        connection.execute("SELECT sum(length(value)) FROM meta").fetchall()
    again.close()
    assert capfd.readouterr() == ("", "")


def test_a_newer_vault_is_refused(vault):
    with vault.write() as connection:
        connection.execute("PRAGMA user_version = 999")
    vault.close()
    with pytest.raises(VaultTooNew, match="nothing was changed"):
        Vault(vault.path, vault.key)


def test_a_full_vault_loses_no_row(vault):
    put(vault, "before")
    with vault.write() as connection:
        pages = connection.execute("PRAGMA page_count").fetchall()[0][0]
    vault._writer.execute(f"PRAGMA max_page_count = {pages + 10}").fetchall()
    written = put_until_full(vault)
    assert written
    assert names(vault) == ["before", *written]
    vault._writer.execute(f"PRAGMA max_page_count = {pages * 10}").fetchall()
    put(vault, "after")
    assert len(names(vault)) == len(written) + 2


@pytest.fixture
def small_disk(tmp_path):
    """A real disk of 3 MB, where the tests may mount one."""
    if not disks.may_mount():
        pytest.skip("only the administrator may mount a disk")
    with disks.small_disk(tmp_path / "small", 3) as folder:
        yield folder


@pytest.mark.skipif(sys.platform != "linux", reason="needs tmpfs")
def test_a_full_disk_loses_no_row(small_disk, key):
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 1_000_000)
    vault = Vault(small_disk / "vault.db", key)
    written = put_until_full(vault)
    assert written
    assert names(vault) == written
    vault.close()
    ballast.unlink()
    vault = Vault(small_disk / "vault.db", key)
    put(vault, "row after")
    assert names(vault) == [*written, "row after"]
    with vault.read() as connection:
        assert connection.execute("PRAGMA quick_check").fetchall()[0][0] == "ok"
    vault.close()


@pytest.fixture
def other(vault):
    """The same vault, opened once more."""
    other = Vault(vault.path, vault.key)
    yield other
    other.close()


def test_the_others_are_asked_to_close_and_not_the_one_who_asks(vault, other):
    with vault.asking():
        assert (vault.asked, other.asked) == (False, True)
    assert (vault.asked, other.asked) == (False, False)


def test_whoever_closes_while_asking_still_asks(vault, other):
    """Else a window would open again what is about to be erased."""
    with vault.asking():
        vault.close()
        assert other.asked
    assert not other.asked


def test_it_is_waited_until_the_others_have_closed(vault, other):
    waiting = vault.expect_alone(60)
    assert next(waiting).stoppable
    assert next(waiting).stoppable
    other.close()
    assert not list(waiting)


def test_others_who_keep_it_open_are_a_sentence_and_all_goes_on(vault, other):
    with pytest.raises(VaultBusy, match="another window"):
        list(vault.expect_alone(0))
    for each, name in ((vault, "mine"), (other, "theirs")):
        with each.write() as connection:
            connection.execute("INSERT INTO meta VALUES (?, '')", (name,))
