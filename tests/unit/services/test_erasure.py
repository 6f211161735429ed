"""Erasing leaves no readable trace, and what was around it still reads (E12)."""

from contextlib import closing
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, Memory, MemoryFilter, Status
from app.errors import NotFound, VaultBusy
from app.services.upkeep.scrub import SCRUB, Scrubber
from app.store.journal.tombstones import Tombstones
from app.store.memories import Note
from app.store.store import Store
from app.store.vault import backup, wipe
from app.store.vault.connection import connect
from app.store.vault.meta import Erasures
from app.store.work.job_monitor import JobMonitor
from tests.unit.services.profile import CANARY, NOW, SAID, erase

SOUGHT = "SELECT value FROM meta WHERE key = 'erasure_sought'"


def test_e12_erasing_a_memory_leaves_no_canary(home, filled):
    live = home.found(CANARY)
    assert live.database + live.wal > 0
    assert live.wal > 0, "the canary should be in the write-ahead log before"
    home.vault.checkpoint()
    assert home.found(CANARY).database > 0, "and in the database"
    proof = erase(home)
    assert proof.found_before > 0
    assert proof.found_after == 0
    assert proof.scanned_bytes > 100_000
    assert home.found(CANARY, CANARY[:8]).found == 0
    with pytest.raises(NotFound):
        home.memories.get("m1")


def test_models_forget_what_they_read_once_it_is_gone(home, filled):
    before = home.memories.count(DEFAULT_SCOPE)
    erase(home)
    assert home.told_to_forget == [before - 1]


def test_models_forget_it_also_where_the_vault_could_not_be_written_anew(home, filled, monkeypatch):
    monkeypatch.setattr(home.vault, "compact", refuse)
    proof = erase(home)
    assert not proof.good
    assert "not finished: Another program is reading the vault. Until" in proof.owed
    assert len(home.told_to_forget) == 1


def refuse():
    raise VaultBusy("Another program is reading the vault.")


def test_the_conversation_around_it_still_reads(home, filled):
    erase(home)
    texts = [m.text for m in home.messages.branch(filled.id)]
    assert texts[0] == "Good morning. [erased]. It sings."
    assert texts[1].startswith("You told me: [erased]")
    assert texts[2] == "Thank you!"
    assert home.talks.get(filled.id).title == "Untitled"
    assert home.talks.draft(filled.id) == ""


def test_what_is_unticked_stays_and_the_proof_says_so(home, filled):
    key = next(c.key for c in home.service.of_memory("m1").copies if c.kind == "evidence")
    proof = erase(home, untick={key})
    assert SAID in home.messages.branch(filled.id)[0].text
    (line,) = proof.left
    assert line.startswith("You kept it: Your words in “I keep a Quetzal")
    assert proof.found_after == 0


def test_what_was_erased_is_not_learnt_again(home, filled):
    erase(home)
    assert home.tombstones.has(f"you keep a {CANARY.upper()} in the cellar!")
    assert home.tombstones.has(SAID)
    said = home.messages.branch(filled.id)[0]
    assert home.tombstones.spans(said.id) == [(14, 14 + len(SAID) - 1)]


def canaries(home, copy):
    return drive(wipe.scan(copy, home.vault.key, [CANARY.encode()]), Event()).found


def texts_in(home, copy):
    """Return the texts of the messages that a backup holds."""
    with closing(connect(copy, home.vault.key, cache_kb=256, read_only=True)) as connection:
        return [row[0] for row in connection.execute("SELECT text FROM messages ORDER BY pk")]


def test_the_same_is_erased_from_older_backups_and_nothing_else(home, filled):
    old = backup.create(home.vault.path, home.vault.key, lambda: NOW)
    home.talks.rename(filled.id, "Another title")
    assert canaries(home, old) > 0
    assert "The same in 1 older backup" in [c.label for c in home.service.of_memory("m1").copies]
    proof = erase(home)
    assert "The same in 1 older backup" in proof.removed
    assert backup.copies(home.vault.path) == [old]
    assert canaries(home, old) == 0
    assert texts_in(home, old)[0] == "Good morning. [erased]. It sings."
    assert "Thank you!" in texts_in(home, old)
    assert [f.name for f in old.parent.iterdir()] == [old.name]


@pytest.mark.tampers
def test_a_backup_of_before_what_is_erased_stays_as_it_was(home, filled):
    with home.vault.write() as connection:
        connection.execute("UPDATE messages SET text = 'x'")
        connection.execute("DELETE FROM memories")
    old = backup.create(home.vault.path, home.vault.key, lambda: NOW)
    home.memories.insert(
        Memory("m2", "You feed the swans", NOW, NOW, agent_pk=1), (), Note("user", "insert", "b4")
    )
    erase(home, "m2")
    assert backup.copies(home.vault.path) == [old]


@pytest.mark.expects_warnings
def test_a_backup_that_cannot_be_erased_from_goes(home, filled):
    whole = backup.create(home.vault.path, home.vault.key, lambda: NOW)
    damaged = backup.create(home.vault.path, home.vault.key, lambda: NOW)
    damaged.write_bytes(whole.read_bytes()[:8192])
    whole.with_name("damaged-1.db").write_bytes(b"x")
    proof = erase(home)
    assert "1 older backup, from which it could not be taken" in proof.removed
    assert "Set aside as damaged: damaged-1.db" in proof.removed
    assert [f.name for f in whole.parent.iterdir()] == [whole.name]


def test_backups_of_an_interrupted_erasure_are_replaced(home, filled, monkeypatch):
    old = backup.create(home.vault.path, home.vault.key, lambda: NOW)
    monkeypatch.setattr(wipe, "scrub", lambda vault: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        erase(home)
    monkeypatch.undo()
    Scrubber(Store(home.vault)).finish()
    (copy,) = backup.copies(home.vault.path)
    assert canaries(home, copy) == 0
    assert [f.name for f in old.parent.iterdir()] == [copy.name]


def test_a_forgotten_memory_can_be_erased(home, filled):
    home.memories.update("m1", {"status": Status.FORGOTTEN}, Note("user", "forget", "b3"))
    assert erase(home).found_after == 0


def test_erasing_a_conversation(home, filled):
    home.memories.insert(
        Memory("m2", "You sing on Sundays", NOW, NOW, agent_pk=1), (), Note("user", "insert", "b4")
    )
    inventory = home.service.of_conversation(filled.id)
    assert [c.kind for c in inventory.copies] == ["conversation", "memory", "fixed"]
    assert "“sings” stands in other places too" in inventory.copies[-1].label
    ticked = frozenset(c.key for c in inventory.copies)
    proof = drive(home.service.erase_conversation(filled.id, ticked), Event())
    assert proof.found_before > 0
    assert proof.found_after == 0
    assert home.found(CANARY, "Thank you").found == 0
    assert home.memories.get("m2").text == "You sing on Sundays"
    with pytest.raises(NotFound):
        home.talks.get(filled.id)


def test_every_erasure_is_counted_in_its_transaction(home, filled, monkeypatch):
    erasures = Erasures(home.vault)
    with monkeypatch.context() as patched:
        patched.setattr(Scrubber, "begin", lambda _self: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            erase(home)
    assert erasures.count() == 0
    erase(home)
    drive(home.service.erase_conversation(filled.id, frozenset()), Event())
    assert erasures.count() == 2


def test_an_interrupted_erasure_is_finished_later(home, filled, monkeypatch):
    """The rows are gone with the transaction; the rewrite is owed until it is done."""
    monkeypatch.setattr(wipe, "scrub", lambda vault: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        erase(home)
    monkeypatch.undo()
    with pytest.raises(NotFound):
        home.memories.get("m1")
    monitor = JobMonitor(home.vault)
    assert monitor.by_key(SCRUB).state == "queued"
    with home.vault.read() as connection:
        (kept,) = connection.execute(SOUGHT).fetchone()
    assert CANARY.encode() not in bytes(kept)
    Scrubber(Store(home.vault)).finish()
    assert home.found(CANARY).found == 0
    assert monitor.by_key(SCRUB).state == "done"
    (told,) = Erasures(home.vault).told()
    assert told.endswith("Every page was searched again, and nothing was found of what was erased.")
    assert Erasures(home.vault).sought() is None


def test_what_is_left_after_an_interrupted_erasure_is_counted(home, filled, monkeypatch):
    monkeypatch.setattr(wipe, "scrub", lambda vault: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        erase(home)
    monkeypatch.undo()
    talk = home.talks.create(1, title=SAID)
    Scrubber(Store(home.vault)).finish()
    (told,) = Erasures(home.vault).told()
    assert talk.title == SAID
    assert "nothing was found" not in told
    assert "was found of what was erased" in told


def test_nothing_is_kept_to_be_searched_for_after_an_erasure(home, filled):
    erase(home)
    assert Erasures(home.vault).sought() is None


def test_a_copy_that_was_missed_is_counted_and_its_place_told(home, filled):
    with home.vault.write() as connection:
        connection.execute(
            "INSERT INTO settings (key, value, updated_at) VALUES ('x', ?, 0)", (f'"{SAID}"',)
        )
    proof = erase(home)
    assert proof.found_after > 0
    assert proof.remaining[0] == (
        "Not everything is gone: the vault still holds these words in its settings."
    )


def test_a_memory_without_a_message_is_not_learnt_again(home):
    home.memories.insert(
        Memory("m1", f"You feed the {CANARY}", NOW, NOW, agent_pk=1),
        (),
        Note("user", "insert", "b1"),
    )
    assert erase(home).found_after == 0
    assert home.tombstones.has(f"you feed the {CANARY}.")


def test_a_typed_memory_is_not_learnt_again(opened):
    services = opened.services
    services.memories.add("You feed the swans at noon")
    (memory,) = services.memories.list(MemoryFilter())
    drive(services.erasure.erase_memory(memory.id, frozenset()), Event())
    assert Tombstones(opened.store.vault).has("You feed the swans at noon")
