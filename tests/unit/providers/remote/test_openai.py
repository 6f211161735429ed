import json
import threading
from contextlib import nullcontext
from threading import Event

import pytest

from app.errors import EndpointError, TooLong
from app.providers.base import ModelUse, PromptTurn, Sampling
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.learnt import ServerMemory
from app.providers.remote.openai import OpenAIChat, list_models
from tests.fakes.openai_server import OpenAIServer, Reply

ASK = [PromptTurn("system", "Be brief."), PromptTurn("user", "Hello?")]


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def chat(server, key="", model="fake"):
    identity = f"server:{server.url}#{model}"
    return OpenAIChat(Endpoint(server.url, key), model, identity, 8192)


def answer(server, sampling=None, **options):
    return "".join(chat(server, **options).stream(ASK, sampling or Sampling(), Event()))


def frame(content, **more):
    return (
        f"data: {json.dumps({'choices': [{'delta': {'content': content}, **more}]})}\n\n".encode()
    )


def test_an_answer_streams_and_the_request_is_what_the_protocol_says(server):
    server.script(Reply("You live in Porto."))
    pieces = list(chat(server, "secret").stream(ASK, Sampling(temperature=0.2, seed=4), Event()))
    assert "".join(pieces) == "You live in Porto."
    assert len(pieces) > 1
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer secret"
    assert request.body == {
        "model": "fake",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello?"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 1024,
        "temperature": 0.2,
        "seed": 4,
    }


def test_what_the_server_counted_is_known_after_the_answer(server):
    told = b'data: {"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 3}}\n\n'
    last = frame("there", finish_reason="stop")
    server.script(Reply(raw=frame("Hello ") + last + told + b"data: [DONE]\n\n"), Reply("No."))
    model = chat(server)
    assert "".join(model.stream(ASK, Sampling(), Event())) == "Hello there"
    assert model.last_use == ModelUse(12, 3, counted=True)
    assert "".join(model.stream(ASK, Sampling(), Event())) == "No."
    assert model.last_use is None


@pytest.mark.parametrize(
    "usage", ["null", "7", '{"prompt_tokens": "many"}', '{"prompt_tokens": 3}', "[]"]
)
def test_a_count_that_makes_no_sense_is_none(server, usage):
    told = f'data: {{"choices": [], "usage": {usage}}}\n\n'.encode()
    server.script(Reply(raw=frame("Hello", finish_reason="stop") + told + b"data: [DONE]\n\n"))
    model = chat(server)
    assert "".join(model.stream(ASK, Sampling(), Event())) == "Hello"
    assert model.last_use is None


def test_a_server_that_does_not_count_is_asked_without(server):
    server.script(Reply("Unknown field: stream_options", status=400), Reply("Fine."))
    assert answer(server) == "Fine."
    assert [("stream_options" in r.body) for r in server.requests] == [True, False]


def test_without_a_key_no_key_is_sent(server):
    answer(server)
    assert "authorization" not in server.requests[0].headers


def test_what_it_says_of_itself(server):
    info = chat(server).info
    assert (info.id, info.name, info.local) == (f"server:{server.url}#fake", "fake", True)
    assert not OpenAIChat(Endpoint("https://api.openai.com/v1"), "m", "", 1).info.local


@pytest.mark.parametrize(
    "raw",
    [
        b": keep-alive\n\n" + frame("Hi") + b"data: [DONE]\n\n",
        frame("Hi").replace(b"\n", b"\r\n") + b"data: [DONE]\r\n\r\n",
        b'data: {"choices":\ndata: [{"delta": {"content": "Hi"}}]}\n\ndata: [DONE]\n\n',
        b'data: {"usage": {}}\n\ndata: {"choices": []}\n\n' + frame("Hi") + b"data:[DONE]\n\n",
        b'data: {"choices": [{"delta": {"role": "assistant"}}]}\n\n'
        + frame("Hi")
        + b"data: [DONE]",
        b"data: {not json\n\n" + frame("Hi") + b"data: [1, 2]\n\ndata: [DONE]\n\n",
        b"event: message\nid: 3\n" + frame("Hi", finish_reason="stop"),
        frame("Hi") + b'data: {"choices": [{"delta": {"content": null}}]}\n\ndata: [DONE]\n\n',
    ],
    ids=[
        "comment",
        "crlf",
        "multiline",
        "no choices",
        "no content",
        "malformed",
        "no done",
        "null",
    ],
)
def test_odd_streams_are_understood(server, raw):
    server.script(Reply(raw=raw))
    assert answer(server) == "Hi"


def test_what_a_model_thinks_aloud_is_no_part_of_the_answer(server):
    server.script(Reply("<think> Hm. </think> Hello."))
    assert answer(server) == "Hello."


def test_a_server_that_does_not_stream_is_understood(server):
    whole = {"choices": [{"message": {"content": "All at once."}, "finish_reason": "stop"}]}
    server.script(Reply(body=json.dumps(whole).encode()))
    assert answer(server) == "All at once."


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply("Incorrect key sk-secret", status=401), "refused the key"),
        (Reply("no", status=404), "has no model called fake"),
        (Reply("slow down", status=429, headers={"Retry-After": "20"}), "Try again in 20 seconds"),
        (Reply("quota", status=429), "Try again later"),
        (Reply("the model crashed", status=500), "failed (500): the model crashed."),
        (Reply(status=502, body=b"<html>"), "failed (502)."),
        (Reply(status=503, body=b"<html>"), "is busy or not ready. Try again later."),
        (Reply("Loading model", status=503), "is still loading fake."),
        (Reply("No models loaded. Please load one.", status=404), "has not loaded fake; load it"),
        (Reply("The model `fake` does not exist", status=400), "has no model called fake"),
        (Reply("Access to fake is restricted", status=403), "refused access to fake: Access"),
        (Reply("Insufficient Balance", status=402), "has no credit left"),
        (Reply("too hot", status=400), "refused the request (400): too hot."),
        (Reply(status=302, body=b"", headers={"Location": "http://10.0.0.1/"}), "does not follow"),
        (Reply(body=b"{]"), "does not speak the OpenAI protocol"),
        (Reply(raw=b"data: {}}\n\ndata: nonsense\n\n"), "does not speak the OpenAI protocol"),
        (Reply(raw=b"<html>hello</html>"), "does not speak the OpenAI protocol"),
        (Reply(raw=b'data: {"error": {"message": "out of memory"}}\n\n'), "out of memory"),
        (Reply(raw=b"data: " + b"[" * 100_000 + b"\n\n"), "does not speak the OpenAI protocol"),
    ],
)
def test_what_goes_wrong_is_one_sentence(server, reply, words):
    server.script(reply)
    with pytest.raises(EndpointError) as caught:
        answer(server, key="sk-secret")
    assert words in str(caught.value)
    assert "sk-secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_that_wants_a_key_says_so_where_none_is_sent(server):
    server.script(Reply("no", status=401))
    with pytest.raises(EndpointError, match="asks for a key"):
        answer(server)


@pytest.mark.parametrize("done", [True, False], ids=["socket closed", "stream ends"])
def test_a_stream_that_is_cut_off_keeps_what_came(server, done):
    server.script(Reply("one two three", cut_after=3 if done else None, done=False))
    came = []
    with pytest.raises(EndpointError, match="broke off"):
        came.extend(chat(server).stream(ASK, Sampling(), Event()))
    assert "".join(came).startswith("one two")


def test_a_stream_without_a_word_had_no_room_for_one_and_a_shorter_prompt_is_asked_for(server):
    learnt, long = ServerMemory(), [PromptTurn("user", "word " * 300)]
    learnt.learn(server.url, "fake", window=512)
    model = OpenAIChat(Endpoint(server.url), "fake", "server:x", 8192, learnt)
    before = model.count("word " * 300)
    server.script(*[Reply("", done=False)] * 2)
    with pytest.raises(TooLong) as caught:
        list(model.stream(long, Sampling(), Event()))
    assert caught.value.window == 512
    assert model.count("word " * 300) > before
    with pytest.raises(EndpointError, match="broke off"):  # a shorter one fared no better
        list(model.stream(long, Sampling(), Event()))


def test_a_short_prompt_leaves_room_whatever_the_server_does(server):
    learnt = ServerMemory()
    learnt.learn(server.url, "fake", window=4096)
    model = OpenAIChat(Endpoint(server.url), "fake", "server:x", 8192, learnt)
    server.script(Reply("", done=False))
    with pytest.raises(EndpointError, match="broke off"):
        list(model.stream(ASK, Sampling(), Event()))


@pytest.mark.parametrize(("words", "full"), [(300, True), (100, False)])
def test_an_answer_that_fills_the_window_ends_there(server, words, full):
    learnt, long = ServerMemory(), [PromptTurn("user", "word " * words)]
    learnt.learn(server.url, "fake", window=512)
    model = OpenAIChat(Endpoint(server.url), "fake", "server:x", 8192, learnt)
    before = model.count("word " * 300)
    server.script(Reply("one two three", done=False))
    came = []
    with nullcontext() if full else pytest.raises(EndpointError, match="broke off"):
        came.extend(model.stream(long, Sampling(), Event()))
    assert "".join(came).startswith("one two")
    assert (model.count("word " * 300) > before) is full  # the next prompt is shorter


def test_a_server_that_is_not_there_is_one_sentence():
    with OpenAIServer() as server:
        pass
    with pytest.raises(EndpointError, match="is the server running"):
        answer(server)


def test_cancelling_closes_the_connection_while_the_first_byte_is_awaited(server):
    never, cancel = Event(), Event()
    server.script(Reply(before=never))
    asked = threading.Thread(
        target=lambda: list(chat(server).stream(ASK, Sampling(), cancel)), daemon=True
    )
    asked.start()
    while not server.requests:
        pass
    cancel.set()
    asked.join(2)
    assert not asked.is_alive()
    assert server.gone.wait(2)


def test_cancelling_in_the_middle_closes_the_connection(server):
    cancel = Event()
    server.script(Reply("one two three", between=Event(), free=2))
    pieces = chat(server).stream(ASK, Sampling(), cancel)
    assert next(pieces) == "one "
    cancel.set()
    assert list(pieces) == []
    assert server.gone.wait(2)


def test_leaving_the_answer_closes_the_connection(server):
    server.script(Reply("one two", between=Event(), free=2))
    pieces = chat(server).stream(ASK, Sampling(), Event())
    next(pieces)
    pieces.close()
    assert server.gone.wait(2)
    assert not [thread for thread in threading.enumerate() if thread.name == "endpoint"]


SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


def formats(server):
    return [request.body.get("response_format", {}).get("type") for request in server.requests]


def test_a_schema_is_asked_for_as_far_as_the_server_can(server):
    refusal = Reply("response_format is not supported", status=400)
    server.script(refusal, Reply("it broke", status=500), refusal, Reply("{}"), Reply("{}"))
    model = chat(server)
    for _ in range(2):
        assert "".join(model.stream(ASK, Sampling(schema=SCHEMA), Event())) == "{}"
    assert formats(server) == ["json_schema", "json_object", "json_object", None, None]
    assert server.requests[0].body["response_format"]["json_schema"]["schema"] == SCHEMA
    asked = [request.body.get("response_format", {}).get("schema") for request in server.requests]
    assert asked == [None, SCHEMA, None, None, None]


def test_what_a_server_cannot_is_remembered_for_its_model_alone(server):
    learnt = ServerMemory()
    server.script(Reply("no such format", status=500), *[Reply("{}")] * 3)
    for model in ("fake", "fake", "other"):
        one = OpenAIChat(Endpoint(server.url), model, "", 8192, learnt)
        assert list(one.stream(ASK, Sampling(schema=SCHEMA), Event()))
    assert formats(server) == ["json_schema", "json_object", "json_object", "json_schema"]


@pytest.mark.parametrize("status", [401, 403, 404, 429, 503])
def test_a_refusal_that_has_nothing_to_do_with_the_format_is_told_at_once(server, status):
    server.default = Reply("no", status=status)
    with pytest.raises(EndpointError):
        list(chat(server).stream(ASK, Sampling(schema=SCHEMA), Event()))
    assert len(server.requests) == 1


def test_an_answer_that_was_stopped_says_nothing_of_the_dialect(server):
    cancel = Event()
    server.script(Reply("not so", status=500), Reply("one two", between=Event(), free=2))
    model = chat(server)
    pieces = model.stream(ASK, Sampling(schema=SCHEMA), cancel)
    next(pieces)
    cancel.set()
    assert list(pieces) == []
    assert list(model.stream(ASK, Sampling(schema=SCHEMA), Event()))
    assert formats(server)[-1] == "json_schema"


@pytest.mark.parametrize("raw", [b"", b": ping\n\n"])
def test_a_stream_with_nothing_in_it_is_asked_for_the_reason_once(server, raw):
    server.script(Reply(raw=raw), Reply("out of memory", status=500))
    with pytest.raises(EndpointError, match="out of memory"):
        answer(server)
    assert [request.body["stream"] for request in server.requests] == [True, False]


def test_a_stream_with_nothing_in_it_may_be_answered_in_one_piece(server):
    whole = {"choices": [{"message": {"content": "All at once."}, "finish_reason": "stop"}]}
    server.script(Reply(raw=b""), Reply(body=json.dumps(whole).encode()))
    assert answer(server) == "All at once."
    assert "stream_options" not in server.requests[1].body


def test_a_server_that_sends_nothing_at_all_is_not_asked_for_ever(server):
    server.default = Reply(raw=b"")
    with pytest.raises(EndpointError, match="does not speak the OpenAI protocol"):
        answer(server)
    assert len(server.requests) == 2


def test_another_refusal_does_not_spoil_the_dialect(server):
    server.script(*[Reply("too hot", status=400)] * 4, Reply("{}"))
    model = chat(server)
    with pytest.raises(EndpointError, match="too hot"):
        list(model.stream(ASK, Sampling(schema=SCHEMA), Event()))
    list(model.stream(ASK, Sampling(schema=SCHEMA), Event()))
    assert formats(server)[-1] == "json_schema"


def test_newer_models_that_know_other_words_are_spoken_to_in_theirs(server):
    server.script(
        Reply("Unsupported: 'max_tokens'. Use 'max_completion_tokens' instead.", status=400),
        Reply("'temperature' does not support 0.7 with this model.", status=400),
        Reply("Fine."),
    )
    assert answer(server) == "Fine."
    body = server.requests[-1].body
    assert body["max_completion_tokens"] == 1024
    assert "temperature" not in body
    assert "max_tokens" not in body


def test_the_models_of_a_server_are_listed(server):
    assert list_models(Endpoint(server.url)) == ["fake", "fake-large"]
    server.models = None
    assert list_models(Endpoint(server.url)) == []


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"data": "x"}', b"hello", b'{"data": [1]}'])
def test_a_model_list_that_is_none_is_a_sentence_or_empty(server, body):
    server.refuse["/v1/models"] = Reply(body=body)
    if body == b'{"data": [1]}':
        assert list_models(Endpoint(server.url)) == []
    else:
        with pytest.raises(EndpointError, match="does not speak"):
            list_models(Endpoint(server.url))


def test_proxies_of_the_environment_are_not_used(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert answer(server)
    assert list_models(Endpoint(server.url))
