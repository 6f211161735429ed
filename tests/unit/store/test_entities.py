"""Names are the same entity only where nothing but case, accents and spaces differs."""

import pytest

from app.errors import NotFound, Refused
from app.store.entities import Entities, canonical_key
from app.store.memories import Note


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


def test_memories_are_found_by_every_name_of_whom_they_mention(entities, people, memories):
    def found(name):
        named = {n.lower(): one.id for one in entities.list(1) for n in (one.name, *one.also)}
        return {one.text for one in memories.by_ids([*entities.memory_ids(named[name])])}

    entities.merge("Bob", "Robert", 1)
    assert found("bob") == found("robert") == {"Bob sails", "Robert sails"}
    assert found("bobby") == {"Bobby sails"}
    entities.merge("Robert", "Bobby", 1)
    assert found("bob") == found("bobby") == {"Bob sails", "Robert sails", "Bobby sails"}
    entities.split("Bob", 1)
    assert found("bob") == {"Bob sails"}
    assert found("robert") == {"Robert sails", "Bobby sails"}


@pytest.fixture
def people(entities, remember, clock):
    """Memories of "Bob", "Robert" and "Bobby", by name."""
    made = {name: remember(f"{name} sails") for name in ("Bob", "Robert", "Bobby")}
    for name, memory in made.items():
        entities.link(memory.pk, [name, "Ghent"], 1, clock.forward(hours=1))
    return made


def listed(entities):
    return {one.name: (tuple(one.also), one.mentions) for one in entities.list(1)}


def test_merging_is_exact_and_taken_back_exactly(entities, people):
    apart = entities.list(1)
    assert listed(entities) == {
        "Ghent": ((), 3), "Bob": ((), 1), "Bobby": ((), 1), "Robert": ((), 1)
    }  # fmt: skip
    entities.merge("bobby", "BOB", 1)
    assert entities.merge("Bob", "Robert", 1).name == "Robert"
    assert listed(entities) == {"Ghent": ((), 3), "Robert": (("Bob", "Bobby"), 3)}
    assert entities.named("bobby", 1) == entities.named("Robert", 1)
    assert entities.memory_ids(entities.named("Bob", 1).id) == {m.id for m in people.values()}
    assert entities.of_memory(people["Bob"].pk) == ["Bob", "Ghent"]
    entities.split("Bob", 1)
    entities.split("Bobby", 1)
    assert entities.list(1) == apart


def test_a_merged_name_that_is_used_again_belongs_where_it_was_put(
    entities, people, remember, clock
):
    entities.merge("Bob", "Robert", 1)
    entities.link(remember("Bob dives").pk, ["bob"], 1, clock())
    assert entities.named("Robert", 1).mentions == 3


def test_merging_refuses_what_makes_no_sense(entities, people):
    with pytest.raises(NotFound, match="No memory mentions “Hanna”"):
        entities.merge("Hanna", "Bob", 1)
    with pytest.raises(Refused, match="one already"):
        entities.merge("bob", "Bob", 1)
    entities.merge("Bob", "Robert", 1)
    with pytest.raises(Refused, match="one already"):
        entities.merge("Robert", "Bob", 1)
    with pytest.raises(Refused, match="was not merged"):
        entities.split("Robert", 1)
    with pytest.raises(NotFound):
        entities.merge("Bobby", "Robert", agent_pk=2)


def test_one_name_of_two_people_is_told_apart_and_put_back(entities, people, clock):
    before = listed(entities)
    ids = [people["Bob"].id]
    assert entities.move("Bob", "Bob from work", ids, 1).mentions == 1
    assert entities.of_memory(people["Bob"].pk) == ["Bob from work", "Ghent"]
    with pytest.raises(NotFound):
        entities.named("Bob", 1)
    entities.move("Bob from work", "Bob", ids, 1)
    assert listed(entities) == before
    with pytest.raises(Refused, match="None of these"):
        entities.move("Bobby", "Bob", ids, 1)
    with pytest.raises(Refused, match="at least one letter"):
        entities.move("Bob", " ", ids, 1)
    assert entities.move("Bob", "bob", ids, 1).mentions == 1


def test_when_the_name_others_were_merged_into_goes_the_oldest_takes_its_place(
    entities, people, memories
):
    entities.merge("Bob", "Robert", 1)
    entities.merge("Bobby", "Robert", 1)
    memories.delete(people["Robert"].id)
    assert listed(entities) == {"Ghent": ((), 2), "Bob": (("Bobby",), 2)}
    memories.delete(people["Bob"].id)
    assert listed(entities) == {"Ghent": ((), 1), "Bobby": ((), 1)}


def test_a_new_text_forgets_the_old_names(entities, people, memories):
    memories.update(people["Bob"].id, {"text": "Somebody sails"}, Note("user", "edit", "b9"))
    assert entities.of_memory(people["Bob"].pk) == []
    assert "Bob" not in listed(entities)
    memories.update(people["Bobby"].id, {"pinned": True}, Note("user", "pin", "b10"))
    assert entities.of_memory(people["Bobby"].pk) == ["Bobby", "Ghent"]


def test_only_memories_without_links_are_linked_to_the_names_in_their_text(
    entities, people, remember
):
    new = remember("Zoe sails")
    assert entities.link_new([(new.pk, ["Zoe"]), (people["Bob"].pk, ["Zoe"]), (999, ["Z"])]) == 1
    assert entities.of_memory(new.pk) == ["Zoe"]
    assert entities.of_memory(people["Bob"].pk) == ["Bob", "Ghent"]


def test_alike_is_not_the_same(entities, remember, clock):
    pairs = [("Anna", "Hanna"), ("Jon", "John"), ("Ghent", "Gent"), ("Ana Souza", "Ana Sousa")]
    for one, other in pairs:
        entities.link(remember(f"{one} and {other}").pk, [one, other], 1, clock())
    assert len(entities.list(1)) == 8
