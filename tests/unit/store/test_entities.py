"""Names are the same entity only where nothing but case, accents and spaces differs."""

import pytest

from app.store.entities import Entities, canonical_key


@pytest.fixture
def entities(vault, clock):
    return Entities(vault)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("José  Álvarez", "jose alvarez", True),
        (" ANNA ", "Anna", True),
        ("Anna", "Hanna", False),
        ("ﬁona", "Fiona", True),
        ("東京", "京都", False),
        ("Straße", "Strasse", False),
    ],
)
def test_canonical_keys(one, other, same):
    assert (canonical_key(one) == canonical_key(other)) is same


def test_links_are_counted_once_and_keep_the_first_spelling(entities, remember, clock, vault):
    one, two = remember("one"), remember("two")
    assert entities.link(one.pk, ["José", "jose", " ", "Lyon"], 1, clock()) == 2
    assert entities.link(one.pk, ["JOSÉ"], 1, clock()) == 0
    assert entities.link(two.pk, ["jose"], 1, clock.forward(days=1)) == 1
    assert entities.of_memory(one.pk) == ["José", "Lyon"]
    assert entities.of_memory(two.pk) == ["José"]
    with vault.read() as connection:
        row = connection.execute(
            "SELECT mention_count, last_seen > first_seen AS grew FROM entities"
            " WHERE canonical_key = 'jose'"
        ).fetchone()
    assert tuple(row) == (2, 1)


def test_memories_are_found_by_whom_they_mention(entities, remember, memories, clock):
    from app.domain.memory import Scope, Status
    from app.store.memories import Note

    one, two, three = remember("one"), remember("two"), remember("three")
    clock.forward(hours=1)
    four = remember("four")
    for memory in (one, two, four):
        entities.link(memory.pk, ["Ana"], 1, clock())
    entities.link(three.pk, ["Bea"], 1, clock())
    memories.update(two.id, {"status": Status.FORGOTTEN}, Note("user", "forget", "b2"))
    assert memories.with_entity(canonical_key("ANA"), Scope(1)) == [four, one]
    assert memories.with_entity(canonical_key("ANA"), Scope(2)) == []
