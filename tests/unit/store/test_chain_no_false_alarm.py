"""What Loci does itself never raises an alarm, and leaves no hash of what it erased."""

import os
import signal
import sys
from contextlib import closing, suppress
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.memory import DEFAULT_SCOPE, Memory, Trust, Visibility
from app.errors import NotFound
from app.store.archive import TABLES, Archive
from app.store.index.occurrences import TextOccurrences
from app.store.memories import Memories, Note
from app.store.observations import Observations
from app.store.vault import backup, chain, mark, wipe
from tests.unit.store.chained import YOU, accept, examined, reopened

needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="forks")
pytestmark = pytest.mark.tampers


def blobs(vault):
    with vault.read() as connection:
        seals = [row[0] for row in connection.execute("SELECT seal FROM memories")]
        return seals + [row[0] for row in connection.execute("SELECT link FROM journal")]


def test_an_erasure_leaves_no_hash_of_what_is_gone(vault, remember, memories, found):
    remember("Ann sails.")
    gone = remember("Ben rows.")
    remember("Cleo swims.")
    before = blobs(vault)
    hashes = [blob[-16:] for blob in (before[1], before[4])]
    memories.delete(gone.id)
    wipe.scrub(vault)
    assert not found()
    held = b"".join(
        wipe.decrypted(page, vault.key, first=first)
        for page, first in wipe._pages(vault.path, 0, 0)
    )
    assert not any(one in held for one in hashes)
    assert blobs(vault)[0][-16:] in held


def test_a_text_redacted_in_place_leaves_no_hash_of_what_it_was(vault, remember, found):
    remember("Ann sails.")
    before = blobs(vault)[1]
    TextOccurrences(vault).redact_told(["Ann"], "[erased]")
    assert not found()
    assert blobs(vault)[1][:16] == before[:16]
    assert blobs(vault)[1] != before


def test_a_backup_that_is_restored_raises_no_alarm(vault, remember, profile_paths, clock):
    remember("Ann sails.")
    copy = backup.create(vault.path, vault.key, clock)
    remember("Ben rows.")
    vault.close()
    backup.restore(profile_paths, copy, vault.key, clock)
    for _ in range(2):
        with closing(reopened(vault)) as there:
            assert not examined(there)
            there.chain.head = None
            with there.write() as connection:
                connection.execute("UPDATE memories SET access_count = access_count + 1")


def die(*_args, **_kwargs):
    os.kill(os.getpid(), signal.SIGKILL)


class Dying:
    """A connection that ends the process before or after one of its statements."""

    def __init__(self, real, number):
        self._real, self._left = real, number

    def execute(self, *asked):
        self._left -= 1
        if self._left == 0:
            die()
        return self._real.execute(*asked)

    def __getattr__(self, name):
        return getattr(self._real, name)


@needs_fork
@pytest.mark.parametrize("work", ["add", "delete", "accept", "open"])
def test_a_kill_at_any_statement_raises_no_alarm(vault, remember, clock, work):
    one = remember("Ann sails.")
    remember("Ben rows.")
    vault.close()
    for number in range(1, 40, 2):
        child = os.fork()
        if not child:
            try:
                there = reopened(vault)
                if work != "open":
                    there._writer = Dying(there._writer, number)
                if work == "add":
                    Memories(there).update(one.id, {"text": f"Ann owns {number} boats."}, YOU)
                elif work == "delete":
                    Memories(there).delete(Memories(there).list(DEFAULT_SCOPE)[-1].id)
                elif work == "accept":
                    accept(there)
            finally:
                die()
        os.waitpid(child, 0)
        with closing(reopened(vault)) as again:
            assert not examined(again), number
            with again.read() as connection:
                assert mark.lost(connection) is None
            if work == "delete":
                memory = Memories(again).list(DEFAULT_SCOPE)[0]
                Memories(again).update(memory.id, {"text": f"Eve has {number} cats."}, YOU)


@needs_fork
def test_a_commit_whose_mark_was_not_written_raises_no_alarm(vault, remember, memories):
    one, two = remember("Ann sails."), remember("Ben rows.")
    path = vault.path.with_suffix(".mark")
    late = path.read_bytes()
    memories.delete(two.id)  # what the mark names is erased
    memories.update(one.id, {"pinned": True}, YOU)
    vault.close()
    path.write_bytes(late)
    with closing(reopened(vault)) as again:
        assert not examined(again)


@needs_fork
def test_two_processes_that_write_at_once_raise_no_alarm(vault, remember):
    vault.close()
    child = os.fork()
    mine = reopened(vault)
    said = "Ann" if child else "Ben"
    for number in range(25):
        rows = Memories(mine)
        with suppress(NotFound):
            memory = rows.list(DEFAULT_SCOPE)[0] if number else None
            if number % 7 == 6:
                rows.delete(memory.id)
            elif memory and number % 3:
                rows.update(memory.id, {"text": f"{said} sold {number} boats."}, YOU)
        with mine.write() as connection:
            connection.execute("UPDATE memories SET access_count = access_count + 1")
        made = {"clock": mine.clock, "text": f"{said} has {number} kites."}
        _add(mine, **made)
    if not child:
        die()
    os.waitpid(child, 0)
    assert not examined(mine)
    mine.close()
    with closing(reopened(vault)) as again:
        assert not examined(again)


def _add(vault, clock, text):
    now = clock()
    Memories(vault).insert(Memory("", text, now, now, agent_pk=1), (), Note("user", "insert", "b"))


STEPS = (
    "add", "edit", "pin", "trust", "forget", "undo", "erase", "redact", "again", "touch",
    "put_back", "release", "import", "fail",
)  # fmt: skip


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 5)), max_size=14))
def test_no_change_of_loci_raises_an_alarm(vault, remember, memories, journal, clock, steps):
    for number, (step, which) in enumerate(steps):
        clock.forward(minutes=1)
        with vault.read() as connection:
            ids = [r[0] for r in connection.execute("SELECT id FROM memories ORDER BY pk")]
        one = ids[which % len(ids)] if ids else ""
        note = Note("user", step, f"{clock()}{number}")
        if step == "add" or not ids:
            remember(f"Ann has {clock()} boats.", batch=note.batch, trust=Trust.LEARNED)
        elif step in CHANGES:
            memories.update(one, CHANGES[step](int(clock().timestamp()) // 60), note)
        elif step == "undo":
            if batch := journal.last_batch():
                journal.undo(batch, note)
                journal.follow(note.batch, batch)
        elif step == "erase":
            memories.delete(one)
        elif step == "redact":
            TextOccurrences(vault).redact_told(["Ann"], "[erased]")
        elif step == "touch":
            memories.touch(ids, clock() + timedelta(minutes=1))
        elif step == "put_back":
            Observations(vault).put_back(ids)
        elif step == "release":
            Observations(vault).release(ids)
        elif step == "import":
            _restored(vault, memories, one)
        elif step == "fail":
            with pytest.raises(NotFound), vault.write():
                _change_and_fail(memories, one, note)
        assert not examined(vault), step
        with vault.read() as connection:
            kept = mark.read(vault.path.with_suffix(".mark"), vault.key)
            assert kept.head == chain.head(connection)


def _restored(vault, memories, one):
    archive = Archive(vault)
    rows = {table: list(archive.rows(table)) for table in TABLES}
    memories.delete(one)
    with vault.write():
        for table in TABLES:
            archive.restore(table, rows[table])
        archive.seal()


def _change_and_fail(memories, memory_id, note):
    with suppress(NotFound), memories._vault.write():
        memories.update(memory_id, {"pinned": True}, note)
        memories.update("none", {}, note)
    memories.update(memory_id, {"category": "boats"}, note)
    memories.update("none", {}, note)


CHANGES = {
    "edit": lambda n: {"text": f"Ann sold boat {n} {n * n}.", "tags": (str(n),)},
    "pin": lambda n: {"pinned": n % 2 == 0},
    "trust": lambda n: {"trust": Trust.SYSTEM if n % 2 else Trust.EXTERNAL},
    "forget": lambda n: {"status": "forgotten", "status_reason": f"Said {n}"},
    "again": lambda n: {"visibility": Visibility.GLOBAL if n % 2 else Visibility.SELF},
}
