import os

import numpy as np
import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.ids import utc_now
from app.domain.memory import DEFAULT_SCOPE, Evidence, Memory
from app.errors import VaultBusy
from app.paths import Paths
from app.store.conversations import Conversations
from app.store.index import bits
from app.store.index.vectors import Vectors
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.vault import backup, keys, wipe
from app.store.vault.file import Vault

CANARY = "Zyxwabel"


class Embedded:
    """A vector and its token bits, both unmistakable."""

    def __init__(self):
        generator = np.random.default_rng(5)
        vector = generator.standard_normal(384).astype(np.float32)
        self.vector = vector / np.linalg.norm(vector)
        self.token_bits = generator.integers(0, 256, (6, 48), dtype=np.uint8)
        self.token_ids = np.arange(6, dtype=np.int32)


def finished(generator):
    try:
        while True:
            next(generator)
    except StopIteration as stop:
        return stop.value


def scanned(vault, *wanted):
    return finished(wipe.scan(vault.path, vault.key, wanted))


def fill(vault):
    """Store other things too, so that the canary shares its pages."""
    memories = Memories(vault)
    for number in range(40):
        now = utc_now()
        memory = Memory("", f"Ann keeps boat number {number} in Kiel.", now, now, agent_pk=1)
        memories.insert(memory, [], Note("user", "insert", f"b{number}"))


def remember_canary(vault):
    conversations, memories, vectors = Conversations(vault), Memories(vault), Vectors(vault)
    messages = Messages(vault)
    conversation = conversations.create(1).id
    text = f"My boat is called {CANARY}."
    message = messages.add(conversation, Role.USER, [Part(text, PartOrigin.TYPED)])
    now = utc_now()
    memory = memories.insert(
        Memory("", f"The boat is called {CANARY}.", now, now, key="boat", value=CANARY, agent_pk=1),
        [Evidence(text, now, message.id)],
        Note("user", "insert", "batch"),
    )
    embedder = vectors.use("test", 384)
    embedding = Embedded()
    vectors.put("memory", [(memory.pk, embedding)], embedder)
    return memory.id, message.id, embedding


def test_erased_words_and_vectors_are_found_live_and_then_nowhere(vault):
    """First in the log, then in the database, and after the erasure in neither."""
    fill(vault)
    memory_id, message_id, embedding = remember_canary(vault)
    words = wipe.needles(CANARY)
    floats = embedding.vector.tobytes()[:64]
    signs = bits.signs(embedding.vector)
    tokens = embedding.token_bits.tobytes()[:64]
    needles = (*words, floats, signs, tokens)

    for needle in needles:
        assert scanned(vault, needle).wal > 0
    assert scanned(vault, *words).bytes > 100_000
    vault.checkpoint()
    for needle in needles:
        found = scanned(vault, needle)
        assert found.database > 0
        assert found.wal == 0
    assert CANARY.encode() not in vault.path.read_bytes()

    Memories(vault).delete(memory_id)
    text = Messages(vault).get(message_id).text
    start = text.index(CANARY)
    Messages(vault).redact(message_id, [(start, start + len(CANARY))])
    vault.checkpoint()
    for needle in needles:
        assert scanned(vault, needle).found == 0
    assert Messages(vault).get(message_id).text == "My boat is called [erased]."
    assert Memories(vault).count(DEFAULT_SCOPE) == 40


def test_without_the_checkpoint_the_scan_still_finds_it(vault):
    memory_id, _, _ = remember_canary(vault)
    vault.checkpoint()
    Memories(vault).delete(memory_id)
    assert scanned(vault, *wipe.needles(CANARY)).found > 0


@pytest.mark.tampers
def test_words_kept_as_signposts_of_an_index_are_found_and_scrubbed(vault):
    """FTS5 keeps the first word of an index page elsewhere, where its deletion does not reach."""
    gone = [f"zyxcanary{number:04}" for number in range(0, 3000, 2)]
    with vault.write() as connection:
        for number in range(3000):
            connection.execute(
                "INSERT INTO memories (id, agent_pk, trust, origin, actor, text, content_hash,"
                " scope, created_at, updated_at)"
                " VALUES (?, 1, 'learned', 'review', 'job', ?, ?, 1, 0, 0)",
                (str(number), f"zyxcanary{number:04}", str(number).encode()),
            )
    with vault.write() as connection:
        connection.execute("DELETE FROM memories WHERE pk % 2 = 1")
    vault.checkpoint()
    needles = [word.encode() for word in gone]  # row 1 holds number 0
    assert scanned(vault, *needles).database > 0
    wipe.scrub(vault)
    assert scanned(vault, *needles).found == 0
    assert Memories(vault).count(DEFAULT_SCOPE) == 1500


def test_backups_are_scanned_and_renewed(vault):
    fill(vault)
    memory_id, message_id, _ = remember_canary(vault)
    old = backup.create(vault.path, vault.key)
    assert finished(wipe.scan(old, vault.key, wipe.needles(CANARY))).database > 0
    Memories(vault).delete(memory_id)
    Messages(vault).redact(message_id, [(0, len(f"My boat is called {CANARY}."))])
    backup.renew(vault.path, vault.key)
    (copy,) = backup.copies(vault.path)
    assert finished(wipe.scan(copy, vault.key, wipe.needles(CANARY))).found == 0


def test_the_scan_decrypts_every_page_as_the_driver_does(vault):
    with vault.write() as connection:
        connection.execute("INSERT INTO meta VALUES ('one', 'needle in the last page')")
    vault.checkpoint()
    steps = list(wipe.scan(vault.path, vault.key, [b"needle in"]))
    assert steps[-1].total == vault.path.stat().st_size
    assert scanned(vault, b"needle in").found == 1
    assert scanned(vault, b"CREATE TABLE meta").found == 1
    wrong = finished(wipe.scan(vault.path, os.urandom(32), [b"needle in"]))
    assert wrong.found == 0
    assert wrong.bytes == vault.path.stat().st_size


@pytest.fixture
def profile(profile_paths, keyring):
    key = keys.new_key()
    keys.create_slots(profile_paths, key, keyring=keyring)
    keys.add_slot(profile_paths, key, keys.SlotKind.KEY_FILE)
    vault = Vault(profile_paths.vault, key)
    backup.create(vault.path, key)
    profile_paths.card.write_text("{}")
    return vault


def test_destroying_removes_everything(profile, profile_paths, keyring):
    with pytest.raises(VaultBusy):
        wipe.destroy(profile_paths, keyring=keyring, seconds=0)
    assert not profile_paths.erase_todo.exists()
    profile.close()
    lines = wipe.destroy(profile_paths, keyring=keyring, seconds=0)
    assert not profile_paths.folder.exists()
    assert not keyring.kept
    for name in ("vault.db", "slots.json", "vault.key", "keyring", "backups", "profile.json"):
        assert any(name in line for line in lines), name


@pytest.mark.expects_warnings
@pytest.mark.parametrize("crash_at", range(8))
def test_an_erasure_cut_short_anywhere_is_finished(
    profile, profile_paths, keyring, crash_at, monkeypatch
):
    """The key goes first: whatever is left after a crash can no longer be opened."""
    profile.close()
    unlink, count = type(profile_paths.vault).unlink, [0]

    def failing(self, missing_ok=False):
        count[0] += 1
        if count[0] > crash_at:
            raise KeyboardInterrupt
        unlink(self, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(type(profile_paths.vault), "unlink", failing)
        with pytest.raises(KeyboardInterrupt):
            wipe.destroy(profile_paths, keyring=keyring)
    assert profile_paths.erase_todo.exists()
    if not profile_paths.vault.exists():
        assert not profile_paths.slots.exists()
        assert not profile_paths.key_file.exists()
    assert wipe.finish_interrupted(Paths(profile_paths.folder.parents[1]), keyring=keyring)
    assert not profile_paths.folder.exists()
    assert not keyring.kept


@pytest.mark.expects_warnings
def test_an_erasure_waits_for_whoever_still_has_the_vault_open(profile, profile_paths, monkeypatch):
    profile_paths.erase_todo.write_text("everything\n")
    hurried = wipe.destroy.__kwdefaults__ | {"seconds": 0}
    monkeypatch.setattr(wipe.destroy, "__kwdefaults__", hurried)
    root = Paths(profile_paths.folder.parents[1])
    assert wipe.finish_interrupted(root) == []
    assert profile_paths.vault.exists()
    profile.close()
    assert wipe.finish_interrupted(root)
