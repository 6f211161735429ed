"""Time the window: start to typing, the longest slot of the GUI thread, first token, idle memory.

The tour is what a person does in the first minutes: write, read the answer, look at memories,
scroll, search, change a setting, begin anew. A timer that fires every millisecond tells how long
the GUI thread was away, and its own clock how much of that it was at work: the rest it waited for
a core or for the interpreter.
"""

import os
import sys
from collections.abc import Callable, Generator
from time import perf_counter, thread_time, time
from typing import Any

import psutil
from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from app.assets import resource
from app.domain.events import Answered, Token
from app.domain.jobs.operation import Ticket
from app.gui.application import (
    SWITCH_SECONDS,
    Application,
    computer_settings,
    prepare,
)
from app.gui.bridge import Bridge
from app.gui.program import WindowProgram
from app.gui.theme import USUAL_TEXT_SIZE, Theme
from app.gui.workspace import Workspace
from app.paths import Paths

BEAT_MS = 1
REST_MS = 4_000
STARTED = "LOCI_TOUR_STARTED"
QUESTIONS = ("I live in Ghent and my sister Ruth is a nurse.", "Where do I live?", "Who is Ruth?")

Tour = Generator[int, None, None]


class TimedBridge(Bridge):
    """Notes when the first words of an answer reach the window."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_at = 0.0
        self.first_token_ms: list[float] = []

    @Slot(object, object)
    def _deliver_event(self, ticket: Ticket, event: Any) -> None:
        if isinstance(event, Token | Answered) and self.asked_at:
            self.first_token_ms.append((perf_counter() - self.asked_at) * 1000)
            self.asked_at = 0.0
        super()._deliver_event(ticket, event)


class Stopwatch(QObject):
    """Takes the tour and keeps the figures."""

    def __init__(self, qt: QApplication, application: Application, bridge: TimedBridge) -> None:
        super().__init__()
        self._qt, self._application, self._bridge = qt, application, bridge
        self.figures: dict[str, Any] = {}
        self._slots: list[tuple[float, float, str]] = []  # away, at work, during
        self._doing = "start"
        self._last = self._worked = 0.0
        self._beat = QTimer(self)
        self._beat.setTimerType(Qt.TimerType.PreciseTimer)
        self._beat.setInterval(BEAT_MS)
        self._beat.timeout.connect(self._on_beat)
        self._tour: Tour | None = None
        application.ready.connect(self._on_ready)

    @Slot(str)
    def _on_ready(self, page: str) -> None:
        if page == "workspace":
            QTimer.singleShot(0, self._on_typing_possible)

    @Slot()
    def _on_typing_possible(self) -> None:
        if _focused("composer_text") is None:
            QTimer.singleShot(5, self._on_typing_possible)
            return
        started = float(os.environ.get(STARTED, "0")) or psutil.Process().create_time()
        self.figures["start_to_typing_ms"] = round((time() - started) * 1000)
        self._tour = self._steps()
        self._last, self._worked = perf_counter(), thread_time()
        self._beat.start()
        self._on_next()

    @Slot()
    def _on_beat(self) -> None:
        now, worked = perf_counter(), thread_time()
        away, busy = (now - self._last) * 1000 - BEAT_MS, (worked - self._worked) * 1000
        self._slots.append((away, busy, self._doing))
        self._last, self._worked = now, worked

    @Slot()
    def _on_next(self) -> None:
        assert self._tour is not None
        wait = next(self._tour, None)
        if wait is None:
            self._finish()
        else:
            QTimer.singleShot(wait, self._on_next)

    def _steps(self) -> Tour:
        page = self._application.window.page
        assert isinstance(page, Workspace)
        for question in QUESTIONS:
            yield from self._ask(question)
        self._doing = "memory"
        page.show_screen("memory")
        yield 1500
        yield from self._scroll("memory_table")
        self._doing = "search memories"
        yield from self._type("memory_search", "ghent")
        yield 800
        for name in ("models", "settings", "chat", "memory", "chat"):
            self._doing = name
            page.show_screen(name)
            yield 600
        self._doing = "new conversation"
        page.screens.chat.start_new()
        yield 300
        yield from self._ask("What do you know about Ruth?")
        self._doing = "resting"
        yield REST_MS

    def _ask(self, text: str) -> Tour:
        self._doing = "typing"
        yield from self._type("composer_text", text)
        self._doing = "answering"
        self._bridge.asked_at = perf_counter()
        field = _named("composer_text")
        if field is not None:
            _press(field, Qt.Key.Key_Return, "\r")
        yield 1500

    def _type(self, name: str, text: str) -> Tour:
        field = _named(name)
        if field is None:
            return
        field.setFocus()
        for letter in text:
            _press(field, 0, letter)
            yield 8

    def _scroll(self, name: str) -> Tour:
        self._doing = "scrolling"
        view = _named(name)
        if not isinstance(view, QAbstractScrollArea):
            return
        bar = view.verticalScrollBar()
        for step in range(60):
            bar.setValue(bar.maximum() * step // 60)
            yield 16

    def _finish(self) -> None:
        self._beat.stop()
        longest = max(self._slots, default=(0.0, 0.0, ""))
        by_step: dict[str, float] = {}
        at_work: dict[str, float] = {}
        for away, busy, doing in self._slots:
            by_step[doing] = max(by_step.get(doing, 0.0), round(away, 1))
            at_work[doing] = max(at_work.get(doing, 0.0), round(busy, 1))
        first = sorted(self._bridge.first_token_ms)
        self.figures |= {
            "idle_mb": round(psutil.Process().memory_info().rss / 1e6, 1),
            "longest_slot_ms": round(longest[0], 1),
            "longest_slot_during": longest[2],
            "slots_ms": by_step,
            "slots_at_work_ms": at_work,
            "first_token_ms": {
                "p50": round(first[len(first) // 2], 1) if first else None,
                "max": round(first[-1], 1) if first else None,
            },
            "platform": self._qt.platformName(),
        }
        self._application.quit()


def take(program: WindowProgram, paths: Paths) -> dict[str, Any]:
    """Open the window on a profile that was prepared, take the tour, and return the figures."""
    sys.setswitchinterval(SWITCH_SECONDS)
    settings = computer_settings(paths)
    qt = prepare(sys.argv[:1])
    theme = Theme(qt, resource("theme"))
    theme.apply(settings.appearance.theme, settings.appearance.text_size or USUAL_TEXT_SIZE)
    bridge = TimedBridge()
    application = Application(program, paths, settings, theme, bridge)
    stopwatch = Stopwatch(qt, application, bridge)
    application.finished.connect(qt.quit)
    application.start(None)
    qt.exec()
    if not bridge.close():
        os._exit(1)
    return stopwatch.figures


def _named(name: str) -> QWidget | None:
    return next(iter(_visible(lambda w: w.objectName() == name)), None)


def _focused(name: str) -> QWidget | None:
    return next(iter(_visible(lambda w: w.objectName() == name and w.isEnabled())), None)


def _visible(wanted: Callable[[QWidget], bool]) -> list[QWidget]:
    return [w for w in QApplication.allWidgets() if wanted(w) and w.isVisible()]


def _press(widget: QWidget, key: int, text: str) -> None:
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text)
        QApplication.sendEvent(widget, event)
