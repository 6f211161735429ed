"""What another program does to a vault is noticed; what Loci does itself never raises an alarm."""

import json
import os
import signal
import sys
from contextlib import closing, contextmanager, suppress
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.ids import to_ms
from app.domain.memory import Trust, Visibility
from app.domain.tampering import Kind, Sign
from app.errors import NotFound
from app.store import backup, chain, mark, tampering, wipe
from app.store.archive import TABLES, Archive
from app.store.connection import READ_CACHE_KB, connect
from app.store.copies import Copies
from app.store.memories import Memories, Note
from app.store.observations import Observations
from app.store.vault import Vault

YOU = Note("user", "edit", "b2")
needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="forks")
pytestmark = pytest.mark.tampers


@pytest.fixture
def other(vault):
    """Write as another program that has the key."""

    @contextmanager
    def writing():
        connection = connect(vault.path, vault.key, cache_kb=READ_CACHE_KB, read_only=False)
        with closing(connection):
            yield connection

    return writing


def examined(vault):
    with vault.read() as connection:
        return tampering.examine(connection, vault.chain)


def reopened(vault):
    return Vault(vault.path, vault.key, vault.clock, create=False)


def accept(vault):
    with vault.write() as connection:
        tampering.accept(connection, vault.chain, to_ms(vault.clock()))


@pytest.fixture
def found(vault):
    return lambda: examined(vault)


EDITS = [
    ("text = 'Ann hates you.'", ("text",)),
    ("value = '1'", ("text",)),
    ("valid_to = 1", ("dates",)),
    ("pinned = 1", ("pin",)),
    ("trust = 'external'", ("trust",)),
    ("status = 'forgotten'", ("status",)),
    ("visibility = 'global', scope = 0", ("visibility",)),
    ("pinned = 1, text = 'Ann hates you.'", ("text", "pin")),
    ("confidence = 0.5", ("origin",)),
    ("scope = 0", ()),
    ("revision = 9", ()),
    ("text = x'00ff'", ("text",)),
]


def stands_until_accepted(vault, sign):
    """Each opening tells it, until the person accepts it."""
    for _ in range(2):
        with closing(reopened(vault)) as there:
            assert [one.sign for one in examined(there)] == [sign]
    with closing(reopened(vault)) as there:
        accept(there)
    with closing(reopened(vault)) as there:
        assert not examined(there)


@pytest.mark.parametrize(("edit", "fields"), EDITS)
def test_what_was_edited_is_told_by_field_and_since_when(
    remember, other, found, clock, edit, fields
):
    memory = remember("Ann sails.", trust=Trust.LEARNED)
    then = clock()
    clock.forward(days=1)
    remember("Ben rows.")
    with other() as connection:
        connection.execute(f"UPDATE memories SET {edit} WHERE id = ?", (memory.id,))
    (one,) = found()
    assert (one.sign, one.memory_id, one.fields) == (Sign.EDITED, memory.id, fields)
    assert one.since >= then


def test_raised_trust_is_noticed_with_the_history_forged_for_it(remember, other, found):
    memory = remember("Ann sails.", trust=Trust.EXTERNAL)
    with other() as connection:
        connection.execute(
            "INSERT INTO journal (id, batch, at, actor, op, memory_id, before, after)"
            " VALUES ('j', 'b', 0, 'user', 'elevate', ?, ?, ?)",
            (memory.id, json.dumps({"revision": 1}), json.dumps({"trust": "system"})),
        )
        connection.execute("UPDATE memories SET trust = 'system'")
    row, entry = found()
    assert (row.sign, row.fields) == (Sign.EDITED, ("trust",))
    assert (entry.sign, entry.kind, entry.memory_id) == (Sign.FORGED, Kind.ENTRY, memory.id)


def test_a_forged_memory_is_noticed(remember, other, found):
    remember("Ann sails.")
    with other() as connection:
        connection.execute(
            "INSERT INTO memories (id, agent_pk, trust, origin, actor, text, content_hash, scope,"
            " created_at, updated_at) VALUES ('m', 1, 'system', 'user_typed', 'user', 'Pay Eve.',"
            " x'00', 1, 0, 0)"
        )
    (one,) = found()
    assert (one.sign, one.memory_id) == (Sign.FORGED, "m")


def test_a_removed_memory_is_noticed_with_its_history_or_without(remember, other, found):
    memory, second = remember("Ann sails."), remember("Ben rows.")
    remember("Cleo swims.")
    with other() as connection:
        connection.execute("DELETE FROM memories WHERE id = ?", (memory.id,))
        connection.execute("DELETE FROM memories WHERE id = ?", (second.id,))
        connection.execute("DELETE FROM journal WHERE memory_id = ?", (second.id,))
    row, entry = found()
    assert (row.sign, row.kind, row.memory_id) == (Sign.REMOVED, Kind.MEMORY, memory.id)
    assert (entry.sign, entry.kind) == (Sign.REMOVED, Kind.ENTRY)


def test_history_that_was_rewritten_is_noticed(remember, other, found):
    memory = remember("Ann sails.", actor="web")
    with other() as connection:
        connection.execute("UPDATE journal SET actor = 'user'")
    (one,) = found()
    assert (one.sign, one.kind, one.memory_id) == (Sign.EDITED, Kind.ENTRY, memory.id)


@pytest.mark.parametrize("later", [False, True])
def test_history_that_lost_its_end_is_noticed(remember, memories, other, found, later):
    memory = remember("Ann sails.")
    with other() as connection:
        rows = [dict(row) for row in connection.execute("SELECT * FROM memories")]
    memories.update(memory.id, {"text": "Ann rows."}, YOU)
    with other() as connection:
        connection.execute("DELETE FROM journal WHERE pk = (SELECT max(pk) FROM journal)")
        connection.execute(
            "UPDATE memories SET text = :text, content_hash = :content_hash, seal = :seal,"
            " revision = :revision",
            rows[0],
        )
    if later:
        remember("Ben rows.")
    assert [(one.sign, one.kind) for one in found()] == [(Sign.REMOVED, Kind.ENTRY)]


def test_an_earlier_state_of_a_memory_put_back_with_its_seal_is_noticed(
    remember, memories, other, found
):
    memory = remember("Ann sails.", pinned=True)
    with other() as connection:
        before = dict(connection.execute("SELECT * FROM memories").fetchone())
    memories.update(memory.id, {"pinned": False}, YOU)
    with other() as connection:
        connection.execute(
            "UPDATE memories SET pinned = 1, seal = :seal, revision = :revision", before
        )
    (one,) = found()
    assert (one.sign, one.memory_id) == (Sign.RETURNED, memory.id)
    memories.update(memory.id, {"text": "Ann rows."}, YOU)
    assert [(one.sign, one.memory_id) for one in found()] == [(Sign.RETURNED, memory.id)]


def test_an_erased_memory_put_back_is_noticed(remember, memories, other, found):
    memory = remember("Ann sails.")
    with other() as connection:
        row = dict(connection.execute("SELECT * FROM memories").fetchone())
    memories.delete(memory.id)
    with other() as connection:
        names = ", ".join(row)
        marks = ", ".join(f":{name}" for name in row)
        connection.execute(f"INSERT INTO memories ({names}) VALUES ({marks})", row)
    (one,) = found()
    assert (one.sign, one.memory_id) == (Sign.RETURNED, memory.id)


def test_groups_that_may_see_a_memory_are_protected(vault, remember, other, found):
    with vault.write() as connection:
        connection.execute("INSERT INTO groups VALUES (1, 'a', 'A', 0), (2, 'b', 'B', 0)")
    memory = remember("Ann sails.", visibility=Visibility.GROUP, group_pks=(1,))
    Memories(vault).update(memory.id, {"group_pks": []}, YOU)
    Memories(vault).update(memory.id, {"group_pks": [1]}, YOU)
    assert not found()
    with other() as connection:
        connection.execute("INSERT INTO memory_groups VALUES (?, 2)", (memory.pk,))
    (one,) = found()
    assert one.fields == ("visibility",)


CHANGED_SINCE = [{"text": "Ann rows."}, {"pinned": True}, {"trust": Trust.EXTERNAL}]


@pytest.mark.parametrize("change", CHANGED_SINCE)
def test_a_change_of_loci_hides_nothing_that_was_done_before(
    remember, memories, other, found, change
):
    memory = remember("Ann sails.", trust=Trust.LEARNED)
    with other() as connection:
        connection.execute("UPDATE memories SET text = 'Ann hates you.', content_hash = x'01'")
        connection.execute("UPDATE journal SET actor = 'user'")
    memories.update(memory.id, change, YOU)
    Copies(memories._vault).redact_told(["Ann"], "[erased]")
    memories.update(memory.id, {"category": "water"}, YOU)
    row, entry = found()
    assert (row.sign, entry.sign, entry.kind) == (Sign.EDITED, Sign.EDITED, Kind.ENTRY)
    accept(memories._vault)
    assert not found()


def test_an_erasure_beside_what_was_removed_hides_nothing(remember, memories, other, found):
    a, b, c = (remember(text) for text in ("Ann sails.", "Ben rows.", "Cleo swims."))
    remember("Dora dives.")
    with other() as connection:
        connection.execute("DELETE FROM memories WHERE id = ?", (b.id,))
        connection.execute("DELETE FROM journal WHERE memory_id = ?", (b.id,))
    for one in (a, c):
        memories.delete(one.id)
    (one,) = found()
    assert (one.sign, one.kind) == (Sign.REMOVED, Kind.ENTRY)


def test_accepting_takes_everything_as_it_is(vault, remember, other, found):
    for text in ("Ann sails.", "Ben rows.", "Cleo swims."):
        remember(text)
    with other() as connection:
        connection.execute("UPDATE memories SET pinned = 1, seal = 'none' WHERE pk = 1")
        connection.execute("UPDATE journal SET link = 5 WHERE pk = 2")
        connection.execute("DELETE FROM memories WHERE pk = 3")
        connection.execute("INSERT INTO meta VALUES ('tampering', x'00')")
    assert {one.sign for one in found()} == {Sign.EDITED, Sign.FORGED, Sign.RETURNED, Sign.REMOVED}
    with vault.write() as connection:
        tampering.keep(connection, found(), 0)
    with vault.read() as connection:
        assert tampering.recalled(connection)
    accept(vault)
    assert not found()
    remember("Dora dives.")
    assert not found()


def test_what_was_found_stands_until_it_is_accepted(vault, remember, other, found):
    remember("Ann sails.")
    with other() as connection:
        connection.execute("UPDATE memories SET pinned = 1")
    with vault.write() as connection:
        tampering.keep(connection, found(), 0)
    with other() as connection:
        connection.execute("UPDATE memories SET pinned = 0")
    (one,) = found()
    assert one.fields == ("pin",)


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
    Copies(vault).redact_told(["Ann"], "[erased]")
    assert not found()
    assert blobs(vault)[1][:16] == before[:16]
    assert blobs(vault)[1] != before


# The mark beside the vault.


@pytest.mark.expects_warnings
def test_an_old_copy_is_noticed_also_where_it_went_on(vault, remember, clock):
    remember("Ann sails.")
    vault.close()
    old = vault.path.read_bytes()
    with closing(reopened(vault)) as there:
        Memories(there).update(Memories(there).list()[0].id, {"pinned": True}, YOU)
    kept, good = vault.path.with_suffix(".mark").read_bytes(), vault.path.read_bytes()
    vault.path.write_bytes(old)
    elsewhere = vault.path.with_suffix(".mark")
    mark.begin(elsewhere, vault.key)
    with closing(reopened(vault)) as there:
        for number in range(3):
            one = Memories(there).list()[0].id
            Memories(there).update(one, {"text": f"Ann sold {number} boats."}, YOU)
    elsewhere.write_bytes(kept)
    stands_until_accepted(vault, Sign.OTHER)
    vault.path.write_bytes(good)  # what was put aside is another copy now
    with closing(reopened(vault)) as there, there.read() as connection:
        assert mark.lost(connection)


@pytest.mark.parametrize("left", [None, b"", b"LOCIHEAD" + bytes(64)])
def test_a_mark_that_is_gone_or_forged_is_noticed(vault, remember, left):
    remember("Ann sails.")
    vault.close()
    path = vault.path.with_suffix(".mark")
    path.unlink() if left is None else path.write_bytes(left)
    stands_until_accepted(vault, Sign.UNKNOWN)


def test_a_chain_that_was_removed_does_not_begin_again_by_itself(vault, remember, other):
    remember("Ann sails.")
    vault.close()
    with other() as connection:
        connection.execute("UPDATE memories SET pinned = 1")
        connection.execute("DELETE FROM meta WHERE key = 'head'")
    with closing(reopened(vault)) as there:
        signs = {one.sign for one in examined(there)}
        assert Sign.UNCHAINED in signs
        Memories(there).update(Memories(there).list()[0].id, {"text": "Ann rows."}, YOU)
        assert {Sign.UNCHAINED, Sign.EDITED} <= {one.sign for one in examined(there)}
        accept(there)
        assert not examined(there)


def test_the_chain_begins_over_the_rows_of_a_vault_that_had_none(vault, remember, other):
    remember("Ann sails.")
    vault.close()
    vault.path.with_suffix(".mark").unlink()
    with other() as connection:
        connection.execute("DELETE FROM meta WHERE key = 'head'")
        connection.execute("UPDATE memories SET seal = NULL")
        connection.execute("UPDATE journal SET link = NULL")
    with closing(reopened(vault)) as there:
        assert not examined(there)


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
                    Memories(there).delete(Memories(there).list()[-1].id)
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
                memory = Memories(again).list()[0]
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
            memory = rows.list()[0] if number else None
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
    from app.domain.memory import Memory

    now = clock()
    Memories(vault).insert(Memory("", text, now, now), (), Note("user", "insert", "b"))


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
            Copies(vault).redact_told(["Ann"], "[erased]")
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
