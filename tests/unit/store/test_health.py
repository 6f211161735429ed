import pytest

from app.store import health
from app.store.vault import migrations, word_index
from app.store.vault.file import Vault

pytestmark = pytest.mark.tampers  # rows are written as other programs do


def remember(vault, text):
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO memories (id, agent_pk, trust, origin, actor, text, content_hash, scope,"
            " created_at, updated_at) VALUES (?, 1, 'learned', 'review', 'job', ?, ?, 1, 0, 0)",
            (text, text, text.encode()),
        )


def test_a_sound_vault_is_reported_so(vault):
    remember(vault, "Ann sails.")
    report = health.report(vault, thorough=True)
    assert report["ok"]
    assert report["versions"]["sqlcipher"].startswith("4.")
    assert report["versions"]["sqlite_vec"].startswith("v0.1")
    assert report["versions"]["schema"] == str(len(migrations.FILES))
    assert report["drift"]["memories"] == {
        "rows": 1,
        "without_words": 0,
        "without_vectors": 1,
        "without_bits": 0,
    }
    assert report["file"]["journal_mode"] == "wal"
    assert report["file"]["free_bytes"] > 0
    assert report["file"]["bytes"] + report["file"]["wal_bytes"] > 100_000


def test_vectors_are_counted_for_the_embedder_in_use(vault):
    remember(vault, "Ann sails.")
    with vault.write() as connection:
        connection.execute("INSERT INTO embedders (pk, id, dims, created_at) VALUES (7, 'a', 8, 0)")
        connection.execute("INSERT INTO memory_vectors (pk, embedder_pk, f32) VALUES (1, 7, x'00')")
    counts = {
        name: health.report(vault, embedder_id=name)["drift"]["memories"] for name in ("a", "b")
    }
    assert counts["a"]["without_vectors"] == 0
    assert counts["a"]["without_bits"] == 1
    assert counts["b"]["without_vectors"] == 1


def test_an_index_that_drifted_is_found_and_rebuilt(vault):
    remember(vault, "Ann sails.")
    with vault.write() as connection:
        connection.execute("DROP TRIGGER memories_fts_insert")
    remember(vault, "Bob rows.")
    report = health.report(vault)
    assert not report["ok"]
    assert report["problems"]["memories_fts"]
    assert report["drift"]["memories"]["without_words"] == 1
    word_index.rebuild_words(vault)
    assert health.report(vault)["ok"]


def test_a_damaged_page_is_found(vault):
    for number in range(300):
        remember(vault, f"Ann sails boat {number}. " * 5)
    vault.checkpoint()
    vault.close()
    data = bytearray(vault.path.read_bytes())
    data[-4096 + 50] ^= 1
    vault.path.write_bytes(data)
    again = Vault(vault.path, vault.key)
    report = health.report(again)
    again.close()
    assert not report["ok"]
    assert "HMAC" in report["problems"]["pages"][0]
