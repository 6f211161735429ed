"""The words lane finds what may be recalled, best first, and hits carry what the screen shows."""

from datetime import timedelta

import pytest

from app.domain.conversation import MemoryMode, Role
from app.domain.memory import Evidence, Scope, Status, Trust, Visibility
from app.domain.recall import HitKind
from app.errors import StoreError
from app.store.search import WordSearch

BOTH = frozenset({Trust.SYSTEM, Trust.LEARNED})


@pytest.fixture
def search(vault, clock):
    return WordSearch(vault)


def test_memories_best_first(search, remember, clock):
    long = remember("Tea is something that many people drink in the afternoon, often with milk")
    short = remember("Drinks tea")
    remember("Drinks coffee")
    found = search.memories('"tea"', Scope(1), BOTH, clock(), 9)
    assert [pk for pk, _ in found] == [short.pk, long.pk]
    assert found[0][1] < found[1][1] < 0
    assert len(search.memories('"tea" OR "coffee"', Scope(1), BOTH, clock(), 2)) == 2


def test_only_memories_that_may_be_recalled(search, remember, clock):
    made = {
        "plain": remember("tea plain"),
        "past": remember("tea past", valid_to=clock() - timedelta(days=1)),
        "expired": remember("tea expired", expires_at=clock()),
        "later": remember("tea later", expires_at=clock() + timedelta(seconds=1)),
        "external": remember("tea external", trust=Trust.EXTERNAL),
        "superseded": remember("tea superseded", status=Status.SUPERSEDED),
        "global": remember("tea global", visibility=Visibility.GLOBAL),
    }
    names = {memory.pk: name for name, memory in made.items()}

    def found(scope, trusts):
        return {names[pk] for pk, _ in search.memories('"tea"', scope, trusts, clock(), 99)}

    assert found(Scope(1), BOTH) == {"plain", "past", "later", "global"}
    assert found(Scope(1), {Trust.EXTERNAL}) == {"external"}
    assert found(Scope(5), BOTH) == {"global"}
    assert found(Scope(1), set()) == set()


def test_messages_of_learning_conversations_without_the_excluded(search, conversations, say):
    modes = {mode: say(conversations.create(1, mode=mode), f"tea {mode}") for mode in MemoryMode}
    notebook = say(conversations.create(1), "tea", Role.ASSISTANT, model="notebook")
    found = {pk for pk, _ in search.messages('"tea"', Scope(1), 99)}
    remembers, writes = modes[MemoryMode.REMEMBERS], modes[MemoryMode.WRITES_ONLY]
    assert found == {remembers.pk, writes.pk}
    assert notebook.pk not in found
    assert [pk for pk, _ in search.messages('"tea"', Scope(1), 99, [remembers.id])] == [writes.pk]
    assert search.messages('"tea"', Scope(2), 99) == []


@pytest.mark.parametrize("query", ["foo OR (", '"open', "AND", "nosuch : x", "*", ""])
def test_a_bad_query_is_a_sentence(search, remember, conversations, say, clock, query):
    remember("foo")
    say(conversations.create(1), "foo")
    with pytest.raises(StoreError, match=r"^These words cannot be searched for\.$"):
        search.memories(query, Scope(1), BOTH, clock(), 9)
    with pytest.raises(StoreError, match=r"^These words cannot be searched for\.$"):
        search.messages(query, Scope(1), 9)


def test_hits_carry_what_a_person_wants_to_know(search, remember, conversations, say, clock):
    talk = conversations.create(1, title="Tea time")
    message = say(talk, "I like tea", speaker="Ana")
    clock.forward(hours=1)
    later = say(talk, "I do like tea")
    memory = remember(
        "Likes tea",
        evidence=[
            Evidence("typed", clock() - timedelta(days=9)),
            Evidence("I do like tea", later.created_at, later.id),
            Evidence("I like tea", message.created_at, message.id),
        ],
        occurred_at=clock(),
        pinned=True,
        confidence=0.5,
        proof_count=2,
    )
    bare = remember("Likes jam", visibility=Visibility.GLOBAL)
    hits = search.hydrate([memory.pk, bare.pk, 999], [message.pk, 999])
    assert list(hits) == [
        (HitKind.MEMORY, memory.pk),
        (HitKind.MEMORY, bare.pk),
        (HitKind.MESSAGE, message.pk),
    ]
    hit = hits[HitKind.MEMORY, memory.pk]
    assert (hit.id, hit.text, hit.at, hit.memory) == (
        memory.id,
        "Likes tea",
        memory.created_at,
        memory,
    )
    assert (hit.source, hit.conversation_id, hit.conversation_title) == (
        message.id,
        talk.id,
        "Tea time",
    )
    assert (hit.pinned, hit.confidence, hit.proof_count, hit.occurred_at) == (
        True,
        0.5,
        2,
        memory.occurred_at,
    )
    assert hits[HitKind.MEMORY, bare.pk].source is None
    said = hits[HitKind.MESSAGE, message.pk]
    assert (said.id, said.source, said.speaker, said.role) == (
        message.id,
        message.id,
        "Ana",
        Role.USER,
    )
    assert (said.conversation_id, said.conversation_title) == (talk.id, "Tea time")
