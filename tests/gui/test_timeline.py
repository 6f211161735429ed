"""The timeline: days to slide over, what happened, what was known then, undo and redo."""

from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.domain.memory import Evidence
from app.gui.timeline.controller import TimelineController


class Place:
    """The screen, on a profile whose clock is moved day by day."""

    def __init__(self, qtbot, home, bridge, theme):
        self.qtbot, self.home = qtbot, home
        self.window = QWidget()
        self._bridge, self._theme = bridge, theme
        self.screen = None

    def show(self):
        self.screen = TimelineController(
            self.home.services, self._bridge, self._theme, self.window, self.home.clock
        )
        self._bridge.changed.connect(self.screen.apply_changes)
        pane = self.screen.pane
        pane.setParent(self.window)
        pane.resize(1000, 700)
        self.window.resize(1000, 700)
        self.window.show()
        return pane

    def do(self, work, days=10):
        """Do something, and let days go by."""
        changes = self.home.off_gui(work)
        self.home.now += timedelta(days=days)
        return changes

    def wait(self, condition):
        self.qtbot.waitUntil(condition, timeout=8000)

    def find(self, name):
        return self.screen.pane.findChild(QWidget, name)

    def texts(self, of):
        holder = self.screen.pane.findChild(QWidget, f"timeline_{of}")
        rows = [holder.layout().itemAt(n).widget() for n in range(holder.layout().count())]
        return [row.accessibleName().split(". ")[0] for row in rows if row is not None]


@pytest.fixture
def place(placed):
    return placed(Place)


@pytest.fixture
def lived(place):
    """A boat, then a bike; the boat is forgotten."""
    memories = place.home.services.memories
    (boat,) = place.do(lambda: memories.add("I own a boat.")).memories
    place.do(lambda: memories.add("I own a bike."))
    place.do(lambda: memories.forget([boat]), days=0)
    return boat


def test_without_a_past_it_says_so(place):
    pane = place.show()
    place.wait(pane.nothing.isVisible)
    assert not pane.undo.isEnabled()


def test_today_stands_first(place, lived):
    pane = place.show()
    place.wait(lambda: place.texts("known") == ["I own a bike"])
    assert pane.count.text() == "Loci knew 1 memory"
    assert pane.slider.value() == pane.slider.maximum() == 20
    assert [text.split(":")[0] for text in place.texts("done")] == [
        "Forgot",
        "Remembered",
        "Remembered",
    ]
    assert not pane.today.isEnabled()


def test_sliding_back_shows_what_was_known_then(place, lived):
    pane = place.show()
    place.wait(lambda: place.texts("known") == ["I own a bike"])
    pane.slider.setFocus()
    QTest.keyClick(pane.slider, Qt.Key.Key_Home)
    place.wait(lambda: place.texts("known") == ["I own a boat"])
    assert place.texts("done") == ["Remembered: I own a boat"]
    QTest.keyClick(pane.slider, Qt.Key.Key_PageUp)
    place.wait(lambda: place.texts("known") == ["I own a bike"])
    pane.slider.setValue(12)
    place.wait(lambda: set(place.texts("known")) == {"I own a boat", "I own a bike"})
    assert pane.day.text().startswith("As of 3 December 2026")
    pane.today.click()
    place.wait(lambda: place.texts("known") == ["I own a bike"])


@pytest.mark.parametrize(
    ("keys", "day"),
    [
        ([Qt.Key.Key_Left], "10 December 2026"),
        ([Qt.Key.Key_Left, Qt.Key.Key_Right], "11 December 2026"),
        ([Qt.Key.Key_PageDown], "21 November 2026"),
        ([Qt.Key.Key_Home, Qt.Key.Key_Right], "22 November 2026"),
        ([Qt.Key.Key_Home, Qt.Key.Key_PageUp], "11 December 2026"),
        ([Qt.Key.Key_Home, Qt.Key.Key_End], "11 December 2026"),
    ],
)
def test_keys_choose_a_day_and_what_is_shown_follows(place, lived, keys, day):
    pane = place.show()
    place.wait(lambda: place.texts("known") == ["I own a bike"])
    for key in keys:
        QTest.keyClick(pane.slider, key)
    assert pane.day.text() == f"As of {day}"
    then = {
        "21 November 2026": ["I own a boat"],
        "22 November 2026": ["I own a boat"],
        "10 December 2026": ["I own a bike", "I own a boat"],
        "11 December 2026": ["I own a bike"],
    }
    place.wait(lambda: sorted(place.texts("known")) == then[day])


def test_the_mouse_chooses_a_day(place, lived):
    pane = place.show()
    place.wait(lambda: pane.slider.maximum() == 20)
    QTest.mouseClick(pane.slider, Qt.MouseButton.LeftButton, pos=QPoint(14, 40))
    place.wait(lambda: place.texts("known") == ["I own a boat"])
    assert pane.slider.value() == 0


def test_escape_goes_back_to_today(place, lived):
    pane = place.show()
    place.wait(lambda: pane.slider.maximum() == 20)
    assert not place.screen.escape()
    pane.slider.setValue(3)
    assert place.screen.escape()
    assert pane.slider.value() == 20


def test_undo_walks_back_step_by_step_and_redo_forward(place, lived):
    pane = place.show()
    place.wait(pane.undo.isEnabled)
    assert "boat" in pane.undo.toolTip()
    pane.undo.click()
    place.wait(lambda: set(place.texts("known")) == {"I own a boat", "I own a bike"})
    place.wait(pane.redo.isEnabled)
    pane.undo.click()
    place.wait(lambda: place.texts("known") == ["I own a boat"])
    pane.redo.click()
    place.wait(lambda: set(place.texts("known")) == {"I own a boat", "I own a bike"})
    pane.redo.click()
    place.wait(lambda: place.texts("known") == ["I own a bike"])
    place.wait(lambda: not pane.redo.isEnabled())
    pane.setFocus()
    QTest.keySequence(pane, QKeySequence.StandardKey.Undo)
    place.wait(pane.redo.isEnabled)
    QTest.keySequence(pane, QKeySequence.StandardKey.Redo)
    place.wait(lambda: not pane.redo.isEnabled())


def test_a_row_opens_its_memory(place, lived):
    pane = place.show()
    place.wait(lambda: place.texts("known") == ["I own a bike"])
    first = pane.findChild(QWidget, "done_0")
    with place.qtbot.waitSignal(place.screen.memory_requested) as asked:
        first.click()
    assert asked.args == [lived]


def test_what_changes_meanwhile_is_seen(place, lived):
    pane = place.show()
    place.wait(lambda: place.texts("known") == ["I own a bike"])
    changes = place.home.off_gui(lambda: place.home.services.memories.add("I own a kite."))
    place.screen.apply_changes(changes)
    place.wait(lambda: "I own a kite" in place.texts("known"))
    assert pane.slider.value() == pane.slider.maximum()


def test_what_was_known_can_be_searched(place, lived):
    place.do(lambda: place.home.services.memories.add("I own a tandem."), days=0)
    pane = place.show()
    place.wait(lambda: len(place.texts("known")) == 2)
    pane.search.setText("tandem")
    place.wait(lambda: place.texts("known") == ["I own a tandem"])
    assert pane.count.text() == "1 memory found"
    pane.search.clear()
    place.wait(lambda: len(place.texts("known")) == 2)


def test_everything_from_one_source_is_forgotten_after_a_question(place):
    message, talk = place.home.say("I own a canoe, and a kayak.")
    evidence = (Evidence(message.text, message.created_at, message.id),)
    for text in ("I own a canoe", "I own a kayak"):
        place.home.remember(text, evidence=evidence)
    pane = place.show()
    pane.where.click()
    place.wait(lambda: pane.findChild(QWidget, f"forget_{talk.id}") is not None)
    assert pane.sources.isVisible()
    place.find(f"forget_{talk.id}").click()
    place.wait(lambda: place.find(f"sure_{talk.id}").isVisible())
    assert "2 memories would be forgotten." in place.find(f"holding_{talk.id}").text()
    place.find(f"keep_{talk.id}").click()
    assert not place.find(f"sure_{talk.id}").isVisible()
    place.find(f"forget_{talk.id}").click()
    place.wait(lambda: place.find(f"sure_{talk.id}").isVisible())
    place.find(f"sure_{talk.id}").click()
    place.wait(lambda: place.home.get_status() == ["forgotten", "forgotten"])
    said = pane.sources.notice.notice.words
    place.wait(lambda: said.text() == f"Forgot what came from “{talk.title}”: 2 memories.")
    pane.sources.notice.notice.button.click()
    place.wait(lambda: place.home.get_status() == ["active", "active"])
    assert not pane.sources.notice.isVisible()
    assert place.screen.escape()
    assert not pane.shows_sources
