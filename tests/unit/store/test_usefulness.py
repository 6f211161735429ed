"""Counts of use: all or none, and only of what the asking agent may see."""

from datetime import UTC, datetime

import pytest

from app.domain.memory import Memory, Scope, Visibility
from app.errors import StoreError
from app.store.archive import Archive
from app.store.memories import Memories, Note
from app.store.usefulness import Usefulness
from app.store.vault import migrations
from app.store.vault.connection import READ_CACHE_KB, connect
from app.store.vault.locks import taken

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOME, AWAY = Scope(1), Scope(2)


@pytest.fixture
def learn(vault):
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )

    def learn(name, **fields):
        memory = Memory(
            id=name,
            text=f"text of {name}",
            created_at=NOW,
            updated_at=NOW,
            **{"agent_pk": 1, **fields},
        )
        return Memories(vault).insert(memory, (), Note("user", "insert", name)).pk

    return learn


def test_uses_add_up_and_what_was_never_counted_is_not_there(vault, learn):
    a, b, c = (learn(name) for name in "abc")
    counts = Usefulness(vault)
    counts.add(["a"], ["b"], HOME, NOW)
    counts.add(["a", "b"], [], HOME, NOW)
    assert counts.of([a, b, c], HOME) == {a: (2, 0), b: (1, 1)}
    assert counts.of([], HOME) == {}


def test_the_time_of_the_last_use_stays_when_it_is_ignored_later(vault, learn):
    learn("a")
    counts = Usefulness(vault)
    counts.add(["a"], [], HOME, NOW)
    counts.add([], ["a"], HOME, NOW.replace(year=2027))
    with vault.read() as connection:
        (row,) = connection.execute("SELECT * FROM usefulness").fetchall()
    assert (row["used_count"], row["ignored_count"]) == (1, 1)
    assert row["last_useful_at"] == NOW.timestamp() * 1000


def test_an_agent_has_counts_of_its_own_also_of_what_all_may_see(vault, learn):
    mine, ours = learn("mine"), learn("ours", visibility=Visibility.GLOBAL)
    counts = Usefulness(vault)
    counts.add(["mine", "ours"], [], AWAY, NOW)
    assert counts.of([mine, ours], HOME) == {}
    counts.add(["mine"], ["ours"], HOME, NOW)
    assert counts.of([mine, ours], AWAY) == {ours: (1, 0)}
    assert counts.of([mine, ours], HOME) == {mine: (1, 0), ours: (0, 1)}


def test_all_is_counted_or_nothing(vault, learn):
    pk = learn("a")
    counts = Usefulness(vault)

    def interrupted():
        with vault.write():
            counts.add(["a"], [], HOME, NOW)
            raise StoreError("The disk is full.")

    with pytest.raises(StoreError):
        interrupted()
    assert counts.of([pk], HOME) == {}


def test_a_memory_that_is_gone_is_passed_over_and_takes_its_counts_along(vault, learn):
    pk = learn("a")
    counts = Usefulness(vault)
    counts.add(["a", "never there"], [], HOME, NOW)
    Memories(vault).delete("a")
    assert counts.of([pk], HOME) == {}


def test_an_export_from_before_agents_had_their_own_counts_goes_to_whose_memory_it_is(vault, learn):
    pk = learn("ours", visibility=Visibility.GLOBAL)
    written = {"memory": "ours", "used_count": 2, "ignored_count": 1, "last_useful_at": 1}
    archive = Archive(vault)
    assert archive.restore("usefulness", [written, {**written, "memory": "not here"}]) == 1
    assert Usefulness(vault).of([pk], HOME) == {pk: (2, 1)}
    (row,) = archive.rows("usefulness")
    assert row == {**written, "agent": row["agent"]}
    assert archive.restore("usefulness", [row]) == 0


@pytest.mark.tampers
def test_counts_of_an_old_vault_become_those_of_the_agent_whose_memory_it_is(tmp_path, key):
    path, files = tmp_path / "old.db", migrations.FILES
    lock = taken(tmp_path / "use.lock", exclusive=False)
    writer = connect(path, key, cache_kb=READ_CACHE_KB, read_only=False)
    migrations.apply(writer, path, key, lambda: NOW, lock, files[:2])
    writer.execute(
        "INSERT INTO memories (pk, id, agent_pk, trust, origin, actor, text, content_hash, scope,"
        " created_at, updated_at)"
        " VALUES (7, 'm', 1, 'learned', 'review', 'job', 'Ann sails.', x'00', 1, 0, 0)"
    )
    writer.execute("INSERT INTO usefulness VALUES (7, 3, 1, 9)")
    migrations.apply(writer, path, key, lambda: NOW, lock)
    found = writer.execute("SELECT * FROM usefulness").fetchall()
    writer.close()
    lock.close()
    assert [tuple(row) for row in found] == [(7, 1, 3, 1, 9)]
