"""What a small model makes of its notes: an echo is never shown or kept, and marks cost nothing."""

from threading import Event

import pytest

from app.conversation import block
from app.conversation.notebook import UNKNOWN
from app.domain.conversation import MessageState
from app.domain.events import Answered, Notice, Recalled, Token
from app.domain.reply import NOTEBOOK
from app.errors import ModelError
from app.services.answer.answering import ECHOED
from tests.fakes.openai_server import Reply
from tests.unit.services.profile import learn, memories, send

KEPT = "I'm allergic to walnuts"
ASKED = "What am I allergic to?"


@pytest.fixture
def known(services, server):
    """Return a service that knows one thing, and a server that has been asked nothing yet."""
    send(services, f"{KEPT}.")
    learn(services)
    server.requests.clear()
    return services


def parrot(body):
    """Return the last message as the answer to it."""
    return Reply(body["messages"][-1]["content"])


def asked(server):
    """Return the last message of each request for an answer."""
    chats = (r for r in server.requests if r.path.endswith("/chat/completions"))
    return [r.body["messages"][-1]["content"] for r in chats]


def shown(events):
    """Return what was streamed."""
    return "".join(event.text for event in events if isinstance(event, Token))


@pytest.mark.parametrize(
    "echo",
    ["[1]", " [1].", "1. 20 Nov 2026: I'm allergic", block.ABOUT, "1", "20 Nov 2026", "**1**"],
)
def test_an_echo_is_asked_once_more_with_the_bare_list(known, server, echo):
    server.script(Reply(echo), Reply("You are allergic to walnuts."))
    talk, events = send(known, ASKED)
    first, second = asked(server)
    assert f"1. 20 Nov 2026, {block.VITAL}: {KEPT}" in first
    assert second == f"{block.FACTS}\n- {KEPT} (said on 20 Nov 2026)\n\n{ASKED}"
    assert shown(events) == "You are allergic to walnuts."
    answer = known.conversations.messages(talk)[-1]
    assert answer.text == "You are allergic to walnuts [1]."
    assert events[-1].message.text == answer.text
    assert answer.model != NOTEBOOK
    assert not [event for event in events if isinstance(event, Notice)]


def test_a_number_that_comes_twice_is_the_answer(known, server):
    server.script(Reply("1"), Reply("1"))
    _, events = send(known, "How many walnuts may I eat?")
    assert events[-1].message.text.startswith("1")
    assert shown(events) == "1"


def test_a_model_that_only_repeats_is_replaced_by_a_quotation_that_says_so(known, server):
    server.respond = parrot
    server.script(Reply("[1]"))
    server.script(Reply(f"{block.FACTS}\n"))
    talk, events = send(known, ASKED)
    assert len(asked(server)) == 2
    assert shown(events) == ""
    assert [event.text for event in events if isinstance(event, Notice)] == [ECHOED]
    answer = known.conversations.messages(talk)[-1]
    assert answer.text.startswith("“I'm allergic to walnuts”")
    assert (answer.model, answer.state) == (NOTEBOOK, MessageState.COMPLETE)
    stored = known.conversations.recalls(talk)[answer.id]
    assert list(stored.recall.degraded) == [ECHOED], "it is still said later"
    assert [hit.text for hit in stored.recall.hits] == [KEPT]
    assert stored.cited == stored.in_prompt


@pytest.mark.parametrize("says", ["[1]", block.HEADER])
def test_where_nothing_answers_the_quotation_says_so(known, server, says):
    server.default = Reply(says)
    known.preferences.set("rag.floor", 0)
    _, events = send(known, "Who sold me the Zeppelin?")
    assert block.HEADER in asked(server)[0]
    answer = events[-1].message
    assert answer.text == UNKNOWN


def test_a_parrot_shows_nothing_of_the_block(known, server):
    server.respond = parrot
    talk, events = send(known, ASKED)
    answer = known.conversations.messages(talk)[-1]
    for told in (shown(events), answer.text):
        assert block.HEADER not in told
        assert block.ABOUT[:20] not in told
        assert "1. 20 Nov" not in told


def test_a_parrot_that_goes_on_for_ever_is_cut_short(known, server):
    for_ever = f"{block.ABOUT}\n" * 2000
    server.script(Reply(for_ever), Reply("You are allergic to walnuts."))
    _, events = send(known, ASKED)
    assert shown(events) == "You are allergic to walnuts."


def test_what_it_repeated_is_still_learnt_from(known, server):
    server.default = Reply("[1]")
    send(known, "I live in Ghent. What am I allergic to?")
    learn(known)
    assert any("Ghent" in text for text in memories(known))


def test_a_stop_while_it_is_held_back_asks_nothing_more(known, server):
    hold = Event()
    server.script(Reply("[1] [1] [1]", between=hold))
    stop = Event()
    _, events = send(
        known, ASKED, cancel=stop, hear=lambda e: isinstance(e, Recalled) and stop.set()
    )
    assert len(asked(server)) <= 1
    assert not [event for event in events if isinstance(event, Answered) and event.message.text]


def test_a_model_that_fails_the_second_time_is_told(known, server):
    server.script(Reply("[1]"), Reply(status=500, text="down"))
    server.default = Reply(status=500, text="down")
    with pytest.raises(ModelError):
        send(known, ASKED)


def test_marks_are_set_where_the_model_sets_none(known, server):
    server.script(Reply("You cannot eat walnuts. Anything else?"))
    talk, events = send(known, ASKED)
    answer = known.conversations.messages(talk)[-1]
    assert answer.text == "You cannot eat walnuts [1]. Anything else?"
    assert events[-1].recall.cited == events[-1].recall.in_prompt
    assert shown(events) == "You cannot eat walnuts. Anything else?"


def test_the_models_own_marks_are_kept(known, server):
    server.script(Reply("No walnuts [1], then. Walnuts never."))
    talk, _ = send(known, ASKED)
    text = known.conversations.messages(talk)[-1].text
    assert text.startswith("No walnuts [1], then. ")


def test_a_model_reads_its_earlier_answers_as_it_gave_them(known, server):
    server.script(Reply("You cannot eat walnuts."), Reply("Never."))
    talk, _ = send(known, ASKED)
    send(known, "And tomorrow?", talk)
    (_, request) = [r for r in server.requests if r.path.endswith("/chat/completions")]
    said = [m["content"] for m in request.body["messages"] if m["role"] == "assistant"]
    assert said == ["You cannot eat walnuts."], (
        "else it would learn to write marks and nothing else"
    )


def test_a_message_is_marked_as_a_memory_is(services, server):
    services.preferences.set("extraction.enabled", False)
    send(services, "The plumber Verhulst mended the boiler in the cellar.")
    learn(services)
    server.script(Reply("It was Verhulst, the plumber."))
    _, events = send(services, "Who mended the boiler?")
    answer = events[-1]
    assert answer.message.text == "It was Verhulst, the plumber [1]."
    assert list(answer.recall.cited) == list(answer.recall.in_prompt)[:1]


def test_without_notes_a_mark_is_an_answer(services, server):
    server.script(Reply("[1]"))
    talk, _ = send(services, "How do I write a list of one number in Python?")
    assert services.conversations.messages(talk)[-1].text == "[1]"
