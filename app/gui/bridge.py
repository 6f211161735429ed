"""The only door between the window and the rest of the application.

One object, living on the GUI thread for as long as the application does, owns every cross-thread
signal. Workers never own a QObject, so none can be destroyed on the wrong thread. Work goes to one
of four lanes, so that an answer never waits behind an export, nor either behind learning or a
download.
"""

import logging
from collections import Counter
from collections.abc import Callable, Hashable
from enum import StrEnum
from itertools import takewhile
from threading import Event
from typing import Any, NamedTuple

from PySide6.QtCore import QDeadlineTimer, QObject, QThread, Signal, Slot

from app.domain.changes import Changes
from app.domain.jobs.operation import Loop, Operation, Ticket
from app.errors import AppError, Cancelled

_log = logging.getLogger(__name__)
CLOSE_SECONDS = 5
MOST_UNHEARD = 200  # events of one operation that wait for the window
_PAUSE_SECONDS = 0.005
_GONE = ("already deleted", "source has been deleted")  # what Qt says of a widget, of a signal


class WorkQueue(StrEnum):
    """A queue of work with threads of its own."""

    INTERACTIVE = "interactive"
    DESK = "desk"
    BACKGROUND = "background"
    TRANSFER = "transfer"


THREADS = {
    WorkQueue.INTERACTIVE: 1,
    WorkQueue.DESK: 2,
    WorkQueue.BACKGROUND: 1,
    WorkQueue.TRANSFER: 1,
}


class _Handlers(NamedTuple):
    event: Callable[[Any], None] | None = None
    result: Callable[[Any], None] | None = None
    error: Callable[[Exception], None] | None = None


class LoopThread(QThread):
    """A Qt thread that runs one Qt-free loop."""

    def __init__(self, loop: Loop, parent: QObject | None) -> None:
        super().__init__(parent)
        self.setObjectName(loop.name)
        self._loop = loop

    def run(self) -> None:
        """Run the loop until it is stopped."""
        self._loop.run()


class Bridge(QObject):
    """Submits operations and delivers their events on the GUI thread."""

    changed = Signal(object)  # a mutation was committed; the argument is its Changes
    # an operation failed and nobody asked to hear of it; the argument is the exception
    failed = Signal(object)
    _event = Signal(object, object)
    _done = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._handlers: dict[Ticket, _Handlers] = {}
        self._reads: dict[Ticket, Hashable] = {}  # in the order in which they were asked for
        self._told: Counter[Ticket] = Counter()
        self._heard: Counter[Ticket] = Counter()
        self._when_idle: list[Callable[[], None]] = []
        self._event.connect(self._deliver_event)
        self._done.connect(self._deliver_done)
        self._loops = {lane: Loop(lane) for lane in WorkQueue}
        self._threads = [
            LoopThread(self._loops[lane], self) for lane, n in THREADS.items() for _ in range(n)
        ]
        for thread in self._threads:
            thread.start()

    def run(
        self,
        work: Callable[[], Any],
        on_result: Callable[[Any], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
        lane: WorkQueue | str = WorkQueue.DESK,
        newest: Hashable = None,
    ) -> Ticket:
        """Call ``work`` in the background; handlers are called on the GUI thread.

        Args:
            work: What to do.
            on_result: Called with what it returns.
            on_error: Called with what it raises.
            lane: Where it waits its turn; of two in one lane the later may end first.
            newest: What is read, where the same is read again and again: the outcome of an earlier
                read is dropped once a later one has succeeded.
        """

        def operation(_cancelled: Event) -> Operation:
            yield from ()
            return work()

        ticket = self.submit(operation, on_result=on_result, on_error=on_error, lane=lane)
        if newest is not None:
            self._reads[ticket] = newest
        return ticket

    def submit(
        self,
        start: Callable[[Event], Operation],
        on_event: Callable[[Any], None] | None = None,
        on_result: Callable[[Any], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
        lane: WorkQueue | str = WorkQueue.INTERACTIVE,
    ) -> Ticket:
        """Run an operation in the background; handlers are called on the GUI thread.

        Args:
            start: Given an event that is set on cancellation, returns the operation.
            on_event: Called with each thing it yields.
            on_result: Called with what it returns.
            on_error: Called with what it raises; ``Cancelled`` if it was stopped.
            lane: Where it waits its turn.

        Returns:
            A ticket, to cancel it by; while everything is stopped, of what is stopped as well.
        """
        ticket = Ticket(start, self)
        self._handlers[ticket] = _Handlers(on_event, on_result, on_error)
        if self._when_idle:
            self._mute(ticket)
        return self._loops[WorkQueue(lane)].submit(ticket)

    def publish(self, changes: Changes) -> None:
        """Announce a change that was not the plain result of an operation."""
        if changes:
            self.changed.emit(changes)

    def told(self, error: Exception, otherwise: str) -> str:
        """Return what to say of an error in its place.

        That is the sentence of one that was to be expected. A bug is announced, and the other words
        are returned.
        """
        if isinstance(error, AppError):
            return str(error)
        self.failed.emit(error)
        return otherwise

    def drain(self, then: Callable[[], None]) -> None:
        """Stop everything, tell nobody of its outcome, and call ``then`` once all is quiet.

        What is stopped may still save something, and a screen that hears of that may ask for more
        work; none is begun until then.
        """
        for ticket in self._handlers:
            self._mute(ticket)
        self._when_idle.append(then)
        self._notice_idle()

    def _mute(self, ticket: Ticket) -> None:
        ticket.cancel()
        self._hush(ticket)

    def _hush(self, ticket: Ticket) -> None:
        self._handlers[ticket] = _Handlers(error=self._on_muted_failed)

    def close(self, seconds: float = CLOSE_SECONDS) -> bool:
        """Cancel what runs, wait at most ``seconds``, and say whether every thread has ended."""
        self._when_idle.clear()
        for ticket in list(self._handlers):
            ticket.cancel()
        for lane, threads in THREADS.items():
            for _ in range(threads):
                self._loops[lane].stop()
        deadline = QDeadlineTimer(round(seconds * 1000))
        late = [thread for thread in self._threads if not thread.wait(deadline)]
        for thread in late:
            _log.error("the %s thread did not end in time", thread.objectName())
            thread.setParent(None)
        return not late

    # Called by the loops, on their own threads.

    def on_event(self, ticket: Ticket, event: Any) -> None:
        """Carry an event over to the GUI thread, no faster than that takes them in."""
        while self._told[ticket] - self._heard[ticket] >= MOST_UNHEARD:
            if ticket.cancelled.wait(_PAUSE_SECONDS):
                break
        self._told[ticket] += 1
        self._event.emit(ticket, event)

    def on_done(self, ticket: Ticket, result: Any, error: Exception | None) -> None:
        """Carry an outcome over to the GUI thread."""
        self._done.emit(ticket, result, error)

    # Called by Qt, on the GUI thread.

    @Slot(object, object)
    def _deliver_event(self, ticket: Ticket, event: Any) -> None:
        self._heard[ticket] += 1
        handler = self._handlers[ticket].event
        if handler and not ticket.cancelled.is_set():
            _tell(handler, event)

    @Slot(object, object, object)
    def _deliver_done(self, ticket: Ticket, result: Any, error: Exception | None) -> None:
        handlers = self._handlers.pop(ticket)
        del self._told[ticket], self._heard[ticket]
        if error is None:
            self._hush_earlier(ticket)
        self._reads.pop(ticket, None)
        try:
            self._announce(result, error, handlers)
        finally:
            self._notice_idle()

    def _hush_earlier(self, ticket: Ticket) -> None:
        what = self._reads.get(ticket)
        for earlier in takewhile(lambda other: other is not ticket, self._reads):
            if self._reads[earlier] == what:
                self._hush(earlier)

    def _announce(self, result: Any, error: Exception | None, handlers: _Handlers) -> None:
        for found in result if isinstance(result, tuple) else (result,):
            if isinstance(found, Changes):
                self.publish(found)
        if error is None:
            if handlers.result:
                _tell(handlers.result, result)
        elif handlers.error:
            _tell(handlers.error, error)
        elif not isinstance(error, Cancelled):
            self.failed.emit(error)

    def _on_muted_failed(self, error: Exception) -> None:
        """Announce bugs alone; anything else may well fail once nobody waits for it."""
        if isinstance(error, AppError):
            _log.info("what nobody waits for ended with %s", type(error).__name__)
        else:
            self.failed.emit(error)

    def _notice_idle(self) -> None:
        if self._when_idle and not self._handlers:
            waiting, self._when_idle = self._when_idle, []
            for then in waiting:
                then()


def _tell(handler: Callable[[Any], None], what: Any) -> None:
    """Call a handler; one whose widgets were deleted in the meantime has nothing to hear."""
    try:
        handler(what)
    except RuntimeError as error:
        if not any(words in str(error) for words in _GONE):
            raise
        _log.info("an outcome came after its screen was gone")
