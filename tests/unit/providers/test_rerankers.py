"""The gate of the reranker: three positions, the file there or not, and never a surprise."""

import dataclasses
import hashlib
import logging
import socket
from threading import Event

import pytest

from app.domain.model import RerankerStatus
from app.errors import ModelError, ModelFileError, Refused
from app.providers.library import ModelsFolder
from app.providers.local.download import Offer
from app.providers.rerankers import Rerankers
from app.settings.rerank import Reranking, RerankSettings
from tests.fakes import tiny_gguf, tiny_ranker
from tests.fakes.file_server import FileServer

NAME = "tiny.gguf"
PATIENT = 60.0
TEXTS = ["you live in porto", "tea"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_ranker.ranker(tmp_path_factory.mktemp("model") / NAME).read_bytes()


@pytest.fixture
def offers():
    return {}


@pytest.fixture
def chosen():
    class Chosen:
        settings = RerankSettings(model=NAME, threads=1, gpu="off")

        def set(self, **values):
            self.settings = dataclasses.replace(self.settings, **values)

        def __call__(self):
            return self.settings

    return Chosen()


@pytest.fixture
def rerankers(tmp_path, chosen, offers):
    made = Rerankers(ModelsFolder(tmp_path / "models"), chosen, offers)
    yield made
    made.close()


@pytest.fixture
def place(tmp_path, model):
    """Put a file where the settings look for it."""

    def put(body=model, name=NAME):
        (tmp_path / "models").mkdir(exist_ok=True)
        (tmp_path / "models" / name).write_bytes(body)

    return put


@pytest.fixture
def no_connection(monkeypatch):
    """Refuse every connection, also one to this computer, and every look-up of a name."""
    asked = []

    def refuse(*arguments):
        asked.append(arguments)
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    yield
    assert not asked


def scores(rerankers):
    rerankers.warm()
    rerankers.prepare(PATIENT)
    return rerankers.current().score("where do i live", TEXTS, PATIENT)


def test_m8_unset_and_present_is_on(rerankers, place, no_connection):
    place()
    assert rerankers.current() is not None
    expected = [tiny_ranker.score("where do i live", text) for text in TEXTS]
    assert scores(rerankers) == pytest.approx(expected, abs=2e-3)
    status = rerankers.status()
    assert (status.file, status.present, status.on, status.problem) == (NAME, True, True, "")


def test_m8_unset_and_absent_is_off(rerankers, no_connection, tmp_path):
    rerankers.warm()
    rerankers.prepare(PATIENT)
    assert rerankers.current() is None
    assert rerankers.status() == RerankerStatus(NAME, present=False, on=False)
    assert not (tmp_path / "models").exists()


def test_m8_true_and_present_is_on(rerankers, chosen, place, no_connection):
    chosen.set(enabled=Reranking.ON)
    place()
    assert len(scores(rerankers)) == 2


def test_m8_false_and_present_is_off(rerankers, chosen, place, no_connection):
    place()
    assert len(scores(rerankers)) == 2
    child = rerankers.running().child
    chosen.set(enabled=Reranking.OFF)
    assert rerankers.current() is None
    assert child.pid is None, "its process is ended"
    rerankers.warm()
    rerankers.prepare(PATIENT)
    status = rerankers.status()
    assert (status.present, status.on, status.problem) == (True, False, "")


def test_m8_false_and_absent_is_off(rerankers, chosen, no_connection):
    chosen.set(enabled=Reranking.OFF)
    rerankers.warm()
    assert rerankers.current() is None
    assert rerankers.status() == RerankerStatus(NAME, present=False, on=False)


def test_m8_true_and_absent_is_offered_and_fetched_only_when_asked_for(
    rerankers, chosen, model, offers, tmp_path
):
    chosen.set(enabled=Reranking.ON)
    with FileServer(model) as server:
        offers[NAME] = Offer(server.url, hashlib.sha256(model).hexdigest(), len(model))
        status = rerankers.status()
        assert (status.present, status.on, status.offered) == (False, True, True)
        assert status.bytes == len(model)
        assert "can be downloaded once" in status.problem
        rerankers.warm()
        rerankers.prepare(PATIENT)
        with pytest.raises(ModelFileError, match="can be downloaded once"):
            rerankers.current().score("where do i live", TEXTS, PATIENT)
        assert server.asked == []
        steps = list(rerankers.download(Event()))
        assert (steps[-1].done, steps[-1].total) == (len(model), len(model))
        assert len(scores(rerankers)) == 2
        assert list(rerankers.download(Event())) == []
        assert len(server.asked) == 1, "once"
    assert (tmp_path / "models" / NAME).read_bytes() == model
    status = rerankers.status()
    assert (status.present, status.on, status.offered, status.problem) == (True, True, False, "")


def test_a_file_that_is_no_reranker_is_put_aside_by_downloading_again(
    rerankers, chosen, place, model, offers, tmp_path
):
    place(bytes(len(model)))
    chosen.set(enabled=Reranking.ON)
    with FileServer(model) as server:
        offers[NAME] = Offer(server.url, hashlib.sha256(model).hexdigest(), len(model))
        status = rerankers.status()
        assert (status.present, status.offered) == (True, True)
        assert "is not a GGUF" in status.problem
        list(rerankers.download(Event()))
    assert (tmp_path / "models" / NAME).read_bytes() == model
    (other,) = (tmp_path / "models").glob("*-other.gguf")
    assert other.read_bytes() == bytes(len(model))
    assert not rerankers.status().offered


def test_what_nobody_offers_cannot_be_downloaded(
    rerankers, chosen, offers, no_connection, tmp_path
):
    chosen.set(enabled=Reranking.ON)
    offers["other.gguf"] = Offer("http://127.0.0.1:1/x", "", 1)
    assert "not in the models folder" in rerankers.status().problem
    with pytest.raises(Refused, match="put the file into the models folder"):
        list(rerankers.download(Event()))
    chosen.set(model=str(tmp_path / "elsewhere" / "other.gguf"))
    assert not rerankers.status().offered
    with pytest.raises(Refused):
        list(rerankers.download(Event()))


@pytest.mark.parametrize("name", ["x" * 5_000, "a\0b", "", "../../etc", "."])
def test_a_look_at_the_disk_that_fails_means_absent(rerankers, chosen, no_connection, name):
    chosen.set(model=name)
    assert rerankers.current() is None
    assert rerankers.status().present is False
    rerankers.warm()


@pytest.mark.parametrize("body", [b"hello", b""])
def test_a_file_that_is_no_model_is_a_sentence_and_no_more(rerankers, place, no_connection, body):
    place(body)
    rerankers.warm()
    assert "not a GGUF" in rerankers.status().problem
    with pytest.raises(ModelFileError, match="is not a GGUF"):
        rerankers.current().score("x", TEXTS, PATIENT)


def test_a_model_of_another_kind_is_a_sentence(rerankers, place, tmp_path):
    place(tiny_gguf.chat_model(tmp_path / "chat.gguf").read_bytes())
    with pytest.raises(ModelFileError, match=r"tiny.gguf is not a reranking model"):
        rerankers.current().score("x", TEXTS, PATIENT)


def test_a_file_elsewhere_may_be_named_by_its_path(rerankers, chosen, model, tmp_path):
    (tmp_path / "mine.gguf").write_bytes(model)
    chosen.set(model=str(tmp_path / "mine.gguf"))
    assert len(scores(rerankers)) == 2


def test_another_file_or_other_threads_take_the_place_of_the_first(
    rerankers, chosen, place, tmp_path, caplog
):
    caplog.set_level(logging.INFO, logger="app")
    place()
    first = rerankers.running()
    assert rerankers.running() is first
    place(tiny_ranker.ranker(tmp_path / "other.gguf", seed=1, layers=1).read_bytes())
    second = rerankers.running()
    assert second is not first
    chosen.set(threads=2)
    assert rerankers.running() is not second
    assert "the reranker in use is tiny.gguf" in caplog.text


def test_what_was_put_away_stays_away(rerankers, place):
    place()
    rerankers.close()
    with pytest.raises(ModelError, match="put away"):
        rerankers.running()
