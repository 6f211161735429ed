"""What still waits for the embedder in use, and what those before it have left."""

from datetime import timedelta

import pytest

from app.domain.conversation import MemoryMode
from app.domain.memory import Scope, Status
from app.store.entities import Entities
from app.store.index.vectors import Vectors
from app.store.memories import Note
from tests.unit.store.index.test_vectors import DIMS, near, put


@pytest.fixture
def vectors(vault, clock):
    return Vectors(vault)


@pytest.fixture
def embedder(vectors):
    return vectors.use("test", DIMS)


def test_a_new_embedder_is_behind_until_it_has_read_what_the_earlier_one_had(vectors, remember):
    one, two = (remember(text) for text in ("one", "two"))
    first = vectors.use("first", DIMS)
    put(vectors, first, "memory", [(one, near(1)), (two, near(0, 1))])
    assert not vectors.behind("memory", first, Scope(1))
    second = vectors.use("second", DIMS)
    assert vectors.behind("memory", second, Scope(1))
    put(vectors, second, "memory", [(one, near(1))])
    assert vectors.behind("memory", second, Scope(1))
    assert not vectors.behind("message", second, Scope(1))
    put(vectors, second, "memory", [(two, near(0, 1))])
    assert not vectors.behind("memory", second, Scope(1))


def test_what_is_forgotten_keeps_no_embedder_behind(vectors, remember, memories):
    one, two = (remember(text) for text in ("one", "two"))
    first = vectors.use("first", DIMS)
    put(vectors, first, "memory", [(one, near(1)), (two, near(0, 1))])
    memories.update(two.id, {"status": Status.FORGOTTEN}, Note("user", "forget", "b"))
    second = vectors.use("second", DIMS)
    put(vectors, second, "memory", [(one, near(1))])
    assert not vectors.behind("memory", second, Scope(1))


def test_rows_that_nobody_embedded_are_behind_once_they_have_waited(
    vectors, embedder, remember, conversations, say, clock
):
    talk = conversations.create(1)
    said = [say(talk, f"line {n}") for n in range(3)]
    kept = remember("one")
    assert not vectors.behind("message", embedder, Scope(1))
    assert not vectors.behind("memory", embedder, Scope(1))
    clock.forward(minutes=11)
    assert vectors.behind("message", embedder, Scope(1))
    assert vectors.behind("memory", embedder, Scope(1))
    put(vectors, embedder, "memory", [(kept, near(1))])
    put(vectors, embedder, "message", [(one, near(1)) for one in said])
    say(talk, "typed a moment ago")
    assert not vectors.behind("message", embedder, Scope(1))
    assert not vectors.behind("memory", embedder, Scope(1))


def test_an_import_is_behind_at_once_and_an_edit_of_a_moment_ago_is_not(
    vectors, embedder, remember, memories, conversations, say, clock
):
    """What is imported has been said long ago."""
    old = clock() - timedelta(days=400)
    memory = remember("one")
    put(vectors, embedder, "memory", [(memory, near(1))])
    clock.forward(days=1)
    memories.update(memory.id, {"text": "two"}, Note("user", "update", "b"))
    assert not vectors.behind("memory", embedder, Scope(1))
    assert not vectors.behind("message", embedder, Scope(1))
    say(conversations.create(1, created_at=old), "imported", created_at=old)
    assert vectors.behind("message", embedder, Scope(1))
    assert not vectors.behind("message", embedder, Scope(2))
    clock.forward(minutes=11)
    assert vectors.behind("memory", embedder, Scope(1))


def test_a_few_rows_that_wait_among_many_are_not_behind(
    vectors, embedder, conversations, say, clock, vault
):
    talk, off = conversations.create(1), conversations.create(1, mode=MemoryMode.OFF)
    with vault.write():
        said = [say(talk, f"line {n}") for n in range(60)]
        for n in range(20):
            say(off, f"off {n}")
    put(vectors, embedder, "message", [(one, near(1)) for one in said[:-2]])
    clock.forward(days=1)
    assert not vectors.behind("message", embedder, Scope(1))
    conversations.set_mode(off.id, MemoryMode.REMEMBERS)
    assert vectors.behind("message", embedder, Scope(1))


def test_of_other_embedders_a_few_vectors_are_shed_at_a_time(
    vectors, embedder, remember, conversations, say, vault
):
    kept = [remember(text) for text in ("one", "two", "three")]
    said = say(conversations.create(1), "four")
    others = [vectors.use(name, DIMS) for name in ("first", "second")]
    for one in (embedder, *others):
        put(vectors, one, "memory", [(memory, near(1)) for memory in kept])
    put(vectors, others[0], "message", [(said, near(1))])
    assert not vectors.alone(embedder)
    assert [vectors.shed(embedder, 2) for _ in range(8)] == [2, 1, 1, 1, 2, 1, 1, 0]
    assert vectors.alone(embedder)
    assert vectors.missing("memory", embedder, 9) == []
    with vault.read() as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
        assert connection.execute("SELECT count(*) FROM memory_vectors").fetchone()[0] == 3
        assert connection.execute("SELECT count(*) FROM message_vectors").fetchone()[0] == 0
    left = {row["name"].split("_")[2] for row in tables if row["name"].startswith("bits_")}
    assert left == {str(embedder)}


def test_an_embedder_that_is_half_shed_misses_just_what_is_gone(vectors, embedder, remember, clock):
    one, two = remember("one"), remember("two")
    put(vectors, embedder, "memory", [(one, near(1)), (two, near(0, 1))])
    other = vectors.use("other", DIMS)
    assert vectors.shed(other, 1) == 1
    assert vectors.use("test", DIMS) == embedder
    assert vectors.missing("memory", embedder, 9) == [(one.pk, "one")]
    put(vectors, embedder, "memory", [(one, near(0, 1))])
    found = vectors.nearest(
        "memory", near(0, 1), 9, embedder_pk=embedder, scope=Scope(1), now=clock()
    )
    assert {pk for pk, _ in found} == {one.pk, two.pk}


def test_untouched_is_what_has_neither_a_vector_nor_names(
    vectors, embedder, remember, memories, vault, clock
):
    made = [remember(f"text {n}") for n in range(5)]
    put(vectors, embedder, "memory", [(made[0], near(1))])
    Entities(vault).link(made[1].pk, ["Ruth"], 1, clock())
    memories.update(made[2].id, {"status": Status.FORGOTTEN}, Note("user", "forget", "b"))
    assert vectors.untouched(9) == [(made[3].pk, "text 3"), (made[4].pk, "text 4")]
    assert vectors.untouched(1) == [(made[3].pk, "text 3")]
    assert vectors.untouched(9, made[3].pk) == [(made[4].pk, "text 4")]
    memories.update(made[1].id, {"text": "text 1, edited"}, Note("user", "update", "b"))
    assert vectors.untouched(1) == [(made[1].pk, "text 1, edited")]
