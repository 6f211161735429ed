"""What is linked to the finds is found too, one step far; where nothing is, nothing changes."""

from datetime import timedelta
from math import exp, tanh

import pytest

from app.domain.conversation import MemoryMode
from app.domain.memory import Scope, Status, Trust, Visibility
from app.domain.recall import HitKind, Query
from app.memory.recall.compose import trusted
from app.memory.recall.lanes import linked
from app.memory.recall.pipeline import QueryContext
from app.store.entities import Entities
from app.store.journal.causes import Causes
from app.store.links import Links, hub_weight
from app.store.search import WordSearch
from tests.unit.memory.recall.conftest import HOME, NOW

MEMORY, MESSAGE = HitKind.MEMORY, HitKind.MESSAGE


class Asking:
    """Asks single lanes of a world, starting from the memories and messages it is given."""

    def __init__(self, world):
        self.world = world
        self.links = Links(world.vault)
        self.trusts = trusted(world.settings.rag)

    def near(self, lane, *seeds, scope=HOME, exclude=()):
        memories = [seed.pk for seed in seeds if hasattr(seed, "trust")]
        messages = [seed.pk for seed in seeds if not hasattr(seed, "trust")]
        rows = WordSearch(self.world.vault).hydrate(memories, messages)
        context = QueryContext(Query("what?", scope, NOW, frozenset(exclude)), lambda _: [])
        return lane.search(context, list(rows.values()))

    def texts(self, lane, *seeds, **more):
        near = self.near(lane, *seeds, **more)
        rows = WordSearch(self.world.vault).hydrate(
            [one.pk for one in near if one.kind is MEMORY],
            [one.pk for one in near if one.kind is MESSAGE],
        )
        return [rows[one.kind, one.pk].text for one in near]

    def names(self, *seeds, limit=200, messages=True, **more):
        lane = linked.SharedNames(self.links, self.trusts, messages, limit)
        return self.texts(lane, *seeds, **more)

    def days(self, *seeds, window=7, limit=20, **more):
        return self.texts(linked.SameDays(self.links, self.trusts, window, limit), *seeds, **more)

    def causes(self, *seeds, limit=20, **more):
        return self.texts(linked.CausesAndEffects(self.links, self.trusts, limit), *seeds, **more)

    def pinned(self, *seeds, limit=20, **more):
        return self.texts(linked.Pinned(self.links, self.trusts, limit), *seeds, **more)


@pytest.fixture
def asking(world):
    return Asking(world)


@pytest.fixture
def second_agent(vault):
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    return Scope(2)


# -- by shared names


def test_m12_one_hop_by_shared_names_most_shared_first(world, asking):
    seed = world.learn("You met Ana Souza in Ghent")
    world.learn("You saw Ana Souza on the train", days=50)
    world.learn("You walked with Ana Souza through Ghent", days=60)
    world.learn("Your flat is in Lisbon")
    two_steps = world.learn("Your dentist is on the train")
    world.index()
    found = asking.names(seed)
    assert found == ["You walked with Ana Souza through Ghent", "You saw Ana Souza on the train"]
    assert two_steps.text not in found


def test_m12_no_seed_is_found_from_another(world, asking):
    seeds = [world.learn(f"You met Ana Souza, time {n}") for n in range(3)]
    said = world.say("I saw Ana Souza")
    world.index()
    assert asking.names(*seeds, said) == []


def test_m12_hubs_hardly_count_and_what_is_in_every_memory_not_at_all(world, asking):
    for n in range(20):
        world.learn(f"You like Berlin, reason {n}", days=100 + n)
    seed = world.learn("You saw Ruth Adler in Berlin")
    rare = world.learn("Ruth Adler plays the oboe", days=300)
    world.index()
    found = asking.names(seed, limit=5)
    assert found[0] == rare.text
    lane = linked.SharedNames(asking.links, asking.trusts, True, 50)
    near = {one.pk: one.score for one in asking.near(lane, seed)}
    assert near[rare.pk] == pytest.approx(tanh(0.5))
    assert max(score for pk, score in near.items() if pk != rare.pk) < 0.1
    assert asking.names(world.learn("You hum"), seed, limit=1) == [rare.text]


@pytest.mark.parametrize(
    ("mentions", "total", "weight"),
    [(1, 1, 1.0), (2, 3, 1.0), (200, 1000, 1.0), (1000, 1000, 0.0), (1200, 1000, 0.0)],
)
def test_a_hub_is_what_stands_in_more_than_a_fifth(mentions, total, weight):
    assert hub_weight(mentions, total) == weight
    assert 0 < hub_weight(500, 1000) < hub_weight(250, 1000) < 1


def test_m12_what_may_not_be_recalled_is_no_neighbour(world, asking):
    seed = world.learn("You met Ana Souza")
    gone = {"expires_at": NOW - timedelta(seconds=1)}
    world.learn("Ana Souza expired", **gone)
    world.learn("Ana Souza superseded", status=Status.SUPERSEDED)
    world.learn("Ana Souza from outside", trust=Trust.EXTERNAL)
    off = world.conversations.create(1, mode=MemoryMode.OFF)
    world.say("I told Ana Souza", talk=off)
    seen = world.say("I see Ana Souza now")
    world.say("I phoned Ana Souza")
    world.index()
    assert asking.names(seed, exclude={seen.id}) == ["I phoned Ana Souza"]


def test_m12_ties_stand_newest_first_then_by_id_and_the_cap_holds(world, asking):
    seed = world.learn("You met Ana Souza")
    older = world.learn("Ana Souza sings", days=40)
    same = [world.learn(f"Ana Souza dances, style {n}", days=20) for n in range(3)]
    world.index()
    ordered = [*sorted(same, key=lambda memory: memory.id), older]
    assert asking.names(seed) == [memory.text for memory in ordered]
    assert asking.names(seed, limit=2) == [memory.text for memory in ordered[:2]]
    assert asking.names(seed, limit=0) == []


def test_messages_are_linked_by_the_names_in_their_text(world, asking):
    seed = world.say("Met Ana Souza at the “Green Door” today")
    kept = world.learn("You owe Ana Souza ten euros", days=1)
    world.say("ana is a mother", days=2)
    world.say("Is ANA SOUZA there?", days=3)
    world.say("Coffee with Ana Souza", days=4)
    world.say("They closed the Green Door and Ana Souza wept", days=5)
    world.index()
    assert asking.names(seed) == [
        "They closed the Green Door and Ana Souza wept",
        kept.text,
        "Coffee with Ana Souza",
    ]
    assert asking.names(seed, messages=False) == [kept.text]


def test_a_name_is_not_found_in_a_word_that_has_its_stem(world, asking):
    seed = world.learn("You met Mr Bill Waters in Ghent")
    world.say("The bills of Ghent are due")
    world.say("I pay bills and like waters")
    world.index()
    assert asking.names(seed) == ["The bills of Ghent are due"]


def test_merged_names_lead_to_each_other_until_they_are_split(world, asking):
    seed = world.learn("You met Bob Smith")
    world.learn("Robert Smith owns a boat")
    world.say("I sailed with Robert Smith", days=60)
    world.index()
    entities = Entities(world.vault)
    assert asking.names(seed) == []
    entities.merge("Bob Smith", "Robert Smith", 1)
    assert asking.names(seed) == ["Robert Smith owns a boat", "I sailed with Robert Smith"]
    entities.split("Bob Smith", 1)
    assert asking.names(seed) == []


# -- by days


def on(days):
    return NOW - timedelta(days=days)


def test_m12_same_days_nearest_first_then_by_id(world, asking):
    seed = world.learn("You moved house", occurred_at=on(100))
    world.learn("You lost a tooth", occurred_at=on(106))
    world.learn("You had a cold", occurred_at=on(99))
    world.learn("You bought paint", occurred_at=on(101))
    world.learn("You bought a drill", occurred_at=on(101))
    world.learn("You flew to Rome", occurred_at=on(108))
    world.learn("You hum")
    found = asking.days(seed)
    assert found == ["You had a cold", "You bought paint", "You bought a drill", "You lost a tooth"]
    assert asking.days(seed, limit=2) == found[:2]
    assert asking.days(seed, window=0) == []
    lane = linked.SameDays(asking.links, asking.trusts, 7, 20)
    scores = [one.score for one in asking.near(lane, seed)]
    assert scores == pytest.approx([exp(-1 / 7)] * 3 + [exp(-6 / 7)])


def test_m12_what_happened_at_the_very_time_of_a_seed_is_found_but_no_seed(world, asking):
    one = world.learn("You moved house", occurred_at=on(100))
    other = world.learn("You lost a tooth", occurred_at=on(101))
    world.learn("It snowed", occurred_at=on(100))
    assert asking.days(one, other) == ["It snowed"]


def test_m12_far_seeds_do_not_reach_what_lies_between(world, asking):
    seeds = [world.learn(f"You moved, time {n}", occurred_at=on(n)) for n in (100, 300)]
    world.learn("It snowed", occurred_at=on(200))
    assert asking.days(*seeds) == []
    assert asking.days(world.learn("You hum")) == []


def test_m12_same_days_leave_out_what_may_not_be_recalled(world, asking):
    seed = world.learn("You moved house", occurred_at=on(100))
    world.learn("Expired", occurred_at=on(100), expires_at=on(1))
    world.learn("Outside", occurred_at=on(100), trust=Trust.EXTERNAL)
    world.learn("Forgotten", occurred_at=on(100), status=Status.FORGOTTEN)
    assert asking.days(seed) == []


def test_days_are_found_through_their_index(world):
    with world.vault.read() as connection:
        plan = connection.execute(
            "EXPLAIN QUERY PLAN SELECT m.pk FROM json_each('[1]') AS s CROSS JOIN memories AS m"
            " WHERE m.occurred_at >= s.value - 5 AND m.occurred_at <= s.value + 5"
            " AND m.scope IN (1, 0) AND m.status = 'active'"
        ).fetchall()
    assert any("memories_occurred" in row["detail"] for row in plan)


# -- by causes


def test_m12_causes_and_effects_surest_first_each_once(world, asking):
    rain, flood, mould, move, far = (
        world.learn(text)
        for text in ("It rained", "The cellar flooded", "Mould came", "You moved", "You wept")
    )
    causes = Causes(world.vault)
    causes.link(rain.id, flood.id, 0.6)
    causes.link(flood.id, mould.id, 0.9)
    causes.link(mould.id, flood.id, 0.7)
    causes.link(flood.id, move.id, 0.6)
    causes.link(move.id, far.id)
    assert asking.causes(flood) == ["Mould came", "It rained", "You moved"]
    assert asking.causes(flood, limit=1) == ["Mould came"]
    assert asking.causes(flood, mould) == ["It rained", "You moved"]
    assert asking.causes(world.learn("You hum")) == []


def test_m12_causes_leave_out_what_may_not_be_recalled(world, asking):
    seed = world.learn("It rained")
    for number, fields in enumerate(
        ({"trust": Trust.EXTERNAL}, {"expires_at": on(1)}, {"status": Status.SUPERSEDED})
    ):
        Causes(world.vault).link(seed.id, world.learn(f"Effect {number}", **fields).id)
    assert asking.causes(seed) == []


# -- pinned


def test_pinned_memories_newest_first_without_seeds(world, asking):
    world.learn("Old", days=50, pinned=True)
    world.learn("Not pinned")
    world.learn("Expired", pinned=True, expires_at=on(1))
    world.learn("Outside", pinned=True, trust=Trust.EXTERNAL)
    seed = world.learn("Seed", pinned=True)
    world.learn("New", days=2, pinned=True)
    assert asking.pinned(seed) == ["New", "Old"]
    assert asking.pinned(limit=1) == ["New"]


# -- isolation


def test_m12_no_lane_crosses_from_one_agent_to_another(world, asking, second_agent):
    """The same words, names, days, pins, and a cause, for two agents."""
    fields = {"occurred_at": on(100), "pinned": True}
    mine = [world.learn(f"Ana Souza is mine, {n}", **fields) for n in range(2)]
    theirs = [world.learn(f"Ana Souza is theirs, {n}", agent_pk=2, **fields) for n in range(2)]
    world.say("I met Ana Souza, mine")
    other = world.conversations.create(agent_pk=2)
    world.say("I met Ana Souza, theirs", talk=other)
    world.index()
    for pair in (mine, theirs):
        Causes(world.vault).link(pair[0].id, pair[1].id)
    with world.vault.write() as connection:  # what no code would write
        connection.execute(
            "INSERT INTO causal_edges (agent_pk, source_pk, target_pk, created_at)"
            " VALUES (1, ?, ?, 0)",
            (mine[0].pk, theirs[1].pk),
        )
    for seeds, scope, own, foreign in (
        (mine, HOME, "mine", "theirs"),
        (theirs, second_agent, "theirs", "mine"),
    ):
        for lane in (asking.names, asking.days, asking.causes, asking.pinned):
            found = lane(seeds[0], scope=scope)
            assert found
            assert all(own in text and foreign not in text for text in found), lane
            assert all(own in t for t in lane(mine[0], theirs[0], scope=scope)), lane


def test_m12_groups_and_globals_are_seen_by_those_who_may(world, asking, second_agent):
    with world.vault.write() as connection:
        connection.execute("INSERT INTO groups (pk, id, name, created_at) VALUES (7, 'g', 'G', 0)")
    day = {"occurred_at": on(100)}
    seed = world.learn("Seed", **day)
    world.learn("For all", agent_pk=2, visibility=Visibility.GLOBAL, **day)
    world.learn("For the group", agent_pk=2, visibility=Visibility.GROUP, group_pks=(7,), **day)
    assert asking.days(seed) == ["For all"]
    assert set(asking.days(seed, scope=Scope(1, (7,)))) == {"For all", "For the group"}
