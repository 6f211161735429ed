"""Conversations far past the window: the real services, a real tiny model, servers that refuse."""

from threading import Event

import pytest

from app.domain.conversation import MessageState, Part, PartOrigin
from app.domain.events import Answered, Notice, Recalled
from app.errors import ModelError, TooLong
from app.services.answer.fitting import NOT_SHOWN, TOO_SMALL, WITHOUT
from tests.evals.real_talks import conversations
from tests.fakes import windows
from tests.fakes.openai_server import Reply, prompt_tokens
from tests.fakes.tiny_gguf import chat_model
from tests.unit.services.profile import send

WINDOW = 1024
TALKS = conversations(WINDOW)
LATER = ("What is the capital of Norway?", "And what is twelve times four?", "Thank you!")
NUMBERS = " ".join(str(n * 7919 % 100_003) for n in range(2_000))  # 12 KB


@pytest.fixture
def quiet(services):
    """Services that learn nothing and answer shortly, with a model that is told of no tools."""
    services.preferences.set("extraction.enabled", False)
    services.preferences.set("tools.offered", "never")
    services.preferences.set("chat.max_answer_tokens", 16)
    return services


@pytest.fixture
def tiny(quiet):
    """A real model for which each letter is a token."""
    quiet.library.folder.mkdir(parents=True, exist_ok=True)
    chat_model(quiet.library.folder / "tiny.gguf", context=WINDOW)
    quiet.library.choose_chat("file:tiny.gguf")
    return quiet


@pytest.fixture
def narrow(quiet, server):
    """A server that reads little, and makes a token of every two bytes."""
    server.window, server.manner, server.counts = WINDOW, windows.openai, True
    server.tokens = by_bytes
    return server


def by_bytes(body):
    return sum(8 + len(turn["content"].encode()) // 2 for turn in body["messages"])


def pasted(text, said="What is this about?"):
    return [Part(f"{said}\n", PartOrigin.TYPED), Part(text, PartOrigin.PASTED)]


def driven(services, pastes):
    """Talk for ten messages, some of them giant; every one must get a whole answer."""
    messages = ["Hello, who are you?"]
    for text in pastes:
        messages += [pasted(text), LATER[0]]
    messages += [LATER[n % 3] for n in range(10 - len(messages))]
    talk, told = None, []
    for said in messages:
        talk, events = send(services, said, talk)
        answer = events[-1]
        assert isinstance(answer, Answered)
        assert answer.message.state is MessageState.COMPLETE
        assert answer.message.text.strip()
        assert answer.recall is not None
        told.append([one.text for one in events if isinstance(one, Notice)])
    return talk, told


@pytest.fixture
def sent(server):
    """Return the prompts of all requests for an answer."""

    def sent():
        chats = (r for r in server.requests if r.path.endswith("/chat/completions"))
        return [r.body for r in chats]

    return sent


# -- going on --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TALKS)
def test_a_model_of_this_computer_goes_on(tiny, name):
    _, told = driven(tiny, TALKS[name])
    assert any("in the middle were left out" in line for lines in told for line in lines)
    assert not told[-1], "nothing of a short message is left out"


@pytest.mark.parametrize(
    ("name", "manner"), list(zip(TALKS, windows.MANNERS, strict=True)), ids=list(TALKS)
)
def test_a_server_goes_on(quiet, narrow, sent, name, manner):
    narrow.manner = manner
    driven(quiet, TALKS[name])
    refused = [body for body in sent() if by_bytes(body) >= WINDOW]
    assert len(refused) <= 2 * 3, "what it refuses is learnt"


@pytest.mark.parametrize("name", ["numbers", "Hindi"])
def test_a_server_that_never_says_how_much_it_reads_goes_on(quiet, narrow, sent, name):
    narrow.manner, narrow.counts = windows.without_numbers, False
    driven(quiet, TALKS[name])
    refused = [body for body in sent() if by_bytes(body) >= WINDOW]
    assert 0 < len(refused) <= 2 * 4, "what was refused is not tried again and again"


@pytest.mark.parametrize("window", [512, WINDOW])
def test_a_small_window_that_is_known_is_halved_where_what_fits_it_is_refused(
    quiet, narrow, window
):
    """Its cache may be full before it has read what its window holds."""
    narrow.window, narrow.tokens = window, lambda body: 2 * by_bytes(body)
    narrow.own["/props"] = {"default_generation_settings": {"n_ctx": window}}
    narrow.manner, narrow.counts = windows.without_numbers, False
    driven(quiet, conversations(window)["numbers"])


def test_a_server_that_cuts_off_what_is_too_long_is_never_given_it(quiet, server, sent):
    server.own["/api/ps"] = {"models": [{"name": "fake", "context_length": WINDOW}]}
    driven(quiet, TALKS["numbers"])
    assert all(prompt_tokens(body) <= WINDOW for body in sent())
    assert any("characters left out" in body["messages"][-1]["content"] for body in sent())


def test_numbers_that_were_pasted_earlier_harm_no_later_message(tiny):
    """12 KB of digits: for whoever counts bytes a third of what they are."""
    tiny.preferences.set("models.context_tokens", 8192)
    chat_model(tiny.library.folder / "wide.gguf", context=8192)
    tiny.library.choose_chat("file:wide.gguf")
    _, told = driven(tiny, [NUMBERS])
    assert len(told[1]) == 2
    assert told[2:] == [[]] * 8


# -- what is said of it ----------------------------------------------------------------------------


def test_what_is_left_out_in_the_end_is_what_the_trace_says(quiet, narrow):
    narrow.manner = windows.without_numbers
    talk, events = send(quiet, pasted(NUMBERS))
    assert sum(isinstance(event, Recalled) for event in events) > 1
    at = max(n for n, event in enumerate(events) if isinstance(event, Recalled))
    told = [event.text for event in events[at:] if isinstance(event, Notice)]
    answer = quiet.conversations.messages(talk)[-1]
    stored = quiet.conversations.recalls(talk)[answer.id].recall
    assert list(stored.degraded) == told
    prompt = narrow.requests[-1].body["messages"][-1]["content"]
    left = prompt.partition("[… ")[2].partition(" characters")[0]
    assert told[0] == NOT_SHOWN.format(int(left.replace(",", "")))


def test_an_answer_never_takes_more_than_is_left(quiet, narrow, sent):
    quiet.preferences.set("chat.max_answer_tokens", 8000)
    narrow.own["/props"] = {"default_generation_settings": {"n_ctx": WINDOW}}
    narrow.tokens = prompt_tokens
    send(quiet, pasted(NUMBERS))
    (body,) = sent()
    assert WINDOW // 2 <= body["max_tokens"] <= WINDOW - prompt_tokens(body)


def test_instructions_and_pinned_memories_leave_room_for_the_message(tiny):
    tiny.preferences.set("chat.instructions", "Answer in rhyme. " * 200)
    for number in range(3):
        tiny.memories.add(f"I own boat number {number}. " + "It is a fine boat. " * 15, pinned=True)
    talk, events = send(tiny, pasted(NUMBERS))
    assert events[-1].message.text.strip()
    _, events = send(tiny, LATER[0], talk)
    assert events[-1].message.text.strip()


# -- without it ------------------------------------------------------------------------------------


@pytest.fixture
def picky(quiet, server):
    """A server that refuses whatever holds digits of a paste, and never says how much is too much.

    Nothing of such a message can be shown to it, however short.
    """

    def respond(body):
        if any("7919" in turn["content"] for turn in body["messages"]):
            return windows.without_numbers(0, 0, streamed=True)
        return Reply("Fine.")

    server.respond = respond
    return quiet


def test_a_message_of_which_nothing_can_be_shown_is_answered_without_it(picky, sent):
    talk, _ = send(picky, "Hello there.")
    with pytest.raises(TooLong) as caught:
        send(picky, pasted(f"7919 {NUMBERS}"), talk)
    tokens = caught.value.tokens
    assert str(caught.value) == (
        f"Your message is about {tokens:,} tokens, which fake refuses to read at once."
    )
    question = picky.conversations.messages(talk)[-1]
    assert question.text.endswith(NUMBERS), "the message is kept"
    assert tokens > len(NUMBERS) / 2
    events = list(picky.chat.retry(question.id, Event(), without=True))
    assert events[-1].message.text == "Fine."
    told = [event.text for event in events if isinstance(event, Notice)]
    assert WITHOUT.format(len(NUMBERS) + 5) in told
    shown = sent()[-1]["messages"][-1]["content"]
    assert shown.startswith("What is this about?")
    assert f"a text of {len(NUMBERS) + 5:,} characters is left out" in shown


def test_the_next_message_is_answered_though_that_one_was_not(picky):
    talk, _ = send(picky, "Hello there.")
    with pytest.raises(TooLong):
        send(picky, pasted(f"7919 {NUMBERS}"), talk)
    for said in LATER:
        _, events = send(picky, said, talk)
        assert events[-1].message.text == "Fine."


def test_what_was_answered_without_it_is_no_trouble_later(picky):
    talk, _ = send(picky, "Hello there.")
    with pytest.raises(TooLong):
        send(picky, pasted(f"7919 {NUMBERS}"), talk)
    question = picky.conversations.messages(talk)[-1]
    list(picky.chat.retry(question.id, Event(), without=True))
    for said in LATER:
        _, events = send(picky, said, talk)
        assert events[-1].message.text == "Fine."


def test_a_model_for_which_everything_is_too_long_is_blamed_itself(quiet):
    quiet.library.folder.mkdir(parents=True, exist_ok=True)
    chat_model(quiet.library.folder / "mole.gguf", context=64)
    quiet.library.choose_chat("file:mole.gguf")
    with pytest.raises(ModelError, match=TOO_SMALL.format("mole")) as caught:
        send(quiet, "Hello?")
    assert not isinstance(caught.value, TooLong), "to leave the message out would be of no help"
