"""What was forgotten comes back, with all that followed where nothing else went with it."""

import pytest

from app.domain.memory import MemoryFilter, Status
from app.errors import NotFound

TEA, CAR = "I like tea", "I drive a red Skoda"


@pytest.fixture
def ids(services):
    for text in (TEA, CAR):
        services.memories.add(text)
    return [m.id for m in services.memories.list(MemoryFilter(order="oldest"))]


def active(services):
    wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}), order="oldest")
    return [memory.text for memory in services.memories.list(wanted)]


def test_all_that_was_forgotten_together_is_undone_as_one(services, ids):
    services.memories.forget(ids)
    changes = services.memories.unforget(ids)
    assert changes.memories == frozenset(ids)
    assert active(services) == [TEA, CAR]
    assert [step.entry.op for step in services.history.of_memory(ids[0])][-1] == "undo"


def test_one_of_several_comes_back_alone_and_the_rest_after_it(services, ids):
    services.memories.forget(ids)
    services.memories.unforget(ids[:1])
    assert active(services) == [TEA]
    services.memories.unforget(ids)
    assert active(services) == [TEA, CAR]


def test_what_is_in_use_stays_as_it_is(services, ids):
    assert not services.memories.unforget(ids)
    assert active(services) == [TEA, CAR]


def test_who_ordered_it_is_in_the_journal(services, ids):
    with pytest.raises(NotFound):
        services.memories.forget(["x"])
    services.memories.forget(ids[:1], None)
    assert services.history.of_memory(ids[0])[-1].entry.message_id is None
