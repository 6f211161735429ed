"""How far conversations were reviewed, and which of them wait."""

import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin, Role
from app.store.conversations import Conversations
from app.store.work.watermarks import Watermarks


@pytest.fixture
def talks(vault):
    return Conversations(vault)


@pytest.fixture
def marks(vault):
    return Watermarks(vault)


def say(messages, talk, count=1, origin=PartOrigin.TYPED, role=Role.USER):
    for _ in range(count):
        message = messages.add(talk.id, role, [Part("Hello.", origin)])
    return message


def test_it_advances_and_never_goes_back(messages, talks, marks):
    talk = talks.create(1)
    first, last = say(messages, talk), say(messages, talk)
    assert (marks.of(talk.pk), marks.newest(talk.pk)) == (0, last.pk)
    for at, then in ((first, first), (last, last), (first, last)):
        marks.advance(talk.pk, at.pk)
        assert marks.of(talk.pk) == then.pk


def test_those_with_enough_new_messages_wait_longest_waiting_first(messages, talks, marks):
    late, early, short = talks.create(1), talks.create(1), talks.create(1)
    say(messages, early, 1)
    say(messages, late, 3)
    say(messages, early, 2)
    say(messages, short, 2)
    assert marks.waiting(3, 9) == [early.id, late.id]
    assert marks.waiting(2, 2) == [early.id, late.id]
    marks.advance(early.pk, marks.newest(early.pk))
    assert marks.waiting(2, 9) == [late.id, short.id]
    say(messages, early, 2)
    assert marks.waiting(2, 9) == [late.id, short.id, early.id]


def test_answers_count_but_the_person_must_have_typed_something(messages, talks, marks):
    pasted, answered, gone = talks.create(1), talks.create(1), talks.create(1)
    say(messages, pasted, 5, PartOrigin.PASTED)
    say(messages, answered, 1)
    say(messages, answered, 4, PartOrigin.MODEL, Role.ASSISTANT)
    assert marks.waiting(5, 9) == [answered.id]
    marks.advance(answered.pk, marks.newest(answered.pk))
    say(messages, answered, 5, PartOrigin.MODEL, Role.ASSISTANT)
    say(messages, gone, 5)
    talks.delete(gone.id)
    assert marks.waiting(5, 9) == []


@pytest.mark.parametrize("mode", list(MemoryMode))
def test_only_what_may_be_learnt_from_waits(messages, talks, marks, mode):
    talk = talks.create(1, mode=mode)
    say(messages, talk)
    assert marks.waiting(1, 9) == ([talk.id] if mode.learns else [])


def test_it_goes_with_its_conversation(messages, vault, talks, marks):
    talk = talks.create(1)
    marks.advance(talk.pk, say(messages, talk).pk)
    talks.delete(talk.id)
    with vault.read() as connection:
        assert connection.execute("SELECT count(*) FROM watermarks").fetchone()[0] == 0
