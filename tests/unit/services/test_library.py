"""Models that were added by hand come off the list again; nothing else does."""

import shutil
from threading import Event

import pytest

from app.assets import resource
from app.domain.changes import Changes
from app.domain.events import Answered
from app.domain.jobs.working import Working, WorkStage
from app.errors import Refused
from tests.fakes.tiny_gguf import chat_model
from tests.unit.services.profile import send

EMBEDDER = "models/loci-minilm-v2-Q8_0.gguf"


@pytest.fixture
def library(services):
    return services.library


@pytest.fixture
def added(library, tmp_path):
    return library.add_file(chat_model(tmp_path / "elsewhere.gguf", context=4096))


def ids(choices):
    return {choice.id for choice in choices}


def test_what_was_added_comes_off_the_list_and_the_file_stays(library, added, tmp_path):
    assert library.remove_file(added.id).models
    assert added.id not in ids(library.chat_choices())
    assert (tmp_path / "elsewhere.gguf").exists()


def test_what_lies_in_the_folder_or_is_built_in_stays(library):
    library.folder.mkdir(parents=True)
    chat_model(library.folder / "inside.gguf")
    for choice_id in ("file:inside.gguf", "notebook", "bundled", "file:/not/there.gguf"):
        with pytest.raises(Refused, match="Only a file that you added"):
            library.remove_file(choice_id)
    assert "file:inside.gguf" in ids(library.chat_choices())


@pytest.mark.parametrize("setting", ["chat.model", "extraction.learn_from"])
def test_a_model_in_use_stays_on_the_list(services, library, added, setting):
    services.preferences.set(setting, added.id)
    with pytest.raises(Refused, match="elsewhere is in use"):
        library.remove_file(added.id)
    assert added.id in ids(library.chat_choices())
    services.preferences.set(setting, "notebook")
    library.remove_file(added.id)
    assert added.id not in ids(library.chat_choices())


def test_the_embedder_in_use_stays_on_the_list(services, library, tmp_path):
    added = library.add_file(shutil.copy(resource(EMBEDDER), tmp_path / "meaning.gguf"))
    services.preferences.set("models.embedder", added.id)
    with pytest.raises(Refused, match="meaning is in use"):
        library.remove_file(added.id)
    assert added.id in ids(library.embed_choices())


def calm():
    return False


def test_what_is_loaded_is_said_and_the_fastest_threads_are_kept(services, library, added):
    def state():
        return next(c.state for c in library.chat_choices() if c.id == added.id)

    assert state() == ""
    library.choose_chat(added.id)
    _, events = send(services, "Hello there.")
    stages = [event.stage for event in events if isinstance(event, Working)]
    assert stages[0] is WorkStage.LOADING
    assert stages[-1] is WorkStage.READING
    assert isinstance(events[-1], Answered)
    took = events[-1].recall.recall.took
    assert took.counted
    assert took.tokens > 0
    assert state().startswith("Loaded, ")
    assert services.runtime.look_after(Event(), calm).settings == {
        "computer.threads",
        "computer.threads_machine",
    }
    assert services.preferences.values().computer.threads >= 1
    assert services.runtime.look_after(Event(), calm) == Changes()
    services.preferences.set("models.rest_minutes", 0)
    assert not services.runtime.look_after(Event(), calm).models
    assert state().startswith("Loaded, ")
    assert library._host.rest(0)
    assert state() == "Not loaded"
