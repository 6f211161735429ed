"""The screen of what waits for the person, on a profile in which things wait."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.domain.contradiction import Clash
from app.domain.memory import Evidence, Status
from app.gui.attention.controller import AttentionController
from app.store.journal.contradictions import Contradictions
from tests.gui.desk import Shown


class Place(Shown):
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

    def press(self, name):
        self.wait(lambda: self.find(name) is not None)
        QTest.mouseClick(self.find(name), Qt.MouseButton.LeftButton)

    def status(self, memory):
        return self.home.get(memory.id).status

    def empty(self):
        return self.pane.nothing.isVisible()
