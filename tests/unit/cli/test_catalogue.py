"""The catalogue at the terminal: what suits this computer, and getting it."""

from pathlib import Path

import pytest

from app.domain.catalogue import Machine
from app.domain.jobs.progress import Progress
from app.errors import Cancelled, ModelError
from app.services.catalogue import CatalogueService
from tests.fakes.hub import Hub
from tests.fakes.tiny_gguf import chat_model

GB = 1_000_000_000


@pytest.fixture
def hub():
    with Hub() as made:
        yield made


@pytest.fixture
def tiny(loci, hub, tmp_path, monkeypatch):
    """A catalogue of one small model, on a hub of this computer."""
    one = hub.put(chat_model(tmp_path / "made.gguf").read_bytes())
    loci("settings", "set", "models.mirror", hub.address)
    monkeypatch.setattr("app.providers.local.catalogue.read", lambda: (one,))
    return one


def on(monkeypatch, memory, free, cores):
    monkeypatch.setattr(
        "app.providers.local.machine.look", lambda _ours: Machine(memory * GB, free * GB, cores)
    )


def test_the_real_catalogue_is_listed_in_words(loci, monkeypatch):
    on(monkeypatch, 4, 2.6, 2)
    page = loci("models", "catalogue").out
    assert "4.0 GB of memory, 2.6 GB of it free, and 2 processor cores" in page
    lines = page.splitlines()
    assert "qwen2.5-1.5b" in lines[2]
    assert "recommended for this computer; runs well" in lines[2]
    assert "1.1 GB, needs about 2.0 GB of memory" in lines[2]
    assert "; 1.5 billion parameters; 1.1 GB, " in lines[2]
    assert "29 languages; good for answers; Apache-2.0" in lines[3]
    assert page.count("recommended") == 1
    for name in ("phi-4-mini", "granite-4-micro"):
        assert " billion parameters; " in next(line for line in lines if name in line)
    meaning = next(line for line in lines if "bge-m3" in line)
    assert "fits into memory" in meaning
    assert "runs well" not in meaning
    gemma = next(line for line in lines if "gemma-3-4b" in line)
    assert "does not fit" in gemma
    assert "Gemma, terms of its own" in page
    data = loci("models", "catalogue", "--json").data
    assert data["machine"]["cores"] == 2
    assert data["models"][0]["id"] == "qwen2.5-1.5b"
    assert data["models"][0]["recommended"] is True
    on(monkeypatch, 64, 1, 16)
    assert "its memory is in use by other programs now" in loci("models", "catalogue").out


def test_one_command_gets_a_model_and_lets_it_answer(loci, hub, tiny):
    page = loci("models", "download", "tiny", "--use").out
    assert "Tiny is used from now on." in page
    assert "It says: " in page
    assert "tokens per second" in page
    assert loci("models", "--json").data["current"] == "file:tiny.gguf"
    assert "on this computer" in loci("models", "catalogue").out
    hub.asked.clear()
    assert "Tiny is in " in loci("models", "download", "tiny").out
    assert hub.asked == []


def test_a_download_that_broke_off_is_taken_up_by_the_same_command(loci, hub, tiny):
    hub.cuts = [1_000, 0]
    assert "broke off" in loci("models", "download", "tiny", code=1).err
    assert "0 MB downloaded" in loci("models", "catalogue").out
    loci("models", "download", "tiny")
    assert hub.ranges[-1] == "bytes=1000-"


def test_without_a_connection_it_says_what_to_do(loci, tiny):
    with Hub() as gone:
        pass
    loci("settings", "set", "models.mirror", gone.address)
    said = loci("models", "download", "tiny", code=1).err
    assert f"No connection to 127.0.0.1:{gone.port}. Try again later" in said
    assert "(models.mirror)" in said


def test_another_file_of_its_name_is_told_of_and_kept_aside(loci, hub, tiny):
    path = Path(loci("models", "download", "tiny", "--json").data["file"])
    path.write_bytes(bytes(tiny.bytes))
    assert "another file of its name is there, --again downloads" in loci("models", "catalogue").out
    hub.asked.clear()
    for more in ([], ["--use"]):
        said = loci("models", "download", "tiny", *more, code=1).err
        assert "Another file called tiny.gguf is in the models folder" in said
        assert "`loci models download tiny --again` does so." in said
    assert hub.asked == []
    page = loci("models", "download", "tiny", "--again").out
    assert "The other file of that name is called tiny-other.gguf now." in page
    assert path.read_bytes() == hub.stored[tiny.sha256]
    assert path.with_name("tiny-other.gguf").read_bytes() == bytes(tiny.bytes)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (
            ModelError("Tiny stopped unexpectedly."),
            "could not be tried: Tiny stopped unexpectedly.",
        ),
        (Cancelled("Stopped."), "could not be tried: it was stopped."),
    ],
)
def test_that_it_is_chosen_is_told_where_it_cannot_be_tried(loci, tiny, monkeypatch, error, says):
    def fail(_self, _cancel):
        yield Progress("Loading the model")
        raise error

    monkeypatch.setattr(CatalogueService, "try_out", fail)
    said = loci("models", "download", "tiny", "--use", code=1).err
    assert f"It is chosen, but it {says}" in said
    assert loci("models", "--json").data["current"] == "file:tiny.gguf"


def test_on_a_terminal_it_says_how_far_it_is(loci, tiny, monkeypatch):
    import sys

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    said = loci("models", "download", "tiny").err
    assert "Downloading tiny.gguf: " in said
    assert " of " in said


def test_what_is_not_in_the_catalogue_is_a_sentence(loci):
    assert "There is no model called 'x'" in loci("models", "download", "x", code=1).err


@pytest.mark.parametrize("wrong", ["nonsense", "ftp://a.b", "https://me@a.b", "https://a.b/?x=1"])
def test_a_mirror_must_be_an_address(loci, wrong):
    said = loci("settings", "set", "models.mirror", wrong, code=1).err
    assert "takes an address such as https://huggingface.co" in said


def test_a_mirror_is_kept_without_its_last_slash_and_emptied_to_the_hub(loci):
    loci("settings", "set", "models.mirror", "https://hub.example.org/")
    assert "https://hub.example.org\n" in loci("settings", "get", "models.mirror").out
    loci("settings", "set", "models.mirror", "")
    assert "https://huggingface.co\n" in loci("settings", "get", "models.mirror").out
