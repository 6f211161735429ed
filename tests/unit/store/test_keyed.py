"""Keyed memories: who sees which, in what order, and which one a new value replaces."""

from itertools import product

import pytest

from app.domain.memory import Memory, Scope, Status, Trust, Visibility
from app.domain.prompting.agent import RecallOrder
from app.errors import Conflict, Refused
from app.store.agents import AgentGroups, Agents
from app.store.index.recallable import TRUSTED
from app.store.journal.entries import Note
from app.store.keyed import KeyedMemories

SELF, GROUP, GLOBAL = Visibility.SELF, Visibility.GROUP, Visibility.GLOBAL
RECENT, ACCESSED = RecallOrder.MOST_RECENT, RecallOrder.MOST_ACCESSED
USER = Note("user", "update", "b2")


@pytest.fixture
def keyed(vault, clock):
    return KeyedMemories(vault)


@pytest.fixture
def rows(vault, clock):
    """Two more agents, 2 and 3, and two groups that all three belong to."""
    agents, groups = Agents(vault), AgentGroups(vault)
    for name in ("two", "three"):
        agents.create(name)
    ids = [agent.id for agent in agents.list()]
    return [groups.create(name, ids).pk for name in ("home", "work")]


@pytest.fixture
def keep(remember):
    def store(key, value="x", **fields):
        return remember(f"{key}: {value}", key=key, value=value, **fields)

    return store


@pytest.fixture
def seen(keyed, clock):
    def keys(scope, order=RECENT, limit=0, **more):
        found = keyed.visible(scope, TRUSTED, clock(), order, limit, **more)
        return [memory.key for memory in found]

    return keys


def test_e1_a_new_value_replaces_the_agents_own_or_that_of_all(keyed, keep, rows):
    own = keep("city")
    shared = keep("food", visibility=GROUP, group_pks=(rows[0],))
    theirs = keep("city", agent_pk=2)
    alls = keep("city", visibility=GLOBAL, agent_pk=2)
    assert keyed.same(1, "city", SELF).id == own.id
    assert keyed.same(1, "city", GROUP).id == own.id, "what it kept to itself it may share"
    assert keyed.same(1, "food", SELF).id == shared.id
    assert keyed.same(2, "city", SELF).id == theirs.id
    assert keyed.same(1, "city", GLOBAL).id == alls.id == keyed.same(3, "city", GLOBAL).id
    assert keyed.same(3, "city", SELF) is None
    assert keyed.same(1, "City", SELF) is None, "case tells keys apart"
    for fields in ({}, {"visibility": GROUP, "group_pks": (rows[0],)}, {"agent_pk": 2}):
        with pytest.raises(Conflict):
            keep("city", **fields)
    with pytest.raises(Conflict):
        keep("city", visibility=GLOBAL)


@pytest.mark.parametrize("order", [RECENT, ACCESSED])
def test_e2_who_sees_what(keep, seen, rows, order):
    home, work = rows
    for agent in (1, 2):
        keep(f"self of {agent}", agent_pk=agent)
        keep(f"home of {agent}", agent_pk=agent, visibility=GROUP, group_pks=(home,))
        keep(f"both of {agent}", agent_pk=agent, visibility=GROUP, group_pks=(home, work))
        keep(f"all of {agent}", agent_pk=agent, visibility=GLOBAL)
    for agent, groups in product((1, 2, 3), ((), (home,), (work,), (home, work))):
        wanted = {"all of 1", "all of 2"}
        wanted |= {f"self of {agent}"} if agent < 3 else set()
        wanted |= {"home of 1", "home of 2"} if home in groups else set()
        wanted |= {"both of 1", "both of 2"} if groups else set()
        assert set(seen(Scope(agent, groups), order)) == wanted


def test_e2_what_is_no_entry_in_use_or_not_believed_is_not_seen(keep, remember, seen, clock):
    keep("good")
    keep("waits", status=Status.PROPOSED)
    keep("archived", status=Status.OUT_OF_WINDOW)
    keep("read somewhere", trust=Trust.EXTERNAL)
    keep("over", expires_at=clock())
    keep("_gdpr_mark", visibility=GLOBAL, trust=Trust.SYSTEM)
    remember("without a key")
    assert seen(Scope(1)) == ["good"]


def test_e2_categories_restrict_only_those_that_are_known(keep, seen):
    for category in ("preference", "fact", "context", "legacy", None):
        keep(str(category), category=category)
    assert set(seen(Scope(1), categories=("preference",))) == {"preference", "legacy"}
    assert len(seen(Scope(1))) == 5


def test_e3_what_a_group_sees_has_to_name_the_group(memories, keep, rows):
    with pytest.raises(Refused, match="has to name the group"):
        keep("ours", visibility=GROUP)
    mine = keep("mine")
    with pytest.raises(Refused, match="has to name the group"):
        memories.update(mine.id, {"visibility": GROUP}, USER)
    shared = memories.update(mine.id, {"visibility": GROUP, "group_pks": (rows[0],)}, USER)
    with pytest.raises(Refused, match="has to name the group"):
        memories.update(mine.id, {"group_pks": ()}, USER)
    assert memories.get(mine.id) == shared


def test_e7_the_most_recent_come_first_and_reading_them_counts_nothing(memories, keep, seen, clock):
    kept = [keep(f"k{i}") for i in range(4) if clock.forward(minutes=1)]
    clock.forward(minutes=1)
    memories.update(kept[0].id, {"value": "new"}, USER)
    assert seen(Scope(1), RECENT, 3) == ["k0", "k3", "k2"]
    assert seen(Scope(1), RECENT, 0) == seen(Scope(1), RECENT, -1) == ["k0", "k3", "k2", "k1"]
    assert {memories.get(one.id).access_count for one in kept} == {0}


@pytest.mark.parametrize(
    ("limit", "wanted"),
    [
        (1, ["k0"]),
        (2, ["k0", "k19"]),
        (4, ["k0", "k1", "k2", "k19"]),
        (5, ["k0", "k1", "k2", "k3", "k19"]),
        (10, [*(f"k{i}" for i in range(8)), "k19", "k18"]),
    ],
)
def test_e7_of_the_most_used_some_places_are_kept_for_what_is_new(
    memories, keep, seen, clock, limit, wanted
):
    for i in range(20):
        clock.forward(minutes=1)
        one = keep(f"k{i}")
        for _ in range(max(0, 10 - i)):
            memories.touch([one.id], clock())
    assert seen(Scope(1), ACCESSED, limit) == wanted


def test_e7_what_is_new_and_used_most_takes_one_place(memories, keep, seen, clock):
    for i in range(6):
        clock.forward(minutes=1)
        one = keep(f"k{i}")
    memories.touch([one.id], clock())
    assert seen(Scope(1), ACCESSED, 5) == ["k5", "k4", "k3", "k2", "k1"]


def test_what_holds_a_text_is_found_whatever_its_case_archived_or_not(keyed, keep, rows, clock):
    keep("City", "Lyon")
    clock.forward(minutes=1)
    keep("old", "100 % in LYON", status=Status.OUT_OF_WINDOW)
    keep("gone", "Lyon", status=Status.FORGOTTEN)
    keep("theirs", "Lyon", agent_pk=2)
    keep("read", "Lyon", trust=Trust.EXTERNAL)
    keep("list", ["Lyon", 7])
    keep("ours", "Lyon", visibility=GROUP, group_pks=(rows[0],))

    def found(text, scope):
        return [memory.key for memory in keyed.holding(scope, TRUSTED, text)]

    assert found("lyon", Scope(1)) == ["ours", "list", "old", "City"], "its own it always finds"
    assert found("lyon", Scope(2)) == ["theirs"]
    assert found("lyon", Scope(2, (rows[0],))) == ["ours", "theirs"]
    assert found("%", Scope(1)) == ["old"]
    assert found("CITY", Scope(1)) == ["City"]
    assert len(found("", Scope(1))) == 4


def test_the_own_entry_comes_before_that_of_all(keyed, keep, rows):
    alls = keep("city", visibility=GLOBAL, agent_pk=2)
    assert keyed.by_key(Scope(1), "city").id == alls.id
    own = keep("city", status=Status.OUT_OF_WINDOW)
    assert keyed.by_key(Scope(1), "city").id == alls.id, "what is in use comes first"
    assert keyed.same(1, "city", SELF).id == own.id
    mine = keep("city", "here")
    assert keyed.by_key(Scope(1), "city").id == mine.id
    assert keyed.by_key(Scope(3), "nowhere") is None


def test_e6_what_may_go_is_the_agents_own_and_changed_longest_ago(keyed, keep, memories, clock):
    keep("_gdpr_x", trust=Trust.SYSTEM)
    keep("pinned", pinned=True)
    keep("safety", tags=("safety",))
    keep("certain", trust=Trust.SYSTEM)
    keep("theirs", agent_pk=1, status=Status.OUT_OF_WINDOW)
    first = keep("first")
    clock.forward(minutes=1)
    keep("second")
    clock.forward(minutes=1)
    memories.update(first.id, {"value": "again"}, USER)
    assert [memory.key for memory in keyed.evictable(1, 9)] == ["second", "first"]
    assert [memory.key for memory in keyed.evictable(1, 1)] == ["second"]
    assert keyed.evictable(2, 9) == []
    assert (keyed.count(), keyed.count(archived=True)) == (5, 6)


@pytest.mark.parametrize(
    "value",
    ["text", "", 7, 1.5, True, False, None, [1, "zwei", None], {"a": {"b": [True]}}, "ünï"],
)
def test_e16_a_value_comes_back_as_it_was(memories, keep, clock, rows, value):
    one = keep("k", value, category="context", visibility=GROUP, group_pks=(rows[1],))
    found = memories.get(one.id)
    assert (found.value, type(found.value)) == (value, type(value))
    assert (found.key, found.category, found.visibility) == ("k", "context", GROUP)
    assert (found.agent_pk, found.group_pks, found.access_count) == (1, (rows[1],), 0)
    assert isinstance(found, Memory)
    assert found.created_at == found.updated_at == clock()
