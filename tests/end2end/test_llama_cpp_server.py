"""llama-cpp-python's own server, with a model that reads 512 tokens at once."""

import json
import os
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Event

import pytest

from app.errors import EndpointError, TooLong
from app.providers.base import PromptTurn, Sampling
from app.providers.remote.dialects import FORMATS, JSON_WITH_SCHEMA
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.learnt import ServerMemory
from app.providers.remote.openai import OpenAIChat, list_models
from tests.end2end.program import ROOT, wait_for
from tests.evals import real_talks
from tests.fakes import tiny_gguf

for needed in ("fastapi", "uvicorn", "sse_starlette", "starlette_context", "pydantic_settings"):
    pytest.importorskip(needed, reason="llama-cpp-python's server needs it")

SHORT = [PromptTurn("user", "Hello?")]
LONG = [PromptTurn("user", "1234567890 " * 300)]
SCHEMA = {
    "type": "object",
    "properties": {"keep": {"type": "boolean"}},
    "required": ["keep"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of the server, which runs as a program of its own."""
    folder = tmp_path_factory.mktemp("server")
    model = tiny_gguf.chat_model(folder / "tiny.gguf")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--model", str(model), "--model_alias", "tiny", "--n_ctx", "512"]
    options += ["--host", "127.0.0.1", "--port", str(port), "--n_threads", "1"]
    address = f"http://127.0.0.1:{port}/v1"

    def answers():
        assert process.poll() is None, (folder / "log").read_text()
        with suppress(EndpointError):
            return list_models(Endpoint(address)) == ["tiny"]

    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "llama_cpp.server", *options],
            stdout=log,
            stderr=log,
            cwd=ROOT,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )
        try:
            wait_for(answers, "the server")
            yield address
        finally:
            process.kill()
            process.wait()


@pytest.fixture
def learnt():
    return ServerMemory()


@pytest.fixture
def model(server, learnt):
    return OpenAIChat(Endpoint(server), "tiny", f"server:{server}#tiny", 8192, learnt)


def said(model, prompt=SHORT, **sampling):
    return "".join(model.stream(prompt, Sampling(seed=1, **sampling), Event()))


def test_what_is_too_long_is_told_with_its_numbers_and_the_next_one_is_answered(model):
    assert said(model, max_tokens=20)
    with pytest.raises(TooLong, match="more than tiny reads at once") as caught:
        said(model, LONG, max_tokens=20)
    assert caught.value.window == model.info.context_tokens == 512
    assert caught.value.tokens > 3000
    assert model.measure(LONG, Event()).tokens >= caught.value.tokens
    assert said(model, max_tokens=20)


def test_a_schema_is_obeyed_in_the_words_that_this_server_knows(server, model, learnt):
    for _ in range(2):
        assert isinstance(json.loads(said(model, schema=SCHEMA))["keep"], bool)
    assert FORMATS[learnt.of(server, "tiny").dialect.formats] == JSON_WITH_SCHEMA
    with pytest.raises(TooLong):
        said(model, LONG, schema=SCHEMA)


@pytest.mark.parametrize("name", ["numbers", "Hindi"])
def test_a_conversation_far_past_the_window_goes_on(server, name):
    pastes = real_talks.conversations(512)[name]
    found = real_talks.driven(f"server:{server}#tiny", pastes, 8192)
    assert found["goes_on"], found
    assert all(found["large"]), found


def test_the_command_line_answers_what_is_too_long_and_keeps_what_it_learnt(server, loci, tmp_path):
    loci("models", "--use", f"server:{server}#tiny")
    loci("settings", "set", "extraction.enabled", "false")
    loci("settings", "set", "chat.max_answer_tokens", "32")
    told = loci("chat", "--once", LONG[0].content)
    assert "The model cannot read so much at once" in told.stderr
    assert "Traceback" not in told.stderr
    assert told.stdout.strip()
    (row,) = json.loads((tmp_path / "home" / "loci" / "servers.json").read_text()).values()
    assert row["window"] == 512
