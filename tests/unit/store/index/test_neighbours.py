import pytest

from app.domain.memory import Scope
from app.store.index.neighbours import Neighbours


@pytest.fixture
def neighbours(vault):
    return Neighbours(vault)


@pytest.fixture
def talk(conversations, say):
    made = conversations.create(1)
    return [say(made, f"line {n}") for n in range(8)]


def test_messages_come_with_those_around_them_in_order(neighbours, talk):
    pks = [m.pk for m in talk]
    assert neighbours.lines([pks[4]], Scope(1), (), 2) == [pks[2:7]]
    assert neighbours.lines([pks[0]], Scope(1), (), 2) == [pks[:3]]


def test_lines_that_touch_are_one_and_others_stay_apart(neighbours, talk):
    pks = [m.pk for m in talk]
    assert neighbours.lines([pks[0], pks[3]], Scope(1), (), 2) == [pks[:6]]
    assert neighbours.lines([pks[0], pks[7]], Scope(1), (), 1) == [pks[:2], pks[6:]]
    assert neighbours.lines([], Scope(1), (), 2) == []


def test_what_may_not_be_recalled_is_passed_over(neighbours, talk):
    pks = [m.pk for m in talk]
    assert neighbours.lines([pks[1]], Scope(1), [talk[2].id], 1) == [[pks[0], pks[1], pks[3]]]
    assert neighbours.lines([pks[1]], Scope(2), (), 2) == [[pks[1]]]


def test_another_conversation_is_never_beside(neighbours, conversations, say):
    one, two = conversations.create(1), conversations.create(1)
    first, other, second = say(one, "a"), say(two, "b"), say(one, "c")
    assert neighbours.lines([first.pk], Scope(1), (), 2) == [[first.pk, second.pk]]
    assert neighbours.lines([other.pk], Scope(1), (), 2) == [[other.pk]]
