"""The table: what keys, clicks and menus ask for."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView

from app.domain.memory import Memory, Status, Trust
from app.gui.inspector.model import PAGE, Column, MemoryTableModel
from app.gui.inspector.table import MemoryTable
from tests.gui.waiting import shown

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def memory(number, **more):
    at = NOW - timedelta(days=number)
    return Memory(f"m{number}", f"Memory number {number}", at, at, **{"agent_pk": 1, **more})


@pytest.fixture
def rows():
    kinds = {
        1: {"pinned": True, "tags": ("safety",)},
        2: {"status": Status.FORGOTTEN},
        3: {"status": Status.SUPERSEDED},
        4: {"trust": Trust.EXTERNAL},
    }
    return [memory(n, **kinds.get(n, {})) for n in range(1000)]


@pytest.fixture
def table(qtbot, theme, rows):
    model = MemoryTableModel(clock=lambda: NOW)
    model.reset(len(rows), rows[:PAGE], "newest")
    table = MemoryTable(theme, model)
    shown(qtbot, table, 700, 500)
    table.setFocus()
    return table


@pytest.mark.parametrize(
    ("row", "key", "wish"),
    [
        (0, Qt.Key.Key_Return, "edit"),
        (0, Qt.Key.Key_Delete, "forget"),
        (0, Qt.Key.Key_Space, "pin"),
        (1, Qt.Key.Key_Space, "unpin"),
    ],
)
def test_keys_ask_for_something(qtbot, table, row, key, wish):
    table.select_row(row)
    with qtbot.waitSignal(table.wanted) as wanted:
        qtbot.keyClick(table, key)
    assert wanted.args == [wish]


def test_keys_without_a_selection_ask_for_nothing(qtbot, table):
    with qtbot.assertNotEmitted(table.wanted):
        qtbot.keyClick(table, Qt.Key.Key_Delete)


def test_arrows_walk_and_tell(qtbot, table):
    table.select_row(0)
    with qtbot.waitSignal(table.moved):
        qtbot.keyClick(table, Qt.Key.Key_Down)
    assert table.current().id == "m1"
    assert table.selected_count() == 1


def test_a_click_opens_even_the_current_row(qtbot, table):
    table.select_row(0)
    at = table.visualRect(table.model().index(0, 0)).center()
    with qtbot.waitSignal(table.opened):
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    with qtbot.waitSignal(table.wanted) as wanted:
        qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert wanted.args == ["edit"]


def test_everything_can_be_selected_without_fetching_it(qtbot, table):
    with qtbot.waitSignal(table.selected) as selected:
        table.selectAll()
    assert selected.args == [1000]
    assert table.selected_ranges() == [(0, 999)]
    assert table.selected_memories() is None


def test_selected_rows_that_are_here_are_known(qtbot, table):
    table.select_row(0)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert [memory.id for memory in table.selected_memories()] == ["m0", "m1"]


def test_the_header_sorts(qtbot, table):
    header = table.horizontalHeader()
    for column, order in ((Column.SINCE, "oldest"), (Column.USED, "used")):
        with qtbot.waitSignal(table.order_chosen) as chosen:
            header.sectionClicked.emit(column)
        assert chosen.args == [order]
    table.model().reset(0, [], "used")
    with qtbot.waitSignal(table.order_chosen) as chosen:
        header.sectionClicked.emit(Column.USED)
    assert chosen.args == ["newest"]


@pytest.mark.parametrize(
    ("row", "offers"),
    [
        (0, ["edit", "pin", "copy", "forget", "erase"]),
        (1, ["edit", "unpin", "copy", "forget", "erase"]),
        (2, ["edit", "pin", "copy", "restore", "erase"]),
    ],
)
def test_the_menu_fits_the_row(qtbot, table, row, offers):
    table.select_row(row)
    menu = table.menu()
    qtbot.addWidget(menu)
    names = [action.objectName() for action in menu.actions() if action.objectName()]
    assert names == [f"memory_menu_{offer}" for offer in offers]
    with qtbot.waitSignal(table.wanted) as wanted:
        menu.actions()[-1].trigger()
    assert wanted.args == ["erase"]


def test_texts_can_be_copied(qtbot, table):
    table.select_row(0)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Memory number 0\nMemory number 1"


def test_pages_in_sight_are_known(table):
    assert table.visible_pages() == [0]
    table.scrollTo(table.model().index(PAGE, 0), QAbstractItemView.ScrollHint.PositionAtCenter)
    assert table.visible_pages() == [0, 1]


def test_every_kind_of_row_can_be_drawn_both_ways(qtbot, theme, table):
    """Rows that are here, rows that are not, from the left and from the right."""
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        table.setLayoutDirection(direction)
        for top in (0, 500):
            table.scrollTo(table.model().index(top, 0), QAbstractItemView.ScrollHint.PositionAtTop)
            assert not table.grab().isNull()
