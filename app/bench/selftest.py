"""Prove that an installation works: remember, embed and recall, then show every screen.

The real program runs on a fresh profile in a temporary folder, on no display. It goes the way of a
first day, and each screen is grabbed and must not be blank. A frozen Loci is tested this way.
"""

from collections import Counter
from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.assets import resource
from app.domain.jobs.operation import drive
from app.errors import AppError
from app.gui.application import Application, computer_settings, prepare
from app.gui.bridge import Bridge
from app.gui.exception_hook import watch_for_exceptions
from app.gui.program import WindowProgram
from app.gui.theme import Theme
from app.gui.workspace import Workspace
from app.paths import Paths

if TYPE_CHECKING:
    from app.services.services import Services

FACT = "My sister Ruth plays the cello."
QUESTION = "Which instrument does Ruth play?"
ANSWER = "cello"
SCREENS = {"memory": "memory_table", "models": "library_pane", "settings": "settings_pane"}
PATIENCE_SECONDS = 60
LOOK_MS = 20
FEWEST_COLOURS = 24
LEAST_DRAWN = 0.01
PIXELS_BETWEEN = 3


class SelftestFailed(AppError):
    """Something that must work does not."""


def take(program: WindowProgram, paths: Paths, say: Callable[[str], None]) -> None:
    """Try everything once on the one fresh profile in ``paths``, and say what works, step by step.

    Raises:
        AppError: Something does not work; its text says what.
    """
    opened = program.unlock(paths, None)
    try:
        say("the vault opens")
        _remember(opened.services, say)
    finally:
        opened.close()
    visit = Visit(program, paths, say)
    try:
        visit.take()
    finally:
        closed = visit.end()
    if not closed:
        raise SelftestFailed("The window's work did not end in time.")
    say("the window closes")


def _remember(services: "Services", say: Callable[[str], None]) -> None:
    services.memories.add(FACT)
    say("a text is remembered")
    drive(services.background.run(), Event())
    status = services.memories.embedding_status()
    if not status.total or status.missing:
        raise SelftestFailed("The memory was not embedded.")
    say(f"it is embedded ({status.embedder})")
    found = services.memories.recall(QUESTION)
    if found.degraded:
        raise SelftestFailed(" ".join(found.degraded))
    best = next(iter(found.hits), None)
    if best is None or ANSWER not in best.text or "vector" not in best.lanes:
        raise SelftestFailed("The memory was not recalled by meaning.")
    say("it is recalled by words and by meaning")


class Visit(QObject):
    """Opens the window where nobody sees it, and looks at every screen."""

    def __init__(self, program: WindowProgram, paths: Paths, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say
        self._failure: Exception | None = None
        self._finished = False
        self._qt = prepare(["loci", "-platform", "offscreen"])
        settings = computer_settings(paths)
        theme = Theme(self._qt, resource("theme"))
        theme.apply(settings.appearance.theme, settings.appearance.text_size)
        self._bridge = Bridge()
        self._bridge.failed.connect(self._on_failed)
        self._application = Application(program, paths, settings, theme, self._bridge)
        self._application.finished.connect(self._on_finished)
        watch_for_exceptions(self._on_failed, self._application.quit)

    def take(self) -> None:
        """Go from first run through every screen."""
        self._application.start(None)
        self._look("first_run", "first run")
        self._click("choose_notebook")
        self._click("first_run_start")
        self._ask(QUESTION)
        self._wait("chip_1")
        self._look("chat_pane", "chat with an answer and the memory it used")
        workspace = self._application.window.page
        assert isinstance(workspace, Workspace)
        for screen, name in SCREENS.items():
            workspace.show_screen(screen)
            self._wait(name)
            self._look(name, screen)

    def end(self) -> bool:
        """Close the window as a person would; say whether everything was put away in time."""
        self._failure = None
        self._application.quit()
        try:
            self._until(lambda: self._finished, "the window to close")
        finally:
            closed = self._bridge.close()
        return closed

    def _on_failed(self, error: Exception) -> None:
        self._failure = error

    def _on_finished(self) -> None:
        self._finished = True

    def _click(self, name: str) -> None:
        button = self._wait(name)
        self._until(button.isEnabled, name)
        assert isinstance(button, QAbstractButton)
        button.click()

    def _ask(self, text: str) -> None:
        field = self._wait("composer_text")
        for letter in text:
            _press(field, 0, letter)
        _press(field, Qt.Key.Key_Return, "\r")

    def _wait(self, name: str) -> QWidget:
        self._until(lambda: _seen(name) is not None, name)
        widget = _seen(name)
        assert widget is not None
        return widget

    def _until(self, done: Callable[[], bool], what: str) -> None:
        end = monotonic() + PATIENCE_SECONDS
        while not done():
            if self._failure is not None:
                raise self._failure
            if monotonic() > end:
                raise SelftestFailed(f"Waited {PATIENCE_SECONDS} s for {what}.")
            self._rest()

    def _rest(self) -> None:
        loop = QEventLoop()
        QTimer.singleShot(LOOK_MS, loop.quit)
        loop.exec()

    def _look(self, name: str, what: str) -> None:
        """Wait until a screen is drawn: not blank, and the same at two looks."""
        screen = self._wait(name)
        before = QImage()

        def drawn() -> bool:
            nonlocal before
            before, now = screen.grab().toImage(), before
            return before == now and not blank(now)

        self._until(drawn, f"{what} to be drawn")
        self._say(f"{what} is shown")


def blank(image: QImage) -> bool:
    """Say whether a picture shows next to nothing: one colour almost everywhere, or few colours."""
    colours = Counter(
        image.pixel(x, y)
        for x in range(0, image.width(), PIXELS_BETWEEN)
        for y in range(0, image.height(), PIXELS_BETWEEN)
    )
    if len(colours) < FEWEST_COLOURS:
        return True
    return 1 - colours.most_common(1)[0][1] / colours.total() < LEAST_DRAWN


def _seen(name: str) -> QWidget | None:
    named = (w for w in QApplication.allWidgets() if w.objectName() == name and w.isVisible())
    return next((w for w in named if not w.visibleRegion().isEmpty()), None)


def _press(widget: QWidget, key: int, text: str) -> None:
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text)
        QApplication.sendEvent(widget, event)
