"""The inspector as a person meets it: a profile whose clock stands still, and the screen on it."""

from datetime import UTC, datetime, timedelta

from PySide6.QtWidgets import QWidget

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.ids import new_id
from app.domain.memory import Memory, MemoryFilter
from app.gui.inspector.controller import InspectorController
from app.main.build import build
from app.paths import Paths
from app.store.conversations import Conversations
from app.store.journal.entries import Note
from app.store.memories import Memories
from app.store.messages import Messages
from app.store.profiles import Profiles

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Home:
    """A profile with its services; everything it does happens off the GUI thread."""

    def __init__(self, folder, off_gui):
        self.off_gui = off_gui
        self.now = NOW
        profiles = Profiles(Paths(folder), self.clock, lambda: None)

        def make():
            self.vault, self.profile = profiles.create("Ada")
            self.opened = build(profiles, self.profile, self.vault, self.clock)
            self.opened.services.preferences.set("models.embedder", "hash")

        off_gui(make)
        self.services = self.opened.services
        self.rows = Memories(self.vault)

    def clock(self):
        return self.now

    def remember(self, text, days=0, evidence=(), **more):
        at = self.now - timedelta(days=days)
        memory = Memory(new_id(at), text, at, at, **{"agent_pk": 1, **more})
        note = Note("learner", "insert", new_id(at))
        return self.off_gui(lambda: self.rows.insert(memory, evidence, note))

    def say(self, text):
        """Say something in a conversation called Cake; return message and conversation."""

        def say():
            talks = Conversations(self.vault)
            messages = Messages(self.vault)
            talk = talks.create(1, title="Cake")
            part = [Part(text, PartOrigin.TYPED)]
            return messages.add(talk.id, Role.USER, part), talk

        return self.off_gui(say)

    def get(self, memory_id):
        return self.off_gui(lambda: self.rows.get(memory_id))

    def texts(self, **wanted):
        found = self.off_gui(lambda: self.services.memories.list(MemoryFilter(**wanted)))
        return [memory.text for memory in found]

    def memories(self, **wanted):
        """Return memories as the list has them."""
        return self.off_gui(lambda: self.services.memories.list(MemoryFilter(**wanted)))

    def get_status(self):
        """Return the status of every memory."""
        found = self.off_gui(lambda: self.services.memories.overview())
        return [str(status) for status, count in found.items() for _ in range(count)]


class Desk:
    """The screen, and what a person sees of it."""

    def __init__(self, qtbot, home, bridge, theme):
        self.qtbot, self.home = qtbot, home
        window = self.window = QWidget()  # owns the screen, as the main window does
        self.screen = InspectorController(home.services, bridge, theme, window, home.clock)
        bridge.changed.connect(self.screen.apply_changes)
        self.pane = self.screen.pane
        self.pane.setParent(window)
        window.resize(1100, 700)
        window.show()
        self.pane.resize(1100, 700)
        self.pane.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)

    def wait(self, condition):
        self.qtbot.waitUntil(condition, timeout=8000)

    def wait_for(self, *texts):
        self.wait(lambda: self.shown() == list(texts))

    def shown(self):
        model = self.screen.model
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def select(self, text):
        self.pane.table.select_row(self.shown().index(text))
        self.wait(lambda: self.detail_text() == text)

    def detail_text(self):
        label = self.find("detail_text")
        side = self.pane.side
        return label.text() if label and side.page is side.detail else ""

    def find(self, name):
        """Return the newest widget of a name; an older one may still be about to go."""
        found = self.pane.findChildren(QWidget, name)
        return found[-1] if found else None

    def search(self, line):
        with self.qtbot.waitSignal(self.pane.search.searched):
            self.pane.search.field.setText(line)

    def foot(self):
        return self.pane.foot.words.text()


class Shown:
    """What is asked of a screen: ``qtbot`` waits, and its widgets are found below ``pane``."""

    def wait(self, condition):
        self.qtbot.waitUntil(condition, timeout=8000)

    def find(self, name):
        found = [w for w in self.pane.findChildren(QWidget, name) if not w.isHidden()]
        return found[-1] if found else None
