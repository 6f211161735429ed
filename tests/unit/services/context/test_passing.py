"""M1: passing notes vanish when their conversation ends or is summed up; all else stays."""

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.ids import new_id
from app.domain.memory import Evidence, Memory, MemoryFilter, MemoryType, Status, Trust
from app.memory.change.passing import OVER, SUMMED_UP
from app.store.memories import Note
from tests.unit.services.profile import NOW, learn


def told(opened, text, kind, talk, trust=Trust.LEARNED):
    """Say something and keep it as a memory of a type; return the memory's id."""
    said = opened.store.messages.add(talk, Role.USER, [Part(text, PartOrigin.TYPED)])
    memory = Memory(new_id(NOW), text, NOW, NOW, agent_pk=1, type=kind, trust=trust)
    kept = opened.store.memories.insert(
        memory, (Evidence(text, NOW, said.id),), Note("learner", "insert", new_id(NOW))
    )
    return kept.id


def state(opened, memory_id):
    memory = opened.store.memories.get(memory_id)
    return memory.status, memory.status_reason


@pytest.mark.parametrize("kind", list(MemoryType))
def test_m1_only_working_memories_end_with_their_conversation(opened, kind):
    talk = opened.services.conversations.create().id
    kept = told(opened, "The oven is at 180 degrees for now.", kind, talk)
    opened.services.conversations.archive(talk, True)
    over = kind is MemoryType.WORKING
    assert state(opened, kept) == ((Status.FORGOTTEN, OVER) if over else (Status.ACTIVE, ""))


def test_m1_working_memories_end_when_their_messages_are_summed_up(opened):
    opened.services.preferences.set("models.context_tokens", 1024)
    talk = opened.services.conversations.create().id
    early = told(opened, "The oven is at 180 degrees for now.", MemoryType.WORKING, talk)
    for n in range(120):
        parts = [Part(f"Boat {n} lies in Split, at pier {n + 7}, they say.", PartOrigin.TYPED)]
        opened.store.messages.add(talk, Role.USER, parts)
    late = told(opened, "The rice takes eleven minutes more.", MemoryType.WORKING, talk)
    opened.store.jobs.enqueue("summarise", "summarise", {"conversation": talk})
    learn(opened.services)
    assert state(opened, early) == (Status.FORGOTTEN, SUMMED_UP)
    assert state(opened, late) == (Status.ACTIVE, "")


def test_m1_one_that_another_conversation_rests_on_as_well_stays(opened):
    first, second = (opened.services.conversations.create().id for _ in range(2))
    kept = told(opened, "The oven is at 180 degrees for now.", MemoryType.WORKING, first)
    again = [Part("The oven is at 180 degrees for now.", PartOrigin.TYPED)]
    said = opened.store.messages.add(second, Role.USER, again)
    opened.store.memories.add_evidence(kept, Evidence(again[0].text, NOW, said.id))
    opened.services.conversations.archive(first, True)
    assert state(opened, kept)[0] is Status.ACTIVE


@pytest.mark.parametrize("trust", list(Trust))
def test_m1_types_and_trusts_are_filters(opened, trust):
    talk = opened.services.conversations.create().id
    for kind in MemoryType:
        for each in Trust:
            told(opened, f"A note of {kind} and {each}.", kind, talk, each)
    for kind in MemoryType:
        wanted = MemoryFilter(types=frozenset({kind}), trusts=frozenset({trust}))
        found = opened.services.memories.list(wanted)
        assert [memory.text for memory in found] == [f"A note of {kind} and {trust}."]
