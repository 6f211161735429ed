"""The catalogue on the models screen: what suits this computer, its download, its first answer."""

import re

import pytest
from PySide6.QtWidgets import QDialog, QLabel

from app.domain.catalogue import CatalogueModel, Fit, Machine, Trial
from app.domain.model import ModelRole
from app.errors import ModelError
from app.gui.library.catalogue_words import (
    about_words,
    button_words,
    first_rows,
    machine_words,
    size_words,
    trial_words,
)
from app.gui.library.controller import LibraryController
from app.gui.library.getting import Getting, Phase
from app.providers.local import catalogue as listed
from app.providers.local import stores
from app.providers.local.stores import ModelFolder
from tests.fakes.hub import Hub
from tests.fakes.tiny_gguf import chat_model
from tests.gui.waiting import LONG, shown

GB = 1_000_000_000
BY_ID = {one.id: one for one in listed.read()}
PADDING = 400_000


def candidate(model_id, fit=Fit.WELL, **changes):
    one = BY_ID[model_id]
    return CatalogueModel(one, round(one.bytes * 1.6), fit, **changes)


def test_a_model_is_worded_for_a_person():
    assert size_words(candidate("qwen2.5-1.5b")) == (
        "1.5 billion parameters · 1.1 GB to download · about 1.8 GB of memory"
    )
    assert "494 million parameters · 491 MB" in size_words(candidate("qwen2.5-0.5b"))
    assert about_words(BY_ID["qwen3-4b"]) == (
        "Qwen (Alibaba) · 119 languages · for answers, learning and tools · Apache-2.0 licence"
    )
    assert about_words(BY_ID["gemma-3-4b"]).endswith("Gemma licence, terms of its own")
    assert machine_words(Machine(8 * GB, 5 * GB, 1)) == (
        "This computer has 8.0 GB of memory, 5.0 GB of it free, and 1 processor core."
    )
    assert trial_words(Trial("Hello!", 6.31, 2)) == (
        "“Hello!”",
        "Its first answer, at 6.3 tokens per second.",
    )
    assert trial_words(Trial("", 0, 2)) == ("It gave an empty answer.", "")


@pytest.mark.parametrize(
    ("model_id", "changes", "says"),
    [
        ("qwen2.5-1.5b", {}, "Download and use"),
        ("qwen2.5-1.5b", {"fetched": 687_000_000}, "Resume (430 MB left)"),
        ("qwen2.5-1.5b", {"present": True}, "Use"),
        ("qwen2.5-1.5b", {"aside": "q-other.gguf"}, "Download again"),
        ("bge-m3", {"aside": "b-other.gguf"}, "Download again"),
        ("bge-m3", {}, "Download (635 MB)"),
        ("bge-m3", {"present": True}, ""),
    ],
)
def test_the_one_button_says_what_it_does(model_id, changes, says):
    assert button_words(candidate(model_id, **changes)) == says


def test_what_does_not_fit_waits_behind_a_button_unless_something_came_of_it():
    every = [
        candidate("qwen2.5-1.5b"),
        candidate("qwen2.5-0.5b"),
        candidate("qwen3-4b", Fit.NONE),
        candidate("qwen3-8b", Fit.NONE, fetched=1),
        candidate("qwen2.5-7b", Fit.NONE),
    ]
    assert [c.offered.id for c in first_rows(every, {"qwen2.5-7b"})] == [
        "qwen2.5-1.5b",
        "qwen2.5-0.5b",
        "qwen3-8b",
        "qwen2.5-7b",
    ]


# With the real services; the file comes from a hub on this computer.


@pytest.fixture
def hub():
    with Hub() as made:
        yield made


@pytest.fixture
def tiny(hub, tmp_path, off_gui):
    body = off_gui(lambda: chat_model(tmp_path / "made.gguf").read_bytes())
    return hub.put(body + bytes(PADDING))


@pytest.fixture
def catalogue(services, hub, tiny, off_gui):
    """A catalogue of one model, on a computer on which it runs well."""
    off_gui(lambda: services.preferences.set("models.mirror", hub.address))
    services.catalogue.offered = lambda: (tiny,)
    services.catalogue.look = lambda _ours: Machine(8 * GB, 6 * GB, 4)
    return services.catalogue


@pytest.fixture
def section(qtbot, catalogue, library):
    library._catalogues[0].load()  # what the screen listed before was the real catalogue
    qtbot.waitUntil(lambda: "tiny" in library.pane.catalogue.rows)
    return library.pane.catalogue


@pytest.fixture
def row(section):
    return section.rows["tiny"]


def answers(library):
    """Return the id of the model that the list marks as the one that answers."""
    return next((r.choice.id for r in library.pane.chat_list.rows() if r.isChecked()), "")


def test_nothing_is_asked_of_the_network_before_the_person_wants_it(row, hub):
    assert row.fit.text() == "Runs well"
    assert row.button.text() == "Download and use"
    assert not row.bar.isVisible()
    assert hub.asked == []


def test_one_click_downloads_a_model_lets_it_answer_and_shows_its_first_answer(
    qtbot, library, row, services, hub
):
    row.button.click()
    assert row.bar.isVisible()
    assert row.pause_button.isVisible()
    qtbot.waitUntil(row.answer.isVisible, timeout=LONG)
    assert row.answer.text().startswith("“")
    assert "tokens per second" in row.speed.text()
    qtbot.waitUntil(lambda: answers(library) == "file:tiny.gguf", timeout=LONG)
    qtbot.waitUntil(lambda: not row.bar.isVisible() and not row.button.isVisible())


def test_a_download_is_paused_and_goes_on_also_after_a_restart(
    qtbot, row, hub, services, bridge, theme, library
):
    hub.stall = 200_000
    row.button.click()
    qtbot.waitUntil(lambda: row.bar.value() > 0, timeout=LONG)
    row.pause_button.click()
    qtbot.waitUntil(lambda: row.button.isVisible() and "Resume" in row.button.text(), timeout=LONG)
    assert row.words.text().startswith("Paused: ")
    assert not row.notice.isVisible()
    hub.stall = None
    again = LibraryController(services, bridge, theme)  # as after a restart
    bridge.changed.connect(again.apply_changes)
    shown(qtbot, again.pane, 700, 800)
    qtbot.waitUntil(lambda: "tiny" in again.pane.catalogue.rows)
    second = again.pane.catalogue.rows["tiny"]
    assert second.button.text().startswith("Resume")
    assert second.bar.value() > 0
    second.button.click()
    qtbot.waitUntil(second.answer.isVisible, timeout=LONG)
    assert re.fullmatch(r"bytes=[1-9]\d*-", hub.ranges[-1]), "what has come is not fetched again"


def test_cancelling_deletes_what_has_come(qtbot, row, hub, services, off_gui):
    hub.stall = 200_000
    row.button.click()
    qtbot.waitUntil(lambda: row.bar.value() > 0, timeout=LONG)
    row.cancel_button.click()
    qtbot.waitUntil(lambda: row.button.text() == "Download and use", timeout=LONG)
    qtbot.waitUntil(row.button.isVisible)
    assert not row.bar.isVisible()
    folder = services.library.folder
    assert off_gui(lambda: list(folder.iterdir())) == []


def test_what_was_paused_can_be_cancelled_too(qtbot, row, hub, services, off_gui):
    hub.stall = 200_000
    row.button.click()
    qtbot.waitUntil(lambda: row.bar.value() > 0, timeout=LONG)
    row.pause_button.click()
    qtbot.waitUntil(row.button.isVisible, timeout=LONG)
    row.cancel_button.click()
    qtbot.waitUntil(lambda: row.button.text() == "Download and use", timeout=LONG)
    assert off_gui(lambda: list(services.library.folder.iterdir())) == []


def test_without_a_connection_it_is_said_in_the_row_and_tried_again(
    qtbot, row, hub, services, off_gui
):
    with Hub() as gone:
        pass
    off_gui(lambda: services.preferences.set("models.mirror", gone.address))
    row.button.click()
    qtbot.waitUntil(row.notice.isVisible, timeout=LONG)
    assert row.notice.words.text() == (
        f"No connection to 127.0.0.1:{gone.port}. Try again later, or name another address in the "
        "setting “Where models come from” (models.mirror)."
    )
    off_gui(lambda: services.preferences.set("models.mirror", hub.address))
    row.button.click()
    assert not row.notice.isVisible()
    qtbot.waitUntil(row.answer.isVisible, timeout=LONG)


def test_a_spoilt_file_is_told_of_and_not_used(qtbot, row, hub, services, off_gui):
    hub.spoils = True
    row.button.click()
    qtbot.waitUntil(row.notice.isVisible, timeout=LONG)
    assert "checksum is wrong. Nothing of it was kept." in row.notice.words.text()
    assert off_gui(services.library.current).id != "file:tiny.gguf"


def test_another_file_of_its_name_is_told_of_and_kept_when_it_is_downloaded_again(
    qtbot, library, row, services, hub, tiny, off_gui
):
    folder = services.library.folder
    zeros = b"GGUF" + bytes(tiny.bytes - 4)
    off_gui(lambda: folder.mkdir(exist_ok=True))
    off_gui(lambda: (folder / "tiny.gguf").write_bytes(zeros))
    library._catalogues[0].load()
    qtbot.waitUntil(lambda: row.button.text() == "Download again", timeout=LONG)
    assert row.words.text() == (
        "Another file called tiny.gguf is in the models folder. Downloading the model again "
        "renames that file to tiny-other.gguf."
    )
    assert hub.asked == []
    row.button.click()
    qtbot.waitUntil(row.answer.isVisible, timeout=LONG)
    assert off_gui((folder / "tiny-other.gguf").read_bytes) == zeros
    assert off_gui((folder / "tiny.gguf").read_bytes) == hub.stored[tiny.sha256]


def test_a_file_that_is_another_one_since_it_was_listed_is_not_used(
    qtbot, row, services, hub, tiny, off_gui
):
    folder = services.library.folder
    off_gui(lambda: folder.mkdir(exist_ok=True))
    off_gui(lambda: (folder / "tiny.gguf").write_bytes(b"mine"))
    row.button.click()
    qtbot.waitUntil(row.notice.isVisible, timeout=LONG)
    assert "Another file called tiny.gguf" in row.notice.words.text()
    qtbot.waitUntil(lambda: row.button.text() == "Download again", timeout=LONG)
    assert off_gui((folder / "tiny.gguf").read_bytes) == b"mine"


def test_whoever_chose_another_model_meanwhile_is_not_switched_back(
    qtbot, library, section, services, hub, tiny, tmp_path, off_gui
):
    body = off_gui(lambda: chat_model(tmp_path / "more.gguf", seed=3).read_bytes())
    second = hub.put(body, "second")
    services.catalogue.offered = lambda: (tiny, second)
    folder = services.library.folder
    off_gui(lambda: folder.mkdir(exist_ok=True))
    off_gui(lambda: chat_model(folder / "mine.gguf", seed=4))
    library._catalogues[0].load()
    library._load()
    rows = library.pane.chat_list.rows
    qtbot.waitUntil(lambda: any(r.choice.id == "file:mine.gguf" for r in rows()), timeout=LONG)
    qtbot.waitUntil(lambda: "second" in section.rows)
    getter = library._catalogues[0].getter
    hub.stall = 200_000  # so that the second waits for the first
    section.rows["tiny"].button.click()
    section.rows["second"].button.click()
    qtbot.waitUntil(lambda: section.rows["tiny"].bar.value() > 0, timeout=LONG)
    qtbot.waitUntil(lambda: "second" in getter._answered, timeout=LONG)
    next(r for r in rows() if r.choice.id == "file:mine.gguf").click()
    qtbot.waitUntil(lambda: answers(library) == "file:mine.gguf", timeout=LONG)
    hub.stall = None
    section.rows["tiny"].pause_button.click()
    row = section.rows["second"]
    qtbot.waitUntil(lambda: getter.state("second").phase is Phase.DONE, timeout=LONG)
    qtbot.waitUntil(lambda: row.words.text().startswith("Downloaded. Another model was chosen"))
    assert off_gui(services.library.current).id == "file:mine.gguf"
    qtbot.waitUntil(lambda: row.button.isVisible() and row.button.text() == "Use")
    row.button.click()
    qtbot.waitUntil(row.answer.isVisible, timeout=LONG)
    assert off_gui(services.library.current).id == "file:second.gguf"


def test_that_a_model_is_chosen_is_told_where_it_cannot_be_tried(qtbot, row, services, off_gui):
    def fail(_cancel):
        yield from ()
        raise ModelError("Tiny stopped unexpectedly.")

    services.catalogue.try_out = fail
    row.button.click()
    qtbot.waitUntil(row.notice.isVisible, timeout=LONG)
    assert row.notice.words.text() == (
        "It is chosen, but it could not be tried: Tiny stopped unexpectedly."
    )
    assert off_gui(services.library.current).id == "file:tiny.gguf"


def test_a_model_that_does_not_fit_has_no_button(qtbot, library, section, services):
    services.catalogue.look = lambda _ours: Machine(GB, GB, 1)
    library._catalogues[0].load()
    qtbot.waitUntil(section.more_button.isVisible)
    assert section.rows == {}
    section.more_button.click()
    row = section.rows["tiny"]
    assert row.fit.text() == "Does not fit"
    assert not row.button.isVisible()
    assert not section.more_button.isVisible()


def test_a_list_that_was_changed_is_told_of(qtbot, library, section, services):
    from app.errors import ModelFileError

    def refuse():
        raise ModelFileError("The list of models was changed.")

    services.catalogue.offered = refuse
    library._catalogues[0].load()
    qtbot.waitUntil(section.notice.isVisible)
    assert section.notice.words.text() == "The list of models was changed."


def test_one_download_waits_for_the_other(row):
    row.show_state(Getting(Phase.WAITING))
    assert row.words.text() == "Waiting for its turn…"
    assert row.cancel_button.isVisible()


def test_the_meaning_model_is_offered_where_it_is_chosen(qtbot, library, services, hub, off_gui):
    pane = library.pane
    services.catalogue.offered = lambda: tuple(
        one for one in BY_ID.values() if one.role is ModelRole.EMBED
    )
    library._catalogues[1].load()
    pane.embed_button.click()
    qtbot.waitUntil(lambda: "bge-m3" in pane.embed_catalogue.rows)
    assert pane.embed_catalogue.isVisible()
    assert pane.embed_catalogue.rows["bge-m3"].button.text() == "Download (635 MB)"
    pane.embed_button.click()
    assert not pane.embed_catalogue.isVisible()


# Models of other programs.


def test_a_model_of_another_program_is_offered_and_used_where_it_lies(
    qtbot, library, services, opened, tmp_path, off_gui
):
    folder = tmp_path / "studio" / "somebody"
    off_gui(lambda: folder.mkdir(parents=True))
    path = off_gui(lambda: chat_model(folder / "kept.gguf"))
    opened.host.folder.places = [ModelFolder("LM Studio", tmp_path / "studio")]
    library._look_for_files()
    found = library.pane.found_list
    qtbot.waitUntil(lambda: bool(found.rows()))
    (row,) = found.rows()
    assert row.choice.detail.startswith("Found in LM Studio, ")
    assert not row.isChecked()
    row.click()
    qtbot.waitUntil(lambda: answers(library) == f"file:{path}", timeout=LONG)
    qtbot.waitUntil(lambda: not found.isVisible())


def test_a_look_that_was_cut_short_says_so(qtbot, library, opened, tmp_path, off_gui, monkeypatch):
    monkeypatch.setattr(stores, "MOST_FOUND", 1)
    folder = tmp_path / "studio" / "somebody"
    off_gui(lambda: folder.mkdir(parents=True))
    for name in ("one.gguf", "two.gguf"):
        off_gui(lambda name=name: chat_model(folder / name))
    opened.host.folder.places = [ModelFolder("LM Studio", tmp_path / "studio")]
    library._look_for_files()
    told = library.pane.findChild(QLabel, "found_cut_short")
    qtbot.waitUntil(told.isVisible)
    assert "LM Studio" in told.text()


# Models that something speaks against.


@pytest.fixture
def base_row(qtbot, library, services, off_gui):
    """The row of a base model in the models folder."""
    folder = services.library.folder
    off_gui(lambda: folder.mkdir(exist_ok=True))
    off_gui(lambda: chat_model(folder / "base.gguf", template=None))
    library._load()
    rows = library.pane.chat_list.rows
    qtbot.waitUntil(lambda: any(r.choice.id == "file:base.gguf" for r in rows()), timeout=LONG)
    return next(r for r in rows() if r.choice.id == "file:base.gguf")


def test_what_speaks_against_a_model_is_said_before_it_answers(
    qtbot, library, services, base_row, off_gui
):
    before = off_gui(services.library.current).id
    base_row.click()
    sheet = library.pane.window().findChild(QDialog, "use_warned_model")
    assert "continues your text instead of answering" in said_in(sheet)
    assert sheet.cancel_button.text() == "Choose another"
    sheet.cancel_button.click()
    assert off_gui(services.library.current).id == before
    base_row.click()
    sheets = library.pane.window().findChildren(QDialog, "use_warned_model")
    sheet = next(s for s in sheets if s.isVisible())
    sheet.accept_button.click()
    qtbot.waitUntil(lambda: answers(library) == "file:base.gguf", timeout=LONG)


def said_in(sheet):
    return sheet.findChild(QLabel, "use_warned_model_sentence").text()
