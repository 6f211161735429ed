"""Servers that never come to an end cost neither memory nor time, and what came stays."""

import gzip
import json
from threading import Event

import pytest

from app.domain.jobs.stopping import stoppable
from app.domain.limits import LONGEST_ANSWER, MOST_PIECES
from app.errors import Cancelled, EndpointError
from app.providers.base import PromptTurn, Sampling
from app.providers.remote import answers, sse
from app.providers.remote import endpoint as borders
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.openai import OpenAIChat, list_models
from app.providers.remote.servers import find_servers
from tests.fakes.endless_server import JSON, EndlessServer
from tests.fakes.openai_server import OpenAIServer, Reply

ASK = [PromptTurn("user", "Hello?")]
WORD = b'data: {"choices": [{"delta": {"content": "word "}}]}\n\n'
ENDLESS, LATE = "more than an answer can be", "did not answer in time"


@pytest.fixture
def small(monkeypatch):
    """Limits that are reached at once."""
    monkeypatch.setattr(answers, "_MOST_STREAMED", 3_000_000)
    monkeypatch.setattr(sse, "LONGEST_LINE", 1_000_000)


def chat(url):
    return OpenAIChat(Endpoint(url), "fake", "server:fake", 8192)


def answer(server, cancel=None, enough=None):
    """Return what came of an answer, and what ended it; stop once so many pieces came."""
    pieces, cancel = [], cancel or Event()
    try:
        for piece in chat(server.url).stream(ASK, Sampling(), cancel):
            pieces.append(piece)
            if enough and len(pieces) >= enough:
                cancel.set()
    except EndpointError as error:
        return "".join(pieces), str(error)
    return "".join(pieces), ""


def test_an_endless_answer_ends_and_all_that_may_be_kept_of_it_is():
    with EndlessServer(WORD) as server:
        text, why = answer(server)
    assert text == "word " * (LONGEST_ANSWER // 5)
    assert ENDLESS in why


def test_a_stop_ends_an_endless_answer_and_hangs_up():
    with EndlessServer(WORD) as server:
        assert answer(server, enough=1_000) == ("word " * 1_000, "")
        assert server.gone.wait(5)


@pytest.mark.parametrize(
    "block",
    [b"x", b"data: x\n", b'data: "x" ', b": still here\n\n", b"data: {}\n\n", b"\n"],
    ids=["line", "event", "data line", "comments", "empty chunks", "empty lines"],
)
def test_a_stream_in_which_nothing_is_said_ends(small, block):
    with EndlessServer(block, first=WORD) as server:
        text, why = answer(server)
    assert text in ("word ", "")
    assert ENDLESS in why or "without end" in why


@pytest.mark.parametrize("block", [b"x", b": still here\n\n", b"data: x\n"])
def test_a_stop_is_heard_where_nothing_is_said(block):
    cancel = Event()
    with EndlessServer(block) as server:
        pieces = chat(server.url).stream(ASK, Sampling(), cancel)
        cancel.set()
        assert list(pieces) == []


def test_what_goes_on_after_its_end_is_left():
    last = WORD.replace(b"}}]", b'}, "finish_reason": "stop"}]')
    with EndlessServer(b"data: {}\n\n", first=last) as server:
        assert answer(server) == ("word ", "")


@pytest.mark.parametrize("block", [b"0", b"[{},", b'{"a":'])
def test_an_endless_body_is_not_read_to_its_end(block):
    with EndlessServer(block, kind=JSON) as server:
        text, why = answer(server)
        assert (text, ENDLESS in why) == ("", True)
        for path in ("/models", "/embeddings"):
            with pytest.raises(EndpointError, match=ENDLESS):
                Endpoint(server.url).fetch(path)
        with pytest.raises(EndpointError, match=ENDLESS):
            list_models(Endpoint(server.url))


def test_a_body_of_more_values_than_fit_is_not_taken_apart():
    crowded = b"[" + b"{}," * MOST_PIECES + b"{}]"
    with OpenAIServer() as server:
        server.refuse["/v1/models"] = Reply(status=200, body=crowded)
        with pytest.raises(EndpointError, match=ENDLESS):
            Endpoint(server.url).fetch("/models")


@pytest.mark.parametrize("status", [400, 401, 500])
def test_an_endless_error_is_a_sentence(status):
    with EndlessServer(b"x", kind=JSON, status=status) as server:
        text, why = answer(server)
        assert (text, len(why) < 300) == ("", True)
        with pytest.raises(EndpointError, match=r"refused|asks for a key|failed"):
            Endpoint(server.url).fetch("/models")


def test_an_error_that_comes_to_no_end_is_waited_for_no_longer(monkeypatch):
    monkeypatch.setattr(borders, "_ERROR_SECONDS", 0.0)
    with EndlessServer(b"x", first=b"{", kind=JSON, status=500) as server:
        server.slow = True
        assert "failed (500)" in answer(server)[1]


def test_what_comes_little_by_little_is_waited_for_no_longer_than_all_of_it():
    with EndlessServer(b"x", first=b"{", kind=JSON) as server:
        server.slow = True
        with pytest.raises(EndpointError, match=LATE):
            Endpoint(server.url).fetch("/models", seconds=0.2)
        assert find_servers({"Slow": server.port}) == []


def test_a_request_can_be_broken_off():
    cancel = Event()
    cancel.set()
    with EndlessServer(b"x", kind=JSON) as server, pytest.raises(Cancelled):
        Endpoint(server.url).fetch("/models", cancel=cancel)


def test_a_stop_of_the_work_is_heard_by_whatever_it_waits_for():
    stop = Event()
    stop.set()
    with EndlessServer(b"[", kind=JSON) as server, stoppable(stop):
        server.slow = True
        with pytest.raises(Cancelled):
            list_models(Endpoint(server.url))


def test_what_is_packed_is_never_unpacked():
    packed = gzip.compress(b'{"data": []}' + b" " * 100_000_000)
    with OpenAIServer() as server:
        server.refuse["/v1/models"] = Reply(
            status=200, body=packed, headers={"Content-Encoding": "gzip"}
        )
        with pytest.raises(EndpointError, match="does not speak"):
            list_models(Endpoint(server.url))


def test_only_so_many_models_are_listed_and_none_with_an_endless_name():
    with OpenAIServer() as server:
        server.models = ["x" * 1_000_000, *(f"model {at:05}" for at in range(5_000))]
        found = list_models(Endpoint(server.url))
    assert len(found) == 1_000
    assert max(map(len, found)) == len("model 00000")


def test_bytes_that_come_one_by_one_are_looked_at_once():
    line = b"data: " + json.dumps({"text": "é" * 30_000}).encode() + b"\n\n"
    chunks = (line[at : at + 1] for at in range(len(line)))
    assert list(sse.events(chunks)) == [line.decode()[6:-2]]
