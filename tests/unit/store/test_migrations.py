import os
import shutil
from pathlib import Path

import pytest

from app.domain.ids import utc_now
from app.errors import StoreError, VaultBusy
from app.store import backup, migrations
from app.store.connection import READ_CACHE_KB, connect
from app.store.locks import FileLock, taken
from app.store.vault import Vault

GOLDEN = Path(__file__).with_name("schema.sql")
SECOND = """
CREATE TABLE moods (pk INTEGER PRIMARY KEY, memory_pk INTEGER NOT NULL, mood TEXT NOT NULL);
ALTER TABLE memories ADD COLUMN mood TEXT NOT NULL DEFAULT '';
INSERT INTO moods (memory_pk, mood) SELECT pk, 'calm' FROM memories;
CREATE TRIGGER moods_gone AFTER DELETE ON memories BEGIN
  DELETE FROM moods WHERE memory_pk = OLD.pk;
END;
"""
TWO = ("m0001_initial", "m0002_moods")


def schema(connection):
    rows = connection.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name, type"
    ).fetchall()
    return "\n".join(f"{row[0]};" for row in rows) + "\n"


@pytest.fixture
def folder(tmp_path):
    """The migrations as the next version of Loci might have them."""
    there = tmp_path / "migrations"
    there.mkdir()
    shutil.copy(migrations.FOLDER / "m0001_initial.sql", there)
    (there / "m0002_moods.sql").write_text(SECOND)
    return there


@pytest.fixture
def old(vault):
    """A vault of this version with a row in it, closed."""
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO memories (id, agent_pk, trust, origin, actor, text, content_hash, scope,"
            " created_at, updated_at) VALUES ('m', 1, 'learned', 'review', 'job', 'Ann sails.',"
            " x'00', 1, 0, 0)"
        )
    vault.close()
    return vault


@pytest.fixture
def writer(old):
    connection = connect(old.path, old.key, cache_kb=READ_CACHE_KB, read_only=False)
    yield connection
    connection.close()


@pytest.fixture
def use(old):
    lock = taken(old.path.with_name("use.lock"), exclusive=False)
    yield lock
    lock.close()


def migrate(old, writer, use, folder):
    migrations.apply(writer, old.path, old.key, utc_now, use, TWO, folder)


def test_the_schema_is_the_golden_one(vault):
    """Run with LOCI_GOLDEN=1 to write down a schema that was changed on purpose."""
    with vault.read() as connection:
        now = schema(connection)
    if os.environ.get("LOCI_GOLDEN"):
        GOLDEN.write_text(now, "utf-8")
    assert now == GOLDEN.read_text("utf-8")


def test_the_first_agent_is_dated(profile_paths, key):
    now = utc_now()
    vault = Vault(profile_paths.vault, key, lambda: now)
    with vault.read() as connection:
        made = connection.execute("SELECT created_at FROM agents").fetchall()[0][0]
    assert made == int(now.timestamp() * 1000)
    vault.close()


def test_an_old_vault_is_backed_up_and_migrated_with_its_rows(old, writer, use, folder):
    migrate(old, writer, use, folder)
    assert migrations.version(writer) == 2
    rows = writer.execute("SELECT text, mood FROM memories").fetchall()
    assert [tuple(row) for row in rows] == [("Ann sails.", "")]
    assert writer.execute("SELECT mood FROM moods").fetchall()[0][0] == "calm"
    (copy,) = backup.copies(old.path)
    assert backup.verify(copy, old.key)["memories"] == 1
    kept = connect(copy, old.key, cache_kb=READ_CACHE_KB, read_only=True)
    assert migrations.version(kept) == 1
    kept.close()
    applied = writer.execute("SELECT name FROM _sqlite_migrations ORDER BY id").fetchall()
    assert [row[0] for row in applied] == list(TWO)
    migrate(old, writer, use, folder)
    assert len(backup.copies(old.path)) == 1


@pytest.mark.parametrize("after", range(5))
def test_a_migration_that_fails_leaves_the_old_vault(old, writer, use, folder, after):
    before = schema(writer)
    whole = migrations.statements(SECOND)
    assert len(whole) == 4
    broken = ";\n".join(
        [*(s.rstrip(";") for s in whole[:after]), "INSERT INTO nothing VALUES (1);"]
    )
    (folder / "m0002_moods.sql").write_text(broken)
    with pytest.raises(StoreError):
        migrate(old, writer, use, folder)
    assert migrations.version(writer) == 1
    assert schema(writer) == before
    (folder / "m0002_moods.sql").write_text(SECOND)
    migrate(old, writer, use, folder)
    assert migrations.version(writer) == 2


def test_a_crash_after_any_statement_leaves_a_whole_file(old, writer, tmp_path):
    """The files as they lie on the disk in the middle of a migration open as the old vault."""
    writer.execute("PRAGMA cache_size = 5")  # so that half a migration reaches the disk
    writer.execute("BEGIN IMMEDIATE")
    for number, statement in enumerate(migrations.statements(SECOND)):
        writer.execute(statement)
        crashed = tmp_path / f"crash{number}"
        crashed.mkdir()
        for file in old.path.parent.glob("vault.db*"):
            shutil.copy(file, crashed)
        vault = Vault(crashed / "vault.db", old.key)
        with vault.read() as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall()[0][0] == "ok"
            assert connection.execute("SELECT text FROM memories").fetchall()[0][0] == "Ann sails."
            assert migrations.version(connection) == 1
        vault.close()
    writer.execute("ROLLBACK")


def test_a_crash_while_the_first_schema_is_made_leaves_a_vault_that_opens(tmp_path, key):
    script = migrations.statements((migrations.FOLDER / "m0001_initial.sql").read_text("utf-8"))
    path = tmp_path / "made" / "vault.db"
    path.parent.mkdir()
    writer = connect(path, key, cache_kb=64, read_only=False)
    writer.execute("BEGIN IMMEDIATE")
    for number, statement in enumerate(script):
        writer.execute(statement)
        if number % 20 == 0:
            crashed = tmp_path / f"crash{number}"
            crashed.mkdir()
            for file in path.parent.glob("vault.db*"):
                shutil.copy(file, crashed)
            vault = Vault(crashed / "vault.db", key)
            with vault.read() as connection:
                assert schema(connection) == GOLDEN.read_text("utf-8")
            vault.close()
    writer.execute("ROLLBACK")
    writer.close()


def test_a_vault_in_use_elsewhere_is_not_migrated(old, writer, use, folder, monkeypatch):
    other = Vault(old.path, old.key)
    acquire = FileLock.acquire

    def impatient(self, **wishes):
        return acquire(self, **(wishes | {"seconds": 0}))

    monkeypatch.setattr(FileLock, "acquire", impatient)
    with pytest.raises(VaultBusy, match="another window"):
        migrate(old, writer, use, folder)
    assert migrations.version(writer) == 1
    other.close()
    migrate(old, writer, use, folder)
    assert migrations.version(writer) == 2
