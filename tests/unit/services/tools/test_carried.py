"""What an agent may see enters its conversations, and only what changed is written back."""

import pytest

from app.domain.conversation import MemoryMode
from app.domain.memory import MemoryFilter, Scope, Status, Visibility
from app.domain.prompting.agent import CapMode, RecallOrder
from app.errors import DiskFull
from app.memory.by_model.carried import FactCarrier
from app.memory.by_model.entries import KeyedEntries, KeyedEntry, WritingTurn

ACTIVE = MemoryFilter(statuses=frozenset({Status.ACTIVE}))


@pytest.fixture
def entries(home):
    """A model that judges nothing: only words count."""
    return KeyedEntries(
        home.store, lambda: None, home.services.preferences.values, home.store.clock
    )


@pytest.fixture
def carry(home, entries):
    carrier = FactCarrier(home.store, entries, home.store.clock)

    class Carry:
        def into(self, turn, *groups, begins=True, pending=()):
            scope = Scope(turn.scope.scope.agent_pk, groups)
            return carrier.carried(
                turn.scope.conversation_id, scope, begins=begins, pending=pending
            )

        def back(self, facts, turn, *groups):
            scope = Scope(turn.scope.scope.agent_pk, groups)
            writer = WritingTurn(scope, turn.scope.message_id)
            return carrier.write_back(facts, turn.scope.conversation_id, writer)

    return Carry()


@pytest.fixture
def keep(home, entries):
    def put(text, key, value, agent="Loci", group=None, **fields):
        turn = home.turn(text, agent)
        groups = (group.pk,) if group else ()
        scope = Scope(turn.scope.scope.agent_pk, groups)
        writer = WritingTurn(scope, turn.scope.message_id)
        return entries.put(KeyedEntry(key, value, **fields), writer).memory

    return put


def keys(facts):
    return {memory.key for memory in facts.memories}


def test_what_the_agent_may_see_enters_a_new_conversation(home, carry, keep):
    home.make("Cook")
    group = home.group("Kitchen", "Loci", "Cook")
    seen = {"visibility": Visibility.GROUP}
    keep("I drink tea.", "drink", "tea")
    keep("I eat soup.", "food", "soup", "Cook")
    keep("I cook on Monday.", "day", "Monday", "Cook", group, **seen)
    keep("I live in Lyon.", "city", "Lyon", "Cook", visibility=Visibility.GLOBAL)
    keep("I think of Rome.", "mood", "Rome", category="context")
    turn = home.turn("Hello")
    assert keys(carry.into(turn)) == {"drink", "city"}, "context is not carried by default"
    inside = carry.into(turn, group.pk)
    assert keys(inside) == {"drink", "city", "day"}
    assert (inside.get("drink"), inside.get(" day "), inside.get("food")) == ("tea", "Monday", None)
    home.rule(auto_recall_categories=("context",))
    assert keys(carry.into(turn)) == {"mood"}


def test_the_own_value_comes_before_the_groups_and_that_of_all(home, carry, keep):
    home.make("Cook")
    keep("I drink water.", "drink", "water", "Cook", visibility=Visibility.GLOBAL)
    turn = home.turn("Hello")
    assert carry.into(turn).get("drink") == "water"
    keep("I drink tea.", "drink", "tea")
    assert carry.into(turn).get("drink") == "tea"


def test_what_did_not_change_is_not_written(home, carry, keep):
    home.make("Cook")
    alls = keep("I live in Lyon.", "city", "Lyon", "Cook", visibility=Visibility.GLOBAL)
    own = keep("I drink tea.", "drink", "tea")
    turn = home.turn("I eat soup now.")
    facts = carry.into(turn)
    facts.set("drink", "tea")
    assert not facts.changed
    facts.set("food", "soup")
    journalled = home.store.journal.tail()
    done = carry.back(facts, turn)
    assert home.store.memories.get(alls.id) == alls
    assert home.store.memories.get(own.id) == own
    (row,) = home.rows(key="food")
    assert (row.value, row.category, row.visibility) == ("soup", "fact", "self")
    assert done.changes.memories == {row.id}
    assert home.store.journal.tail() == journalled + 1
    assert carry.back(facts, turn).changes.memories == frozenset(), "once is enough"


def test_a_changed_value_keeps_who_sees_it_and_a_new_one_is_seen_as_the_rules_say(
    home, carry, keep
):
    home.make("Cook")
    alls = keep("I live in Lyon.", "city", "Lyon", "Cook", visibility=Visibility.GLOBAL)
    home.rule(default_visibility=Visibility.GLOBAL)
    turn = home.turn("I live in Nice now and drink tea and eat soup.")
    facts = carry.into(turn)
    facts.set("city", "Nice")
    facts.set("drink", "tea")
    facts.set("food", "soup", Visibility.SELF)
    done = carry.back(facts, turn)
    now = home.store.memories.get(alls.id)
    assert (now.value, now.visibility, now.agent_pk) == ("Nice", "global", alls.agent_pk)
    assert home.rows(key="drink")[0].visibility == "global"
    assert home.rows(key="food")[0].visibility == "self"
    assert len(done.changes.batches) == 1
    home.services.undo.undo(*done.changes.batches)
    assert home.store.memories.get(alls.id).value == "Lyon"
    assert home.services.memories.count(ACTIVE) == 1, "one undo takes all of it back"


def test_what_a_failed_turn_could_not_write_is_tried_in_the_next(home, carry, monkeypatch, entries):
    turn = home.turn("I drink tea and eat soup.")
    facts = carry.into(turn)
    facts.set("drink", "tea")
    facts.set("food", "soup")
    put, calls = KeyedEntries.put, []

    def breaks(self, entry, *more):
        calls.append(entry.key)
        if len(calls) == 2:
            raise DiskFull("There is no room left.")
        return put(self, entry, *more)

    monkeypatch.setattr(KeyedEntries, "put", breaks)
    with pytest.raises(DiskFull):
        carry.back(facts, turn)
    assert [fact.key for fact in facts.changed] == ["food"]
    later = home.turn("And now?")
    again = carry.into(later, begins=False, pending=facts.changed)
    carry.back(again, later)
    assert calls == ["drink", "food", "food"]
    assert {row.key: row.value for row in home.rows()} == {"drink": "tea", "food": "soup"}


def test_e5_what_is_too_much_for_one_turn_is_written_in_the_next(home, carry):
    home.rule(max_writes_per_turn=2)
    turn = home.turn("I drink tea, eat soup and play chess.")
    facts = carry.into(turn)
    for key, value in (("drink", "tea"), ("food", "soup"), ("game", "chess")):
        facts.set(key, value)
    assert carry.back(facts, turn).refused == []
    assert [fact.key for fact in facts.changed] == ["game"]
    later = home.turn("And now?")
    carry.back(carry.into(later, pending=facts.changed), later)
    assert {row.key for row in home.rows()} == {"drink", "food", "game"}


def test_what_is_refused_is_told_once_and_stops_nothing_else(home, carry):
    home.rule(max_value_length=4)
    turn = home.turn("I drink tea and chocolate.")
    facts = carry.into(turn)
    facts.set("sweet", "chocolate")
    facts.set("drink", "tea")
    done = carry.back(facts, turn)
    assert done.refused == ["⚠️ Value too long. Maximum 4 characters."]
    assert [row.key for row in home.rows()] == ["drink"]
    assert not facts.changed


def test_e6_the_cap_holds_for_what_is_written_back(home, carry):
    home.rule(max_entries=1, on_cap_reached=CapMode.REJECT)
    turn = home.turn("I drink tea and eat soup.")
    facts = carry.into(turn)
    facts.set("drink", "tea")
    facts.set("food", "soup")
    done = carry.back(facts, turn)
    assert done.refused == ["⚠️ Memory capacity reached (1/1). Cannot store more facts."]


def test_e7_only_the_beginning_of_a_conversation_counts_as_a_use(home, carry, keep):
    one = keep("I drink tea.", "drink", "tea")
    turn = home.turn("Hello")
    carry.into(turn)
    assert home.store.memories.get(one.id).access_count == 0
    home.rule(recall_order=RecallOrder.MOST_ACCESSED)
    carry.into(turn)
    carry.into(turn, begins=False)
    assert home.store.memories.get(one.id).access_count == 1


def test_the_modes_of_a_conversation_hold(home, carry, keep):
    keep("I drink tea.", "drink", "tea")
    turn = home.turn("I eat soup.")
    talk = turn.scope.conversation_id
    for mode, reads, learns in (
        (MemoryMode.READS_ONLY, True, False),
        (MemoryMode.WRITES_ONLY, False, True),
        (MemoryMode.OFF, False, False),
        (MemoryMode.TEMPORARY, False, False),
    ):
        home.store.conversations.set_mode(talk, mode)
        facts = carry.into(turn)
        assert bool(facts.memories) is reads
        facts.set("food", "soup")
        assert bool(carry.back(facts, turn).changes.memories) is learns
        home.services.memories.forget([row.id for row in home.rows(key="food")])
        home.turn("Hello.")
        turn = home.turn("I eat soup.")


def test_nothing_is_carried_while_processing_is_restricted(home, carry, keep):
    keep("I drink tea.", "drink", "tea")
    turn = home.turn("I eat soup.")
    home.services.restriction.restrict()
    facts = carry.into(turn)
    assert facts.memories == ()
    facts.set("food", "soup")
    assert not carry.back(facts, turn).changes
    assert [fact.key for fact in facts.changed] == ["food"]
