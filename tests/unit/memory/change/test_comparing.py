"""Of texts that say several things, what touches most is compared, one thing with one thing."""

from datetime import UTC, datetime

import numpy as np
import pytest

from app.domain.memory import Memory
from app.memory.change.comparing import MOST_PAIRS, Comparer, Relation
from app.providers.judging import Task
from tests.unit.memory.judging import Told

AT = datetime(2026, 5, 1, tzinfo=UTC)
DOSE = "She takes donepezil, 5 mg at bedtime"
NEW = "She takes donepezil, 10 mg with breakfast now"


class Counting(Told):
    """A judge that keeps what it was asked."""

    def __init__(self, *rules):
        super().__init__(*rules)
        self.asked = []

    def judge(self, task, pairs):
        self.asked += [pair for pair in pairs if task is Task.COMPARE]
        return super().judge(task, pairs)


class Whole(Told):
    """A judge that is at a loss where a text says more than one thing, as real ones are."""

    def judge(self, task, pairs):
        found = super().judge(task, pairs)
        lost = [0.01 if one is not Relation.UNRELATED else 0.95 for one in Relation]
        return np.array(
            [lost if any(". " in t for t in p) else f for p, f in zip(pairs, found, strict=True)]
        )


def compared(judge, older, newer):
    memory = Memory(id="m", pk=1, text=older, created_at=AT, updated_at=AT, agent_pk=1)
    (one,) = Comparer(lambda: judge).compared(newer, [(memory, 0.9)])
    return one


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (f"Her throat closed in 1998. {DOSE}", NEW),
        (DOSE, f"Dr Nunes saw my mother. {NEW}"),
        (f"Her throat closed in 1998. {DOSE}", f"Dr Nunes saw my mother. {NEW}"),
    ],
)
def test_one_thing_is_compared_with_one_thing(older, newer):
    one = compared(Whole((Relation.REPLACES, "5 mg", "10 mg")), older, newer)
    assert one.over > 0.9
    assert one.memory.text == older, "the memory keeps all of its words"
    assert "5 mg" in one.narrowed.memory.text
    assert "1998" not in one.narrowed.memory.text


def test_what_says_one_thing_is_compared_as_it_is():
    judge = Counting((Relation.REPLACES, "5 mg", "10 mg"))
    one = compared(judge, DOSE, NEW)
    assert judge.asked[0] == (DOSE, NEW)
    assert (one.older, one.newer) == ("", "")
    assert one.narrowed is one


def test_a_text_of_many_sentences_costs_a_few_readings_more():
    many = ". ".join(f"Ana told me of donepezil on day {n}" for n in range(20))
    judge = Counting()
    compared(judge, many, many)
    assert len(judge.asked) <= 1 + MOST_PAIRS


def test_many_memories_are_compared_in_three_readings():
    class Read(Counting):
        calls = 0

        def judge(self, task, pairs):
            self.calls += 1
            return super().judge(task, pairs)

    judge = Read((Relation.REPLACES, "5 mg", "10 mg"))
    near = [
        (
            Memory(
                id=f"m{n}",
                pk=n,
                text=f"I slept {n} hours. {DOSE}",
                created_at=AT,
                updated_at=AT,
                agent_pk=1,
            ),
            0.9,
        )
        for n in range(6)
    ]
    found = Comparer(lambda: judge).compared(NEW, near)
    assert [one.memory.id for one in found] == [memory.id for memory, _ in near]
    assert all(len(one.parts) == 2 for one in found)
    assert judge.calls == 3
