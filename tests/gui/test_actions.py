from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.gui import actions
from app.gui.dialogs import ShortcutSheet
from app.gui.widgets import Label


def test_ids_are_unique_and_every_row_has_title_and_keys():
    assert max(Counter(row.id for row in actions.TABLE).values()) == 1
    assert all(row.title and row.shortcuts and row.group for row in actions.TABLE)


def test_no_two_actions_of_the_window_share_a_key():
    keys = Counter(
        QKeySequence(key).toString() for row in actions.TABLE if row.window for key in row.shortcuts
    )
    assert max(keys.values()) == 1
    assert "" not in keys


def test_what_a_list_answers_to_is_no_shortcut_of_the_window():
    window = {key for row in actions.TABLE if row.window for key in row.shortcuts}
    local = {key for row in actions.TABLE if not row.window for key in row.shortcuts}
    assert not window & local


@pytest.mark.parametrize("row", [r for r in actions.TABLE if r.window], ids=lambda row: row.id)
def test_each_shortcut_of_the_window_does_its_own_thing(qtbot, row):
    window, done = QWidget(), []
    qtbot.addWidget(window)
    actions.install(
        window, {r.id: lambda i=r.id: done.append(i) for r in actions.TABLE if r.window}
    )
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for key in row.shortcuts:
        combination = QKeySequence(key)[0]
        QTest.keyClick(window, combination.key(), combination.keyboardModifiers())
    assert done == [row.id] * len(row.shortcuts)


def test_a_window_action_without_a_handler_is_a_bug(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    with pytest.raises(KeyError):
        actions.install(window, {})


def test_the_help_lists_every_action_with_its_keys(qtbot, theme):
    parent = QWidget()
    qtbot.addWidget(parent)
    sheet = ShortcutSheet(theme, parent)
    said = [label.text() for label in sheet.findChildren(Label)]
    for row in actions.TABLE:
        assert row.title in said
        for key in row.shortcuts:
            assert QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) in said


def test_escape_closes_the_help(qtbot, theme):
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    sheet = ShortcutSheet(theme, parent)
    sheet.open()
    with qtbot.waitSignal(sheet.finished):
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
