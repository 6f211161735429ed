import json

import numpy as np
import pytest

from app.errors import EndpointError, ModelError
from app.providers.base import Purpose
from app.providers.remote import embeddings
from app.providers.remote.embeddings import RemoteEmbedder
from app.providers.remote.endpoint import Endpoint
from tests.fakes.openai_server import OpenAIServer, Reply


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def small(server):
    return embeddings.openai(Endpoint(server.url, "key"), "text-embedding-3-small")


def rows(*vectors):
    found = [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]
    return Reply(body=json.dumps({"data": found}).encode())


@pytest.mark.parametrize(
    ("model", "dims"),
    [
        ("text-embedding-3-small", 1536),
        ("text-embedding-3-large", 3072),
        ("text-embedding-ada-002", 1536),
    ],
)
def test_openais_models_are_known_without_asking(model, dims):
    info = embeddings.openai(Endpoint("https://api.openai.com/v1", "key"), model).info
    assert (info.id, info.dims, info.local) == (f"openai:{model}", dims, False)


@pytest.mark.parametrize(("model", "dims"), embeddings.VOYAGE.items())
def test_voyages_models_are_known_without_asking(model, dims):
    info = embeddings.voyage(model, "key").info
    assert (info.id, info.dims, info.local) == (f"voyage:{model}", dims, False)
    assert dims == (1536 if model == "voyage-code-2" else 1024)


def test_there_are_seven_of_voyages_models():
    assert len(embeddings.VOYAGE) == 7


def test_none_is_used_without_a_key():
    with pytest.raises(ModelError, match="OpenAI needs a key"):
        embeddings.openai(Endpoint("https://api.openai.com/v1"), "text-embedding-3-small")
    with pytest.raises(ModelError, match="Voyage needs a key"):
        embeddings.voyage("voyage-3.5", "")
    with pytest.raises(ModelError, match="no model called"):
        embeddings.voyage("voyage-9", "key")


def test_texts_come_back_in_order_at_length_one(server):
    texts = [f"number {n}" for n in range(70)] + ["", "  "]
    found = small(server).embed(texts, Purpose.PASSAGE)
    assert [len(request.body["input"]) for request in server.requests] == [64, 6]
    assert server.requests[0].headers["authorization"] == "Bearer key"
    assert all(np.linalg.norm(one.vector) == pytest.approx(1) for one in found[:70])
    assert not found[70].vector.any()
    assert not found[71].vector.any()
    (again,) = small(server).embed(["number 69"], Purpose.QUERY)
    assert np.array_equal(again.vector, found[69].vector)
    assert again.token_bits is None


def test_nothing_is_asked_for_nothing(server):
    small(server).embed(["", "\n"], Purpose.PASSAGE)
    assert server.requests == []


def test_long_texts_are_cut_before_they_are_sent(server):
    small(server).embed(["x" * 10_000], Purpose.PASSAGE)
    assert len(server.requests[0].body["input"][0]) == 6144


def test_voyage_is_told_what_is_a_question(server):
    server.dims = 1024
    model = RemoteEmbedder(Endpoint(server.url, "k"), "voyage-3.5", "v", 1024, voyage=True)
    model.embed(["a"], Purpose.QUERY)
    model.embed(["a"], Purpose.PASSAGE)
    assert [request.body.get("input_type") for request in server.requests] == ["query", "document"]
    assert "encoding_format" not in server.requests[0].body


def test_a_width_nobody_knows_is_asked_for_once(server):
    server.dims = 768
    model = embeddings.openai(Endpoint(server.url), "nomic-embed-text")
    assert model.info.dims == model.info.dims == 768
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=401), "refused the key"),
        (Reply(status=404), "has no model called text-embedding-3-small"),
        (rows(), "another number of vectors"),
        (rows([1.0] * 1536, [1.0] * 1536), "another number of vectors"),
        (rows([1.0] * 8), "unusual width"),
        (rows([]), "does not speak"),
        (rows(["x"] * 1536), "does not speak"),
        (rows([float("nan")] * 1536), "does not speak"),
        (Reply(body=b"[]"), "does not speak"),
        (Reply(body=b'{"data": [3]}'), "does not speak"),
        (Reply(body=b'{"data": [{"index": [], "embedding": [1]}]}'), "another number"),
    ],
)
def test_what_goes_wrong_is_one_sentence(server, reply, words):
    server.refuse["/v1/embeddings"] = reply
    with pytest.raises(EndpointError, match=words):
        small(server).embed(["hello"], Purpose.PASSAGE)
