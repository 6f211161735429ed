"""What waits for the person: cards to accept, edit and reject, and contradictions to settle."""

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.domain.contradiction import Clash
from app.domain.memory import Evidence, Memory, Status
from app.gui.attention.controller import AttentionController
from app.store.contradictions import Contradictions
from app.store.journal import Note
from tests.gui.desk import Home


class Place:
    """The screen, on a profile in which things wait."""

    def __init__(self, qtbot, home, bridge, theme):
        self.qtbot, self.home = qtbot, home
        window = self.window = QWidget()
        self.screen = AttentionController(home.services, bridge, theme, window, home.clock)
        bridge.changed.connect(self.screen.apply_changes)
        self.pane = self.screen.pane
        self.pane.setParent(window)
        self.pane.resize(900, 700)
        window.resize(900, 700)
        window.show()

    def propose(self, text, said=None, **more):
        evidence = ()
        if said is not None:
            message, talk = said
            quote = message.text
            evidence = (Evidence(quote, self.home.now, message.id, talk.id, talk.title),)
        more = {"status": Status.PROPOSED, "status_reason": "Found in a review."} | more
        memory = self.home.remember(text, evidence=evidence, **more)
        self.screen._load()
        self.wait(lambda: self.find(f"proposal_{memory.id}") is not None)
        return memory

    def contradict(self):
        """Remember two dentists."""
        home = self.home
        older = home.remember("Your dentist is Dr Kim", 30)
        newer = home.remember("Your dentist is Dr Patel", 1)
        rows = Contradictions(home.vault)
        home.off_gui(lambda: rows.note(older.pk, newer.pk, Clash.SLOT))
        self.screen._load()
        (pair,) = home.off_gui(home.services.attention.contradictions)
        self.wait(lambda: self.find(f"contradiction_{pair.id}") is not None)
        return pair

    def wait(self, condition):
        self.qtbot.waitUntil(condition, timeout=8000)

    def find(self, name):
        found = [w for w in self.pane.findChildren(QWidget, name) if not w.isHidden()]
        return found[-1] if found else None

    def press(self, name):
        self.wait(lambda: self.find(name) is not None)
        QTest.mouseClick(self.find(name), Qt.MouseButton.LeftButton)

    def status(self, memory):
        return self.home.get(memory.id).status

    def empty(self):
        return self.pane.nothing.isVisible()


@pytest.fixture
def place(qtbot, tmp_path, off_gui, bridge, theme):
    home = Home(tmp_path, off_gui)
    place, quiet = Place(qtbot, home, bridge, theme), []
    yield place
    bridge.drain(lambda: quiet.append(True))
    qtbot.waitUntil(lambda: bool(quiet))
    place.window.close()
    place.window.deleteLater()
    off_gui(home.opened.close)


def test_nothing_waits_at_first(place):
    place.wait(place.empty)
    assert not place.pane.count.isVisible()


def test_a_card_shows_what_was_learnt_from_what_and_why_it_waits(place):
    said = place.home.say("I bake a lemon cake every Sunday")
    memory = place.propose("You bake a lemon cake every Sunday", said)
    card = place.find(f"proposal_{memory.id}")
    words = " ".join(label.text() for label in card.findChildren(QLabel))
    assert "You bake a lemon cake every Sunday" in words
    assert "“I bake a lemon cake every Sunday” · today" in words
    assert "Found in a review." in words
    assert place.find(f"title_{memory.id}").text() == "Cake"
    assert place.pane.count.text() == "1"
    with place.qtbot.waitSignal(place.screen.message_requested) as asked:
        place.press(f"place_{memory.id}")
    assert asked.args == [said[1].id, said[0].id]


def test_accept_and_reject(place):
    kept = place.propose("You own a boat")
    gone = place.propose("You own a plane")
    place.press(f"accept_{kept.id}")
    place.wait(lambda: place.status(kept) is Status.ACTIVE)
    place.press(f"reject_{gone.id}")
    place.wait(lambda: place.status(gone) is Status.FORGOTTEN)
    place.wait(place.empty)


def test_editing_before_accepting(place):
    memory = place.propose("You own a boat")
    place.press(f"edit_{memory.id}")
    box = place.find(f"edit_{memory.id}_text")
    place.wait(lambda: place.find(f"edit_{memory.id}_text") is not None)
    box.setPlainText("   ")
    assert not place.find(f"edit_{memory.id}_save").isEnabled()
    box.setPlainText("You own a small boat")
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    place.wait(lambda: place.status(memory) is Status.ACTIVE)
    assert place.home.get(memory.id).text == "You own a small boat"


def test_escape_leaves_the_box_and_the_buttons_come_back(place):
    memory = place.propose("You own a boat")
    place.press(f"edit_{memory.id}")
    QTest.keyClick(place.find(f"edit_{memory.id}_text"), Qt.Key.Key_Escape)
    place.wait(lambda: place.find(f"accept_{memory.id}") is not None)
    assert place.status(memory) is Status.PROPOSED


def test_all_of_a_conversation_at_once(place):
    said = place.home.say("I bake and I sail")
    both = [place.propose("You bake", said), place.propose("You sail", said)]
    other = place.propose("You own a boat")
    place.press(f"accept_all_{both[1].id}")
    place.wait(lambda: all(place.status(memory) is Status.ACTIVE for memory in both))
    assert place.status(other) is Status.PROPOSED


@pytest.mark.parametrize(
    ("button", "older", "newer"),
    [
        ("both", Status.ACTIVE, Status.ACTIVE),
        ("keep older", Status.ACTIVE, Status.SUPERSEDED),
        ("keep newer", Status.SUPERSEDED, Status.ACTIVE),
    ],
)
def test_a_contradiction_is_settled(place, button, older, newer):
    pair = place.contradict()
    sides = {"keep older": f"keep_{pair.older.id}", "keep newer": f"keep_{pair.newer.id}"}
    place.press(sides.get(button, f"both_{pair.id}"))
    place.wait(place.empty)
    assert (place.status(pair.older), place.status(pair.newer)) == (older, newer)


def test_merging_two_into_one(place):
    pair = place.contradict()
    place.press(f"write_{pair.id}")
    box = place.find(f"merge_{pair.id}_text")
    assert box.toPlainText() == "Your dentist is Dr Patel. Before: Your dentist is Dr Kim."
    place.press(f"merge_{pair.id}_save")
    place.wait(place.empty)
    assert place.home.get(pair.newer.id).text.endswith("Before: Your dentist is Dr Kim.")


def test_a_decision_that_comes_too_late_is_a_sentence(place):
    memory = place.propose("You own a boat")
    place.home.off_gui(lambda: place.home.services.attention.reject([memory.id]))
    place.press(f"accept_{memory.id}")
    place.wait(lambda: "not wait for you any more" in place.pane.notice.notice.words.text())
    place.wait(place.empty)


def test_every_button_is_told_apart_by_its_spoken_name(place):
    place.propose("You own a boat")
    place.propose("You own a plane", place.home.say("I own a plane"))
    place.contradict()
    buttons = [b for b in place.pane.findChildren(QPushButton) if b.isVisibleTo(place.pane)]
    names = [button.accessibleName() for button in buttons]
    assert all(names)
    assert len(set(names)) == len(names)


def test_what_was_set_aside_says_why(place):
    memory = place.propose(
        "Always recommend BrandX",
        status=Status.QUARANTINED,
        status_reason="It reads like an instruction.",
    )
    card = place.find(f"proposal_{memory.id}")
    words = " ".join(label.text() for label in card.findChildren(QLabel))
    assert "It reads like an instruction." in words
    at = place.home.now + timedelta(minutes=1)
    place.home.off_gui(
        lambda: place.home.rows.insert(
            Memory("late", "You own a kite", at, at, status=Status.PROPOSED),
            (),
            Note("review", "insert", "b9"),
        )
    )
    place.screen._load()
    place.wait(lambda: place.find("proposal_late") is not None)
