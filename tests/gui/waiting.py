"""What a test of the window waits for, and how long."""

import threading

LONG = 20_000  # milliseconds, for something that may take long


def shown(qtbot, widget, width=900, height=600):
    """Return a widget that is shown and has the keyboard; it goes with the test."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    return widget


class Endless:
    """An operation that goes on until it is stopped.

    Attributes:
        started: Set once it runs.
        stopped: Set once it does no more.
    """

    def __init__(self):
        self.started, self.stopped = threading.Event(), threading.Event()

    def __call__(self, cancelled):
        self.started.set()
        try:
            while True:
                cancelled.wait(0.01)
                yield 1
        finally:
            self.stopped.set()
