"""Timers that belong to an object and end with it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, SignalInstance


def timer(
    of: QObject,
    milliseconds: int,
    then: Callable[[], object] | SignalInstance,
    *,
    again: bool = False,
) -> QTimer:
    """Return a timer, not running yet, that acts once so long after its start, or every time."""
    made = QTimer(of)
    made.setSingleShot(not again)
    made.setInterval(milliseconds)
    made.timeout.connect(then)
    return made
