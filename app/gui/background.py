"""Runs the durable jobs of the open profile, one after another, while nothing else needs doing."""

from collections.abc import Sequence
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.domain.jobs.operation import Operation, Ticket
from app.domain.jobs.progress import Progress
from app.errors import Cancelled
from app.gui.bridge import Bridge, WorkQueue
from app.gui.timers import timer

if TYPE_CHECKING:
    from app.services.services import Services

LOOK_AGAIN_MS = 30_000


class BackgroundWork(QObject):
    """Keeps the background lane at work while there are jobs."""

    # a job came further, or (None) there is none left: a Progress or None
    progressed = Signal(object)
    told = Signal(str)  # a job has something to say to the person: whole sentences

    def __init__(self, services: "Services", bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self._ticket: Ticket | None = None
        self._stopped = False
        self._timer = timer(self, LOOK_AGAIN_MS, self._on_interval_passed, again=True)

    def start(self) -> None:
        """Take up what was left, start the embedder, and look for work from now on."""

        def begin() -> Changes:
            self._services.runtime.warm()
            return self._services.background.recover()

        self._bridge.run(begin, lambda _changes: self._next(), lane=WorkQueue.BACKGROUND)
        self._timer.start()

    def apply_changes(self, changes: Changes) -> None:
        """Look for work where a change may have made some."""
        if changes.jobs or changes.conversations or changes.memories:
            self._stopped = False
            self._next()

    def stop(self) -> None:
        """Stop the job that runs, and no other."""
        if self._ticket is not None:
            self._bridge.run(self._services.background.stop, lane=WorkQueue.DESK)

    def _next(self) -> None:
        if self._ticket is None and not self._stopped:
            self._ticket = self._bridge.submit(
                self._services.background.run_next,
                self._on_job_progressed,
                self._on_job_done,
                self._on_job_failed,
                WorkQueue.BACKGROUND,
            )

    def _on_job_progressed(self, event: Any) -> None:
        if isinstance(event, Progress):
            self.progressed.emit(event)

    def _on_job_done(self, changes: Changes | None) -> None:
        self._ticket = None
        if changes is None:
            self.progressed.emit(None)
        else:
            if changes.profile and changes.said:  # what was learnt has its receipts in the chat
                self.told.emit(" ".join(sorted(changes.said)))
            self._bridge.run(self._services.erasure.told, self._on_told, lane=WorkQueue.DESK)
            self._next()

    def _on_told(self, sentences: Sequence[str]) -> None:
        if sentences:
            self.told.emit(" ".join(sentences))

    def _on_job_failed(self, error: Exception) -> None:
        self._ticket = None
        self.progressed.emit(None)
        if isinstance(error, Cancelled):
            self._bridge.publish(self._services.background.left)
            self._next()  # what was stopped waits; the others need not
        else:
            self._stopped = True  # until something changes or the interval has passed
            self._bridge.failed.emit(error)

    @Slot()
    def _on_interval_passed(self) -> None:
        def look(stop: Event) -> Operation:
            yield from ()
            self._services.upkeep.tick()
            return self._services.runtime.look_after(stop)

        self._stopped = False
        self._bridge.submit(look, on_result=lambda _: self._next(), lane=WorkQueue.BACKGROUND)
