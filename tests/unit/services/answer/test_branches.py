"""The tree of messages: said anew, answered anew, carried on elsewhere; nothing is rewritten."""

from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.domain.memory import MemoryFilter, Status
from tests.fakes.openai_server import Reply
from tests.unit.services.profile import learn, memories, send


def edit(services, message, text):
    parts = [Part(text, PartOrigin.TYPED)]
    return drive(services.chat.edit(message.id, parts, Event()), Event(), lambda event: None)


def active(services):
    wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}))
    return {m.text for m in services.memories.list(wanted)}


@pytest.fixture(params=["notebook", "model"])
def either(request, services):
    """With and without a model."""
    if request.param == "model":
        request.getfixturevalue("server")
    return services


def test_what_a_replaced_message_taught_is_superseded(either):
    services = either
    talk, _ = send(services, "My sister Ana is a vet in Bilbao.")
    learn(services)
    assert active(services) == {"My sister Ana is a vet in Bilbao"}
    said = services.conversations.messages(talk)[0]
    edit(services, said, "My cat is called Miso.")
    learn(services)
    assert active(services) == {"My cat is called Miso"}
    (old,) = [m for m in services.memories.list(MemoryFilter()) if "Ana" in m.text]
    assert old.status is Status.SUPERSEDED
    assert [m.text for m in services.conversations.versions(said.id)] == [
        "My sister Ana is a vet in Bilbao.",
        "My cat is called Miso.",
    ]


def test_what_is_said_again_in_its_place_is_neither_lost_nor_doubled(either):
    services = either
    talk, _ = send(services, "My sister Ana is a vet in Bilbao.")
    learn(services)
    said = services.conversations.messages(talk)[0]
    edit(services, said, "My sister Ana is a vet in Bilbao. And my cat is called Miso.")
    learn(services)
    assert active(services) == {"My sister Ana is a vet in Bilbao", "My cat is called Miso"}


def test_what_was_said_elsewhere_too_stays(either):
    services = either
    send(services, "My sister Ana is a vet in Bilbao.")
    learn(services)
    talk, _ = send(services, "My sister Ana is a vet in Bilbao.")
    learn(services)
    edit(services, services.conversations.messages(talk)[0], "Never mind that.")
    learn(services)
    assert "My sister Ana is a vet in Bilbao" in active(services)


def test_what_the_person_confirmed_stays(services):
    talk, _ = send(services, "My sister Ana is a vet in Bilbao.")
    learn(services)
    (memory,) = services.memories.list(MemoryFilter())
    services.memories.pin([memory.id], True)
    edit(services, services.conversations.messages(talk)[0], "Never mind that.")
    learn(services)
    assert "My sister Ana is a vet in Bilbao" in active(services)


def test_a_message_that_was_replaced_before_it_was_learnt_from_teaches_nothing(services, server):
    talk, _ = send(services, "My sister Ana is a vet in Bilbao.")
    edit(services, services.conversations.messages(talk)[0], "My cat is called Miso.")
    learn(services)
    assert memories(services) == {"My cat is called Miso"}


def test_an_answer_is_given_again_by_another_model(services, server):
    server.models = ("fake", "fake-large")
    talk, _ = send(services, "Tell me of boats.")
    first = services.conversations.messages(talk)[1]
    other = f"server:{server.url}#fake-large"
    server.script(Reply("Larger boats."))
    drive(services.chat.regenerate(first.id, Event(), model=other), Event(), lambda event: None)
    second = services.conversations.messages(talk)[1]
    assert (second.text, second.siblings) == ("Larger boats.", (2, 2))
    assert second.model == other
    assert server.requests[-1].body["model"] == "fake-large"
    assert services.library.current().id != other, "who answers otherwise stays as it was"
    services.conversations.switch_branch(first.id)
    assert services.conversations.messages(talk)[1].text == first.text


def test_a_conversation_is_carried_on_from_any_message_elsewhere(services, server):
    talk, _ = send(services, "My sister Ana is a vet in Bilbao.")
    send(services, "And my cat is called Miso.", talk)
    learn(services)
    before = services.conversations.messages(talk)
    changes = services.conversations.fork(before[1].id)
    (forked,) = changes.conversations
    copied = services.conversations.messages(forked)
    assert [(m.role, m.parts, m.created_at) for m in copied] == [
        (m.role, m.parts, m.created_at) for m in before[:2]
    ]
    assert {m.id for m in copied}.isdisjoint(m.id for m in before)
    assert services.conversations.messages(talk) == before
    assert services.conversations.get(forked).title.startswith("My sister Ana")
    server.requests.clear()
    send(services, "Which pets do I have?", forked)
    asked = server.requests[-1].body["messages"]
    assert any("Ana" in m["content"] for m in asked)
    assert all("Miso" not in m["content"] for m in asked if m["role"] == "assistant")


def test_a_fork_is_neither_learnt_from_nor_found_twice(services, server):
    talk, _ = send(services, "My sister Ana is a vet in Bilbao.")
    learn(services)
    (forked,) = services.conversations.fork(
        services.conversations.messages(talk)[0].id
    ).conversations
    learn(services)
    assert memories(services) == {"My sister Ana is a vet in Bilbao"}
    found = services.memories.recall("What does Ana do?").hits
    texts = [hit.text for hit in found]
    assert len(texts) == len(set(texts))
    assert services.conversations.messages(forked)[0].role is Role.USER
