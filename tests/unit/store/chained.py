"""A vault as another program left it: examined, opened again, accepted."""

from contextlib import closing

from app.domain.ids import to_ms
from app.store.memories import Note
from app.store.vault import migrations, tampering
from app.store.vault.connection import READ_CACHE_KB, connect
from app.store.vault.file import Vault

YOU = Note("user", "edit", "b2")


def examined(vault):
    with vault.read() as connection:
        return tampering.examine(connection, vault.chain)


def reopened(vault):
    return Vault(vault.path, vault.key, vault.clock, create=False)


def accept(vault):
    with vault.write() as connection:
        tampering.accept(connection, vault.chain, to_ms(vault.clock()))


def stands_until_accepted(vault, sign, *, among=False):
    """Each opening tells it, alone or among others, until the person accepts it."""
    for _ in range(2):
        with closing(reopened(vault)) as there:
            told = [one.sign for one in examined(there)]
            assert sign in told if among else told == [sign]
    with closing(reopened(vault)) as there:
        accept(there)
        assert not examined(there)
    with closing(reopened(vault)) as there:
        assert not examined(there)


def make_older(path, key):
    """Let a closed vault be as the version before there was a chain left it."""
    before = migrations.FILES.index("m0006_chain")
    with closing(connect(path, key, cache_kb=READ_CACHE_KB, read_only=False)) as connection:
        connection.execute("ALTER TABLE memories DROP COLUMN seal")
        connection.execute("ALTER TABLE journal DROP COLUMN link")
        connection.execute("DROP TABLE unlinked")
        connection.execute("DROP INDEX message_parts_of_document")
        connection.execute("ALTER TABLE message_parts DROP COLUMN document_pk")
        for column in ("call_id", "raw", "letters", "round"):
            connection.execute(f"ALTER TABLE tool_calls DROP COLUMN {column}")
        for trigger in ("with_memories", "with_messages", "redacted"):
            connection.execute(f"DROP TRIGGER sent_turns_{trigger}")
        for table in ("sent_turns", "sent_texts"):
            connection.execute(f"DROP TABLE {table}")
        for table in ("document_passages_fts", "document_passages", "documents"):
            connection.execute(f"DROP TABLE {table}")
        for table in ("summaries_fts", "summary_children", "summaries"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("DELETE FROM meta WHERE key IN ('head', 'examined')")
        for name in migrations.FILES[before:]:
            connection.execute("DELETE FROM _sqlite_migrations WHERE name = ?", (name,))
        connection.execute(f"PRAGMA user_version = {before}")
    path.with_suffix(".mark").unlink()
