"""Taking a model file that was added off the list; the file itself always stays."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.gui.library.option_row import OptionRow
from tests.fakes.tiny_gguf import chat_model


@pytest.fixture
def added(library, services, bridge, qtbot, tmp_path, off_gui):
    """A model that lies elsewhere and was added, beside one in the watched folder."""

    def make():
        services.library.folder.mkdir(parents=True, exist_ok=True)
        chat_model(services.library.folder / "inside.gguf")
        return services.library.add_file(chat_model(tmp_path / "elsewhere.gguf"))

    choice = off_gui(make)
    library._load()
    qtbot.waitUntil(lambda: names(library) == ["inside", "elsewhere", "No model for now"])
    return choice


def names(library):
    return [row.choice.name for row in library.pane.chat_list.rows() if row.isVisible()]


def row(library, choice):
    return library.pane.findChild(OptionRow, f"model.{choice.id}")


def remover(library, choice):
    return library.pane.findChild(QPushButton, f"remove.{choice.id}")


def test_only_what_was_added_can_be_taken_off(library, added):
    buttons = [
        button.accessibleName()
        for button in library.pane.chat_list.findChildren(QPushButton)
        if button.isVisible()
    ]
    assert buttons == ["Take elsewhere off the list"]


def test_a_file_is_taken_off_and_stays_where_it_is(library, added, qtbot, tmp_path, off_gui):
    qtbot.mouseClick(remover(library, added), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: names(library) == ["inside", "No model for now"])
    words = library.pane.notice.words
    qtbot.waitUntil(words.isVisible)
    assert words.text() == "elsewhere is off the list; the file stays where it is."
    assert off_gui((tmp_path / "elsewhere.gguf").exists)


def test_the_button_is_reached_and_pressed_by_keyboard(library, added, qtbot):
    focus(row(library, added), qtbot)
    QTest.keyClick(row(library, added), Qt.Key.Key_Tab)
    assert remover(library, added).hasFocus()
    QTest.keyClick(remover(library, added), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: names(library) == ["inside", "No model for now"])
    qtbot.waitUntil(lambda: library.pane.chat_list.rows()[1].hasFocus())


def test_delete_takes_off_what_was_added_and_nothing_else(library, added, qtbot):
    focus(library.pane.chat_list.rows()[0], qtbot)
    QTest.keyClick(library.pane.chat_list.rows()[0], Qt.Key.Key_Delete)
    QTest.keyClick(row(library, added), Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: names(library) == ["inside", "No model for now"])


def focus(widget, qtbot):
    qtbot.waitUntil(widget.window().isActiveWindow)
    widget.setFocus()


def test_a_file_that_is_gone_can_be_taken_off(library, added, qtbot, tmp_path, off_gui):
    off_gui((tmp_path / "elsewhere.gguf").unlink)
    library._load()
    qtbot.waitUntil(lambda: not row(library, added).isEnabled())
    remover(library, added).click()
    qtbot.waitUntil(lambda: names(library) == ["inside", "No model for now"])


def test_the_model_in_use_stays_on_the_list_and_that_is_said(library, added, qtbot):
    row(library, added).click()
    qtbot.waitUntil(lambda: row(library, added).isChecked())
    remover(library, added).click()
    notice = library.pane.notice
    qtbot.waitUntil(notice.isVisible)
    assert notice.words.text() == ("elsewhere is in use: choose another model, then take it off.")
    assert "elsewhere" in names(library)
