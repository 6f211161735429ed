"""The search line and its menus say the same thing in two ways."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from app.domain.memory import MemoryType, Status
from app.gui.inspector.filters import SearchRow
from tests.gui.waiting import shown


@pytest.fixture
def row(qtbot, theme):
    row = SearchRow(theme)
    return shown(qtbot, row, 700, 60)


def tick(menu, name):
    action = next(a for a in menu.menu().actions() if a.objectName() == name)
    action.trigger()


def test_typing_is_searched_once_the_fingers_rest(qtbot, row):
    heard = []
    row.searched.connect(heard.append)
    with qtbot.waitSignal(row.searched):
        qtbot.keyClicks(row.field, "walnut type:sem")
    assert [query.text for query in heard] == ["walnut"]
    assert heard[0].types == {MemoryType.SEMANTIC}
    assert row.menus["type"].text() == "Type · 1"


def test_menus_write_into_the_line(qtbot, row):
    row.field.setText("walnut")
    with qtbot.waitSignal(row.searched) as searched:
        tick(row.menus["status"], "filter_status_forgotten")
    assert row.field.text() == "walnut status:forgotten"
    assert searched.args[0].statuses == {Status.FORGOTTEN}
    with qtbot.waitSignal(row.searched) as searched:
        tick(row.menus["status"], "filter_status_all")
    assert row.field.text() == "walnut"
    assert searched.args[0].statuses == frozenset()


def test_a_menu_stays_open_while_ticking(qtbot, row):
    menu = row.menus["type"].menu()
    menu.popup(row.mapToGlobal(row.rect().bottomLeft()))
    for action in menu.actions()[:2]:
        at = QPointF(menu.actionGeometry(action).center())
        menu.setActiveAction(action)
        released = QMouseEvent(
            QEvent.Type.MouseButtonRelease,
            at,
            menu.mapToGlobal(at),
            Qt.MouseButton.LeftButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(menu, released)
    assert menu.isVisible()
    assert row.menus["type"].text() == "Type · 2"
    menu.close()


def test_an_unknown_operator_is_explained_under_the_line(qtbot, row):
    with qtbot.waitSignal(row.searched):
        qtbot.keyClicks(row.field, "colour:red")
    assert row.hint.isVisible()
    assert "“colour:”" in row.hint.text()
    with qtbot.waitSignal(row.searched):
        row.field.clear()
    assert not row.hint.isVisible()


def test_what_was_forgotten_is_one_click_away(qtbot, row):
    row.field.setText("desk")
    with qtbot.waitSignal(row.searched):
        row.show_forgotten()
    assert row.field.text() == "desk status:forgotten"
