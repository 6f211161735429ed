from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.changes import Changes
from app.domain.model import FoundServer
from app.domain.profile import SlotKind
from app.errors import EndpointError, VaultClosed
from app.gui.first_run import controller as module
from app.gui.first_run.controller import FirstRunController
from app.gui.first_run.model_page import models_words
from tests.fakes import tiny_gguf
from tests.gui.waiting import LONG, shown

OLLAMA = FoundServer("Ollama", "http://127.0.0.1:11434/v1", ("llama3.2", "mistral"))


@pytest.fixture
def servers(monkeypatch):
    found = [OLLAMA]
    monkeypatch.setattr("app.providers.remote.servers.find_servers", lambda: list(found))
    return found


@pytest.fixture
def begin(qtbot, services, bridge, theme, servers):
    """Begin first run, with whatever files and settings there are."""
    kept = []

    def begin():
        made = FirstRunController(services, bridge, theme)
        shown(qtbot, made.pane)
        with qtbot.waitSignal(made.begun, timeout=LONG):
            made.begin()
        kept.append(made)
        return made

    return begin


@pytest.fixture
def controller(begin):
    return begin()


@pytest.fixture
def models_folder(services, off_gui):
    """The models folder, with a function that puts a chat model into it."""

    def put(name, **how):
        folder = services.library.folder
        folder.mkdir(parents=True, exist_ok=True)
        return tiny_gguf.chat_model(folder / name, **how)

    return lambda name, **how: off_gui(lambda: put(name, **how))


def chat_model(services, off_gui):
    return off_gui(lambda: services.preferences.values().chat.model)


def on_second_page(controller):
    return controller.pane.currentWidget() is controller.pane.memory


def test_models_of_a_server_in_words():
    assert models_words(()) == "It has no model yet"
    assert models_words(("a",)) == "a found"
    assert models_words(("a", "b")) == "a and 1 more model found"
    assert models_words(tuple("abcde")) == "a and 4 more models found"


def test_nothing_is_contacted_before_the_person_asks(qtbot, start, bridge, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "app.providers.remote.servers.find_servers", lambda: asked.append("look") or []
    )
    monkeypatch.setattr("socket.socket.connect", lambda _socket, address: asked.append(address))
    application, page = start()
    assert page == "first_run"
    qtbot.waitUntil(lambda: not bridge._handlers)
    assert asked == []
    card = application.window.page.models._server_cards[0]
    assert card.accessibleName() == "Look for servers on this computer"
    assert card.hasFocus()
    QTest.keyClick(card, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: asked == ["look"])


def test_a_server_that_runs_here_is_offered_first_and_taken_with_enter(
    qtbot, controller, services, off_gui
):
    controller.offers.look()
    page = controller.pane.models
    qtbot.waitUntil(lambda: page._server_cards[0].accessibleName().startswith("Ollama"))
    card = page._server_cards[0]
    assert card.hasFocus()
    assert card.accessibleDescription() == "llama3.2 and 1 more model found"
    QTest.keyClick(card, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: on_second_page(controller))
    assert chat_model(services, off_gui) == "server:http://127.0.0.1:11434/v1#llama3.2"


def test_without_a_server_the_card_looks_again(qtbot, controller, servers):
    servers.clear()
    controller.offers.look()
    page = controller.pane.models
    qtbot.waitUntil(lambda: "None is running" in page._server_cards[0].accessibleDescription())
    assert page.file_card.hasFocus()
    servers.append(OLLAMA)
    page._server_cards[0].click()
    qtbot.waitUntil(lambda: page._server_cards[0].accessibleName().startswith("Ollama"))


def test_a_server_without_models_cannot_be_taken(qtbot, controller, servers):
    servers[:] = [FoundServer("Ollama", "http://127.0.0.1:11434/v1", ())]
    controller.offers.look()
    page = controller.pane.models
    qtbot.waitUntil(lambda: page._server_cards[0].accessibleName().startswith("Ollama"))
    assert not page._server_cards[0].isEnabled()


def test_no_model_for_now(qtbot, controller, services, off_gui):
    controller.pane.models.notebook_card.click()
    qtbot.waitUntil(lambda: on_second_page(controller))
    assert chat_model(services, off_gui) == "notebook"


def test_a_file_that_is_no_model_is_said_and_the_page_stays(
    qtbot, controller, tmp_path, monkeypatch, off_gui
):
    bad = tmp_path / "bad.gguf"
    off_gui(lambda: bad.write_bytes(b"no model"))
    monkeypatch.setattr(module, "choose_file", lambda *args: args[-1](bad))
    controller.pane.models.file_card.click()
    qtbot.waitUntil(controller.pane.models.errors.isVisible)
    assert not on_second_page(controller)


def test_a_service_with_address_key_and_model(qtbot, controller, services, monkeypatch, off_gui):
    monkeypatch.setattr(services.library, "server_models", lambda url, key="": ["one"])
    page = controller.pane.models
    page.service_card.click()
    assert page.form.isVisible()
    assert QApplication.focusWidget() is page.form.address
    page.form.address.setText("https://api.example.com/v1")
    page.form.list_button.click()
    qtbot.waitUntil(lambda: page.form.models.count() == 1)
    page.form.use_button.click()
    qtbot.waitUntil(lambda: on_second_page(controller))
    assert chat_model(services, off_gui) == "server:https://api.example.com/v1#one"


def test_a_service_that_does_not_answer_is_said_in_the_form(
    qtbot, controller, services, monkeypatch
):
    def fail(url, key=""):
        raise EndpointError("Nobody answers at that address.")

    monkeypatch.setattr(services.library, "server_models", fail)
    page = controller.pane.models
    page.service_card.click()
    page.form.address.setText("https://api.example.com/v1")
    page.form.list_button.click()
    qtbot.waitUntil(lambda: page.form.errors.words.text() == "Nobody answers at that address.")
    page.form.cancel_button.click()
    assert page.service_card.isVisible()


def test_the_cards_are_walked_with_arrows(qtbot, controller):
    controller.offers.look()
    page = controller.pane.models
    qtbot.waitUntil(lambda: page._server_cards[0].hasFocus())
    walked = []
    for _ in range(4):
        card = QApplication.focusWidget()
        walked.append(card.objectName())
        QTest.keyClick(card, Qt.Key.Key_Down)
    assert walked == ["choose_server_1", "choose_file", "choose_service", "choose_notebook"]


# Model files that are here already.


def found(controller):
    return [card.accessibleName() for card in controller.pane.models.found_cards]


def test_a_file_in_the_models_folder_is_offered_first_and_taken_with_enter(
    qtbot, begin, models_folder, services, off_gui
):
    models_folder("tiny.gguf")
    controller = begin()
    (card,) = controller.pane.models.found_cards
    assert card.hasFocus()
    assert "about 0.4 MB of memory" in card.accessibleDescription()
    assert controller.pane.models.file_card.accessibleName() == "Another model file"
    QTest.keyClick(card, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: on_second_page(controller))
    assert chat_model(services, off_gui) == "file:tiny.gguf"


def test_what_speaks_against_a_file_is_said_before_it_is_chosen(
    begin, models_folder, services, off_gui
):
    models_folder("a base.gguf", template=None)
    broken = models_folder("b half.gguf")
    off_gui(lambda: broken.write_bytes(broken.read_bytes()[:5000]))
    models_folder("c good.gguf")
    controller = begin()
    assert found(controller) == ["c good", "a base", "b half.gguf"]
    good, base, half = controller.pane.models.found_cards
    assert good.hasFocus()
    assert "Probably a base model" in base.accessibleDescription()
    assert base.isEnabled()
    assert "is incomplete" in half.accessibleDescription()
    assert not half.isEnabled()


def test_where_only_a_base_model_is_found_enter_does_not_choose_it(begin, models_folder):
    models_folder("base.gguf", template=None)
    begin()
    assert QApplication.focusWidget().objectName() == "choose_server_1"


def test_a_file_that_comes_in_the_meantime_is_offered(qtbot, controller, models_folder, bridge):
    assert found(controller) == []
    models_folder("tiny.gguf")
    bridge.changed.emit(Changes(models=True))
    qtbot.waitUntil(lambda: found(controller) == ["tiny"])
    assert QApplication.focusWidget().objectName() == "choose_server_1", "the keyboard stays"


def test_of_many_files_only_some_have_cards(begin, models_folder):
    for number in range(6):
        models_folder(f"model {number}.gguf")
    controller = begin()
    assert len(found(controller)) == 4
    assert controller.pane.models._more.text() == "2 more model files can be chosen later."


def test_a_base_model_from_elsewhere_is_offered_and_not_yet_chosen(
    qtbot, controller, services, tmp_path, monkeypatch, off_gui
):
    base = off_gui(lambda: tiny_gguf.chat_model(tmp_path / "base.gguf", template=None))
    monkeypatch.setattr(module, "choose_file", lambda *args: args[-1](base))
    controller.pane.models.file_card.click()
    qtbot.waitUntil(lambda: found(controller) == ["base"])
    (card,) = controller.pane.models.found_cards
    qtbot.waitUntil(card.hasFocus)
    assert not on_second_page(controller)
    assert chat_model(services, off_gui) == ""
    card.click()
    qtbot.waitUntil(lambda: on_second_page(controller))
    assert chat_model(services, off_gui) == f"file:{base}"


# What was chosen before, by the command line or by a first run that was left.


def test_who_answers_is_not_asked_again(qtbot, begin, models_folder, services, off_gui):
    models_folder("tiny.gguf")
    off_gui(lambda: services.library.choose_chat("file:tiny.gguf"))
    controller = begin()
    assert on_second_page(controller)
    memory = controller.pane.memory
    assert memory._chosen.text() == "tiny answers"
    assert memory.start_button.hasFocus()
    memory.model_button.click()
    assert controller.pane.models.isVisible()
    controller.pane.models.notebook_card.click()
    qtbot.waitUntil(lambda: on_second_page(controller))
    assert not memory._model_card.isVisible()
    assert chat_model(services, off_gui) == "notebook"


def test_a_server_that_was_chosen_before_is_named(begin, services, off_gui):
    off_gui(lambda: services.library.choose_chat("server:http://127.0.0.1:1/v1#qwen"))
    controller = begin()
    assert on_second_page(controller)
    assert controller.pane.memory._chosen.text() == "qwen answers"


def test_what_was_chosen_before_and_is_gone_is_asked_for(begin, services, off_gui):
    off_gui(lambda: services.preferences.set("chat.model", "file:gone.gguf"))
    assert begin().pane.models.isVisible()


def test_learning_that_was_switched_off_stays_off(qtbot, begin, services, off_gui):
    off_gui(lambda: services.preferences.set("extraction.enabled", False))
    controller = begin()
    controller.pane.show_memory()
    assert not controller.pane.memory.switch.isChecked()
    finish(qtbot, controller)
    assert not values(services, off_gui).extraction.enabled


def test_learning_that_is_switched_off_meanwhile_stays_off(qtbot, controller, services, off_gui):
    off_gui(lambda: services.preferences.set("extraction.enabled", False))
    controller.pane.show_memory()
    finish(qtbot, controller)
    assert not values(services, off_gui).extraction.enabled


def test_learning_that_was_off_can_be_switched_on(qtbot, begin, services, off_gui):
    off_gui(lambda: services.preferences.set("extraction.enabled", False))
    controller = begin()
    controller.pane.show_memory()
    controller.pane.memory.switch.click()
    finish(qtbot, controller)
    assert values(services, off_gui).extraction.enabled


def test_where_nothing_can_be_looked_up_the_first_page_says_so(
    qtbot, services, bridge, theme, servers, monkeypatch
):
    def fail():
        raise VaultClosed("It is closed.")

    monkeypatch.setattr(services.library, "chat_choices", fail)
    controller = FirstRunController(services, bridge, theme)
    shown(qtbot, controller.pane)
    with qtbot.waitSignal(controller.begun, timeout=LONG):
        controller.begin()
    assert controller.pane.models.errors.isVisible()
    assert controller.pane.models.notebook_card.isVisible()


def finish(qtbot, controller):
    with qtbot.waitSignal(controller.finished, timeout=20_000):
        controller.pane.memory.start_button.click()


def values(services, off_gui):
    return off_gui(services.preferences.values)


def test_remembering_is_on_unless_switched_off(qtbot, controller, services, off_gui):
    controller.pane.show_memory()
    assert controller.pane.memory.switch.isChecked()
    finish(qtbot, controller)
    assert values(services, off_gui).extraction.enabled
    assert values(services, off_gui).computer.welcomed
    assert not values(services, off_gui).computer.recovery_declined


def test_switched_off_at_once_it_never_learns(qtbot, controller, services, off_gui):
    controller.pane.show_memory()
    controller.pane.memory.switch.click()
    finish(qtbot, controller)
    assert not values(services, off_gui).extraction.enabled


def test_the_recovery_code_is_shown_when_wanted(qtbot, controller, services, off_gui):
    controller.pane.show_memory()
    controller.pane.memory.code_button.click()
    qtbot.waitUntil(lambda: controller.pane.memory.view is not None, timeout=20_000)
    controller.pane.memory.view.copy_button.click()
    assert len(QApplication.clipboard().text().split("-")) == 8
    assert SlotKind.RECOVERY in off_gui(services.access.slots)


def test_the_recovery_code_can_be_declined(qtbot, controller, services, off_gui):
    controller.pane.show_memory()
    controller.pane.memory.decline_button.click()
    assert not controller.pane.memory.code_button.isVisible()
    finish(qtbot, controller)
    assert values(services, off_gui).computer.recovery_declined
    assert SlotKind.RECOVERY not in off_gui(services.access.slots)


def test_a_search_that_ends_after_first_run_leaves_the_page_alone(
    qtbot, services, bridge, theme, monkeypatch
):
    ended, shown = Event(), []

    def find_slowly():
        assert ended.wait(20)
        return []

    monkeypatch.setattr("app.providers.remote.servers.find_servers", find_slowly)
    controller = FirstRunController(services, bridge, theme)
    qtbot.addWidget(controller.pane)
    controller.offers.look()
    monkeypatch.setattr(controller.pane.models, "show_servers", shown.append)
    finish(qtbot, controller)
    ended.set()
    qtbot.waitUntil(lambda: not bridge._handlers)
    assert shown == []
