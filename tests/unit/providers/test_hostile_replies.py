"""Whatever a model server says in a field of its answers: a sentence, or what can be used."""

import json
from threading import Event

import numpy as np
import pytest

from app.domain.language.foreign import MOST
from app.errors import AppError
from app.providers.base import PromptTurn, Purpose, Sampling
from app.providers.remote.embeddings import openai
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.openai import OpenAIChat, list_models
from tests.fakes import nasty
from tests.fakes.openai_server import OpenAIServer, Reply

ASK = [PromptTurn("user", "Hello?")]
# Each is the text of a JSON value, or of what somebody takes for one.
NASTY = (
    *nasty.NASTY,
    '"x"',
    "2.5",
    "1e39",
    str(10**30),
    "9" * 400,
    "9" * 5_000,
    "-Infinity",
    "[" * 100_000 + "]" * 100_000,
    "[" * 500 + "]" * 500,
    '"a\\u0000b\\u001b[2J"',
    json.dumps("long " * 20_000),
)
CHUNKS = (
    '{"choices": [{"delta": {"content": %s}, "finish_reason": "stop"}]}',
    '{"choices": [{"delta": {"content": "Hi"}, "finish_reason": %s}]}',
    '{"choices": [{"delta": %s, "finish_reason": "stop"}]}',
    '{"choices": [%s]}',
    '{"choices": %s}',
    '{"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}], "usage": %s}',
    '{"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}],'
    ' "usage": {"prompt_tokens": %s, "completion_tokens": 1, "cost": %s}}',
    '{"error": %s}',
    '{"error": {"message": %s, "code": %s}}',
    "%s",
)


@pytest.fixture(scope="module")
def server():
    with OpenAIServer(dims=8) as running:
        yield running


def filled(form, value):
    return form.replace("%s", value)


def can_be_kept(text):
    text.encode("utf-8")
    return True


@pytest.mark.parametrize("place", range(len(CHUNKS)), ids=CHUNKS.__getitem__)
def test_a_spoiled_chunk(server, place):
    """Each form with every third value, in turn, to save time; what is counted with all."""
    form = CHUNKS[place]
    values = NASTY if "usage" in form else NASTY[place % 3 :: 3]
    model = OpenAIChat(Endpoint(server.url), "fake", f"server:{server.url}#fake", 8192)
    for value in values:
        said = filled(form, value)
        stream = Reply(raw=f"data: {said}\n\ndata: [DONE]\n\n".encode())
        whole = Reply(body=said.replace('"delta"', '"message"').encode())
        refusals = [Reply(status=status, body=said.encode()) for status in (404, 500)]
        for reply in (stream, whole, *(refusals if "error" in form else ())):
            server.script(reply)
            try:
                text = "".join(model.stream(ASK, Sampling(), Event()))
            except AppError as error:
                text = str(error)
            assert can_be_kept(text)
            assert len(text) < 200_000
            use = model.last_use
            if use is not None:
                assert all(
                    type(count) is int and 0 <= count <= MOST
                    for count in (use.prompt_tokens, use.completion_tokens)
                )


@pytest.mark.parametrize(
    "form", ["%s", '{"data": %s}', '{"data": [%s, {"id": "good"}]}', '{"data": [{"id": %s}]}']
)
def test_a_spoiled_list_of_models(server, form):
    for value in NASTY:
        server.refuse["/v1/models"] = Reply(body=filled(form, value).encode())
        try:
            names = list_models(Endpoint(server.url))
        except AppError as error:
            names = [str(error)]
        assert all(can_be_kept(name) for name in names)


@pytest.mark.parametrize(
    "form",
    [
        "%s",
        '{"data": %s}',
        '{"data": [%s]}',
        '{"data": [{"embedding": %s}]}',
        '{"data": [{"embedding": [1, 2, 3, 4, 5, 6, 7, %s]}]}',
        '{"data": [{"embedding": [1, 2, 3, 4, 5, 6, 7, 8], "index": %s}]}',
    ],
)
def test_a_spoiled_vector(server, form):
    embedder = openai(Endpoint(server.url), "fake")
    for value in NASTY:
        server.refuse["/v1/embeddings"] = Reply(body=filled(form, value).encode())
        try:
            (found,) = embedder.embed(["tea"], Purpose.PASSAGE)
        except AppError:
            continue
        assert np.linalg.norm(found.vector) == pytest.approx(1, abs=1e-3)
