"""Take the pictures of choosing, downloading and finding models, light and dark.

They show computers and downloads that are not here, so that parts are set up by hand. Not run by
``make test``; the pictures come into the folder that ``LOCI_PICTURES`` names::

    LOCI_PICTURES=out QT_QPA_PLATFORM=offscreen .venv/bin/pytest tests/gui/pictures_of_models.py
"""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog

from app.domain.catalogue import Machine, Trial
from app.gui.first_run.controller import FirstRunController
from app.gui.library.controller import LibraryController
from app.gui.library.getting import Getting, Phase
from app.providers.local.stores import ModelFolder
from app.settings.spec import ColourScheme as Choice
from tests.fakes.hub import Hub
from tests.fakes.tiny_gguf import chat_model
from tests.gui.test_chat_failures import refusing_digits
from tests.gui.test_dropping import drop, enter, mime
from tests.gui.waiting import LONG, shown

OUT = Path(os.environ.get("LOCI_PICTURES", "pictures"))
GB = 10**9
SMALL, MIDDLE = Machine(4_100_000_000, 2_600_000_000, 2), Machine(8_200_000_000, 6 * GB, 4)
LARGE = Machine(64 * GB, 51 * GB, 16)
RUNNING = Getting(Phase.RUNNING, "412 of 1,117 MB · 8.4 MB/s · about 80 seconds left", 369)
DONE = Getting(
    Phase.DONE, trial=Trial("Hello! I can help you remember what matters to you.", 6.3, 4)
)


@pytest.fixture
def take(theme, qtbot):
    """Take a picture of a widget in both themes."""
    OUT.mkdir(parents=True, exist_ok=True)

    def both(widget, name):
        for choice in (Choice.DARK, Choice.LIGHT):
            theme.apply(choice, 14)
            qtbot.wait(60)
            assert widget.grab().save(str(OUT / f"{name}-{choice}.png"))

    return both


@pytest.fixture
def library(qtbot, services, bridge, theme, servers):
    """Open the models screen on a computer."""
    kept = []  # as the main window keeps it

    def opened(there, height):
        services.catalogue.look = lambda _: there
        controller = LibraryController(services, bridge, theme)
        kept.append(controller)
        bridge.changed.connect(controller.apply_changes)
        shown(qtbot, controller.pane, 1000, height)
        qtbot.waitUntil(lambda: bool(controller.pane.catalogue.rows), timeout=LONG)
        return controller.pane

    return opened


@pytest.fixture
def elsewhere(opened, tmp_path, off_gui):
    """Model files that other programs keep."""
    studio, ollama = tmp_path / "studio" / "qwen", tmp_path / "ollama"
    manifest = ollama / "manifests/registry.ollama.ai/library/llama3.2/3b"
    digest = "ab" * 32
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}"}

    def put():
        for folder in (studio, ollama / "blobs", manifest.parent):
            folder.mkdir(parents=True)
        chat_model(studio / "Qwen2.5-7B-Instruct-Q4_K_M.gguf")
        chat_model(ollama / "blobs" / f"sha256-{digest}", seed=3)
        manifest.write_text(json.dumps({"layers": [layer]}))

    off_gui(put)
    places = [ModelFolder("LM Studio", studio.parent), ModelFolder("Ollama", ollama, ollama=True)]
    opened.host.folder.places = places


def test_the_catalogue_on_a_small_computer(qtbot, library, take):
    pane = library(SMALL, 1500)
    take(pane, "catalogue-small")
    pane.catalogue.more_button.click()
    qtbot.wait(50)
    take(pane, "catalogue-small-all")


def test_the_catalogue_on_a_large_computer(library, take):
    take(library(LARGE, 1500), "catalogue-large")


def test_a_download(qtbot, services, library, take, tmp_path, off_gui):
    body = off_gui(lambda: chat_model(tmp_path / "made.gguf").read_bytes()) + bytes(3_000_000)
    listed = services.catalogue.offered()
    with Hub() as hub, Hub() as gone:
        made = hub.put(body, "qwen2.5-1.5b", context_bytes=28_672, parameters=1_540_000_000)
        known = next(one for one in listed if one.id == made.id)
        real = replace(made, name=known.name, maker=known.maker, languages=known.languages)
        offered = tuple(real if one.id == made.id else one for one in listed)
        services.catalogue.offered = lambda: offered
        off_gui(lambda: services.preferences.set("models.mirror", hub.address))
        hub.stall = 2_000_000
        pane = library(SMALL, 900)
        row = pane.catalogue.rows[made.id]
        row.button.click()
        qtbot.waitUntil(lambda: row.bar.value() > 500, timeout=LONG)
        row.show_state(RUNNING)
        take(pane, "download-running")
        row.pause_button.click()
        qtbot.waitUntil(row.button.isVisible, timeout=LONG)
        take(pane, "download-paused")
        hub.stall = None
        off_gui(lambda: services.preferences.set("models.mirror", gone.address))
        row.button.click()
        qtbot.waitUntil(lambda: row.notice.isVisible(), timeout=LONG)
        take(pane, "download-error")
        off_gui(lambda: services.preferences.set("models.mirror", hub.address))
        row.button.click()
        qtbot.waitUntil(lambda: row.answer.isVisible(), timeout=LONG)
        qtbot.waitUntil(
            lambda: any(r.isChecked() and r.choice.bytes for r in pane.chat_list.rows()),
            timeout=LONG,
        )
        qtbot.wait(200)
        row.show_state(DONE)
        take(pane, "download-done")


def test_files_of_other_programs(qtbot, library, elsewhere, take):
    pane = library(MIDDLE, 900)
    qtbot.waitUntil(lambda: bool(pane.found_list.rows()), timeout=LONG)
    take(pane, "library-found")


def test_a_base_model(qtbot, services, library, take, off_gui):
    folder = services.library.folder
    off_gui(lambda: folder.mkdir(exist_ok=True))
    off_gui(lambda: chat_model(folder / "Llama-3.2-1B-Q4_K_M.gguf", template=None))
    off_gui(lambda: chat_model(folder / "Mistral-7B-Instruct-v0.3-Q4_K_M.gguf", seed=2))
    off_gui(lambda: chat_model(folder / "broken-Q4_K_M.gguf", template="{% for"))
    pane = library(MIDDLE, 900)
    rows = pane.chat_list.rows
    qtbot.waitUntil(lambda: any(row.choice.warning for row in rows()), timeout=LONG)
    take(pane, "base-model")
    next(row for row in rows() if row.choice.warning).click()
    sheet = pane.window().findChild(QDialog, "use_warned_model")
    qtbot.waitUntil(sheet.isVisible)
    take(sheet, "base-model-asked")
    sheet.reject()


def test_another_file_in_the_place_of_a_model(qtbot, services, library, take, off_gui):
    folder = services.library.folder
    off_gui(lambda: folder.mkdir(exist_ok=True))
    off_gui(lambda: (folder / "qwen2.5-1.5b-instruct-q4_k_m.gguf").write_bytes(b"mine"))
    pane = library(SMALL, 900)
    row = pane.catalogue.rows["qwen2.5-1.5b"]
    qtbot.waitUntil(lambda: row.button.text() == "Download again", timeout=LONG)
    take(pane, "catalogue-other-file")


def test_the_meaning_models(qtbot, library, take):
    pane = library(MIDDLE, 1800)
    pane.embed_button.click()
    qtbot.waitUntil(lambda: bool(pane.embed_catalogue.rows), timeout=LONG)
    qtbot.wait(100)
    take(pane.embed_catalogue, "catalogue-meaning")


@pytest.mark.parametrize(("name", "size"), [("wide", (1280, 1000)), ("narrow", (900, 600))])
def test_first_run(qtbot, services, bridge, theme, servers, elsewhere, take, name, size):
    services.catalogue.look = lambda _: MIDDLE
    made = FirstRunController(services, bridge, theme)
    shown(qtbot, made.pane, *size)
    made.begin()
    qtbot.waitUntil(lambda: bool(made.pane.models.found_cards), timeout=LONG)
    qtbot.waitUntil(lambda: made.pane.models.offer is not None, timeout=LONG)
    take(made.pane, f"first-run-{name}")


def test_a_file_that_is_dropped(qtbot, workspace, take, tmp_path, off_gui):
    file = off_gui(lambda: chat_model(tmp_path / "Mistral-7B-Instruct-v0.3-Q4_K_M.gguf"))
    workspace.window().resize(780, 560)
    enter(workspace, mime(file))
    take(workspace, "drop-hint")
    drop(workspace, mime(file))
    qtbot.waitUntil(workspace.notice.notice.isVisible, timeout=LONG)
    take(workspace, "drop-offer")


def test_a_message_that_is_too_large(talk, brain, take):
    brain.stream = refusing_digits(brain)
    talk.paste("31415 " * 3000)
    talk.say(" What is this?")
    take(talk.pane, "too-large")
    talk.click("message_failure_button")
    take(talk.pane, "too-large-without")
