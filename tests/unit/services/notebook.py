"""A profile that is talked to without a model."""

from threading import Event

import pytest

from app.domain.memory import MemoryFilter, Status
from tests.unit.services.profile import learn, send

CAR, NURSE = "I drive a red Skoda", "I work as a nurse in Leeds"


def say(services, text, talk=None):
    """Say something; return the whole answer."""
    _, events = send(services, text, talk)
    return events[-1].message


def texts(services, status=Status.ACTIVE):
    wanted = MemoryFilter(statuses=frozenset({status}))
    return sorted(memory.text for memory in services.memories.list(wanted))


def again(services, answer):
    """Answer once more; return the whole answer."""
    *_, answered = services.chat.regenerate(answer.id, Event())
    return answered.message


@pytest.fixture
def known(services):
    """A profile that knows of a car and of work."""
    for text in (CAR, NURSE):
        services.memories.add(text)
    learn(services)
    return services
