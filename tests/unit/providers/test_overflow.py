"""More than a model reads at once: behind servers, and on this computer."""

from threading import Event

import pytest

from app.errors import Cancelled, TooLong
from app.providers.base import PromptTurn, Sampling
from app.providers.lending import Lent
from app.providers.local.llamacpp import LlamaChat
from app.providers.remote.dialects import FORMATS
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.learnt import ServerMemory
from app.providers.remote.openai import OpenAIChat
from tests.fakes import windows
from tests.fakes.openai_server import OpenAIServer, Reply

SHORT = [PromptTurn("user", "Hello there")]
LONG = [PromptTurn("user", "word " * 700)]


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr("app.providers.remote.windows.SECONDS", 60.0)


@pytest.fixture
def server():
    with OpenAIServer() as running:
        running.counts = True
        yield running


@pytest.fixture
def learnt():
    return ServerMemory()


@pytest.fixture
def model(server, learnt):
    return OpenAIChat(Endpoint(server.url), "fake", "server:x", 8192, learnt)


def said(model, prompt=SHORT, **sampling):
    return "".join(model.stream(prompt, Sampling(**sampling), Event()))


@pytest.mark.parametrize("schema", [None, {"type": "object"}])
@pytest.mark.parametrize("manner", windows.MANNERS)
def test_the_first_refusal_teaches_the_window(server, model, learnt, manner, schema):
    server.window, server.manner = 512, manner
    with pytest.raises(TooLong, match="more than fake reads at once") as caught:
        said(model, LONG, schema=schema)
    assert (caught.value.tokens, caught.value.window) == (704, 512)
    assert model.info.context_tokens == 512
    assert model.measure(LONG, Event()).left < 1
    assert said(model), "and the next one is answered"
    again = OpenAIChat(Endpoint(server.url), "fake", "server:x", 8192, learnt)
    assert again.info.context_tokens == 512
    assert FORMATS[learnt.of(server.url, "fake").dialect.formats] == "json_schema"


def test_a_refusal_without_numbers_has_the_server_asked(server, model):
    server.window, server.manner = 512, windows.without_numbers
    server.own["/props"] = {"default_generation_settings": {"n_ctx": 512}}
    with pytest.raises(TooLong) as caught:
        said(model, LONG)
    assert caught.value.window == model.info.context_tokens == 512
    assert caught.value.tokens > 512


def test_where_nobody_knows_the_window_that_is_not_made_up(server, model):
    server.window, server.manner = 512, windows.without_numbers
    with pytest.raises(TooLong, match=r"reads at once\.$") as caught:
        said(model, LONG)
    assert caught.value.window == 0
    assert model.info.context_tokens == 8192


def test_the_window_of_the_settings_is_never_widened(server, model):
    server.own["/props"] = {"default_generation_settings": {"n_ctx": 131072}}
    assert model.measure(SHORT, Event()).window == model.info.context_tokens == 8192


def test_a_prompt_that_fits_is_asked_for_a_shorter_answer(server, model):
    told = "'max_tokens' is too large: 1024. This model's maximum context length is 1000 tokens"
    told += " and your request has 600 input tokens (1024 > 1000 - 600)."
    server.script(Reply(told, status=400), Reply("Fine."))
    assert said(model, max_tokens=1024) == "Fine."
    assert server.requests[-1].body["max_tokens"] == 400


def test_a_server_that_never_has_enough_is_given_up(server, model):
    told = "This model's maximum context length is 1000 tokens. However, your messages resulted in"
    server.default = Reply(f"{told} 900 tokens.", status=400)
    with pytest.raises(TooLong):
        said(model)
    assert len(server.requests) == 2


def test_tokens_are_counted_as_the_server_counted_them_before(server, model):
    numbers = [PromptTurn("user", "17 " * 300)]
    guessed = model.measure(numbers, Event())
    assert not guessed.exact
    assert guessed.tokens >= 304, "rather too many than too few"
    counted = []
    for _ in range(8):
        said(model, numbers)
        counted.append(model.measure(numbers, Event()).tokens)
    assert sorted(counted, reverse=True) == counted
    assert 304 <= counted[-1] < guessed.tokens
    assert model.count("17 " * 300) < guessed.tokens


def test_the_window_is_asked_for_before_the_first_answer_and_after_it_no_more(server, model):
    def asked():
        return sum(request.path == "/v1/models" for request in server.requests)

    for _ in range(3):
        model.measure(SHORT, Event())
    assert asked() == 1
    server.own["/api/ps"] = {"models": [{"name": "fake", "context_length": 2048}]}
    said(model)
    assert model.measure(SHORT, Event()).window == 2048, "now that it is loaded, it is known"
    said(model)
    model.measure(SHORT, Event())
    assert asked() == 2


def test_an_overflow_in_the_middle_of_an_answer_is_told_and_what_came_stays(server, model):
    frame = b'data: {"choices": [{"delta": {"content": "Half"}}]}\n\n'
    error = b'data: {"error": {"message": "Context size has been exceeded."}}\n\n'
    server.script(Reply(raw=frame + error))
    pieces = model.stream(SHORT, Sampling(), Event())
    assert next(pieces) == "Half"
    with pytest.raises(TooLong):
        next(pieces)
    assert len(server.requests) > 0


def test_a_local_model_counts_what_it_would_read(chat, tiny):
    measured = chat.measure([PromptTurn("user", "hello world!")], Event())
    assert measured.exact
    assert measured.window == chat.info.context_tokens == 512
    more = chat.measure([PromptTurn("user", "hello world!!")], Event())
    assert more.tokens == measured.tokens + 1
    assert measured.left == 512 - measured.tokens


def test_a_local_model_is_loaded_to_be_exact(tiny):
    fresh = LlamaChat(tiny, "x", context_tokens=256)
    assert fresh.measure(SHORT, Event()).exact
    assert fresh.count("hello world!") == 13
    fresh.close()


def test_a_local_model_says_how_much_is_too_much(chat):
    long = [PromptTurn("user", "x" * 600)]
    measured = chat.measure(long, Event())
    assert measured.left < 1
    with pytest.raises(TooLong, match="more than tiny reads at once") as caught:
        said(chat, long)
    assert (caught.value.tokens, caught.value.window) == (measured.tokens, 512)
    assert said(chat, max_tokens=3)


def test_what_just_fits_is_answered(chat):
    room = chat.measure([PromptTurn("user", "x")], Event()).left
    fits, over = ([PromptTurn("user", "x" * length)] for length in (room, room + 1))
    assert chat.measure(fits, Event()).left == 1
    assert list(chat.stream(fits, Sampling(max_tokens=3), Event())) is not None
    assert chat.measure(over, Event()).left == 0
    with pytest.raises(TooLong):
        said(chat, over)


def test_measuring_can_be_stopped_and_gives_way(tiny):
    fresh, stop = LlamaChat(tiny, "x", context_tokens=256), Event()
    stop.set()
    with pytest.raises(Cancelled):
        fresh.measure(SHORT, stop)
    with pytest.raises(Cancelled):
        Lent(fresh, stop).measure(SHORT, Event())
    fresh.close()
