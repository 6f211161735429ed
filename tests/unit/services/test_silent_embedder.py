"""A server that embeds, takes every request and never answers holds nothing that is stopped."""

from contextlib import suppress
from threading import Event, Thread

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.events import MessageStored
from app.domain.jobs.operation import drive
from app.domain.jobs.working import Working
from app.domain.memory import MemoryFilter
from app.errors import Cancelled
from app.store.conversations import Conversations
from app.store.messages import Messages
from tests.fakes.local_server import Handler, LocalServer
from tests.unit.services.profile import send


class SilentServer(LocalServer):
    """Takes requests; ``asked`` is set at the first, and ``gone`` once whoever asked has left."""

    def __init__(self):
        super().__init__(_Silent)
        self.asked = Event()


class _Silent(Handler):
    def do_POST(self):
        self.close_connection = True
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.fake.asked.set()
        with suppress(OSError):
            self.connection.recv(1)
        self.server.fake.gone.set()


@pytest.fixture
def stop(silent):
    """Is set as soon as the server was asked."""
    event = Event()

    def stop():
        silent.asked.wait()
        event.set()

    Thread(target=stop, daemon=True).start()
    return event


@pytest.fixture
def silent(services):
    services.memories.add("I live in Porto.")
    with SilentServer() as server:
        services.preferences.set("models.embedder_url", f"{server.address}/v1")
        services.preferences.set("models.embedder", "openai:text-embedding-3-small")
        yield server


def test_a_stop_ends_a_message_whose_recall_waits_for_the_server(services, silent, stop):
    services.preferences.set("chat.model", f"server:{silent.address}/v1#fake")
    _, events = send(services, "Where do I live?", cancel=stop)
    assert [type(event) for event in events if not isinstance(event, Working)] == [MessageStored]
    assert silent.gone.wait(5)


def test_a_stop_ends_indexing_that_waits_for_the_server(opened, services, silent, stop):
    talk = Conversations(opened.store.vault).create(1)
    said = (Part("I grow ferns.", PartOrigin.TYPED),)
    Messages(opened.store.vault).add(talk.id, Role.USER, said)
    services.queue.enqueue_index(at_once=True)
    with pytest.raises(Cancelled):
        drive(services.background.run(stop), stop)
    assert silent.gone.wait(5)


def test_a_stop_ends_the_search_for_what_says_the_same(services, silent, stop):
    (memory,) = services.memories.list(MemoryFilter())
    with pytest.raises(Cancelled):
        drive(services.erasure.looking_for_memories([memory.id]), stop)
