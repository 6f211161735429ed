"""Keeps the window fluent: a growing answer repaints at a steady beat, long work goes in slices."""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.gui.timers import timer

BEAT_MS = 33
SLICE_MS = 8

REST = True

Steps = Iterator[Any]
"""Work in small pieces; each yield is a pause."""

Later = Callable[[int, Callable[[], None]], None]
"""Calls a function after so many milliseconds, on the thread of the window."""


def _now_ms() -> float:
    return perf_counter() * 1000


class Pacer:
    """Runs one action again and again, with a rest of at least ``BEAT_MS`` in between.

    Args:
        action: What to do at each beat.
        later: How to wait; it must forget the action when there is nothing left to draw on.
        clock: The present, in milliseconds.
    """

    def __init__(
        self, action: Callable[[], None], later: Later, clock: Callable[[], float] = _now_ms
    ) -> None:
        self._action = action
        self._clock = clock
        self._later = later
        self._last = float("-inf")
        self._waiting = False

    def ask(self) -> None:
        """Do it now, or at the next beat if the last one is too fresh."""
        if self._waiting:
            return
        rest = self._last + BEAT_MS - self._clock()
        if rest <= 0:
            self._beat()
        else:
            self._waiting = True
            self._later(round(rest + 0.5), self._beat)

    def cancel(self) -> None:
        """Forget what was asked for."""
        self._waiting = False

    def _beat(self) -> None:
        self._waiting = False
        self._action()
        self._last = self._clock()


class Slices(QObject):
    """Runs an iterator in slices of a few milliseconds, so that the window stays awake.

    A step that yields ``REST`` ends its slice: what it set off has to happen first.

    Attributes:
        steps: What is left to do, or None.
    """

    finished = Signal()  # the iterator came to its end

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.steps: Steps | None = None
        self._timer = timer(self, 0, self._on_due, again=True)

    @property
    def busy(self) -> bool:
        """Whether there is work left."""
        return self.steps is not None

    def start(self, steps: Steps, *, now: bool = True) -> None:
        """Work on ``steps`` instead of what was left; the first slice at once, if ``now``."""
        self.steps = steps
        self._timer.start()
        if now:
            self._on_due()

    def stop(self) -> None:
        """Drop what is left."""
        self.steps = None
        self._timer.stop()

    def _on_due(self) -> None:
        steps, until = self.steps, perf_counter() + SLICE_MS / 1000
        while steps is not None and steps is self.steps:
            try:
                rest = next(steps)
            except StopIteration:
                self.stop()
                self.finished.emit()
                return
            if rest is REST or perf_counter() >= until:
                return
