"""What an import claimed becomes the person's own word in one change, and a claim again by undo."""

from app.domain.memory import Memory, MemoryFilter, Origin, Status, Trust
from app.store.memories import Memories, Note
from tests.unit.services.notebook import say
from tests.unit.services.profile import NOW, learn


def insert(opened, memory_id, text, **fields):
    memory = Memory(memory_id, text, NOW, NOW, **{"agent_pk": 1, "trust": Trust.CLAIMED, **fields})
    return Memories(opened.store.vault).insert(memory, (), Note("import", "insert", memory_id))


def trusts(services):
    return {m.id: m.trust for m in services.memories.list(MemoryFilter())}


def test_all_that_was_claimed_is_taken_over_as_one_change_that_undo_takes_back(opened, services):
    for number in range(30):
        insert(opened, f"c{number}", f"You own boat {number}", origin=Origin.IMPORT)
    insert(opened, "page", "A page said so", trust=Trust.EXTERNAL)
    insert(opened, "gone", "You owned a raft", status=Status.FORGOTTEN)
    before = trusts(services)
    claimed = services.memories.claimed(MemoryFilter())
    assert len(claimed) == 30
    changes = services.memories.take_over([*claimed, "page"])
    after = trusts(services)
    assert {after[memory_id] for memory_id in claimed} == {Trust.LEARNED}
    assert (after["page"], after["gone"]) == (Trust.EXTERNAL, Trust.CLAIMED)
    (batch,) = changes.batches
    assert services.undo.last_change()[0] == batch
    assert services.undo.undo(batch)[1] == []
    assert trusts(services) == before
    assert not services.memories.take_over(["page"])


def test_a_filter_says_which_are_meant(opened, services):
    insert(opened, "boat", "You own a boat")
    insert(opened, "bees", "You keep bees")
    assert services.memories.claimed(MemoryFilter(text="boat")) == ["boat"]


def test_what_a_claim_was_drawn_from_is_taken_over_with_it(opened, services):
    insert(opened, "one", "You live in Ghent")
    insert(opened, "two", "You live in Ghent near the station")
    insert(opened, "three", "You keep bees")
    insert(
        opened,
        "drawn",
        "You live in Ghent near the station.",
        origin=Origin.CONSOLIDATION,
        proof_count=2,
        source_ids=("one", "two"),
    )
    services.memories.take_over(["drawn"])
    assert trusts(services) == {
        "one": Trust.LEARNED,
        "two": Trust.LEARNED,
        "drawn": Trust.LEARNED,
        "three": Trust.CLAIMED,
    }


def test_an_answer_tells_the_persons_word_and_a_claim_only_where_there_is_none(opened, services):
    insert(opened, "boat", "You work as a nurse in Leeds")
    services.memories.add("I work as a midwife in Leeds")
    learn(services)
    told = say(services, "What do I work as?").text
    assert "midwife" in told
    assert "nurse" not in told


def test_a_list_of_all_that_is_known_marks_claims_and_tells_the_persons_word_first(
    opened, services
):
    services.memories.add("I work as a midwife in Leeds")
    insert(opened, "nurse", "You work as a nurse in Leeds")
    insert(opened, "boat", "You own a boat called Tern")
    told = say(services, "What do you know about me?").text
    assert "nurse" not in told
    assert told.index("midwife") < told.index("Tern")
    assert "(claimed by an import, not verified, " in told
