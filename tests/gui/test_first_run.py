from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.model import FoundServer
from app.domain.profile import SlotKind
from app.errors import EndpointError
from app.gui.first_run import controller as module
from app.gui.first_run.controller import FirstRunController
from app.gui.first_run.pane import models_words
from tests.gui.waiting import shown

OLLAMA = FoundServer("Ollama", "http://127.0.0.1:11434/v1", ("llama3.2", "mistral"))


@pytest.fixture
def servers(monkeypatch):
    found = [OLLAMA]
    monkeypatch.setattr("app.providers.servers.find_servers", lambda: list(found))
    return found


@pytest.fixture
def controller(qtbot, services, bridge, theme, servers):
    made = FirstRunController(services, bridge, theme)
    shown(qtbot, made.pane)
    return made


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
    monkeypatch.setattr("app.providers.servers.find_servers", lambda: asked.append("look") or [])
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
    controller.look()
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
    controller.look()
    page = controller.pane.models
    qtbot.waitUntil(lambda: "None is running" in page._server_cards[0].accessibleDescription())
    assert page.file_card.hasFocus()
    servers.append(OLLAMA)
    page._server_cards[0].click()
    qtbot.waitUntil(lambda: page._server_cards[0].accessibleName().startswith("Ollama"))


def test_a_server_without_models_cannot_be_taken(qtbot, controller, servers):
    servers[:] = [FoundServer("Ollama", "http://127.0.0.1:11434/v1", ())]
    controller.look()
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
    controller.look()
    page = controller.pane.models
    qtbot.waitUntil(lambda: page._server_cards[0].hasFocus())
    walked = []
    for _ in range(4):
        card = QApplication.focusWidget()
        walked.append(card.objectName())
        QTest.keyClick(card, Qt.Key.Key_Down)
    assert walked == ["choose_server_1", "choose_file", "choose_service", "choose_notebook"]


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

    monkeypatch.setattr("app.providers.servers.find_servers", find_slowly)
    controller = FirstRunController(services, bridge, theme)
    qtbot.addWidget(controller.pane)
    controller.look()
    monkeypatch.setattr(controller.pane.models, "show_servers", shown.append)
    finish(qtbot, controller)
    ended.set()
    qtbot.waitUntil(lambda: not bridge._handlers)
    assert shown == []
