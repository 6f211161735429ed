"""What stands beside a model's answer in the terminal: its sources, and what was left out of it."""

import sys
from contextlib import nullcontext
from threading import Event

import pytest

from app.cli import caretaker, talk
from app.cli.caretaker import looking_after
from app.cli.program import CommandContext
from app.cli.talk import Talk
from app.errors import ModelError
from app.main.program import Program
from app.services.runtime import RuntimeService
from tests.fakes.openai_server import OpenAIServer, Reply
from tests.fakes.windows import without_numbers

LARGE = "31415" * 600
WAIT = 60


@pytest.fixture
def server(loci):
    """A model that says of walnuts what it was given, and reads no large message."""
    with OpenAIServer() as server:
        server.answer = "You are allergic to walnuts."

        def respond(body):
            whole = "".join(turn["content"] for turn in body["messages"])
            return (
                without_numbers(0, 0, streamed=True) if "31415" in whole else Reply(server.answer)
            )

        server.respond = respond
        loci("remember", "I'm allergic to walnuts")
        loci("settings", "set", "extraction.enabled", "off")
        loci("models", "--use", f"server:{server.url}#fake")
        yield server


def test_what_an_answer_rests_on_stands_below_it(loci, server):
    said = loci("chat", "--once", "What am I allergic to?")
    assert said.out == "You are allergic to walnuts.\n"
    assert said.err == "[1] I'm allergic to walnuts\n"


def test_the_sources_of_a_models_own_marks_stand_there_too(loci, server):
    server.answer = "Rather not [1]."
    said = loci("chat", say=b"What am I allergic to?\n")
    assert said.out == "Rather not [1].\n"
    assert said.err.splitlines()[-1] == "[1] I'm allergic to walnuts"


def test_an_answer_that_rests_on_nothing_has_no_sources(loci, server):
    server.answer = "Good morning [77]."
    assert loci("chat", "--once", "What am I allergic to?").err == ""
    (line,) = loci("chat", "--once", "What am I allergic to?", "--json").lines
    assert line["answer"] == "Good morning [77]."


def test_what_is_too_large_names_the_way_on_and_that_is_taken_where_it_is_asked_for(loci, server):
    offer = "Your message is safe; with --without it is answered without what is too long."
    assert offer in loci("chat", "--once", LARGE, code=1).err
    told = loci("chat", "--typed", say=f"{LARGE}\nHello.\n".encode(), code=1)
    assert offer in told.err
    assert told.out.endswith("walnuts.\n")
    server.answer = "Fine."
    for done in (
        loci("chat", "--once", LARGE, "--without"),
        loci("chat", "--typed", "--without", say=f"{LARGE}\n".encode()),
    ):
        assert done.out == "Fine.\n"
        assert "This is answered without 3,000 characters of your message" in done.err
        assert offer not in done.err
    assert loci("chat", "--once", "Hello.", "--without").out == "Fine.\n"


def test_models_are_looked_after_again_and_again_until_the_end(monkeypatch):
    monkeypatch.setattr(caretaker, "LOOK_AGAIN_SECONDS", 0.0)
    stops, twice = [], Event()

    def look_after(stop):
        stops.append(stop)
        if len(stops) == 1:
            raise ModelError("It is gone.")
        twice.set()

    with looking_after(look_after):
        assert twice.wait(WAIT), "a failure is not the end of it"
        assert not stops[0].is_set()
    assert stops[0].is_set()


def test_an_open_chat_looks_after_models_while_it_waits_for_the_person(loci, monkeypatch):
    monkeypatch.setattr(caretaker, "LOOK_AGAIN_SECONDS", 0.0)
    looked = Event()
    monkeypatch.setattr(RuntimeService, "look_after", lambda self, stop: looked.set())

    def message(_asking):
        assert looked.wait(WAIT)
        raise EOFError

    monkeypatch.setattr(talk.terminal, "asking", lambda _longest: nullcontext())
    monkeypatch.setattr(talk.terminal, "message", message)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    program = Program()
    with program.open(None, None) as services:
        assert Talk(services, CommandContext(program)).listen()
    assert looked.is_set()
