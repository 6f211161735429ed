"""Answers and messages of any size: a stop is heard, what came is kept, what is too long is not."""

from threading import Event

import pytest

from app.domain.conversation import MessageState, Part, PartOrigin
from app.domain.events import Answered, Token
from app.domain.jobs.operation import drive
from app.domain.limits import LONGEST_ANSWER, LONGEST_MESSAGE
from app.errors import Refused
from tests.fakes.endless_server import EndlessServer
from tests.unit.services.profile import send

WORD = b'data: {"choices": [{"delta": {"content": "word "}}]}\n\n'


@pytest.fixture
def endless(services):
    with EndlessServer(WORD) as server:
        services.preferences.set("chat.model", f"server:{server.url}#fake")
        yield server


def test_a_stop_keeps_what_came_of_an_answer_without_end(services, endless):
    stop, came = Event(), []

    def hear(event):
        if isinstance(event, Token):
            came.append(event.text)
            if len(came) == 2_000:
                stop.set()

    _, events = send(services, "Hello?", cancel=stop, hear=hear)
    (answer,) = [event.message for event in events if isinstance(event, Answered)]
    assert (answer.state, answer.error) == (MessageState.PARTIAL, "Stopped.")
    assert answer.text == "".join(came)
    assert endless.gone.wait(5)


def test_an_answer_without_end_is_kept_as_far_as_it_may_be_long(services, endless):
    _, events = send(services, "Hello?")
    (answer,) = [event.message for event in events if isinstance(event, Answered)]
    assert answer.state is MessageState.PARTIAL
    assert "more than an answer can be" in answer.error
    assert len(answer.text) == LONGEST_ANSWER


def test_a_message_that_is_too_long_is_a_sentence_and_is_not_kept(services):
    half = Part("é" * (LONGEST_MESSAGE // 2 + 1), PartOrigin.PASTED)
    with pytest.raises(Refused, match="at most 2,500,000 characters; this one has 2,500,002"):
        drive(services.chat.send(None, [half, half], Event()), Event())
    assert services.conversations.list() == []


def test_the_longest_message_is_taken(services):
    _, events = send(services, "é" * LONGEST_MESSAGE)
    assert any(isinstance(event, Answered) for event in events)
