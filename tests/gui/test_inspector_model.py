"""The table's model: rows by the page, placeholders, and changes that keep their place."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt

from app.domain.memory import Memory, Status, Trust
from app.gui.inspector.model import KEPT_PAGES, MEMORY_ROLE, PAGE, Column, MemoryTableModel

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def memory(number, **more):
    at = NOW - timedelta(days=number)
    return Memory(f"m{number}", f"Memory number {number}", at, at, **{"agent_pk": 1, **more})


def page_of(rows, page):
    return rows[page * PAGE : (page + 1) * PAGE]


@pytest.fixture
def model(qapp):
    return MemoryTableModel(clock=lambda: NOW)


@pytest.fixture
def full(model):
    rows = [memory(n) for n in range(1000)]
    model.reset(1000, page_of(rows, 0), "newest")
    return model, rows


def shown(model, row, column=Column.MEMORY, role=Qt.ItemDataRole.DisplayRole):
    return model.index(row, column).data(role)


def test_is_a_sound_item_model(full, qtmodeltester):
    model, rows = full
    qtmodeltester.check(model)
    model.put(1, page_of(rows, 1))
    fewer = [m for m in rows if m.id != "m3"]
    model.refresh(999, {0: page_of(fewer, 0)}, {"m3"})
    model.refresh(1000, {0: page_of(rows, 0)}, {"m3"})
    model.reset(0, [], "newest")


def test_cells_tell_the_memory(model):
    one = memory(40, trust=Trust.EXTERNAL, access_count=1204, pinned=True, status=Status.SUPERSEDED)
    model.reset(1, [one], "newest")
    assert [shown(model, 0, c) for c in Column] == [
        "Memory number 40",
        "fact",
        "outside",
        "12 Oct",
        "1,204",
    ]
    spoken = shown(model, 0, role=Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Memory number 40, pinned, replaced"
    assert shown(model, 0, role=MEMORY_ROLE) is one


def test_a_safety_fact_is_told_as_such_to_the_ear_and_under_the_pointer(model):
    model.reset(1, [memory(1, pinned=True, tags=("safety",))], "newest")
    spoken = shown(model, 0, role=Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Memory number 1, safety, pinned"
    tip = shown(model, 0, role=Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith("Memory number 1\n")
    assert "never thinned out" in tip


@pytest.mark.parametrize(
    ("order", "titles"),
    [
        ("newest", ["Since ↓", "Used"]),
        ("oldest", ["Since ↑", "Used"]),
        ("used", ["Since", "Used ↓"]),
        ("relevance", ["Since", "Used"]),
    ],
)
def test_the_header_shows_the_order(model, order, titles):
    model.reset(0, [], order)
    heads = [model.headerData(c, Qt.Orientation.Horizontal) for c in (Column.SINCE, Column.USED)]
    assert heads == titles


def test_a_row_that_is_not_here_is_a_placeholder_and_is_asked_for(qtbot, full):
    model, rows = full
    with qtbot.waitSignal(model.pages_wanted):
        assert shown(model, 450) == "…"
    assert model.next_wanted() == 2
    assert model.next_wanted() is None
    with qtbot.waitSignal(model.dataChanged) as told:
        model.put(2, page_of(rows, 2))
    assert (told.args[0].row(), told.args[1].row()) == (400, 599)
    assert shown(model, 450) == "Memory number 450"


def test_after_a_long_scroll_only_the_last_pages_are_wanted(full):
    model, _ = full
    for row in range(200, 1000, 50):
        shown(model, row)
    shown(model, 300)
    assert [model.next_wanted() for _ in range(5)] == [1, 4, 3, 2, None]


def test_old_pages_are_let_go(model):
    rows = [memory(n) for n in range(PAGE * (KEPT_PAGES + 5))]
    model.reset(len(rows), page_of(rows, 0), "newest")
    for page in range(1, KEPT_PAGES + 5):
        model.put(page, page_of(rows, page))
    held = [n for n in range(len(rows)) if model.memory(n)]
    assert len(held) == KEPT_PAGES * PAGE
    assert held[-1] == len(rows) - 1


def test_a_forgotten_row_leaves_without_moving_the_rest(qtbot, full):
    model, rows = full
    kept = [m for m in rows if m.id != "m3"]
    with qtbot.waitSignal(model.rowsRemoved) as removed:
        model.refresh(999, {0: page_of(kept, 0)}, {"m3"})
    assert removed.args[1:] == [3, 3]
    assert model.rowCount() == 999
    assert shown(model, 3) == "Memory number 4"
    assert shown(model, 199) == "Memory number 200"


def test_a_new_row_comes_in_at_its_place(qtbot, full):
    model, rows = full
    new = memory(0)
    new = Memory("new", "Brand new", new.created_at, new.created_at, agent_pk=1)
    with qtbot.waitSignal(model.rowsInserted) as inserted:
        model.refresh(1001, {0: page_of([new, *rows], 0)}, {"new"})
    assert inserted.args[1:] == [0, 0]
    assert model.row_of("new") == 0
    assert model.row_of("m0") == 1


def test_only_rows_that_differ_are_told_of(qtbot, full):
    model, rows = full
    edited = [*rows]
    edited[7] = Memory("m7", "Edited", rows[7].created_at, NOW, agent_pk=1)
    with qtbot.waitSignal(model.dataChanged) as told:
        model.refresh(1000, {0: page_of(edited, 0)}, {"m7"})
    assert (told.args[0].row(), told.args[1].row()) == (7, 7)


def test_stale_pages_stay_visible_until_fresh_ones_come(qtbot, full):
    model, rows = full
    model.put(1, page_of(rows, 1))
    model.refresh(1000, {0: page_of(rows, 0)}, {"m900"})
    with qtbot.waitSignal(model.pages_wanted):
        assert shown(model, 250) == "Memory number 250"
    assert model.next_wanted() == 1


def test_rows_gone_elsewhere_shorten_the_list(full):
    model, rows = full
    model.refresh(400, {0: page_of(rows, 0)}, {f"m{n}" for n in range(400, 1000)})
    assert model.rowCount() == 400
