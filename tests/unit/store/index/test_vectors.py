"""Vectors: the nearest come first, within the scope, and never one of an older text."""

from contextlib import suppress

import numpy as np
import pytest

from app.domain.conversation import MemoryMode, MessageState, Role, Standing
from app.domain.memory import Scope, Status, Trust, Visibility
from app.providers.base import Embedding
from app.store.index import vectors as module
from app.store.index.vectors import Vectors
from app.store.memories import Note

DIMS = 32


@pytest.fixture
def vectors(vault, clock):
    return Vectors(vault)


@pytest.fixture
def embedder(vectors):
    return vectors.use("test", DIMS)


def near(*weights):
    """Return a unit vector with the given weights in its first dimensions."""
    vector = np.full(DIMS, -0.01, np.float32)
    vector[: len(weights)] = weights
    return vector / np.linalg.norm(vector)


def put(vectors, embedder, kind, rows):
    return vectors.put(kind, [(row.pk, Embedding(vector)) for row, vector in rows], embedder)


def test_an_embedder_has_one_row(vectors, vault):
    one = vectors.use("one", 32)
    assert vectors.use("one", 32) == one
    assert vectors.use("two", 384) != one


def test_other_dimensions_under_the_same_name_start_afresh(vectors, remember):
    memory = remember("one")
    first = vectors.use("one", 32)
    put(vectors, first, "memory", [(memory, near(1))])
    second = vectors.use("one", 12)
    assert vectors.missing("memory", second, 9) == [(memory.pk, "one")]
    assert vectors.put("memory", [(memory.pk, Embedding(np.ones(12, np.float32)))], second) == 1


def test_what_others_remember_changes_nothing_that_is_found(
    vectors, embedder, remember, clock, monkeypatch, vault
):
    """Many rows are searched by their signs, but the few of one agent still exactly."""
    monkeypatch.setattr(module, "DIRECT_BELOW", 400)
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
        rows = [remember(f"mine {n}") for n in range(390)]
        theirs = [remember(f"theirs {n}", agent_pk=2) for n in range(50)]
    rng = np.random.default_rng(3)
    put(vectors, embedder, "memory", [(m, rng.normal(size=DIMS).astype("f4")) for m in rows])

    def found():
        question = near(1, 1, -1)
        return vectors.nearest(
            "memory", question, 10, embedder_pk=embedder, scope=Scope(1), now=clock()
        )

    before = found()
    put(vectors, embedder, "memory", [(m, near(1, 1, -1)) for m in theirs])
    assert found() == before


def test_nearest_first_with_its_cosine(vectors, embedder, remember, clock):
    rows = [(remember(str(n)), near(1, n / 4)) for n in range(5)]
    put(vectors, embedder, "memory", rows)
    found = vectors.nearest("memory", near(1), 3, embedder_pk=embedder, scope=Scope(1), now=clock())
    assert [pk for pk, _ in found] == [memory.pk for memory, _ in rows[:3]]
    for (_, cosine), (_, vector) in zip(found, rows, strict=False):
        assert cosine == pytest.approx(float(near(1) @ vector), abs=1e-5)


@pytest.fixture(params=["exact", "narrowed"])
def either_way(request, monkeypatch):
    """Search both directly and through the bit index."""
    if request.param == "narrowed":
        monkeypatch.setattr(module, "DIRECT_BELOW", 0)


def test_only_what_may_be_recalled_is_found(
    vectors, embedder, remember, memories, clock, either_way, vault
):
    with vault.write() as connection:
        connection.execute("INSERT INTO groups VALUES (1, 'group', 'Family', 0)")
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    made = {
        "mine": remember("mine"),
        "global": remember("global", visibility=Visibility.GLOBAL),
        "group": remember("group", visibility=Visibility.GROUP, group_pks=(1,)),
        "theirs": remember("theirs", agent_pk=2),
        "external": remember("external", trust=Trust.EXTERNAL),
        "expired": remember("expired", expires_at=clock()),
        "past": remember("past", valid_to=clock()),
        "proposed": remember("proposed", status=Status.PROPOSED),
        "forgotten": remember("forgotten"),
    }
    put(vectors, embedder, "memory", [(m, near(1, n / 9)) for n, m in enumerate(made.values())])
    memories.update(made["forgotten"].id, {"status": Status.FORGOTTEN}, Note("u", "forget", "b"))
    names = {memory.pk: name for name, memory in made.items()}

    def found(scope, **more):
        hits = vectors.nearest(
            "memory", near(1), 20, embedder_pk=embedder, scope=scope, now=clock(), **more
        )
        return {names[pk] for pk, _ in hits}

    assert found(Scope(1)) == {"mine", "global", "past"}
    assert found(Scope(1, (1,))) == {"mine", "global", "past", "group"}
    assert found(Scope(1, (2,))) == {"mine", "global", "past"}
    assert found(Scope(2)) == {"theirs", "global"}
    assert found(Scope(1), trusts={Trust.EXTERNAL}) == {"external"}
    assert found(Scope(3)) == {"global"}


def test_messages_of_other_modes_and_of_no_model_are_not_found(
    vectors, embedder, conversations, say, clock, either_way
):
    talk, off = conversations.create(1), conversations.create(1, mode=MemoryMode.OFF)
    now_off = conversations.create(1)
    made = {
        "said": say(talk, "one", speaker="Ana"),
        "answered": say(talk, "two", Role.ASSISTANT, model="m"),
        "notebook": say(talk, "three", Role.ASSISTANT, model="notebook"),
        "partial": say(talk, "four", Role.ASSISTANT, state=MessageState.PARTIAL),
        "tool": say(talk, "five", Role.TOOL),
        "hidden": say(talk, "six", standing=Standing.COPY),
        "off": say(off, "seven"),
        "now off": say(now_off, "eight"),
    }
    assert vectors.missing("message", embedder, 20) == [
        (made["said"].pk, "Ana: one"),
        (made["answered"].pk, "Assistant: two"),
        (made["now off"].pk, "User: eight"),
    ]
    put(vectors, embedder, "message", [(m, near(1)) for m in made.values()])
    conversations.set_mode(now_off.id, MemoryMode.READS_ONLY)
    names = {message.pk: name for name, message in made.items()}

    def found(*exclude):
        hits = vectors.nearest(
            "message",
            near(1),
            20,
            embedder_pk=embedder,
            scope=Scope(1),
            now=clock(),
            exclude=exclude,
        )
        return {names[pk] for pk, _ in hits}

    assert found() == {"said", "answered"}
    assert found(made["said"].id, "x") == {"answered"}


def test_the_bit_index_agrees_with_the_exact_search(vectors, remember, clock, monkeypatch, vault):
    embedder = vectors.use("wide", 64)
    rng = np.random.default_rng(5)
    with vault.write():
        rows = [remember(f"number {n}") for n in range(700)]
    centres = rng.normal(size=(20, 64))
    made = (centres[rng.integers(0, 20, 700)] + rng.normal(size=(700, 64)) * 0.7).astype(np.float32)
    vectors.put("memory", [(m.pk, Embedding(v)) for m, v in zip(rows, made, strict=True)], embedder)

    def found(question):
        return vectors.nearest(
            "memory", question, 10, embedder_pk=embedder, scope=Scope(1), now=clock()
        )

    questions = made[:20] + rng.normal(size=(20, 64)).astype(np.float32) * 0.2
    exact = [found(q) for q in questions]
    monkeypatch.setattr(module, "DIRECT_BELOW", 0)
    narrowed = [found(q) for q in questions]
    same = sum(len(set(a) & set(b)) for a, b in zip(exact, narrowed, strict=True))
    assert same >= 0.97 * 200
    assert [hits[0] for hits in exact] == [hits[0] for hits in narrowed]


def test_filtered_neighbours_do_not_starve_the_rest(
    vectors, embedder, remember, clock, monkeypatch, vault
):
    """Where the nearest few hundred may not be recalled, the search goes on behind them."""
    monkeypatch.setattr(module, "DIRECT_BELOW", 0)
    with vault.write():
        hidden = [remember(f"page {n}", trust=Trust.EXTERNAL) for n in range(600)]
        wanted = [remember(f"said {n}") for n in range(3)]
    put(vectors, embedder, "memory", [(m, near(1, 1, 1)) for m in hidden])
    put(vectors, embedder, "memory", [(m, near(1, 1, -1, -1)) for m in wanted])
    found = vectors.nearest(
        "memory", near(1, 1, 1), 3, embedder_pk=embedder, scope=Scope(1), now=clock()
    )
    assert {pk for pk, _ in found} == {m.pk for m in wanted}


def test_zeros_are_kept_but_found_by_nothing_and_find_nothing(
    vectors, embedder, remember, clock, either_way
):
    empty, full = remember("…"), remember("full")
    zeros = np.zeros(DIMS, np.float32)
    put(vectors, embedder, "memory", [(empty, zeros), (full, near(1))])
    assert vectors.missing("memory", embedder, 9) == []

    def found(question):
        return vectors.nearest(
            "memory", question, 9, embedder_pk=embedder, scope=Scope(1), now=clock()
        )

    assert [pk for pk, _ in found(near(1))] == [full.pk]
    assert found(zeros) == []


def test_a_second_vector_takes_the_place_of_the_first(
    vectors, embedder, remember, clock, either_way
):
    memory = remember("one")
    put(vectors, embedder, "memory", [(memory, near(1))])
    put(vectors, embedder, "memory", [(memory, near(0, 1))])
    found = vectors.nearest(
        "memory", near(0, 1), 9, embedder_pk=embedder, scope=Scope(1), now=clock()
    )
    assert found == [(memory.pk, pytest.approx(1.0, abs=1e-5))]


def test_a_vector_of_an_older_text_is_not_stored(vectors, embedder, remember, memories):
    one, two, gone = remember("one"), remember("two"), remember("three")
    waiting = vectors.missing("memory", embedder, 9)
    memories.update(one.id, {"text": "one, edited"}, Note("user", "update", "b2"))
    memories.delete(gone.id)
    pairs = [(pk, Embedding(near(1))) for pk, _ in waiting]
    assert vectors.put("memory", pairs, embedder, [text for _, text in waiting]) == 1
    assert vectors.missing("memory", embedder, 9) == [(one.pk, "one, edited")]
    assert set(vectors.vectors("memory", [one.pk, two.pk], embedder)) == {two.pk}


def test_after_a_switch_the_old_vectors_are_stale_and_not_eligible(
    vectors, embedder, remember, clock, conversations, say
):
    memory, other = remember("one"), remember("two")
    message = say(conversations.create(1), "three")
    put(vectors, embedder, "memory", [(memory, near(1))])
    put(vectors, embedder, "message", [(message, near(1))])
    assert vectors.status(embedder) == (3, 1, 0)
    new = vectors.use("new", DIMS)
    assert vectors.status(new) == (3, 3, 2)
    assert vectors.nearest("memory", near(1), 9, embedder_pk=new, scope=Scope(1), now=clock()) == []
    assert vectors.missing("memory", new, 9) == [(memory.pk, "one"), (other.pk, "two")]
    assert vectors.missing("memory", new, 1) == [(memory.pk, "one")]
    assert vectors.missing("memory", new, 9, after_pk=memory.pk) == [(other.pk, "two")]
    vectors.remove("test")
    assert vectors.status(new) == (3, 3, 0)


def test_what_is_forgotten_needs_no_vector(vectors, embedder, remember, memories):
    memory = remember("one")
    memories.update(memory.id, {"status": Status.FORGOTTEN}, Note("user", "forget", "b2"))
    assert vectors.status(embedder) == (0, 0, 0)
    assert vectors.missing("memory", embedder, 9) == []


def test_token_vectors_come_back_as_they_were(vectors, embedder, remember):
    memory, bare = remember("one"), remember("two")
    bits = np.arange(3 * DIMS // 8, dtype=np.uint8).reshape(3, DIMS // 8)
    ids = np.array([101, 7, 30000], np.int32)
    vectors.put(
        "memory",
        [(memory.pk, Embedding(near(1), bits, ids)), (bare.pk, Embedding(near(1)))],
        embedder,
    )
    found = vectors.tokens("memory", [memory.pk, bare.pk, 99], embedder)
    assert list(found) == [memory.pk]
    assert np.array_equal(found[memory.pk].bits, bits)
    assert np.array_equal(found[memory.pk].ids, ids)
    floats = vectors.vectors("memory", [memory.pk, bare.pk, 99], embedder)
    assert np.array_equal(floats[bare.pk], near(1))


def test_dropped_vectors_are_gone_from_both_tables(vectors, embedder, remember, vault, either_way):
    memory = remember("one")
    put(vectors, embedder, "memory", [(memory, near(1))])
    vectors.drop("memory", memory.pk)
    with vault.read() as connection:
        for table in ("memory_vectors", f"bits_memory_{embedder}"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


def test_a_rolled_back_batch_leaves_both_tables_alike(vectors, embedder, remember, vault):
    memory = remember("one")
    with suppress(RuntimeError), vault.write():
        put(vectors, embedder, "memory", [(memory, near(1))])
        raise RuntimeError
    put(vectors, embedder, "memory", [(memory, near(1))])
    assert vectors.status(embedder) == (1, 0, 0)


def test_there_are_two_kinds(vectors, embedder):
    with pytest.raises(ValueError, match="no vectors"):
        vectors.drop("thought", 1)


def test_an_edited_message_loses_its_vector(vectors, embedder, conversations, messages, say):
    message = say(conversations.create(1), "my code is zanzibar")
    put(vectors, embedder, "message", [(message, near(1))])
    messages.redact(message.id, [(11, 19)])
    assert vectors.missing("message", embedder, 9) == [(message.pk, "User: my code is [erased]")]
