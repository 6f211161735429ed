import os
import shutil
from pathlib import Path

import pytest

from app.domain.ids import utc_now
from app.errors import StoreError, VaultBusy
from app.store.entities import Entities
from app.store.vault import backup, migrations, tampering
from app.store.vault.connection import READ_CACHE_KB, connect
from app.store.vault.file import Vault
from app.store.vault.locks import FileLock, taken

pytestmark = pytest.mark.tampers  # rows are written as other programs do

GOLDEN = Path(__file__).with_name("schema.sql")
ADDED = """
CREATE TABLE moods (pk INTEGER PRIMARY KEY, memory_pk INTEGER NOT NULL, mood TEXT NOT NULL);
ALTER TABLE memories ADD COLUMN mood TEXT NOT NULL DEFAULT '';
INSERT INTO moods (memory_pk, mood) SELECT pk, 'calm' FROM memories;
CREATE TRIGGER moods_gone AFTER DELETE ON memories BEGIN
  DELETE FROM moods WHERE memory_pk = OLD.pk;
END;
"""
NOW = len(migrations.FILES)
MOODS = f"m{NOW + 1:04}_moods"
NEXT = (*migrations.FILES, MOODS)


def schema(connection):
    rows = connection.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name, type"
    ).fetchall()
    return "\n".join(f"{row[0]};" for row in rows) + "\n"


@pytest.fixture(autouse=True)
def new_vaults():
    """Every migration is applied to every vault here."""


@pytest.fixture
def folder(tmp_path):
    """The migrations as the next version of Loci might have them."""
    there = tmp_path / "migrations"
    there.mkdir()
    for name in migrations.FILES:
        shutil.copy(migrations.FOLDER / f"{name}.sql", there)
    (there / f"{MOODS}.sql").write_text(ADDED)
    return there


@pytest.fixture
def old(vault):
    """A vault of this version with a row in it, closed."""
    with vault.write() as connection:
        connection.execute(MEMORY)
    vault.close()
    return vault


MEMORY = """
INSERT INTO memories (id, agent_pk, trust, origin, actor, text, content_hash, scope, created_at,
  updated_at) VALUES ('m', 1, 'learned', 'review', 'job', 'Ann sails.', x'00', 1, 0, 0)
"""


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
    migrations.apply(writer, old.path, old.key, utc_now, use, NEXT, folder)


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
    assert migrations.version(writer) == NOW + 1
    rows = writer.execute("SELECT text, mood FROM memories").fetchall()
    assert [tuple(row) for row in rows] == [("Ann sails.", "")]
    assert writer.execute("SELECT mood FROM moods").fetchall()[0][0] == "calm"
    (copy,) = backup.copies(old.path)
    assert backup.verify(copy, old.key)["memories"] == 1
    kept = connect(copy, old.key, cache_kb=READ_CACHE_KB, read_only=True)
    assert migrations.version(kept) == NOW
    kept.close()
    applied = writer.execute("SELECT name FROM _sqlite_migrations ORDER BY id").fetchall()
    assert [row[0] for row in applied] == list(NEXT)
    migrate(old, writer, use, folder)
    assert len(backup.copies(old.path)) == 1


@pytest.mark.parametrize("after", range(5))
def test_a_migration_that_fails_leaves_the_old_vault(old, writer, use, folder, after):
    before = schema(writer)
    whole = migrations.statements(ADDED)
    assert len(whole) == 4
    broken = ";\n".join(
        [*(s.rstrip(";") for s in whole[:after]), "INSERT INTO nothing VALUES (1);"]
    )
    (folder / f"{MOODS}.sql").write_text(broken)
    with pytest.raises(StoreError):
        migrate(old, writer, use, folder)
    assert migrations.version(writer) == NOW
    assert schema(writer) == before
    (folder / f"{MOODS}.sql").write_text(ADDED)
    migrate(old, writer, use, folder)
    assert migrations.version(writer) == NOW + 1


def test_a_crash_after_any_statement_leaves_a_whole_file(old, writer, tmp_path):
    """The files as they lie on the disk in the middle of a migration open as the old vault."""
    writer.execute("PRAGMA cache_size = 5")  # so that half a migration reaches the disk
    writer.execute("BEGIN IMMEDIATE")
    for number, statement in enumerate(migrations.statements(ADDED)):
        writer.execute(statement)
        crashed = tmp_path / f"crash{number}"
        crashed.mkdir()
        for file in old.path.parent.glob("vault.db*"):
            shutil.copy(file, crashed)
        vault = Vault(crashed / "vault.db", old.key)
        with vault.read() as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall()[0][0] == "ok"
            assert connection.execute("SELECT text FROM memories").fetchall()[0][0] == "Ann sails."
            assert migrations.version(connection) == NOW
        vault.close()
    writer.execute("ROLLBACK")


def test_a_crash_while_the_first_schema_is_made_leaves_a_vault_that_opens(tmp_path, key):
    files = [migrations.FOLDER / f"{name}.sql" for name in migrations.FILES]
    script = [s for file in files for s in migrations.statements(file.read_text("utf-8"))]
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
    assert migrations.version(writer) == NOW
    other.close()
    migrate(old, writer, use, folder)
    assert migrations.version(writer) == NOW + 1


@pytest.mark.parametrize("age", range(1, NOW))
def test_a_vault_of_every_earlier_version_opens_with_its_rows(profile_paths, key, age):
    profile_paths.vault.parent.mkdir(parents=True, exist_ok=True)
    lock = taken(profile_paths.vault.with_name("use.lock"), exclusive=False)
    writer = connect(profile_paths.vault, key, cache_kb=READ_CACHE_KB, read_only=False)
    migrations.apply(writer, profile_paths.vault, key, utc_now, lock, migrations.FILES[:age])
    for statement in [
        MEMORY,
        "INSERT INTO entities (pk, id, agent_pk, name, canonical_key, first_seen, last_seen)"
        " VALUES (7, 'e', 1, 'Ann', 'ann', 0, 0)",
        "INSERT INTO entity_links (memory_pk, entity_pk) VALUES (1, 7)",
    ]:
        writer.execute(statement)
    writer.close()
    lock.close()
    vault = Vault(profile_paths.vault, key)
    with vault.read() as connection:
        assert migrations.version(connection) == NOW
        assert schema(connection) == GOLDEN.read_text("utf-8")
        assert connection.execute("SELECT text FROM memories").fetchall()[0][0] == "Ann sails."
        assert not tampering.examine(connection, vault.chain)
    with vault.write() as connection:
        connection.execute("UPDATE memories SET trust = 'claimed'")
    assert Entities(vault).of_memory(1) == ["Ann"]
    assert Entities(vault).named("ann", 1).mentions == 1
    vault.close()
