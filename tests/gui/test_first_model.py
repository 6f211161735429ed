"""From a computer without a model to the first answer of a downloaded one: two clicks."""

from functools import partial

import pytest
from PySide6.QtWidgets import QApplication

from app.domain.catalogue import Machine
from app.domain.changes import Changes
from app.gui.first_run.controller import FirstRunController
from app.gui.library.getting import Phase
from app.gui.widgets import Label
from app.main.program import Program
from app.providers.local.stores import ModelFolder
from tests.fakes.hub import Hub
from tests.fakes.tiny_gguf import chat_model
from tests.gui.waiting import LONG, shown

GB = 1_000_000_000
PADDING = 400_000


@pytest.fixture
def hub():
    with Hub() as made:
        yield made


@pytest.fixture
def tiny(hub, tmp_path, off_gui, monkeypatch):
    """A catalogue of one small model on a hub of this computer, on which it runs well."""
    body = off_gui(lambda: chat_model(tmp_path / "made.gguf").read_bytes())
    one = hub.put(body + bytes(PADDING))
    monkeypatch.setattr("app.providers.local.catalogue.read", lambda: (one,))
    monkeypatch.setattr(
        "app.providers.local.machine.look", lambda _ours: Machine(8 * GB, 6 * GB, 4)
    )
    return one


@pytest.fixture
def mirrored(paths, hub, off_gui):
    """A profile that has seen nothing yet, on a computer whose models come from the hub here."""

    def make():
        opened = Program().unlock(paths, None)
        opened.services.preferences.set("models.mirror", hub.address)
        opened.services.preferences.set("models.embedder", "hash")
        opened.close()

    off_gui(make)


@pytest.fixture
def controller(qtbot, services, bridge, theme, servers, tiny, hub, off_gui):
    off_gui(lambda: services.preferences.set("models.mirror", hub.address))
    made = FirstRunController(services, bridge, theme)
    services.catalogue.offered = lambda: (tiny,)
    services.catalogue.look = lambda _ours: Machine(8 * GB, 6 * GB, 4)
    shown(qtbot, made.pane, 900, 900)
    with qtbot.waitSignal(made.begun, timeout=LONG):
        made.begin()
    qtbot.waitUntil(lambda: made.pane.models.offer is not None, timeout=LONG)
    return made


def test_first_run_needs_two_clicks_to_the_first_answer_and_on(
    qtbot, tiny, mirrored, start, hub, off_gui
):
    application, page = start()
    assert page == "first_run"
    models = application.window.page.models
    qtbot.waitUntil(lambda: models.offer is not None and models.offer.button.isVisible())
    assert hub.asked == [], "nothing is fetched before the click"
    models.offer.button.click()  # the first
    qtbot.waitUntil(models.offer.answer.isVisible, timeout=LONG)
    assert models.offer.answer.text().startswith("“")
    assert "tokens per second" in models.offer.speed.text()
    assert QApplication.focusWidget() is models.continue_button
    models.continue_button.click()  # the second
    pane = application.window.page
    assert pane.currentWidget() is pane.memory
    services = application._opened.services
    assert off_gui(services.library.current).id == "file:tiny.gguf"


def test_the_models_screen_needs_two_clicks_too(qtbot, tiny, mirrored, start, welcomed, hub):
    application, page = start()
    assert page == "workspace"
    workspace = application.window.page
    workspace.sidebar.pane.page_chosen.emit("models")  # the first: Models, in the sidebar
    section = workspace.screens.screen_named("models").pane.catalogue
    qtbot.waitUntil(lambda: "tiny" in section.rows, timeout=LONG)
    row = section.rows["tiny"]
    row.button.click()  # the second
    qtbot.waitUntil(row.answer.isVisible, timeout=LONG)
    assert "tokens per second" in row.speed.text()


def test_whoever_chooses_something_else_meanwhile_has_that(qtbot, controller, hub, services):
    hub.stall = 200_000
    page = controller.pane.models
    page.offer.button.click()
    qtbot.waitUntil(lambda: page.offer.bar.value() > 0, timeout=LONG)
    page.notebook_card.click()
    qtbot.waitUntil(lambda: controller.pane.currentWidget() is controller.pane.memory)
    qtbot.waitUntil(
        lambda: controller.offers.getter.state("tiny").phase is Phase.PAUSED, timeout=LONG
    )
    candidate = services.catalogue.candidate("tiny")
    assert 0 < candidate.fetched <= 200_000
    assert not candidate.in_use


def test_the_downloaded_model_is_not_offered_a_second_time(qtbot, controller, bridge):
    page = controller.pane.models
    page.offer.button.click()
    qtbot.waitUntil(page.continue_button.isVisible, timeout=LONG)
    qtbot.waitUntil(lambda: not bridge._handlers, timeout=LONG)
    assert page.found_cards == []
    assert page.offer.answer.isVisible()


def test_models_of_other_programs_are_offered_and_used_where_they_lie(
    qtbot, services, opened, bridge, theme, servers, tiny, tmp_path, off_gui
):
    folder = tmp_path / "studio" / "somebody"
    off_gui(lambda: folder.mkdir(parents=True))
    path = off_gui(lambda: chat_model(folder / "kept.gguf"))
    opened.host.folder.places = [ModelFolder("LM Studio", tmp_path / "studio")]
    made = FirstRunController(services, bridge, theme)
    shown(qtbot, made.pane, 900, 900)
    made.begin()
    page = made.pane.models
    qtbot.waitUntil(lambda: bool(page.found_cards), timeout=LONG)
    (card,) = page.found_cards
    assert card.accessibleName() == "kept"
    assert card.accessibleDescription().startswith("Found in LM Studio, ")
    assert off_gui(services.library.current).id == "notebook"
    card.click()
    qtbot.waitUntil(lambda: made.pane.currentWidget() is made.pane.memory, timeout=LONG)
    assert off_gui(services.library.current).id == f"file:{path}"


def no_offer(page):
    return page.findChild(Label, "first_run_no_offer")


@pytest.mark.parametrize(
    ("machine", "why"),
    [
        (Machine(GB, GB, 2), "fits this computer: even the smallest needs about 0.1 GB of memory"),
        (Machine(8 * GB, 0, 2), "fits now, because other programs use the memory. Close some:"),
    ],
)
def test_where_no_model_fits_this_computer_it_says_so(
    qtbot, services, bridge, theme, servers, tiny, machine, why
):
    made = FirstRunController(services, bridge, theme)
    services.catalogue.offered = lambda: (tiny,)
    services.catalogue.look = lambda _ours: machine
    shown(qtbot, made.pane, 900, 900)
    made.begin()
    label = no_offer(made.pane)
    qtbot.waitUntil(label.isVisible, timeout=LONG)
    assert label.text().startswith(f"None of the models that Loci could download {why}")
    assert made.pane.models.offer is None
    services.catalogue.look = lambda _ours: Machine(8 * GB, 6 * GB, 4)
    bridge.changed.emit(Changes(models=True))
    qtbot.waitUntil(lambda: made.pane.models.offer is not None, timeout=LONG)
    qtbot.waitUntil(lambda: not label.isVisible(), timeout=LONG)


def test_where_one_is_offered_no_such_thing_is_said(controller):
    assert not no_offer(controller.pane).isVisible()


def test_first_run_says_where_it_looked_no_further(
    qtbot, services, opened, bridge, theme, servers, tiny, tmp_path, off_gui, monkeypatch
):
    for name in ("a", "b"):
        off_gui(partial(chat_model, tmp_path / f"{name}.gguf"))
    monkeypatch.setattr("app.providers.local.stores.MOST_FOUND", 0)
    opened.host.folder.places = [ModelFolder("LM Studio", tmp_path)]
    made = FirstRunController(services, bridge, theme)
    shown(qtbot, made.pane, 900, 900)
    made.begin()
    label = made.pane.findChild(Label, "first_run_cut_short")
    qtbot.waitUntil(label.isVisible, timeout=LONG)
    assert label.text().startswith("There is more in LM Studio than is looked through")


def test_a_dropped_file_is_offered_as_a_card(qtbot, controller, tmp_path, off_gui, services):
    path = off_gui(lambda: chat_model(tmp_path / "dropped.gguf"))
    controller.offers.take(path)
    page = controller.pane.models
    qtbot.waitUntil(lambda: bool(page.found_cards), timeout=LONG)
    assert page.found_cards[0].accessibleName() == "dropped"
    qtbot.waitUntil(page.found_cards[0].hasFocus)
    assert off_gui(services.library.current).id == "notebook"
    text = tmp_path / "text.gguf"
    off_gui(lambda: text.write_text("nothing"))
    controller.offers.take(text)
    qtbot.waitUntil(page.errors.isVisible)
