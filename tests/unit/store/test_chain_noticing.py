"""What another program does to memories and their history is noticed."""

import json

import pytest

from app.domain.memory import Trust, Visibility
from app.domain.tampering import Sign, TamperingKind
from app.store.index.occurrences import TextOccurrences
from app.store.memories import Memories
from tests.unit.store.chained import YOU, accept

pytestmark = pytest.mark.tampers

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
    assert (entry.sign, entry.kind, entry.memory_id) == (
        Sign.FORGED,
        TamperingKind.ENTRY,
        memory.id,
    )


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
    assert (row.sign, row.kind, row.memory_id) == (Sign.REMOVED, TamperingKind.MEMORY, memory.id)
    assert (entry.sign, entry.kind) == (Sign.REMOVED, TamperingKind.ENTRY)


def test_history_that_was_rewritten_is_noticed(remember, other, found):
    memory = remember("Ann sails.", actor="web")
    with other() as connection:
        connection.execute("UPDATE journal SET actor = 'user'")
    (one,) = found()
    assert (one.sign, one.kind, one.memory_id) == (Sign.EDITED, TamperingKind.ENTRY, memory.id)


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
    assert [(one.sign, one.kind) for one in found()] == [(Sign.REMOVED, TamperingKind.ENTRY)]


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
    Memories(vault).update(memory.id, {"group_pks": [1, 2]}, YOU)
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
    TextOccurrences(memories._vault).redact_told(["Ann"], "[erased]")
    memories.update(memory.id, {"category": "water"}, YOU)
    row, entry = found()
    assert (row.sign, entry.sign, entry.kind) == (Sign.EDITED, Sign.EDITED, TamperingKind.ENTRY)
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
    assert (one.sign, one.kind) == (Sign.REMOVED, TamperingKind.ENTRY)
