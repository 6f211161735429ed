"""Agents and groups are kept as they were made, and nothing of theirs is lost by removing one."""

import pytest

from app.domain.memory import Visibility
from app.domain.prompting.agent import (
    Agent,
    CapMode,
    MemoryRules,
    RecallOrder,
    WriteLimits,
    rules_of,
)
from app.errors import NotFound, Refused
from app.store.agents import AgentGroups, Agents


@pytest.fixture
def agents(vault, clock):
    return Agents(vault)


@pytest.fixture
def groups(vault, clock):
    return AgentGroups(vault)


def test_every_vault_has_one_agent_and_it_stays(agents):
    (loci,) = agents.list()
    assert (loci.name, loci.pk, loci.is_default, loci.rules) == ("Loci", 1, True, MemoryRules())
    with pytest.raises(Refused, match="Loci itself stays"):
        agents.delete(loci.id)
    assert agents.list() == [loci]


def test_an_agent_is_kept_as_it_was_made_and_changed(agents, clock):
    cook = agents.create("Cook", "Answer with recipes.", "server:x#y")
    assert cook == Agent(
        cook.id, "Cook", clock(), clock(), cook.pk, "Answer with recipes.", "server:x#y"
    )
    assert not cook.is_default
    rules = MemoryRules(
        tools_enabled=False,
        tools=("memory", "rememberFact"),
        default_visibility=Visibility.GLOBAL,
        max_recall_entries=7,
        max_entries=9,
        on_cap_reached=CapMode.REJECT,
        recall_order=RecallOrder.MOST_ACCESSED,
        auto_recall_categories=(),
        guardrails=WriteLimits(5, 6, 7, ("fact",)),
    )
    later = clock.forward(hours=1)
    agents.rename(cook.id, "Chef")
    agents.instruct(cook.id, "Be brief.")
    agents.choose_model(cook.id, "")
    agents.rule(cook.id, rules)
    assert agents.get(cook.id) == Agent(
        cook.id, "Chef", cook.created_at, later, cook.pk, "Be brief.", "", rules, 5
    )
    assert [agent.name for agent in agents.list()] == ["Loci", "Chef"]
    with pytest.raises(NotFound):
        agents.rename("nobody", "X")


def test_rules_that_make_no_sense_are_the_usual_ones_and_a_strange_cap_refuses():
    told = {
        "max_entries": "many",
        "recall_order": 3,
        "guardrails": {"max_key_length": 4, "allowed_categories": ["fact", 1]},
        "tools": "all",
        "tools_enabled": 0,
    }
    assert rules_of(told) == MemoryRules(
        guardrails=WriteLimits(max_key_length=4, allowed_categories=("fact",))
    )
    assert rules_of({"on_cap_reached": "explode"}).on_cap_reached is CapMode.REJECT
    assert rules_of({}) == MemoryRules()


def test_e4_the_defaults_are_those_of_the_specification():
    rules = MemoryRules()
    assert (rules.default_visibility, rules.recall_order) == ("self", "most_recent")
    assert (rules.max_recall_entries, rules.max_entries) == (50, 500)
    assert rules.on_cap_reached == "evict_oldest"
    assert rules.auto_recall_categories == ("preference", "fact")
    assert rules.guardrails == WriteLimits(100, 1000, 10, ("preference", "fact", "context"))


def test_an_agent_with_conversations_or_memories_stays(agents, conversations, remember):
    cook = agents.create("Cook")
    talk = conversations.create(cook.pk)
    remember("Likes soup", agent_pk=cook.pk)
    with pytest.raises(Refused, match="“Cook” still has 1 conversation and 1 memory"):
        agents.delete(cook.id)
    assert conversations.get(talk.id).agent_pk == cook.pk
    empty = agents.create("Empty")
    agents.delete(empty.id)
    assert [agent.name for agent in agents.list()] == ["Loci", "Cook"]


def test_a_group_has_members_and_keeps_what_is_shared_in_it(agents, groups, remember):
    cook, poet = agents.create("Cook"), agents.create("Poet")
    home = groups.create("Home", [cook.id])
    assert home.members == (cook.id,)
    groups.set_members(home.id, [poet.id, cook.id])
    groups.rename(home.id, "House")
    (found,) = groups.list()
    assert (found.name, found.members) == ("House", tuple(sorted((cook.id, poet.id))))
    with pytest.raises(NotFound):
        groups.set_members(home.id, ["nobody", cook.id])
    assert groups.get(home.id).members == found.members
    remember("Dinner is at 7", visibility=Visibility.GROUP, group_pks=(home.pk,), agent_pk=cook.pk)
    with pytest.raises(Refused, match="“House” still shares 1 memory"):
        groups.delete(home.id)
    other = groups.create("Other", [])
    groups.delete(other.id)
    assert [group.name for group in groups.list()] == ["House"]


def test_e3_only_the_groups_that_an_agent_belongs_to_count(agents, groups):
    cook = agents.create("Cook")
    home, work = groups.create("Home", [cook.id]), groups.create("Work", [])
    assert groups.rows_of(cook.pk, [home.id, work.id, "nowhere"]) == (home.pk,)
    assert groups.rows_of(cook.pk, []) == ()
