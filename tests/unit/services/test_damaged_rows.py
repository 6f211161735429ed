"""A row that another program bent is told as damaged by itself, and hides no other."""

import zipfile
from contextlib import closing
from datetime import timedelta
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.memory import Memory, MemoryFilter, Status
from app.errors import Refused
from app.memory.erasure.erase import Eraser
from app.store.journal.revision import Note
from app.store.memories import Memories
from app.store.search import WordSearch
from app.store.vault.chain import SEALED
from app.store.vault.connection import READ_CACHE_KB, connect
from tests.unit.services.profile import NOW, learn

pytestmark = pytest.mark.tampers

BENT, SOUND = "Ann sails.", "Ben rows."
TEXTS = ("actor", "status_reason", "source_id", "key", "category", "superseded_by")
KINDS = ("type", "trust", "origin", "status", "visibility")
NUMBERS = ("agent_pk", "created_at", "updated_at", "pinned", "conflicted", "seen_count", "revision")
MOMENTS = ("occurred_at", "valid_to", "expires_at", "last_accessed_at", "consolidated_at")
LISTS = ("tags", "source_ids")
BLOB, TEXT, BROKEN = "x'00ff'", "'once'", "'[1'"
CASES = [
    *((name, BLOB) for name in ("text", *TEXTS, *KINDS, *LISTS, "value")),
    *((name, TEXT) for name in (*KINDS, *NUMBERS, *MOMENTS, "access_count", "proof_count")),
    *((name, "NULL") for name in ("text", "actor", *KINDS, *LISTS, *NUMBERS)),
    *((name, "1.5") for name in ("created_at", "occurred_at", "revision")),
    *((name, BROKEN) for name in (*LISTS, "value")),
    *((name, json) for name in LISTS for json in ("'{}'", "'1'", "'[1]'", "'null'")),
    ("confidence", TEXT),
]


def bend(vault, column, value):
    """Write what the schema forbids, as a program can that has the key."""
    connection = connect(vault.path, vault.key, cache_kb=READ_CACHE_KB, read_only=False)
    with closing(connection):
        connection.execute("DROP TRIGGER memories_provenance")
        connection.execute("DROP TRIGGER memories_trust")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'memories'"
        )
        connection.execute("PRAGMA writable_schema = RESET")
        connection.execute(f"UPDATE memories SET {column} = {value} WHERE text = '{BENT}'")


@pytest.fixture
def bent_id(opened):
    kept = Memories(opened.store.vault)
    for number, text in enumerate((BENT, SOUND)):
        memory = Memory(id=f"m{number}", text=text, created_at=NOW, updated_at=NOW, agent_pk=1)
        kept.insert(memory, (), Note("user", "insert", f"b{number}"))
    return "m0"


@pytest.mark.parametrize(("column", "value"), CASES)
def test_it_is_told_as_damaged_and_the_others_are_listed(opened, services, bent_id, column, value):
    bend(opened.store.vault, column, value)
    everything = MemoryFilter(statuses=frozenset(Status))
    bent, other = sorted(services.memories.list(everything), key=lambda one: one.id)
    assert (other.text, other.damaged) == (SOUND, ())
    assert (bent.id, bent.damaged, bent.status) == (bent_id, (column,), Status.QUARANTINED)
    words = column.replace("_", " ")
    told = f"The memory {bent_id} is damaged ({words}): restore an earlier backup, or erase it"
    assert bent.status_reason.startswith(told)
    problems = services.doctor.report()["problems"]
    assert problems["memories"] == [bent.status_reason]
    assert bool(problems["tampering"]) == (column in SEALED)
    with pytest.raises(Refused, match="is damaged"):
        services.memories.pin([bent_id], True)


@pytest.mark.parametrize(("column", "value"), CASES[::5])
def test_it_is_recalled_no_more_and_can_be_erased(opened, services, bent_id, column, value):
    (pk,) = {m.pk for m in services.memories.list(MemoryFilter()) if m.id == bent_id}
    assert WordSearch(opened.store.vault).hydrate([pk])
    bend(opened.store.vault, column, value)
    assert not WordSearch(opened.store.vault).hydrate([pk])
    eraser = Eraser(opened.store)
    eraser.carry_out(eraser.of_memories([bent_id]), frozenset())
    assert [one.text for one in services.memories.list(MemoryFilter())] == [SOUND]
    assert services.doctor.report()["problems"]["memories"] == []


@pytest.mark.parametrize("value", ["'[]'", "'1'", "'{'", "x'00'"])
def test_a_bent_entry_of_the_history_hides_nothing(opened, services, bent_id, value):
    other = connect(
        opened.store.vault.path, opened.store.vault.key, cache_kb=READ_CACHE_KB, read_only=False
    )
    with closing(other) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(f"UPDATE journal SET before = {value}, after = {value}, at = 'once'")
        connection.execute("UPDATE memories SET pinned = 1")
    assert services.doctor.report()["problems"]["tampering"]
    assert services.memories.detail(bent_id).memory.text == BENT


@pytest.mark.parametrize(
    "value",
    [
        "'[]'",
        "'1'",
        "'{'",
        "x'00'",
        "'{}'",
        """'{"text": 5, "status": 7, "source_ids": 1, "revision": "x", "pinned": []}'""",
        """'{"status": "asleep", "revision": 99, "conflicted": true}'""",
    ],
)
def test_a_bent_entry_ends_neither_undo_nor_history_nor_timeline(opened, services, bent_id, value):
    services.memories.edit("m1", 1, {"text": "Ben rows a lot."})
    services.memories.edit(bent_id, 1, {"text": "Ann sails a lot."})
    other = connect(
        opened.store.vault.path, opened.store.vault.key, cache_kb=READ_CACHE_KB, read_only=False
    )
    with closing(other) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(
            f"UPDATE journal SET before = {value}, after = {value} WHERE memory_id = '{bent_id}'"
        )
    history, undo = services.history, services.undo
    assert len(history.timeline()) == 4
    assert sum(sum(kinds.values()) for _, kinds in history.days()) == 4
    assert len(history.of_memory(bent_id)) == 2
    assert undo.can_undo()
    history.as_of(NOW - timedelta(days=1))
    undone = undo.undo_last()
    if value != "'{}'":
        assert undone.refused == ["Not undone, because its history is damaged: Ann sails a lot."]
    else:
        assert not undone.refused or "changed since" in undone.refused[0]
    while undone.changes.memories:
        undone = undo.undo_last()
    assert services.memories.detail("m1").memory.status is Status.FORGOTTEN
    undo.redo_last()


@pytest.mark.parametrize(("column", "value"), CASES)
def test_it_ends_no_other_list_nor_an_export(opened, services, bent_id, tmp_path, column, value):
    everything = MemoryFilter(statuses=frozenset(Status))
    services.memories.edit("m1", 1, {"text": "Ben rows a lot."})
    bend(opened.store.vault, column, value)
    later = NOW + timedelta(days=30_000)
    assert [one.text for one in services.history.as_of(later, everything) if one.id == "m1"]
    services.sources.list()
    services.sources.audit()
    services.history.timeline()
    services.sources.lineage(bent_id)
    services.attention.proposals()
    services.attention.contradictions()
    assert services.memories.recall("Who rows?").hits
    drive(services.transfer.export(tmp_path / "all.zip"), Event())
    with zipfile.ZipFile(tmp_path / "all.zip") as bundle:
        assert "Ben rows a lot." in bundle.read("readable/memories.md").decode()
    learn(services)
