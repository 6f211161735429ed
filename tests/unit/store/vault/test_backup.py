from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.backup import Backup
from app.errors import Cancelled, NotFound, VaultBusy, VaultCorrupt
from app.store.vault import backup
from app.store.vault.file import Vault

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def add(vault, title):
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO conversations (id, agent_pk, title, created_at, updated_at)"
            " VALUES (?, 1, ?, 0, 0)",
            (title, title),
        )


def titles(vault):
    with vault.read() as connection:
        return [row[0] for row in connection.execute("SELECT title FROM conversations ORDER BY pk")]


def test_a_backup_is_encrypted_private_and_opens_with_the_key(vault, profile_paths):
    add(vault, "canary title")
    copy = backup.create(vault.path, vault.key, lambda: NOON)
    assert copy.name == "vault-20261121-120000-000.db"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert profile_paths.backups.stat().st_mode & 0o777 == 0o700
    assert b"canary" not in copy.read_bytes()
    assert not copy.read_bytes().startswith(b"SQLite format 3")
    assert backup.verify(copy, vault.key)["conversations"] == 1
    with pytest.raises(VaultCorrupt):
        backup.verify(copy, bytes(32))
    assert list(profile_paths.backups.iterdir()) == [copy]


def test_of_the_last_days_and_weeks_one_stays_and_the_newest_always(vault):
    """Two a day for forty days, at the person's noon and evening."""
    first = datetime(2026, 10, 1, 12).astimezone()
    for day in range(40):
        for hours in (0, 6):
            at = first + timedelta(days=day, hours=hours)
            name = at.astimezone(UTC).strftime("vault-%Y%m%d-%H%M%S-000.db")
            (folder := vault.path.with_name("backups")).mkdir(exist_ok=True)
            (folder / name).write_bytes(b"x")
    assert backup.rotate(vault.path, daily=7, weekly=4) > 0
    kept = [b.made_at.astimezone() for b in backup.listed(vault.path)]
    last = first + timedelta(days=39, hours=6)
    assert kept[:3] == [last, last - timedelta(hours=6), last - timedelta(days=1)]
    days = {at.date() for at in kept}
    assert {(last - timedelta(days=n)).date() for n in range(7)} <= days
    assert {(last - timedelta(weeks=n)).isocalendar()[:2] for n in range(4)} == {
        at.isocalendar()[:2] for at in kept
    }
    assert len(kept) == 7 + 1 + 2  # the second of the newest day; two weeks that end before
    assert backup.rotate(vault.path, daily=7, weekly=4) == 0


@given(
    st.lists(st.integers(0, 400 * 24), min_size=1, max_size=60),
    st.integers(1, 30),
    st.integers(0, 9),
)
def test_rotation_keeps_the_newest_and_is_settled_at_once(hours, daily, weekly):
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    found = [
        Backup(Path(f"{n}.db"), begun + timedelta(hours=hour), 1) for n, hour in enumerate(hours)
    ]
    stay = backup.surviving(found, daily, weekly)
    ordered = sorted(found, key=lambda b: b.made_at, reverse=True)
    assert [b.made_at for b in stay[:3]] == [b.made_at for b in ordered[:3]]
    assert len(stay) <= daily + weekly + 3
    assert backup.surviving(stay, daily, weekly) == stay
    more = backup.surviving(found, daily + 1, weekly + 1)
    assert set(stay) <= set(more)


def test_a_backup_that_is_stopped_leaves_no_copy(vault):
    cancel = Event()
    cancel.set()
    for number in range(400):
        add(vault, f"title {number}")
    with pytest.raises(Cancelled):
        backup.create(vault.path, vault.key, cancel=cancel)
    assert not list(vault.path.with_name("backups").iterdir())


def test_a_backup_is_made_while_others_write(vault):
    other = Vault(vault.path, vault.key)
    add(other, "one")
    with vault.read() as connection:
        connection.execute("SELECT * FROM conversations").fetchall()
        copy = backup.create(vault.path, vault.key)
    assert backup.verify(copy, vault.key)["conversations"] == 1
    other.close()


def test_a_damaged_backup_is_not_restored(vault, profile_paths):
    add(vault, "one")
    copy = backup.create(vault.path, vault.key)
    vault.close()
    data = bytearray(copy.read_bytes())
    data[4096 * 20 + 7] ^= 1
    copy.write_bytes(data)
    before = vault.path.read_bytes()
    with pytest.raises(VaultCorrupt, match="Choose another one"):
        backup.restore(profile_paths, copy, vault.key)
    with pytest.raises(NotFound):
        backup.restore(profile_paths, copy.with_name("none.db"), vault.key)
    assert vault.path.read_bytes() == before


def test_a_restored_vault_has_the_rows_of_then_and_those_of_now_are_kept(vault, profile_paths):
    add(vault, "one")
    then = backup.create(vault.path, vault.key)
    add(vault, "two")
    with pytest.raises(VaultBusy):
        backup.restore(profile_paths, then, vault.key, seconds=0)
    vault.close()
    kept = backup.restore(profile_paths, then, vault.key, seconds=0)
    again = Vault(vault.path, vault.key)
    assert titles(again) == ["one"]
    assert vault.path.stat().st_mode & 0o777 == 0o600
    again.close()
    backup.restore(profile_paths, kept, vault.key, seconds=0)
    again = Vault(vault.path, vault.key)
    assert titles(again) == ["one", "two"]
    again.close()


def test_what_a_crash_left_in_the_log_is_kept_too(vault, profile_paths):
    """The log of a damaged vault never meets the restored file, and is not thrown away."""
    add(vault, "one")
    copy = backup.create(vault.path, vault.key)
    vault.close()
    vault.path.write_bytes(b"rubbish" * 1000)
    log = vault.path.with_name("vault.db-wal")
    log.write_bytes(b"log")
    kept = backup.restore(profile_paths, copy, vault.key)
    assert not log.exists()
    assert kept.read_bytes() == b"rubbish" * 1000
    assert kept.with_name(kept.name + "-wal").read_bytes() == b"log"
    again = Vault(vault.path, vault.key)
    assert titles(again) == ["one"]
    again.close()


def test_renewing_replaces_every_older_copy(vault, profile_paths):
    add(vault, "canary")
    old = [backup.create(vault.path, vault.key) for _ in range(2)]
    (profile_paths.backups / "damaged-1.db").write_bytes(b"x")
    with vault.write() as connection:
        connection.execute("DELETE FROM conversations")
    removed = backup.renew(vault.path, vault.key)
    assert {file.name for file in removed} == {old[0].name, old[1].name, "damaged-1.db"}
    (copy,) = profile_paths.backups.iterdir()
    assert backup.verify(copy, vault.key)["conversations"] == 0


def test_the_log_of_a_vault_that_is_gone_is_not_read_with_the_restored_one(vault, profile_paths):
    add(vault, "one")
    then = backup.create(vault.path, vault.key)
    add(vault, "two")
    log = vault.path.with_name("vault.db-wal")
    held = log.read_bytes()
    vault.close()
    vault.path.unlink()
    log.write_bytes(held)
    backup.restore(profile_paths, then, vault.key, seconds=0)
    again = Vault(vault.path, vault.key)
    assert titles(again) == ["one"]
    again.close()
