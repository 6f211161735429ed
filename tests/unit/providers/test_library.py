import hashlib
import json
import shutil
import threading

import numpy as np
import pytest

from app.assets import resource
from app.domain.model import ModelPlace
from app.errors import ModelFileError
from app.providers import library
from app.providers.library import ModelsFolder
from tests.fakes import tiny_gguf

BUNDLED = resource("models/loci-minilm-v2-Q8_0.gguf")


@pytest.fixture
def folder(tmp_path):
    made = ModelsFolder(tmp_path / "models", lambda: 16_000_000_000)
    yield made
    made.stop()


def ids(choices):
    return [choice.id for choice in choices]


def test_a_folder_that_is_not_there_offers_what_is_built_in(folder):
    assert ids(folder.chat_choices()) == ["notebook"]
    offered = ids(folder.embed_choices())
    assert (offered[0], offered[-1]) == ("bundled", "hash")
    assert len([name for name in offered if name.startswith("openai:")]) == 3
    assert len([name for name in offered if name.startswith("voyage:")]) == 7
    assert not folder.folder.exists()


def test_files_are_offered_for_what_they_are(folder, tiny):
    folder.folder.mkdir()
    shutil.copy(tiny, folder.folder / "tiny.gguf")
    shutil.copy(BUNDLED, folder.folder / "minilm.GGUF")
    (folder.folder / "notes.txt").write_text("no model")
    (chat, _) = folder.chat_choices()
    assert (chat.id, chat.name, chat.place, chat.problem) == (
        "file:tiny.gguf",
        "tiny",
        ModelPlace.FILE,
        "",
    )
    assert chat.bytes == tiny.stat().st_size
    assert "0.2 MB" in chat.detail
    assert not chat.added
    assert "file:minilm.GGUF" in ids(folder.embed_choices())
    assert folder.path(chat.id) == folder.folder / "tiny.gguf"


def test_a_broken_file_is_shown_with_what_is_wrong(folder, tiny):
    folder.folder.mkdir()
    (folder.folder / "half.gguf").write_bytes(tiny.read_bytes()[:5000])
    for choices in (folder.chat_choices(), folder.embed_choices()):
        (half,) = [choice for choice in choices if choice.id == "file:half.gguf"]
        assert "is incomplete" in half.problem


def test_a_damaged_chat_template_is_a_problem(folder, tmp_path):
    folder.folder.mkdir()
    tiny_gguf.chat_model(folder.folder / "wrong.gguf", template="{% for m in messages %}")
    (wrong, _) = folder.chat_choices()
    assert wrong.problem == "wrong.gguf cannot be used: its chat template is damaged."
    with pytest.raises(ModelFileError, match="chat template is damaged"):
        folder.look(folder.folder / "wrong.gguf")


def test_only_the_first_part_of_a_split_model_is_offered(folder):
    folder.folder.mkdir()
    for part in (0, 1):
        name = f"big-{part + 1:05d}-of-00002.gguf"
        data = tiny_gguf.header(split__no=part, split__count=2)
        (folder.folder / name).write_bytes(data)
    assert ids(folder.chat_choices()) == ["file:big-00001-of-00002.gguf", "notebook"]


def test_a_part_that_is_missing_is_said_before_the_model_is_chosen(folder):
    folder.folder.mkdir()
    data = tiny_gguf.header(split__count=2)
    (folder.folder / "big-00001-of-00002.gguf").write_bytes(data)
    assert "big-00002-of-00002.gguf is not there" in folder.chat_choices()[0].problem
    assert "file:big-00001-of-00002.gguf" not in ids(folder.embed_choices())


def test_how_large_a_model_is_and_what_it_needs(folder, tiny):
    folder.folder.mkdir()
    shutil.copy(tiny, folder.folder / "tiny.gguf")
    one_token = 2 * 2 * 32 * 2
    for asked, seen in ((100, 100), (8192, 512)):  # it was made for 512
        (chat, _) = folder.chat_choices(asked)
        assert chat.memory_bytes == round(chat.bytes * 1.6) + seen * one_token
    shapes = dict(tiny_gguf._shapes(len(tiny_gguf.vocabulary()), 2))
    every = sum(int(np.prod(shape)) for shape in shapes.values())
    assert chat.parameters == every - int(np.prod(shapes["output.weight"])), "it counts as tied"
    assert chat.detail == (
        "On this computer, 0.2 MB. Under a million parameters, about 0.4 MB of memory"
    )
    assert chat.warning == ""


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (999_999, "Under a million parameters, "),
        (134_515_008, "135 million parameters, "),
        (999_600_000, "1.0 billion parameters, "),
        (30_532_122_624, "30.5 billion parameters, "),
    ],
)
def test_parameters_in_words(count, said):
    assert library._words(count, 2_250_000_000) == f"{said}about 2.2 GB of memory"


def test_a_base_model_is_offered_with_a_warning(folder, tmp_path):
    choice = folder.add(tiny_gguf.chat_model(tmp_path / "base.gguf", template=None))
    assert choice.warning == library.BASE_MODEL
    assert folder.chat_choices()[0].warning == library.BASE_MODEL
    assert folder.chat_choices()[0].problem == ""


def test_what_finds_by_meaning_is_no_base_model(folder):
    folder.folder.mkdir()
    shutil.copy(BUNDLED, folder.folder / "minilm.gguf")
    (found,) = [c for c in folder.embed_choices() if c.id == "file:minilm.gguf"]
    assert (found.warning, found.memory_bytes) == ("", round(found.bytes * 1.6))


def test_a_model_that_needs_more_memory_than_there_is_says_so(tiny, tmp_path):
    folder = ModelsFolder(tmp_path / "models", lambda: 400_000)
    assert folder.add(tiny).warning == "It needs more memory than this computer has (0.4 MB)."


def test_a_file_that_lies_elsewhere_can_be_added_and_removed(folder, tiny):
    choice = folder.add(tiny)
    assert choice.id == f"file:{tiny}"
    assert choice.added
    folder.add(tiny)
    again = ModelsFolder(folder.folder)
    assert ids(again.chat_choices()) == [choice.id, "notebook"]
    assert again.path(choice.id) == tiny
    again.remove(choice.id)
    assert ids(folder.chat_choices()) == ["notebook"]
    assert tiny.exists()


def test_a_bad_file_is_not_added(folder, tmp_path):
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"hello")
    with pytest.raises(ModelFileError, match="is not a GGUF"):
        folder.add(bad)
    assert ids(folder.chat_choices()) == ["notebook"]


def test_an_added_file_that_went_away_is_shown_as_gone(folder, tiny, tmp_path):
    moved = tmp_path / "moved.gguf"
    shutil.copy(tiny, moved)
    folder.add(moved)
    moved.unlink()
    assert "not there any more" in folder.chat_choices()[0].problem


@pytest.mark.expects_warnings
@pytest.mark.parametrize("text", ["{", "[]", '{"files": 3}', '{"files": [4]}'])
def test_a_damaged_list_hides_nothing_else(folder, tiny, text):
    folder.folder.mkdir()
    shutil.copy(tiny, folder.folder / "tiny.gguf")
    (folder.folder / "added.json").write_text(text)
    assert ids(folder.chat_choices()) == ["file:tiny.gguf", "notebook"]
    folder.add(tiny)
    assert json.loads((folder.folder / "added.json").read_text()) == {"files": [str(tiny)]}


def test_a_name_cannot_climb_out_of_the_folder(folder):
    assert folder.path("file:../../secret.gguf") == folder.folder / "secret.gguf"


def test_the_checksum_is_that_of_the_file(folder, tiny):
    choice = folder.add(tiny)
    assert folder.sha256(choice.id) == hashlib.sha256(tiny.read_bytes()).hexdigest()
    with pytest.raises(ModelFileError):
        folder.sha256("file:gone.gguf")


def test_a_dropped_file_is_told_of_and_not_loaded(folder, tiny):
    told, threads = threading.Event(), threading.active_count()
    folder.watch(told.set)
    shutil.copy(tiny, folder.folder / "tiny.gguf")
    assert told.wait(10)
    assert ids(folder.chat_choices()) == ["file:tiny.gguf", "notebook"]
    told.clear()
    (folder.folder / "tiny.gguf").unlink()
    assert told.wait(10)
    assert ids(folder.chat_choices()) == ["notebook"]
    folder.stop()
    assert threading.active_count() <= threads


def test_other_files_are_not_told_of(folder, tiny):
    told = threading.Event()
    folder.watch(told.set)
    (folder.folder / "notes.txt").write_text("x")
    assert not told.wait(0.5)
