"""Pieces of text are found in what may be recalled, among the latest rows of who asks."""

from datetime import timedelta

import pytest

from app.domain.conversation import MemoryMode, Role
from app.domain.memory import Scope, Status, Trust, Visibility
from app.store.index import trigrams as letters_module
from app.store.index.trigrams import TrigramIndex

BOTH = frozenset({Trust.SYSTEM, Trust.LEARNED})
HOME = Scope(1)


@pytest.fixture
def letters(vault, clock):
    return TrigramIndex(vault)


def test_the_most_and_rarest_pieces_come_first(letters, remember, clock):
    both = remember("我对花生过敏")
    rare = remember("他们吃花生")
    common = [remember(f"春天过敏{n}") for n in range(3)]
    remember("peanuts")
    found = letters.memories(["花生", "过敏", "疫苗"], HOME, BOTH, clock(), 9)
    assert found.found == [both.pk, rare.pk, *(m.pk for m in reversed(common))]
    assert found.counts == {"花生": 2, "过敏": 4, "疫苗": 0}
    assert letters.memories(["花生", "过敏"], HOME, BOTH, clock(), 1).found == [both.pk]


def test_capitals_and_signs_make_no_difference(letters, remember, clock):
    made = remember("我在Google上班 (100%)")
    assert letters.memories(["google"], HOME, BOTH, clock(), 9).found == [made.pk]
    assert letters.memories(["(1", "%"], HOME, BOTH, clock(), 9).found == [made.pk]
    assert letters.memories([".*"], HOME, BOTH, clock(), 9).found == []


def test_only_memories_that_may_be_recalled(letters, remember, clock):
    kept = [
        remember("花生 plain"),
        remember("花生 later", expires_at=clock() + timedelta(seconds=1)),
        remember("花生 global", visibility=Visibility.GLOBAL),
    ]
    remember("花生 expired", expires_at=clock())
    remember("花生 external", trust=Trust.EXTERNAL)
    remember("花生 superseded", status=Status.SUPERSEDED)
    found = letters.memories(["花生"], HOME, BOTH, clock(), 9).found
    assert sorted(found) == [memory.pk for memory in kept]
    assert letters.memories(["花生"], Scope(2), BOTH, clock(), 9).found == [kept[2].pk]


def test_only_messages_that_may_be_recalled(letters, conversations, say):
    talk, off = conversations.create(1), conversations.create(1, mode=MemoryMode.OFF)
    first, second = say(talk, "我对花生过敏"), say(talk, "花生")
    say(off, "花生")
    say(talk, "花生", role=Role.ASSISTANT, model="notebook")
    found = letters.messages(["花生", "过敏"], HOME, 9)
    assert found.found == [first.pk, second.pk]
    assert letters.messages(["花生"], HOME, 9, [first.id]).found == [second.pk]
    assert letters.messages(["花生"], Scope(2), 9).found == []


def test_the_latest_rows_of_who_asks_are_read_and_no_others(
    letters, remember, conversations, say, clock, monkeypatch
):
    monkeypatch.setattr(letters_module, "READ", 2)
    talk = conversations.create(1)
    mine = [remember(f"花生 {n}") for n in range(3)]
    said = [say(talk, f"花生 {n}") for n in range(3)]
    for n in range(3):
        remember(f"花生 other {n}", agent_pk=1, visibility=Visibility.SELF, trust=Trust.EXTERNAL)
    found = letters.memories(["花生"], Scope(1, (1, 2)), BOTH, clock(), 9)
    assert found.found == [mine[2].pk, mine[1].pk]
    assert letters.messages(["花生"], HOME, 9).found == [said[2].pk, said[1].pk]


def test_few_rows_are_read_however_large_the_vault_is(letters, vault, clock):
    with vault.read() as connection:
        plans = [
            row[3]
            for statement, values in (
                letters_module.latest_memories(HOME, BOTH, clock()),
                letters_module.latest_messages(HOME, ["m"]),
            )
            for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    assert not [step for step in plans if step.startswith(("SCAN m", "SCAN x"))]
    assert any("memories_scope (scope=? AND status=? AND trust=?)" in step for step in plans)
    assert any("messages_by_time (agent_pk=?)" in step for step in plans)
