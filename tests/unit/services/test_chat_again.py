"""An answer that fails, is stopped, is asked for again or is edited away loses nothing."""

from threading import Event

import pytest

from app.domain.conversation import MessageState, Part, PartOrigin
from app.domain.events import Answered, Token
from app.domain.jobs.operation import drive
from app.errors import ModelError, Refused
from tests.fakes.openai_server import Reply
from tests.unit.services.profile import learn, memories, send

FACT = "I'm allergic to walnuts."
KEPT = "I'm allergic to walnuts"


def test_an_error_before_the_first_word_keeps_the_message_and_can_be_retried(services, server):
    server.script(Reply("no such model", status=404))
    talk = services.conversations.create()
    with pytest.raises(ModelError, match="model"):
        send(services, FACT, talk.id)
    (said,) = services.conversations.messages(talk.id)
    assert said.text == FACT
    drive(services.chat.retry(said.id, Event()), Event())
    assert len(services.conversations.messages(talk.id)) == 2
    learn(services)
    assert memories(services) == {KEPT}


def test_a_stream_cut_off_keeps_what_came(services, server):
    server.script(Reply("one two three four five", cut_after=3))
    talk, events = send(services, "Count.")
    answer = services.conversations.messages(talk)[-1]
    assert answer.state is MessageState.PARTIAL
    assert answer.text.startswith("one")
    assert answer.error
    assert isinstance(events[-1], Answered)


def test_stopping_keeps_what_came(services, server):
    held, stop = Event(), Event()
    server.script(Reply("one two three four", between=held, free=2))

    def hear(event):
        if isinstance(event, Token):
            stop.set()

    talk, _ = send(services, "Count.", cancel=stop, hear=hear)
    held.set()
    answer = services.conversations.messages(talk)[-1]
    assert (answer.state, answer.error) == (MessageState.PARTIAL, "Stopped.")
    assert answer.text.strip() == "one"


def test_regenerating_makes_a_branch_and_keeps_the_old_answer(services, server):
    server.script(Reply("First."), Reply("Second."))
    talk, _ = send(services, "Say something.")
    first = services.conversations.messages(talk)[-1]
    drive(services.chat.regenerate(first.id, Event()), Event())
    second = services.conversations.messages(talk)[-1]
    assert (second.text, second.siblings) == ("Second.", (2, 2))
    services.conversations.switch_branch(first.id)
    assert services.conversations.messages(talk)[-1].text == "First."


def test_editing_a_message_begins_a_branch(services):
    talk, _ = send(services, "I live in Ghnet.")
    said = services.conversations.messages(talk)[0]
    parts = [Part("I live in Ghent.", PartOrigin.TYPED)]
    drive(services.chat.edit(said.id, parts, Event()), Event())
    assert services.conversations.messages(talk)[0].text == "I live in Ghent."
    assert services.conversations.messages(talk)[0].siblings[1] == 2


def test_an_empty_message_is_refused_and_leaves_nothing(services):
    with pytest.raises(Refused):
        send(services, [Part("  ", PartOrigin.TYPED)])
    assert list(services.conversations.list()) == []
