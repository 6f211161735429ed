"""M13 as a person meets it: what helped is counted after the answer, or not at all."""

from threading import Event

import pytest

from app.domain.events import Answered, Token
from app.domain.memory import MemoryFilter, Scope
from app.errors import VaultBusy
from app.store.usefulness import Usefulness
from tests.fakes.openai_server import OpenAIServer, Reply
from tests.unit.services.profile import learn, send

FACTS = ("I'm allergic to walnuts.", "I'm allergic to penicillin.")
QUESTION = "What am I allergic to?"


@pytest.fixture
def server(services):
    with OpenAIServer() as server:
        services.library.choose_chat(f"server:{server.url}#fake")
        for fact in FACTS:
            send(services, fact)
        learn(services)
        yield server


@pytest.fixture
def counts(opened, services):
    """Return the counts by the text of each memory."""

    def counts():
        texts = {m.pk: m.text for m in services.memories.list(MemoryFilter())}
        found = Usefulness(opened.store.vault).of(list(texts), Scope(1))
        return {texts[pk]: both for pk, both in found.items()}

    return counts


def test_m13_off_nothing_is_read_or_written(services, server, counts, monkeypatch):
    def never(*_):
        raise AssertionError("feedback is off")

    monkeypatch.setattr(Usefulness, "of", never)
    monkeypatch.setattr(Usefulness, "add", never)
    server.script(Reply("No walnuts, then [1]."))
    _, events = send(services, QUESTION)
    monkeypatch.undo()
    assert isinstance(events[-1], Answered)
    assert counts() == {}


def test_m13_on_what_the_answer_used_is_counted_and_what_it_ignored_too(services, server, counts):
    services.preferences.set("rag.feedback.enabled", True)
    server.script(Reply("You cannot eat walnuts."), Reply("Walnuts."))
    _, events = send(services, QUESTION)
    assert isinstance(events[-1], Answered), "the answer is out before anything is counted"
    assert counts() == {
        "I'm allergic to walnuts": (1, 0),
        "I'm allergic to penicillin": (0, 1),
    }
    before = {hit.text: hit for hit in services.memories.recall(QUESTION).hits}
    assert before["I'm allergic to walnuts"].factors["usefulness"] > 1
    assert before["I'm allergic to penicillin"].factors["usefulness"] < 1
    send(services, QUESTION)
    assert counts()["I'm allergic to walnuts"] == (2, 0)


def test_the_notebook_repeats_what_it_found_and_that_proves_nothing(services, server, counts):
    services.preferences.set("rag.feedback.enabled", True)
    services.preferences.set("chat.model", "notebook")
    send(services, QUESTION)
    assert counts() == {}


def test_an_answer_that_was_stopped_proves_nothing(services, server, counts):
    services.preferences.set("rag.feedback.enabled", True)
    server.script(Reply("You cannot eat walnuts or anything like it, ever, at all."))
    stop = Event()
    send(services, QUESTION, cancel=stop, hear=lambda e: isinstance(e, Token) and stop.set())
    assert counts() == {}


def test_where_it_cannot_be_counted_the_answer_stands(services, server, counts, monkeypatch):
    services.preferences.set("rag.feedback.enabled", True)

    def busy(*_):
        raise VaultBusy("Another program is writing.")

    monkeypatch.setattr(Usefulness, "add", busy)
    server.script(Reply("You cannot eat walnuts."))
    talk, events = send(services, QUESTION)
    assert isinstance(events[-1], Answered)
    assert services.conversations.messages(talk)[-1].text == "You cannot eat walnuts [2]."
