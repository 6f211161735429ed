"""Forgetting can be undone and looks like anything else; what erases is red, everywhere."""

import ast
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor

from app.domain.memory import Memory
from app.gui.inspector.detail import DetailView
from app.gui.inspector.model import MemoryTableModel
from app.gui.inspector.table import MemoryTable

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
GUI = Path(__file__).parents[2] / "app" / "gui"


def offers():
    """Yield place, words and redness of every button of the window that forgets or erases."""
    for path in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            made = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = [each.value for each in node.args if isinstance(each, ast.Constant)]
            given += [kw.arg for kw in node.keywords if getattr(kw.value, "value", None) is True]
            words = next((w for w in given if isinstance(w, str)), "")
            if made in ("Button", "offer") and words.split(" ")[0] in ("Forget", "Erase", "Erase…"):
                yield pytest.param(
                    words, "danger" in given, id=f"{path.stem}:{node.lineno} {words}"
                )


def test_every_such_button_is_looked_at():
    assert len(list(offers())) >= 10


@pytest.mark.parametrize(("words", "red"), list(offers()))
def test_only_what_erases_is_red(words, red):
    assert red == words.startswith("Erase")


def ink(icon):
    """Return the strongest colour of an icon."""
    image = icon.pixmap(QSize(32, 32)).toImage()
    pixels = (image.pixelColor(x, y) for x in range(32) for y in range(32))
    return max(pixels, key=QColor.alpha).name()


def test_in_the_menu_of_a_memory_too(qtbot, theme):
    model = MemoryTableModel()
    model.reset(1, [Memory("m", "You live in Ghent", NOW, NOW, agent_pk=1)], "newest")
    table = MemoryTable(theme, model)
    qtbot.addWidget(table)
    table.select_row(0)
    offered = [action for action in table.menu().actions() if not action.isSeparator()]
    inks = {action.objectName(): ink(action.icon()) for action in offered}
    assert inks["memory_menu_erase"] == theme.name("danger").lower()
    assert inks["memory_menu_forget"] == theme.name("muted").lower()


def test_erasing_stands_last_beside_a_memory(qtbot, theme):
    view = DetailView(theme)
    qtbot.addWidget(view)
    view.resize(316, 400)
    view.show()
    assert view.buttons["forget"].x() < view.buttons["erase"].x()
