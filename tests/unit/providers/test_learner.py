"""Who learns: the model that answers where it is large enough, or whom the person chose."""

import pytest

from app.domain.sharing.rule import OPEN, setting_of
from app.providers import learner
from app.providers.learner import said_by_name, who_learns
from app.providers.library import ModelsFolder
from app.providers.remote.learnt import ServerMemory
from app.settings.spec import Settings
from app.settings.table import replace
from tests.fakes.tiny_gguf import chat_model

WHY = "{} is too small to learn reliably (below 3 billion parameters); Loci learns without a model."


@pytest.mark.parametrize(
    ("name", "millions"),
    [
        ("qwen2.5:0.5b-instruct", 500),
        ("Qwen2.5-1.5B-Instruct", 1500),
        ("SmolLM2-135M-Instruct", 135),
        ("smollm_360m", 360),
        ("gemma-2-2b-it", 2000),
        ("llama3.2:3b", 3000),
        ("Llama-3.1-70B", 70_000),
        ("qwen2.5-7b-instruct-1m", 7000),
        ("mixtral-8x7b", 0),
        ("gemma3n:e2b", 0),
        ("gpt-4.1-mini", 0),
        ("fake-large", 0),
        ("", 0),
    ],
)
def test_the_size_is_read_from_a_name_that_says_it_plainly(name, millions):
    assert said_by_name(name) == millions * 1_000_000


@pytest.fixture
def folder(tmp_path):
    chat_model(tmp_path / "tiny.gguf")
    return ModelsFolder(tmp_path)


def chosen(answers, learns="chat"):
    settings = replace(Settings(), "models.sharing", setting_of({"http://x/v1": OPEN}))
    settings = replace(settings, "chat.model", answers)
    return replace(settings, "extraction.learn_from", learns)


@pytest.mark.parametrize(
    ("answers", "learns", "found", "why"),
    [
        ("file:tiny.gguf", "chat", "notebook", WHY.format("tiny")),
        ("file:tiny.gguf", "", "notebook", WHY.format("tiny")),
        ("file:tiny.gguf", "none", "notebook", ""),
        ("file:tiny.gguf", "file:tiny.gguf", "file:tiny.gguf", ""),
        ("server:http://x/v1#qwen2.5:0.5b", "chat", "notebook", WHY.format("qwen2.5:0.5b")),
        ("server:http://x/v1#qwen2.5:7b", "chat", "server:http://x/v1#qwen2.5:7b", ""),
        ("server:http://x/v1#fake", "chat", "server:http://x/v1#fake", ""),
        ("server:http://x/v1#fake", "none", "notebook", ""),
        ("file:gone.gguf", "chat", "file:gone.gguf", ""),
        ("notebook", "chat", "notebook", ""),
        ("", "chat", "notebook", ""),
        ("notebook", "server:http://x/v1#a:1b", "server:http://x/v1#a:1b", ""),
    ],
)
def test_a_small_model_learns_only_where_it_was_chosen_for_it(folder, answers, learns, found, why):
    learns = who_learns(chosen(answers, learns), folder, ServerMemory())
    assert (learns.id, learns.why) == (found, why)


def test_a_file_counts_by_its_header(folder, monkeypatch):
    size = learner.parameters("file:tiny.gguf", folder, ServerMemory())
    assert size > 10_000
    monkeypatch.setattr(learner, "FEWEST", size)
    assert who_learns(chosen("file:tiny.gguf"), folder, ServerMemory()).id == "file:tiny.gguf"
    monkeypatch.setattr(learner, "FEWEST", size + 1)
    assert who_learns(chosen("file:tiny.gguf"), folder, ServerMemory()).id == "notebook"


@pytest.mark.parametrize(
    ("name", "parameters", "learns"),
    [
        ("smollm2:latest", 134_515_008, False),
        ("local-model", 2_999_999_999, False),
        ("local-model", 3_000_000_000, True),
        ("called-70b", 500_000_000, False),
        ("called-1b", 8_000_000_000, True),
        ("local-model", 0, True),
        ("qwen2.5:0.5b", 0, False),
    ],
)
def test_what_a_server_says_counts_before_the_name(folder, name, parameters, learns):
    learnt = ServerMemory()
    learnt.learn("http://localhost:1234/v1", name, parameters=parameters)
    choice = f"server:localhost:1234#{name}"
    found = who_learns(chosen(choice), folder, learnt)
    assert found.id == (choice if learns else "notebook")
    assert found.why == ("" if learns else WHY.format(name))


def test_an_address_that_is_none_is_no_failure(folder):
    assert (
        who_learns(chosen("server:ftp://x#fake"), folder, ServerMemory()).id
        == "server:ftp://x#fake"
    )
