"""With large text, or on a screen that is scaled, nothing is cut off and nothing overlaps."""

import os
import subprocess
import sys
from contextlib import suppress
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QScrollArea, QWidget
from pytestqt.exceptions import TimeoutError as NeverCame

from app.gui.first_run.pane import FirstRunPane
from app.gui.main_window import MainWindow, within
from app.gui.widgets import ElidedLabel, Label, SearchField
from app.settings.spec import ColourScheme as Choice

SCREENS = ("chat", "memory", "timeline", "attention", "activity", "models", "settings")
SAID = "My sister Petra, who is allergic to walnuts, moved to Ghent in March."
BEFORE_WORDS = 30  # the glass of a search line
SIZES = [
    pytest.param(14, 720, 480, id="the smallest window"),
    pytest.param(20, 1280, 800, id="large text"),
    pytest.param(20, 853, 533, id="large text on 1280 by 800 at 150 %"),
    pytest.param(28, 1280, 800, id="the largest text"),
]


def words_of(widget):
    """Return the words that a person should be able to read on a widget."""
    if isinstance(widget, QLabel | QAbstractButton):
        return widget.text()
    return widget.placeholderText() if isinstance(widget, QLineEdit) else ""


def seen(widget, window):
    """Return the part of a widget that no ancestor cuts off, in the window."""
    rect = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    around = widget.parentWidget()
    while around is not None and around is not window:
        rect &= QRect(around.mapTo(window, QPoint(0, 0)), around.size())
        around = around.parentWidget()
    return rect & window.rect()


def scrolled(widget):
    """Return whether a page scrolls a widget, so that what is below its edge can be reached."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            return True
        around = around.parentWidget()
    return False


def cut(widget, rect):
    """Return whether words on a widget have too little room."""
    if not scrolled(widget) and rect.height() < widget.height():
        return True
    if rect.width() < widget.width():
        return True
    if isinstance(widget, Label) and widget.wordWrap():
        return widget.height() < widget.heightForWidth(widget.width())
    if isinstance(widget, ElidedLabel | QLineEdit):
        return False
    return widget.width() < widget.minimumSizeHint().width()


def troubles(window):
    """Return what is cut off and what overlaps."""
    found, places = [], []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or not words_of(widget):
            continue
        rect = seen(widget, window)
        if rect.isEmpty() and scrolled(widget):
            continue
        if cut(widget, rect):
            found.append(f"{widget.objectName()} is cut off: {words_of(widget)[:40]!r}")
        if isinstance(widget, QLineEdit):
            written = widget.fontMetrics().horizontalAdvance(words_of(widget))
            rect.setWidth(min(rect.width(), BEFORE_WORDS + written))
        places.append((widget, rect))
    for (one, here), (other, there) in combinations(places, 2):
        inside = one.isAncestorOf(other) and not isinstance(one, QLineEdit)
        if here.intersects(there) and not (inside or other.isAncestorOf(one)):
            found.append(f"{one.objectName()} and {other.objectName()} overlap")
    return found


def settled(qtbot, window):
    """Return the troubles that stay once everything is laid out."""
    with suppress(NeverCame):
        qtbot.waitUntil(lambda: not troubles(window), timeout=1_000)
    return troubles(window)


@pytest.fixture
def told(welcomed, paths, off_gui):
    """A profile that knows a little."""

    def tell():
        from app.main.program import Program

        opened = Program().unlock(paths, None)
        opened.services.preferences.set("models.embedder", "hash")
        opened.services.memories.add(SAID)
        opened.services.memories.add("You take 3 units of insulin at night")
        talk = opened.services.conversations.create()
        opened.services.conversations.rename(talk.id, "The house in Ghent, and the garden behind")
        opened.close()

    off_gui(tell)


def show(qtbot, workspace, name):
    workspace.show_screen(name)
    pane = workspace.screens.screen_named(name).pane
    qtbot.waitUntil(lambda: workspace.screens.currentWidget() is pane)
    return pane


@pytest.mark.parametrize(("size", "width", "height"), SIZES)
def test_no_words_are_cut_or_lie_over_others(
    qtbot, told, start, theme, bridge, size, width, height
):
    application, _ = start()
    window = application.window
    theme.apply(Choice.LIGHT, size)
    window.setMinimumSize(1, 1)
    found = []
    for name in SCREENS:
        pane = show(qtbot, window.page, name)
        pages = list(pane._buttons) if name == "settings" else [""]
        for page in pages:
            if page:
                pane.show_page(page)
            window.resize(width, height)
            qtbot.waitUntil(lambda: not bridge._handlers)
            found += [f"{name} {page}: {each}" for each in settled(qtbot, window)]
    assert window.size().toTuple() == (width, height)
    assert found == [], "\n".join(found)


@pytest.mark.parametrize(("size", "width", "height"), SIZES)
def test_the_first_run_can_be_read(qtbot, theme, size, width, height):
    theme.apply(Choice.LIGHT, size)
    window = MainWindow(theme)
    qtbot.addWidget(window)
    window.setMinimumSize(1, 1)
    pane = FirstRunPane(theme)
    window.show_page(pane)
    window.resize(width, height)
    window.show()
    found = settled(qtbot, window)
    pane.show_memory()
    assert found + settled(qtbot, window) == []


def test_a_hint_of_keys_gives_way_to_words(qtbot, theme):
    field = SearchField(theme, "Search everything", "any_search", "Ctrl+K")
    qtbot.addWidget(field)
    field.show()
    for width, shown in ((320, True), (160, False), (320, True)):
        field.resize(width, 36)
        assert field._hint.isVisible() == shown
    assert field.toolTip() == "Ctrl+K"
    theme.apply(Choice.LIGHT, 28)
    assert not field._hint.isVisible()


def test_a_rectangle_is_brought_within_another():
    room = QRect(0, 24, 853, 509)
    assert within(QRect(40, 60, 600, 400), room) == QRect(40, 60, 600, 400)
    assert within(QRect(0, 0, 1280, 820), room) == room
    assert within(QRect(700, 500, 600, 400), room) == QRect(253, 133, 600, 400)
    assert within(QRect(-50, -50, 600, 400), room) == QRect(0, 24, 600, 400)


SCALED = """
from PySide6.QtCore import QRect
from app.assets import resource
from app.gui.application import prepare
from app.gui.main_window import MainWindow
from app.gui.theme import Theme
from app.settings.spec import ColourScheme as Choice
qt = prepare(["loci"])
theme = Theme(qt, resource("theme"))
theme.apply(Choice.LIGHT, 14)
window = MainWindow(theme)
for arrangement in ("", "1280x820+0+0"):
    window.arrange(arrangement)
    window.show()
    room = window.screen().availableGeometry()
    for size in (14, 20, 28):
        theme.apply(Choice.LIGHT, size)
        assert room.contains(window.geometry()), (arrangement, size, window.geometry(), room)
        assert window.minimumWidth() <= room.width() and window.minimumHeight() <= room.height()
print(room.width(), room.height())
"""


def test_the_window_is_never_larger_than_a_scaled_screen():
    ran = subprocess.run(
        [sys.executable, "-c", SCALED],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "1.5"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.stdout.split() == ["533", "533"], ran.stderr
