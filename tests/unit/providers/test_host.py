import dataclasses
import logging
import shutil
import socket
import threading
from threading import Event

import numpy as np
import psutil
import pytest

from app.errors import Cancelled, EndpointError, ModelError
from app.providers.base import ModelUse, PromptTurn, Purpose, Sampling
from app.providers.host import ModelHost
from app.providers.judging import Task
from app.providers.library import ModelsFolder
from app.providers.local.threads import machine
from app.settings import table
from app.settings.spec import Settings
from tests.fakes import tiny_gguf
from tests.fakes.openai_server import OpenAIServer, Reply

ASK = [PromptTurn("user", "Hello?")]


class Chosen:
    """Settings that a test changes."""

    def __init__(self, **values):
        self.settings = Settings()
        self.set(**values)

    def set(self, **values):
        for key, value in values.items():
            self.settings = table.replace(self.settings, key.replace("__", "."), value)

    def __call__(self):
        return self.settings


@pytest.fixture(autouse=True)
def bundled_models():
    """Every host begins and ends processes of its own here."""


@pytest.fixture
def chosen():
    return Chosen(models__embedder="hash")


@pytest.fixture
def keys():
    return {}


@pytest.fixture
def host(tmp_path, chosen, keys):
    made = ModelHost(ModelsFolder(tmp_path / "models"), chosen, lambda name: keys.get(name, ""))
    yield made
    made.close()


def children():
    return {p.pid for p in psutil.Process().children() if p.status() != psutil.STATUS_ZOMBIE}


def answer(host, **options):
    with host.chat(**options) as model:
        return "".join(model.stream(ASK, Sampling(max_tokens=5), Event()))


def test_the_embedder_follows_the_settings(host, chosen, caplog):
    kept = host.embedder
    caplog.set_level(logging.INFO, logger="app")
    assert kept.info.id == "hash-32"
    assert "the embedder in use is hash" in caplog.text
    chosen.set(models__embedder="bundled")
    assert kept.info.id == "loci-minilm-v2-Q8_0@85444792"
    (one,) = kept.embed(["I live in Porto."], Purpose.QUERY)
    assert one.vector.shape == (384,)
    before = children()
    chosen.set(models__embedder="hash")
    assert kept.embed(["tea"], Purpose.QUERY)[0].vector.shape == (32,)
    assert children() < before, "the other one's process is ended"


def test_what_was_read_is_forgotten_when_something_is_erased(host, chosen, tiny):
    host.forget()  # nothing runs, nothing is started for it
    chosen.set(models__embedder="bundled", chat__model=f"file:{tiny}")
    pair = [("Where do I live?", "I live in Porto")]
    first = host.understanding.judge(Task.ANSWER, pair)
    assert answer(host)
    before = children()
    host.forget()
    assert len(children()) == len(before) - 1, "the chat model's process has the prompt"
    assert np.array_equal(host.understanding.judge(Task.ANSWER, pair), first)


def test_a_file_may_embed(host, chosen, tiny):
    from app.assets import resource

    host.folder.folder.mkdir()
    shutil.copy(resource("models/loci-minilm-v2-Q8_0.gguf"), host.folder.folder / "mine.gguf")
    chosen.set(models__embedder="file:mine.gguf")
    assert host.embedder.info.id == "mine@85444792"


def test_remote_embedders_take_their_key_and_address(host, chosen, keys):
    with OpenAIServer(dims=1536) as server:
        keys[server.url] = "sk-embed"
        chosen.set(
            models__embedder="openai:text-embedding-3-small", models__embedder_url=server.url
        )
        assert host.embedder.info.id == "openai:text-embedding-3-small"
        assert server.requests == []
        host.embedder.embed(["tea"], Purpose.QUERY)
        assert server.requests[0].headers["authorization"] == "Bearer sk-embed"
    chosen.set(models__embedder="voyage:voyage-3.5")
    with pytest.raises(ModelError, match="needs a key"):
        host.embedder.info  # noqa: B018
    keys["voyage"] = "pa-key"
    assert host.embedder.info.id == "voyage:voyage-3.5"


@pytest.mark.parametrize("choice", ["nonsense", "file:gone.gguf", "openai:text-embedding-3-small"])
def test_an_embedder_that_cannot_be_is_a_sentence(host, chosen, choice):
    chosen.set(models__embedder=choice)
    with pytest.raises(ModelError):
        host.embedder.embed(["x"], Purpose.QUERY)


@pytest.mark.expects_warnings
def test_warming_never_fails(host, chosen):
    host.warm()
    chosen.set(models__embedder="file:gone.gguf")
    host.warm()
    chosen.set(models__embedder="bundled")
    host.warm()
    assert host.current_embedder().child.pid is not None


def test_without_a_choice_no_model_answers(host):
    info = host.chat_info()
    assert (info.id, info.weights) == ("notebook", False)
    with host.chat() as model, pytest.raises(ModelError, match="No language model"):
        list(model.stream(ASK, Sampling(), Event()))


def test_a_local_file_answers_in_a_process_that_starts_when_needed(host, chosen, tiny):
    chosen.set(chat__model=f"file:{tiny}")
    before = children()
    info = host.chat_info()
    assert (info.name, info.local, info.context_tokens) == ("tiny", True, 512)
    assert children() == before
    assert answer(host)
    assert len(children() - before) == 1
    host.rest(0)
    assert children() == before
    assert answer(host)
    chosen.set(chat__model="notebook")
    host.refresh()
    assert children() == before


def test_learning_leaves_the_conversation_as_the_model_knows_it(host, chosen, tiny):
    chosen.set(chat__model=f"file:{tiny}")
    long = [PromptTurn("user", "tell me of the sea " * 10)]

    def asked(turns, **options):
        with host.chat(**options) as model:
            list(model.stream(turns, Sampling(max_tokens=3, seed=1), Event()))
            return model.took

    first = asked(long)
    asked(
        [PromptTurn("system", "List."), PromptTurn("user", "I live in Ghent.")], interactive=False
    )
    later = asked([*long, PromptTurn("assistant", "no"), PromptTurn("user", "why?")])
    assert later.kept_tokens >= first.prompt_tokens - 2
    assert later.counted
    assert later.window == 512


def test_a_conversation_does_not_wait_for_background_work(host, chosen, tmp_path):
    path = tiny_gguf.chat_model(tmp_path / "deep.gguf", context=32_768, layers=24)
    chosen.set(chat__model=f"file:{path}", models__context_tokens=32_768)
    answer(host)
    begun, given_up = Event(), Event()

    def learn():
        with host.chat(interactive=False) as model:
            prompt = [PromptTurn("user", "x" * 20_000)]
            try:
                for _ in model.told(prompt, Sampling(max_tokens=9_000), Event()):
                    begun.set()
            except Cancelled:
                given_up.set()

    thread = threading.Thread(target=learn)
    thread.start()
    assert begun.wait(60)
    assert answer(host)
    assert given_up.wait(60), "it was still at work"
    thread.join(60)


def calm():
    return False


def test_threads_are_measured_once_and_only_where_a_model_is_loaded(host, chosen, tiny):
    chosen.set(chat__model=f"file:{tiny}")
    assert host.tune(Event(), calm) is None
    assert host.loaded_bytes(f"file:{tiny}") is None
    host.chat_info()
    assert host.loaded_bytes(f"file:{tiny}") == 0
    answer(host)
    assert host.loaded_bytes(f"file:{tiny}") > 10_000_000
    assert host.loaded_bytes("file:other.gguf") is None
    assert host.tune(Event(), lambda: True) is None, "the computer is busy"
    found = host.tune(Event(), calm)
    assert found.threads >= 1
    chosen.set(computer__threads=found.threads, computer__threads_machine="another machine")
    assert host.tune(Event(), calm) is not None, "what was measured elsewhere does not count"
    chosen.set(computer__threads_machine=machine())
    assert host.tune(Event(), calm) is None
    chosen.set(computer__threads=0, models__threads=2)
    answer(host)
    assert host.tune(Event(), calm) is None, "the person chose"
    assert host.rest(0)
    assert not host.rest(0)


def test_a_server_answers_with_the_key_kept_for_it(host, chosen, keys):
    with OpenAIServer(Reply("From the server.")) as server:
        keys[server.url] = "sk-chat"
        chosen.set(chat__model=f"server:{server.url}#org/fake")
        assert (host.chat_info().name, host.chat_info().local) == ("org/fake", True)
        assert answer(host) == "From the server."
        assert server.requests[0].headers["authorization"] == "Bearer sk-chat"


def test_a_chat_model_that_is_gone_has_a_name_and_a_sentence(host, chosen):
    chosen.set(chat__model="file:gone.gguf")
    assert host.chat_info().name == "gone.gguf"
    with pytest.raises(ModelError, match="not there any more"), host.chat():
        pass


def test_another_model_may_learn(host, chosen):
    with OpenAIServer(Reply("big")) as big, OpenAIServer(Reply("small")) as small:
        chosen.set(chat__model=f"server:{big.url}#big")
        assert answer(host, interactive=False, learning=True) == "big"
        chosen.set(extraction__learn_from=f"server:{small.url}#small")
        assert host.chat_info(learning=True).name == "small"
        assert answer(host, interactive=False, learning=True) == "small"
        assert answer(host) == "big"


def test_a_conversation_takes_the_model_from_a_background_job(host, chosen):
    begun, outcome = Event(), []
    with OpenAIServer() as server:
        server.script(Reply("one two three", between=Event()), Reply("Hello you."))
        chosen.set(chat__model=f"server:{server.url}#fake")

        def job():
            try:
                with host.chat(interactive=False) as model:
                    begun.set()
                    list(model.stream(ASK, Sampling(), Event()))
            except Cancelled as stopped:
                outcome.append(str(stopped))

        thread = threading.Thread(target=job)
        thread.start()
        assert begun.wait(5)
        while not server.requests:
            pass
        assert answer(host) == "Hello you."
        thread.join(5)
    assert outcome == ["A conversation needed the model first."]


def test_waiting_for_the_model_can_be_cancelled(host, chosen):
    cancel = Event()
    with host.chat():
        cancel.set()
        with pytest.raises(Cancelled), host.chat(cancel=cancel):
            pass


def test_a_model_swapped_in_an_answer_finishes_it(host, chosen, tiny):
    chosen.set(chat__model=f"file:{tiny}")
    before = children()
    with host.chat() as model:
        pieces = model.stream(ASK, Sampling(max_tokens=30, seed=1), Event())
        next(pieces)
        chosen.set(chat__model="notebook")
        host.refresh()
        assert list(pieces)
    assert children() == before


def test_after_close_nothing_is_built(host, chosen):
    host.close()
    for use in (lambda: host.embedder.info, lambda: answer(host)):
        with pytest.raises(ModelError, match="put away"):
            use()


def test_nothing_connects_anywhere_unless_it_was_configured(host, chosen, tiny, monkeypatch):
    """The whole of a default set-up: bundled embedder, a model file, the library, no model."""
    reached = []
    monkeypatch.setattr(socket.socket, "connect", lambda self, to: reached.append(to))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *to, **_: reached.append(to) or [])
    chosen.set(models__embedder="bundled", chat__model=f"file:{tiny}")
    host.embedder.embed(["tea"], Purpose.QUERY)
    answer(host)
    host.folder.embed_choices()
    host.folder.chat_choices()
    assert reached == []


def test_a_server_out_of_reach_is_a_sentence_and_no_other_is_tried(host, chosen, monkeypatch):
    reached = []

    def refuse(self, to):
        reached.append(to)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    chosen.set(chat__model="server:http://127.0.0.1:9/v1#m")
    with pytest.raises(EndpointError, match="is the server running"):
        answer(host)
    assert {to[:2] for to in reached} == {("127.0.0.1", 9)}


def test_settings_that_shape_a_model_rebuild_it(host, chosen, tiny):
    chosen.set(chat__model=f"file:{tiny}", models__context_tokens=512)
    first = host.chat_info()
    chosen.settings = dataclasses.replace(
        chosen.settings, models=dataclasses.replace(chosen.settings.models, context_tokens=256)
    )
    assert (first.context_tokens, host.chat_info().context_tokens) == (512, 256)


class Books:
    """Keeps account as a test says."""

    def __init__(self):
        self.noted = []
        self.why = ""

    def hindrance(self, info):
        return self.why

    def note(self, interactive, info, use):
        self.noted.append((interactive, info.name, use))


@pytest.fixture
def books(tmp_path, chosen):
    books = Books()
    made = ModelHost(ModelsFolder(tmp_path / "models"), chosen, meter=books)
    books.host = made
    yield books
    made.close()


def test_every_call_is_noted_as_the_provider_counted_it_or_about(books, chosen):
    told = b'data: {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}\n\n'
    said = b'data: {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}\n\n'
    with OpenAIServer() as server:
        chosen.set(chat__model=f"server:{server.url}#fake")
        server.script(Reply(raw=said + told + b"data: [DONE]\n\n"), Reply("Hello there."))
        answer(books.host)
        answer(books.host, interactive=False)
    assert books.noted == [
        (True, "fake", ModelUse(9, 2, counted=True)),
        (False, "fake", ModelUse(38, 5, counted=False)),  # with what a template adds
    ]


def test_an_answer_that_is_broken_off_is_noted_too(books, chosen):
    with OpenAIServer() as server:
        chosen.set(chat__model=f"server:{server.url}#fake")
        server.script(Reply("one two three four", cut_after=3))
        with pytest.raises(EndpointError):
            answer(books.host)
    assert [use.completion_tokens > 0 for *_, use in books.noted] == [True]


def test_background_work_stops_where_it_may_not_spend_and_answers_do_not(books, chosen):
    books.why = "Background work has reached its spending limit for this month."
    with OpenAIServer() as server:
        chosen.set(chat__model=f"server:{server.url}#fake")
        with pytest.raises(ModelError, match="reached its spending limit"):
            answer(books.host, interactive=False)
        assert server.requests == []
        assert answer(books.host)
