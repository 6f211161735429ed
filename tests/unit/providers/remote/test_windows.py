from threading import Event

import pytest

from app.errors import Cancelled
from app.providers.remote import windows
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.windows import ServerModel
from tests.fakes.openai_server import OpenAIServer, Reply, llama_server_row, ollama

MODEL = "fake"


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr("app.providers.remote.windows.SECONDS", 60.0)


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def said(server, key=""):
    return windows.ask(Endpoint(server.url, key), MODEL, Event())


def asked(server, key=""):
    return said(server, key).window


@pytest.mark.parametrize(
    "row",
    [
        {"max_model_len": 4096},
        {"context_length": 4096},
        {"context_window": 4096},
        {"max_context_length": 4096},
        {"meta": {"n_ctx": 4096, "n_ctx_train": 32768}},
    ],
    ids=["vllm", "openrouter", "groq", "mistral", "llama-server"],
)
def test_the_list_of_models_may_say_it(server, row):
    server.models = [{"id": "other", "max_model_len": 99_999}, {"id": MODEL, **row}]
    assert asked(server) == 4096
    assert len(server.requests) == 1


def test_llama_server_says_how_much_one_conversation_has(server):
    server.models = [{"id": "model.gguf", "meta": {"n_ctx_train": 32768}}]
    server.own["/props"] = {"default_generation_settings": {"n_ctx": 2048}, "total_slots": 2}
    assert asked(server, "sk") == 2048
    assert server.requests[-1].headers["authorization"] == "Bearer sk"


def test_lm_studio_says_how_it_loaded_it(server):
    rows = [{"id": MODEL, "state": "loaded", "loaded_context_length": 4096}]
    server.own["/api/v0/models"] = {"data": [{"id": "x", "loaded_context_length": 7}, *rows]}
    assert asked(server) == 4096
    server.own["/api/v0/models"]["data"][1].pop("loaded_context_length")
    assert asked(server) == 0, "nobody knows how it will be loaded"


def test_ollama_says_how_it_runs_it(server):
    server.own["/api/ps"] = {"models": [{"name": f"{MODEL}:latest", "context_length": 16384}]}
    server.own["/api/show"] = {"model_info": {"llama.context_length": 131072}}
    assert asked(server) == 16384


@pytest.mark.parametrize(
    ("parameters", "trained", "window"),
    [
        ("stop x\nnum_ctx    8192\n", 131072, 8192),
        ("num_ctx 8192", 2048, 2048),
        ("", 131072, windows.OLLAMA_DEFAULT),
        (None, 2048, 2048),
        ("num_ctx 99999999999", None, windows.OLLAMA_DEFAULT),
    ],
)
def test_a_model_that_ollama_has_not_loaded_gets_what_it_would_load(
    server, parameters, trained, window
):
    server.own["/api/ps"] = {"models": []}
    info = {"general.architecture": "llama", "llama.context_length": trained}
    server.own["/api/show"] = {"parameters": parameters, "model_info": info}
    assert asked(server) == window
    assert server.requests[-1].body == {"model": MODEL}


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"<html>", b'{"data": 7}', b'{"data": [{"id": "fake", "meta": []}]}']
)
def test_a_server_that_says_nothing_of_it_is_not_known(server, body):
    server.refuse["/v1/models"] = Reply(body=body)
    server.own["/props"] = {"default_generation_settings": {"n_ctx": "many"}}
    server.own["/api/show"] = {"model_info": None}
    assert asked(server) == 0


def test_llama_server_says_how_large_a_model_is(server):
    server.models = [llama_server_row(MODEL, parameters=134_515_008)]
    server.own["/props"] = {"default_generation_settings": {"n_ctx": 2048}}
    assert said(server) == ServerModel(2048, 134_515_008)
    server.models = [llama_server_row(MODEL, parameters=8_030_261_312, window=4096)]
    assert said(server) == ServerModel(4096, 8_030_261_312)


@pytest.mark.parametrize(
    ("size", "counted", "parameters"),
    [
        ("134.52M", None, 134_520_000),
        ("8.0B", None, 8_000_000_000),
        ("8.0B", 8_030_261_248, 8_030_261_248),
        ("1.2T", None, 1_200_000_000_000),
        ("8.0B", True, 8_000_000_000),
        ("8.0B", -3, 8_000_000_000),
        ("99999999B", None, 0),
        ("many", "8000000000", 0),
        ("nanB", 1e99, 0),
        (7, None, 0),
        (None, None, 0),
    ],
)
def test_ollama_says_how_large_a_model_is(server, size, counted, parameters):
    server.own |= ollama(MODEL, size=size, counted=counted)
    assert said(server) == ServerModel(windows.OLLAMA_DEFAULT, parameters)


def test_ollama_says_so_of_a_model_that_runs_as_well(server):
    server.own |= ollama(MODEL, size="134.52M", running=8192)
    assert said(server) == ServerModel(8192, 134_520_000)


def test_a_server_that_is_gone_is_not_known():
    with OpenAIServer() as server:
        pass
    assert asked(server) == 0


def test_asking_can_be_stopped(server):
    stop = Event()
    stop.set()
    with pytest.raises(Cancelled):
        windows.ask(Endpoint(server.url), MODEL, stop)


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://192.168.1.9:11434/v1", True),
        ("http://[fd00::1]:8080/v1", True),
        ("http://nas:8080/v1", True),
        ("http://nas.local:8080/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
    ],
)
def test_a_public_service_is_asked_for_its_list_alone(monkeypatch, address, near):
    paths = []

    def fetch(self, path, *_, **__):
        paths.append(self.base_url + path)
        return {}

    monkeypatch.setattr(Endpoint, "fetch", fetch)
    assert windows.ask(Endpoint(address), MODEL, Event()) == ServerModel()
    assert paths[0] == f"{address}/models"
    assert (len(paths) > 1) is near
