"""The workspace: its screens by keyboard, and what changes reach."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.domain.changes import Changes
from app.gui import actions
from app.settings.spec import ColourScheme as Choice
from tests.gui.waiting import LONG


@pytest.fixture
def services_of():
    return lambda workspace: workspace._services


def press(widget, keys):
    combination = QKeySequence(keys)[0]
    QTest.keyClick(widget.window(), combination.key(), combination.keyboardModifiers())


def test_theme_and_text_size_are_followed_at_once(qtbot, workspace, theme, services_of):
    bridge = workspace._bridge
    qtbot.waitUntil(workspace.window().isActiveWindow)
    bridge.run(lambda: services_of(workspace).preferences.set("appearance.theme", "dark"))
    qtbot.waitUntil(lambda: theme.dark)
    press(workspace, "Ctrl++")
    qtbot.waitUntil(lambda: theme.text_size == 15)
    press(workspace, "Ctrl+0")
    qtbot.waitUntil(lambda: theme.text_size == 14)
    theme.apply(Choice.LIGHT, 14)


def test_every_screen_by_keyboard(qtbot, workspace):
    qtbot.waitUntil(workspace.window().isActiveWindow)
    for keys, pane in (
        ("Ctrl+2", "memory"),
        ("Ctrl+3", "timeline"),
        ("Ctrl+4", "attention"),
        ("Ctrl+5", "activity"),
        ("Ctrl+6", "models"),
        ("Ctrl+7", "settings"),
        ("Ctrl+1", "chat"),
        ("Ctrl+,", "settings"),
    ):
        press(workspace, keys)
        wanted = workspace.screens.screen_named(pane).pane
        qtbot.waitUntil(lambda wanted=wanted: workspace.screens.currentWidget() is wanted)
    press(workspace, "Ctrl+K")
    assert workspace.sidebar.pane.search.hasFocus()
    press(workspace, "Ctrl+N")
    assert workspace.screens.currentWidget() is workspace.screens.screen_named("chat").pane
    press(workspace, "F1")
    sheet = workspace.findChild(QWidget, "shortcuts_sheet")
    assert sheet.isVisible()
    sheet.close()


def test_escape_leaves_a_search_first(qtbot, workspace):
    qtbot.waitUntil(workspace.window().isActiveWindow)
    field = workspace.sidebar.pane.search
    press(workspace, "Ctrl+K")
    field.setText("walnut")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_a_screen_is_built_on_its_first_visit_only(qtbot, workspace):
    assert set(workspace.screens.built) == {"chat"}
    workspace.show_screen("models")
    first = workspace.screens.screen_named("models")
    workspace.show_screen("chat")
    workspace.show_screen("models")
    assert workspace.screens.screen_named("models") is first


def test_a_restriction_is_said_on_every_screen_and_lifted_there(
    qtbot, workspace, services_of, off_gui
):
    services, bar = services_of(workspace), workspace.restriction
    workspace._bridge.run(services.restriction.restrict)
    qtbot.waitUntil(bar.isVisible, timeout=LONG)
    for screen in ("memory", "chat"):
        workspace.show_screen(screen)
        assert bar.isVisible()
    assert "nothing is answered, recalled or learned" in bar.notice.words.text()
    chat = workspace.screens.screen_named("chat").pane
    chat.composer.text.setPlainText("I row on Sundays.")
    chat.composer.send_button.click()
    qtbot.waitUntil(chat.composer.errors.isVisible, timeout=LONG)
    assert "Processing is restricted" in chat.composer.errors.words.text()
    assert chat.composer.text.toPlainText() == "I row on Sundays."
    bar.notice.button.click()
    qtbot.waitUntil(lambda: not bar.isVisible(), timeout=LONG)
    qtbot.waitUntil(lambda: not off_gui(lambda: services.restriction.is_on), timeout=LONG)


def test_changes_reach_every_screen_once(qtbot, workspace, monkeypatch):
    heard = []
    for name in ("chat", "memory", "models", "settings"):
        screen = workspace.screens.screen_named(name)
        monkeypatch.setattr(screen, "apply_changes", lambda _c, name=name: heard.append(name))
    workspace._bridge.publish(Changes(models=True))
    assert sorted(heard) == ["chat", "memory", "models", "settings"]


def test_a_model_file_dropped_into_the_folder_appears_and_is_not_loaded(
    qtbot, workspace, paths, off_gui
):
    import gguf

    workspace.show_screen("models")
    chat_list = workspace.screens.screen_named("models").pane.chat_list
    qtbot.waitUntil(lambda: len(chat_list.rows()) == 1, timeout=LONG)
    qtbot.waitUntil(lambda: off_gui(paths.models.is_dir), timeout=LONG)

    def drop():
        writer = gguf.GGUFWriter(paths.models / "dropped.gguf", "llama")
        writer.add_name("Dropped")
        writer.add_uint32("llama.context_length", 128)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()

    off_gui(drop)
    qtbot.waitUntil(lambda: len(chat_list.rows()) == 2, timeout=LONG)
    assert off_gui(workspace._services.library.current).id == "notebook"


def test_what_another_process_writes_appears_by_itself(qtbot, workspace, store, off_gui):
    listed = workspace.sidebar.pane.list.model()
    watch, running = workspace._services.watch, workspace._bridge._handlers
    qtbot.waitUntil(lambda: watch._version is not None and not running, timeout=LONG)

    def elsewhere():
        from app.store.conversations import Conversations

        vault = store.open("personal")  # as the command line would
        Conversations(vault).create(1, title="From the command line")
        vault.close()

    off_gui(elsewhere)
    qtbot.waitUntil(lambda: listed.rowCount() == 2, timeout=LONG)
    assert listed.index(1, 0).data() == "From the command line"


def test_erasing_a_conversation_asks_first_and_tells_everybody(
    qtbot, workspace, services_of, off_gui
):
    services = services_of(workspace)
    made = off_gui(services.conversations.create)
    workspace._bridge.publish(Changes(conversations=frozenset({made.id})))
    workspace.sidebar.erase_requested.emit(made)
    dialog = workspace.findChild(QWidget, "erasure_dialog")
    qtbot.waitUntil(lambda: dialog.inventory_view is not None, timeout=LONG)
    assert len(off_gui(services.conversations.list)) == 1
    confirm = next(
        b
        for b in dialog.inventory_view.findChildren(QAbstractButton)
        if b.property("kind") == "danger"
    )
    with qtbot.waitSignal(workspace._bridge.changed, timeout=LONG):
        confirm.click()
        qtbot.waitUntil(lambda: dialog.proof_view is not None, timeout=LONG)
    assert off_gui(services.conversations.list) == []
    dialog.proof_view.done_button.click()


def test_all_of_the_windows_actions_have_handlers(qtbot, workspace):
    ids = {a.objectName().removeprefix("action.") for a in workspace.actions()}
    assert ids == {row.id for row in actions.TABLE if row.window}
