"""The reranker as a front end meets it: shown, asked for, and then at work."""

import hashlib
from datetime import UTC, datetime
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.reason import words
from app.errors import ModelFileError, Refused
from app.main.build import build
from app.paths import Paths
from app.providers.local.download import Offer
from app.store.profiles import Profiles
from tests.fakes import tiny_ranker
from tests.fakes.file_server import FileServer

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
NAME = "tiny.gguf"


@pytest.fixture
def opened(tmp_path):
    profiles = Profiles(Paths(tmp_path / "data"), lambda: NOW, lambda: None)
    vault, profile = profiles.create("Ada")
    opened = build(profiles, profile, vault, lambda: NOW)
    opened.services.preferences.set("models.embedder", "hash")
    opened.services.preferences.set("rag.rerank.model", NAME)
    opened.services.preferences.set("rag.floor", 0)
    for text in ("I drink tea.", "I drink coffee by the sea."):
        opened.services.memories.add(text)
    drive(opened.services.background.run(), Event())
    yield opened
    opened.close()


def steps(opened):
    return [step.name for step in opened.services.memories.recall("What do I drink?").steps]


def test_a_reranker_is_downloaded_on_request_and_then_used(opened, tmp_path):
    body = tiny_ranker.ranker(tmp_path / NAME).read_bytes()
    library, reranker = opened.services.library, opened.services.reranker
    assert (reranker.status().present, reranker.status().on) == (False, False)
    assert "rerank" not in steps(opened)
    with FileServer(body) as server:
        offers = {NAME: Offer(server.url, hashlib.sha256(body).hexdigest(), len(body))}
        opened.host.rerankers.offers = offers
        assert reranker.status().offered
        assert drive(reranker.download(Event()), Event()).models
    assert (library.folder / NAME).read_bytes() == body
    reranker.prepare()
    found = opened.services.memories.recall("What do I drink?")
    (step,) = [step for step in found.steps if step.name == "rerank"]
    assert (step.note, found.degraded) == ("", ())
    assert found.hits
    assert all(
        any(words(why).startswith("reranked 0.") for why in hit.reasons) for hit in found.hits
    )
    opened.services.preferences.set("rag.rerank.enabled", False)
    assert "rerank" not in steps(opened)


def test_what_is_missing_is_said_in_every_trace_and_recall_goes_on(opened):
    opened.services.preferences.set("rag.rerank.enabled", True)
    found = opened.services.memories.recall("What do I drink?")
    assert found.hits
    (why,) = found.degraded
    assert (
        why == "The results were not reranked: The reranker tiny.gguf is not in the models folder."
    )
    with pytest.raises(Refused):
        drive(opened.services.reranker.download(Event()), Event())


def test_it_is_switched_and_another_file_is_chosen_where_it_lies(opened, tmp_path):
    library, reranker = opened.services.library, opened.services.reranker
    mine = tmp_path / "mine.gguf"
    ranker = tiny_ranker.ranker(mine)
    reranker.switch(on=False)
    changes = reranker.choose(mine)
    assert changes.models
    assert "rag.rerank.model" in changes.settings
    assert opened.services.preferences.values().rag.rerank.model == str(ranker)
    assert (reranker.status().file, reranker.status().on) == ("mine.gguf", True)
    library.folder.mkdir(exist_ok=True)
    reranker.choose(tiny_ranker.ranker(library.folder / "inside.gguf"))
    assert opened.services.preferences.values().rag.rerank.model == "inside.gguf"
    reranker.prepare()
    reranker.switch(on=False)
    assert not reranker.status().on


def test_what_is_no_reranker_is_not_chosen(opened, tmp_path):
    before = opened.services.preferences.values().rag.rerank
    with pytest.raises(ModelFileError):
        opened.services.reranker.choose(tmp_path / "nothing.gguf")
    assert opened.services.preferences.values().rag.rerank == before
