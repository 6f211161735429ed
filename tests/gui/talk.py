"""The chat screen as a person meets it: a model that says what it is told, hands and eyes."""

import threading

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.domain.memory import MemoryFilter, Status
from app.domain.model import ChatInfo
from app.gui.chat.controller import ChatController
from app.providers.base import Measured
from tests.gui.waiting import LONG, shown


class Scripted:
    """A chat model that says what the test tells it to, when the test lets it."""

    info = ChatInfo("scripted", "Scripted 1B", 8192, True)

    def __init__(self):
        self.says = "Fine."
        self.fails = None
        self.gate = threading.Event()
        self.gate.set()
        self.prompts = []
        self.loads, self.reads = [], []
        self.last_use = None
        self.calls_tools = False
        self.calls = []  # what it calls before it answers, round by round

    def count(self, text):
        return len(text) // 4

    def prepared(self, cancel):
        yield from self.loads
        while self.loads and not self.gate.wait(0.01) and not cancel.is_set():
            pass

    def told(self, prompt, sampling, cancel):
        yield from self.reads
        while self.reads and not self.gate.wait(0.01) and not cancel.is_set():
            pass
        if cancel.is_set():
            return
        if self.calls and sampling.tools:
            self.prompts.append(prompt)
            yield from self.calls.pop(0)
        else:
            yield from self.stream(prompt, sampling, cancel)

    def measure(self, prompt, cancel, tools=()):
        tokens = sum(self.count(turn.content) + 8 for turn in prompt)
        return Measured(tokens, self.info.context_tokens, exact=False)

    def stream(self, prompt, sampling, cancel):
        self.prompts.append(prompt)
        if self.fails and not self.says:
            raise self.fails
        for word in self.says.split(" "):
            yield word + " "
            while not self.gate.wait(0.01):
                if cancel.is_set():
                    return
        if self.fails:
            raise self.fails


class Talk:
    """The screen, and the hands and eyes of a person at it."""

    def __init__(self, qtbot, theme, bridge, services, off_gui):
        self.qtbot, self.bridge, self.off_gui = qtbot, bridge, off_gui
        self.services = services
        self.screen = ChatController(services, bridge, theme)
        self.pane = self.screen.pane
        bridge.changed.connect(self.screen.apply_changes)
        shown(qtbot, self.pane, 1000, 800)
        self.settle()

    def settle(self):
        self.qtbot.waitUntil(lambda: not self.bridge._handlers, timeout=LONG)

    def until(self, condition):
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=LONG)

    def say(self, text, *, wait=True):
        field = self.pane.composer.text
        field.setFocus()
        self.qtbot.keyClicks(field, text)
        self.qtbot.keyClick(field, Qt.Key.Key_Return)
        if wait:
            self.settle()

    def paste(self, text):
        data = QMimeData()
        data.setText(text)
        self.pane.composer.text.insertFromMimeData(data)

    def learn(self):
        """Let the background do what it has to do."""

        def work():
            run = self.services.background.run()
            while True:
                try:
                    next(run)
                except StopIteration as stop:
                    return stop.value

        self.bridge.publish(self.off_gui(work))
        self.settle()

    @property
    def id(self):
        return self.screen._page.id

    def kept(self):
        return self.off_gui(lambda: self.services.conversations.messages(self.id))

    def memories(self):
        wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}))
        return {m.text for m in self.off_gui(lambda: self.services.memories.list(wanted))}

    def turns(self):
        return [(turn.own, turn.message.text.strip()) for turn in self.pane.model.turns]

    def last(self):
        return self.pane.transcript.views[-1]

    def find(self, name, within=None):
        found = (within or self.pane).findChildren(QWidget, name)
        return [w for w in found if w.isVisibleTo(self.pane)]

    def chip(self, text):
        return next(
            w
            for number in range(1, 6)
            for w in self.find(f"chip_{number}")
            if w.text().startswith(text)
        )

    def click(self, name, within=None):
        (button, *_) = self.find(name, within)
        assert isinstance(button, QAbstractButton)
        assert button.isEnabled()
        button.click()
        self.settle()
