"""Models that other programs keep here: found by name, within bounds, whatever lies there."""

import json
import os
import shutil

import pytest

from app.providers.library import ModelsFolder
from app.providers.local import stores
from app.providers.local.stores import ModelFolder, OtherModelFile, find, places
from tests.fakes.tiny_gguf import chat_model, header

DIGEST = "ab" * 32


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return chat_model(tmp_path_factory.mktemp("made") / "tiny.gguf")


@pytest.fixture
def put(tmp_path, tiny):
    """Put the model below a folder of its own, wherever a program would."""

    def copy(path):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        return shutil.copy(tiny, target)

    return copy


def manifest(root, name, digest=DIGEST, **changes):
    path = root / "manifests" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}"}
    licence = {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:00"}
    path.write_text(json.dumps({"schemaVersion": 2, "layers": [layer, licence]} | changes))
    return path


def folders(home, environment=None, system="linux"):
    return [
        (place.program, place.folder.relative_to(home).as_posix())
        for place in places(home, environment or {}, system)
        if place.folder.is_relative_to(home)
    ]


def test_where_programs_keep_models_on_linux(tmp_path):
    assert folders(tmp_path) == [
        ("the Hugging Face cache", ".cache/huggingface/hub"),
        ("LM Studio", ".lmstudio/models"),
        ("LM Studio", ".cache/lm-studio/models"),
        ("Jan", ".local/share/Jan/data/llamacpp/models"),
        ("Jan", ".local/share/Jan/data/models"),
        ("Jan", "jan/models"),
        ("GPT4All", ".local/share/nomic.ai/GPT4All"),
        ("Ollama", ".ollama/models"),
    ]


def test_where_they_keep_them_elsewhere(tmp_path):
    mac = dict(folders(tmp_path, system="darwin"))
    assert mac["GPT4All"] == "Library/Application Support/nomic.ai/GPT4All"
    assert ("Jan", "Library/Application Support/Jan/data/llamacpp/models") in folders(
        tmp_path, system="darwin"
    )
    windows = folders(tmp_path, system="win32")
    assert ("GPT4All", "AppData/Local/nomic.ai/GPT4All") in windows
    assert ("Jan", "AppData/Roaming/Jan/data/llamacpp/models") in windows


def test_what_a_person_set_otherwise_is_followed(tmp_path):
    told = {"HF_HOME": str(tmp_path / "hf"), "OLLAMA_MODELS": str(tmp_path / "ol")}
    (tmp_path / ".lmstudio-home-pointer").write_text(f"{tmp_path / 'studio'}\n")
    found = folders(tmp_path, told)
    assert ("the Hugging Face cache", "hf/hub") in found
    assert ("Ollama", "ol") in found
    assert found[1] == ("LM Studio", "studio/models")


def test_each_program_names_its_models_in_its_own_way(tmp_path, put):
    hub = put("hub/models--a--b-GGUF/snapshots/0123/b-q4.gguf")
    studio = put("studio/publisher/c-GGUF/c.gguf")
    jan = put("jan/author/d-model/model.gguf")
    blob = put(f"ollama/blobs/sha256-{DIGEST}")
    for nth, path in enumerate((hub, studio, jan, blob)):
        with path.open("ab") as file:
            file.write(bytes(nth))
    manifest(tmp_path / "ollama", "registry.ollama.ai/library/llama3.2/3b")
    found = find(
        [
            ModelFolder("the hub", tmp_path / "hub"),
            ModelFolder("LM Studio", tmp_path / "studio"),
            ModelFolder("Jan", tmp_path / "jan"),
            ModelFolder("Ollama", tmp_path / "ollama", ollama=True),
        ]
    )
    assert found.cut_short == []
    assert found.found == [
        OtherModelFile(hub, "b-q4", "the hub"),
        OtherModelFile(studio, "c", "LM Studio"),
        OtherModelFile(jan, "d-model", "Jan"),
        OtherModelFile(blob, "llama3.2:3b", "Ollama"),
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("registry.ollama.ai/library/qwen2.5/latest", "qwen2.5:latest"),
        ("registry.ollama.ai/somebody/pet/1b", "somebody/pet:1b"),
        ("hf.co/bartowski/X-GGUF/Q4_K_M", "hf.co/bartowski/X-GGUF:Q4_K_M"),
        ("alone", ":alone"),
    ],
)
def test_a_model_is_called_what_ollama_calls_it(tmp_path, put, path, name):
    put(f"ollama/blobs/sha256-{DIGEST}")
    manifest(tmp_path / "ollama", path)
    (found,) = find([ModelFolder("Ollama", tmp_path / "ollama", ollama=True)]).found
    assert found.name == name


def test_garbage_in_manifests_is_passed_over(tmp_path, put):
    root = tmp_path / "ollama"
    put(f"ollama/blobs/sha256-{DIGEST}")
    bad = ("{", "[]", "null", '{"layers": 3}', '{"layers": [3]}', '{"layers": []}', "\x00\xff")
    for number, text in enumerate(bad):
        path = root / "manifests" / f"bad{number}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    for number, digest in enumerate(("../../../etc/passwd", "AB" * 32, "ab", 3)):
        manifest(root, f"odd{number}", digest)
    manifest(root, "gone", "cd" * 32)
    manifest(root, "big").write_text(" " * 200_000)
    assert find([ModelFolder("Ollama", root, ollama=True)]).found == []
    manifest(root, "good")
    assert len(find([ModelFolder("Ollama", root, ollama=True)]).found) == 1


def test_only_whole_models_that_answer_are_offered(tmp_path, put, tiny):
    folder = tmp_path / "studio"
    put("studio/good.gguf")
    whole = tiny.read_bytes()
    (folder / "half.gguf").write_bytes(whole[: len(whole) // 2])
    (folder / "text.gguf").write_text("nothing")
    (folder / "eyes.gguf").write_bytes(header(general__type="mmproj"))
    (folder / "finds.gguf").write_bytes(header(llama__pooling_type=1))
    (folder / "notes.txt").write_text("GGUF")
    (folder / "folder.gguf").mkdir()
    assert [found.name for found in find([ModelFolder("LM Studio", folder)]).found] == ["good"]


def test_links_are_followed_to_files_but_not_around_in_circles(tmp_path, put):
    blob = put("hub/blobs/abc")
    far = put("far/away.gguf")
    far.write_bytes(far.read_bytes() + b"!")
    snapshot = tmp_path / "hub" / "snapshots" / "1"
    snapshot.mkdir(parents=True)
    try:
        (snapshot / "m.gguf").symlink_to(blob)
        (snapshot / "again.gguf").symlink_to(blob)
        (snapshot / "dangling.gguf").symlink_to(tmp_path / "nowhere")
        (snapshot / "self.gguf").symlink_to(snapshot / "self.gguf")
        (snapshot / "round").symlink_to(tmp_path / "hub", target_is_directory=True)
        (snapshot / "away").symlink_to(far.parent, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    (found,) = find([ModelFolder("the hub", tmp_path / "hub")]).found
    assert found.name == "again"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_read_hides_nothing_else(tmp_path, put):
    put("studio/a/shut.gguf")
    put("studio/b/open.gguf")
    (tmp_path / "studio" / "a").chmod(0)
    try:
        found = find(
            [ModelFolder("LM Studio", tmp_path / "studio"), ModelFolder("Jan", tmp_path / "none")]
        )
    finally:
        (tmp_path / "studio" / "a").chmod(0o700)
    assert [one.name for one in found.found] == ["open"]


def test_a_folder_that_fails_hides_nothing_else(tmp_path, put, monkeypatch):
    put("studio/a/shut.gguf")
    put("studio/b/open.gguf")
    scandir = os.scandir

    def refuse(path):
        if str(path).endswith("a"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(stores.os, "scandir", refuse)
    assert [one.name for one in find([ModelFolder("LM Studio", tmp_path / "studio")]).found] == [
        "open"
    ]


def test_the_look_is_bounded_in_depth_number_and_time(tmp_path, put, monkeypatch):
    put("studio/" + "deep/" * (stores.DEEPEST + 1) + "far.gguf")
    put("studio/near.gguf")
    place = ModelFolder("LM Studio", tmp_path / "studio")
    assert [one.name for one in find([place]).found] == ["near"]
    seconds = iter([0.0, *[stores.SECONDS] * 1_000])
    late = find([place], now=lambda: next(seconds))
    assert (late.found, late.cut_short) == ([], ["LM Studio"])
    monkeypatch.setattr(stores, "MOST_ENTRIES", 0)
    assert find([place]).cut_short == ["LM Studio"]


@pytest.mark.parametrize(("bound", "shown"), [("MOST_ENTRIES", 2), ("MOST_FOUND", 2)])
def test_a_program_that_keeps_much_hides_no_other_and_that_is_said(
    tmp_path, put, monkeypatch, bound, shown
):
    for number, name in enumerate(("hub/a", "hub/b", "hub/c", "studio/one", "more/two")):
        path = put(f"{name}.gguf")
        path.write_bytes(path.read_bytes() + bytes(number))
    monkeypatch.setattr(stores, bound, shown)
    all_places = [
        ModelFolder("the hub", tmp_path / "hub"),
        ModelFolder("LM Studio", tmp_path / "studio"),
        ModelFolder("LM Studio", tmp_path / "more"),
    ]
    looked = find(all_places)
    names = [one.name for one in looked.found]
    assert (len(names), names[-2:]) == (shown + 2, ["one", "two"])
    assert looked.cut_short == ["the hub"]
    told = ModelsFolder(tmp_path / "models", places=all_places).found().cut_short
    assert (
        told
        == "There is more in the hub than is looked through, so some models may be missing here."
    )


def test_what_fits_the_bounds_exactly_is_not_called_cut_short(tmp_path, put, monkeypatch):
    put("studio/one.gguf")
    monkeypatch.setattr(stores, "MOST_ENTRIES", 1)
    monkeypatch.setattr(stores, "MOST_FOUND", 1)
    looked = find([ModelFolder("LM Studio", tmp_path / "studio")])
    assert (len(looked.found), looked.cut_short) == (1, [])


def test_what_is_found_is_told_with_its_program_and_used_where_it_lies(tmp_path, put):
    blob = put(f"ollama/blobs/sha256-{DIGEST}")
    manifest(tmp_path / "ollama", "registry.ollama.ai/library/tiny/latest")
    place = ModelFolder("Ollama", tmp_path / "ollama", ollama=True)
    folder = ModelsFolder(tmp_path / "models", places=[place])
    (choice,) = folder.found().choices
    assert (choice.name, choice.id, choice.added) == ("tiny:latest", f"file:{blob}", False)
    assert choice.detail.startswith("Found in Ollama, ")
    assert "memory" in choice.detail
    assert [c.id for c in folder.chat_choices()] == ["notebook"], "not on the list by itself"
    added = folder.add(blob, name=choice.name)
    assert (added.name, added.added) == ("tiny:latest", True)
    assert folder.name(added.id) == "tiny:latest"
    assert folder.found().choices == []
    assert blob.exists()
    folder.remove(added.id)
    assert len(folder.found().choices) == 1
    assert json.loads((tmp_path / "models" / "added.json").read_text()) == {"files": []}
