import json
from functools import partial

import pytest

from app.providers.local.stores import places
from tests.fakes.openai_server import OpenAIServer, Reply, llama_server_row
from tests.fakes.tiny_gguf import chat_model
from tests.fakes.tiny_ranker import ranker


@pytest.fixture
def folder(loci):
    from app.paths import find

    folder = find(None).models
    folder.mkdir(parents=True)
    return folder


def test_models_are_listed_with_what_is_in_use(loci):
    data = loci("models", "--json").data
    assert (data["current"], data["embedder"]) == ("notebook", "hash")
    known = {m["id"]: m["role"] for m in data["models"]}
    assert known["notebook"] == "chat"
    assert known["bundled"] == known["hash"] == "embed"
    page = loci("models").out
    assert "* notebook" in page
    assert "* hash" in page
    assert "  bundled" in page


def test_a_file_in_the_folder_is_found_and_chosen(loci, folder):
    chat_model(folder / "tiny.gguf")
    assert loci("models", "--use", "file:tiny.gguf").out == "file:tiny.gguf is used from now on.\n"
    assert loci("models", "--json").data["current"] == "file:tiny.gguf"


def test_a_base_model_is_listed_with_its_warning_and_what_it_needs(loci, folder):
    chat_model(folder / "base.gguf", template=None)
    line = next(line for line in loci("models").out.splitlines() if "file:base.gguf" in line)
    assert "about 0.4 MB of memory. Probably a base model" in line
    (base,) = [m for m in loci("models", "--json").data["models"] if m["id"] == "file:base.gguf"]
    assert base["parameters"] > 10_000
    assert base["memory_bytes"] > base["bytes"]
    assert base["warning"].startswith("Probably a base model")


def test_choosing_a_base_model_warns_and_a_chat_with_it_does_so_once(loci, folder):
    chat_model(folder / "base.gguf", template=None)
    chosen = loci("models", "--use", "file:base.gguf")
    assert chosen.out == "file:base.gguf is used from now on.\n"
    assert chosen.err.startswith("Probably a base model")
    told = loci("models", "--use", "file:base.gguf", "--json")
    assert told.data["warning"].startswith("Probably a base model")
    assert not told.err
    loci("settings", "set", "chat.model", "file:base.gguf")
    for said in (loci("chat", "--once", "Hi."), loci("chat", say=b"Hi.\nAnd?\n")):
        assert said.err.count("base answers. Probably a base model: it continues your text") == 1


def test_a_sound_model_is_chosen_without_a_warning(loci, folder):
    chat_model(folder / "tiny.gguf")
    assert not loci("models", "--use", "file:tiny.gguf").err
    assert loci("models", "--use", "file:tiny.gguf", "--json").data["warning"] == ""
    assert "Probably" not in loci("chat", "--once", "Hi.").err


@pytest.mark.parametrize("content", [b"nothing", bytes(range(256)) * 40, b""])
def test_a_file_that_is_there_and_is_no_model_is_not_called_missing(loci, tmp_path, content):
    (tmp_path / "rand.gguf").write_bytes(content)
    told = loci("models", "--use", f"file:{tmp_path / 'rand.gguf'}", code=1).err
    assert told == loci("models", "--add", tmp_path / "rand.gguf", code=1).err
    assert "There is no model" not in told
    gone = loci("models", "--use", f"file:{tmp_path / 'gone.gguf'}", code=1).err
    assert gone.startswith("There is no model called")


def test_a_model_of_the_catalogue_is_pointed_to_where_it_is_downloaded(loci, folder):
    told = loci("models", "--use", "qwen2.5-0.5b", code=1).err
    assert told == (
        "qwen2.5-0.5b is not on this computer yet: `loci models download qwen2.5-0.5b` gets it.\n"
    )
    (one,) = [
        m for m in loci("models", "catalogue", "--json").data["models"] if m["id"] == "qwen2.5-0.5b"
    ]
    chat_model(folder / one["file"])
    told = loci("models", "--use", "qwen2.5-0.5b", code=1).err
    assert told == f"qwen2.5-0.5b is on this computer; its id is file:{one['file']}.\n"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A person's home, in which other programs keep models."""
    home = tmp_path / "home"
    monkeypatch.setattr("app.providers.local.stores.places", partial(places, home, {}, "linux"))
    return home


def test_what_other_programs_keep_is_listed_when_asked_for_and_used_by_its_id(loci, home):
    studio = home / ".lmstudio" / "models" / "maker" / "far.gguf"
    studio.parent.mkdir(parents=True)
    chat_model(studio)
    listed = loci("models", "--elsewhere")
    assert f"Found on this computer:\n  file:{studio}  far. Found in LM Studio, " in listed.out
    assert "file:" not in loci("models").out
    (one,) = loci("models", "--elsewhere", "--json").data["elsewhere"]["choices"]
    assert one["id"] == f"file:{studio}"
    loci("models", "--use", one["id"])
    data = loci("models", "--elsewhere", "--json").data
    assert data["current"] == one["id"]
    assert data["elsewhere"] == {"choices": [], "cut_short": ""}
    assert f"* {one['id']}  far" in loci("models").out


def test_a_model_of_ollama_is_used_by_the_name_it_has_there(loci, home):
    blob = home / ".ollama" / "models" / "blobs" / f"sha256-{'ab' * 32}"
    blob.parent.mkdir(parents=True)
    chat_model(blob)
    names = home / ".ollama/models/manifests/registry.ollama.ai/library/tiny/1b"
    names.parent.mkdir(parents=True)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{'ab' * 32}"}
    names.write_text(json.dumps({"layers": [layer]}))
    loci("models", "--use", f"file:{blob}")
    assert f"* file:{blob}  tiny:1b. On this computer" in loci("models").out


def test_where_the_look_was_cut_short_the_list_says_so(loci, home, monkeypatch):
    assert "No other program keeps a model here" in loci("models", "--elsewhere").out
    for name in ("a", "b"):
        path = home / ".lmstudio" / "models" / f"{name}.gguf"
        path.parent.mkdir(parents=True, exist_ok=True)
        chat_model(path)
    monkeypatch.setattr("app.providers.local.stores.MOST_ENTRIES", 1)
    told = "There is more in LM Studio than is looked through, so some models may be missing here."
    assert loci("models", "--elsewhere").out.count(told) == 1
    assert loci("models", "--elsewhere", "--json").data["elsewhere"]["cut_short"] == told


def test_a_file_elsewhere_is_added(loci, tmp_path):
    chat_model(tmp_path / "far.gguf")
    data = loci("models", "--add", tmp_path / "far.gguf", "--json").data
    assert any("far.gguf" in m["id"] for m in data["models"])
    (tmp_path / "text.gguf").write_text("nothing")
    assert "not a GGUF" in loci("models", "--add", tmp_path / "text.gguf", code=1).err
    assert loci("models", "--add", tmp_path / "none.gguf", code=1).err


def test_a_damaged_file_says_what_is_wrong_and_is_not_used(loci, folder):
    whole = chat_model(folder / "tiny.gguf").read_bytes()
    (folder / "tiny.gguf").write_bytes(whole[: len(whole) // 2])
    assert "incomplete" in loci("models").out
    assert "incomplete" in loci("models", "--use", "file:tiny.gguf", code=1).err
    assert loci("models", "--json").data["current"] == "notebook"


def test_what_is_no_model_is_a_sentence(loci):
    assert "There is no model called 'x'" in loci("models", "--use", "x", code=1).err
    assert "address" in loci("models", "--use", "server:x", code=1).err


def test_a_server_is_used_with_the_key_from_the_environment(loci, monkeypatch):
    with OpenAIServer() as server:
        monkeypatch.setenv("LOCI_API_KEY", "sk-test")
        loci("models", "--use", f"server:{server.url}#fake")
        monkeypatch.delenv("LOCI_API_KEY")
        loci("chat", "--once", "Hello.")
        headers = {k.lower(): v for k, v in server.requests[0].headers.items()}
    assert headers["authorization"] == "Bearer sk-test"


def test_another_embedder_embeds_everything_anew(loci):
    loci("remember", "I like tea.")
    loci("settings", "set", "models.embedder", "hash")
    assert loci("models", "--use", "hash", "--json").data["embedder"] == "hash"
    assert loci("doctor", "--json").data["embedder"]["missing"] == 0


def test_the_reranker_is_shown_and_used_where_its_file_is(loci, folder):
    assert loci("models", "--json").data["reranker"] == {
        "file": "bge-reranker-v2-m3-Q8_0.gguf",
        "present": False,
        "on": False,
        "bytes": 635_676_416,
        "offered": True,
        "fetched": 0,
        "problem": "",
    }
    assert "  bge-reranker-v2-m3-Q8_0.gguf  Not on this computer; --download" in loci("models").out
    ranker(folder / "tiny.gguf")
    loci("settings", "set", "rag.rerank.model", "tiny.gguf")
    assert "* tiny.gguf  On this computer" in loci("models").out
    loci("remember", "I like tea.")
    (hit,) = loci("recall", "What do I like?", "--json").data
    assert any(reason.startswith("reranked 0.") for reason in hit["reasons"])
    loci("settings", "set", "rag.rerank.enabled", "off")
    assert "  tiny.gguf  On this computer" in loci("models").out
    (hit,) = loci("recall", "What do I like?", "--json").data
    assert not any(reason.startswith("reranked") for reason in hit["reasons"])


def test_a_reranker_that_nobody_offers_is_not_downloaded(loci):
    loci("settings", "set", "rag.rerank.model", "other.gguf")
    loci("settings", "set", "rag.rerank.enabled", "on")
    assert "  other.gguf  The reranker other.gguf is not in the models" in loci("models").out
    assert "cannot be downloaded" in loci("models", "--download-reranker", code=1).err


def test_who_learns_is_listed_with_the_reason(loci, folder):
    assert loci("models").out.count("Learns:\n  Loci learns without a model\n") == 1
    chat_model(folder / "tiny.gguf")
    loci("models", "--use", "file:tiny.gguf")
    told = "tiny is too small to learn reliably (below 3 billion parameters); Loci learns without"
    assert told in loci("models").out
    assert loci("models", "--json").data["learner"]["told"].startswith(told)
    chosen = loci("settings", "set", "extraction.learn_from", "file:tiny.gguf")
    assert chosen.out == "extraction.learn_from = file:tiny.gguf\n"
    small = "tiny is small (below 3 billion parameters) and may learn what is not so."
    assert chosen.err == f"{small}\n"
    told = loci("settings", "set", "extraction.learn_from", "file:tiny.gguf", "--json")
    assert (told.data["warnings"], told.err) == ([small], "")
    assert "  tiny learns alongside Loci’s own reader\n" in loci("models").out
    assert loci("settings", "set", "extraction.learn_from", "").out == (
        "extraction.learn_from = chat\n"
    )


def test_a_server_that_cannot_be_seen_is_taken_and_that_is_said(loci):
    with OpenAIServer() as server:
        seen, other = f"server:{server.url}#fake", f"server:{server.url}#qwen2.5:0.5b"
        assert loci("settings", "set", "extraction.learn_from", seen).err == ""
        assert loci("models", "--use", seen).err == ""
        server.models = ["fake:latest"]
        assert loci("models", "--use", seen).err == "", "Ollama calls it so"
        unlisted = "qwen2.5:0.5b is chosen, but its server lists no model of that name"
        assert loci("models", "--use", other).err.startswith(unlisted)
        small, unseen = loci("settings", "set", "extraction.learn_from", other).err.splitlines()
        assert small.startswith("qwen2.5:0.5b is small (below 3 billion parameters)")
        assert unseen.startswith(unlisted)
    host = server.url.removeprefix("http://").partition("/")[0]
    for done in (
        loci("models", "--use", seen),
        loci("settings", "set", "extraction.learn_from", seen),
    ):
        assert done.err.startswith(
            f"fake is chosen, but could not be checked: Nothing answers at {host};"
        )
    assert loci("models", "--json").data["current"] == seen


def test_a_server_that_says_its_model_is_small_lets_it_not_learn(loci):
    with OpenAIServer() as server:
        server.models = [llama_server_row("local-model", parameters=134_515_008, window=8192)]
        loci("models", "--use", f"server:{server.url}#local-model")
        assert "local-model learns alongside" in loci("models").out, "it was not asked yet"
        loci("chat", "--once", "What is the capital of Peru?")
        assert "local-model is too small to learn reliably" in loci("models").out


@pytest.mark.parametrize("value", ["tiny", "file:gone.gguf", "server:", "Chat model"])
def test_a_learning_model_that_there_is_not_is_one_clear_sentence(loci, value):
    told = loci("settings", "set", "extraction.learn_from", value, code=1).err
    assert len(told.splitlines()) == 1
    assert "`loci models` lists" in told
    assert loci("settings", "get", "extraction.learn_from").out == "chat\n"


def test_a_model_that_failed_to_learn_is_told_of_and_let_try_again(loci):
    with OpenAIServer() as server:
        server.respond = lambda body: Reply("Fine.")
        loci("models", "--use", f"server:{server.url}#fake")
        for name in ("Lea", "Ana", "Tom"):
            loci("chat", "--once", f"My friend is called {name}.")
        told = "fake failed three times in a row to learn from what you said"
        assert f"{told} (what it answered could not be read)" in loci("models").out
        assert "--learn-again lets it try again" in loci("models").out
        assert "`loci models --learn-again` lets it." in loci("upkeep", "status").out
        assert loci("upkeep", "status", "--json").data["given_up"][0].startswith(told)
        assert told not in loci("models", "--learn-again").out
        assert "learns alongside" in loci("models").out
