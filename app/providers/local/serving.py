"""The other end of the pipe: what a child process does besides running weights.

It says how far it has loaded, answers numbered requests one after another, hears of cancellations
while it works, says in a sentence what went wrong, rests when nobody asks for anything, and ends as
soon as its parent is gone.
"""

import os
import signal
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Protocol, runtime_checkable

from app.errors import AppError, ModelError
from app.hardening import leave_no_core

CANCEL = "cancel"
NICENESS = 5
PIECE, DONE, FAILED = "piece", "done", "failed"
REST_SECONDS = 60.0

Message = tuple[int, str, Any]


class Worker(Protocol):
    """What runs inside a child process."""

    @property
    def about(self) -> Any:
        """Say what was loaded; sent to the parent once."""

    def work(self, method: str, argument: Any, cancel: Event) -> Iterator[Any]:
        """Yield the answer to one request piece by piece, and end soon after ``cancel`` is set."""


@runtime_checkable
class Resting(Protocol):
    """A worker that holds memory which it can do without for a while."""

    def rest(self) -> None:
        """Free it."""


Build = Callable[..., Worker]


def serve(
    pipe: "Connection[Any, Any]",
    title: str,
    build: Build,
    arguments: tuple[Any, ...],
    tells: bool = False,
    rest_seconds: float = REST_SECONDS,
) -> None:
    """Build the worker and answer requests until the pipe ends; the child's main function.

    Where it ``tells``, its last argument is told the share that is loaded, from 0 to 1. After
    ``rest_seconds`` without a request it frees what it can do without.
    """
    leave_no_core()
    _quieten()
    _give_way()
    inbox = _Inbox(pipe)
    Thread(target=inbox.read, name="inbox", daemon=True).start()
    try:
        worker = build(*arguments, _Loading(pipe)) if tells else build(*arguments)
    except Exception as error:  # noqa: BLE001 - travels to the parent as a sentence
        pipe.send((0, FAILED, _sentence(error, f"{title} could not be loaded")))
        return
    pipe.send((0, DONE, worker.about))
    while True:
        try:
            number, method, argument = inbox.requests.get(timeout=rest_seconds)
        except Empty:
            if isinstance(worker, Resting):
                worker.rest()
            continue
        try:
            for piece in worker.work(method, argument, _CancelOf(inbox, number)):
                pipe.send((number, PIECE, piece))
            pipe.send((number, DONE, None))
        except Exception as error:  # noqa: BLE001 - travels to the parent as a sentence
            pipe.send((number, FAILED, _sentence(error, f"{title} could not answer")))


def _quieten() -> None:
    """Keep the native code from spinning, and from the terminal: neither read, print nor Ctrl+C."""
    os.environ["OMP_WAIT_POLICY"] = "passive"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _give_way() -> None:
    """Let the window have a core first where there are fewer of them than there is work."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def _sentence(error: Exception, what: str) -> ModelError:
    if isinstance(error, ModelError):
        return error
    if isinstance(error, AppError):
        return ModelError(str(error))
    if isinstance(error, MemoryError):
        return ModelError(f"{what}: there is not enough memory.")
    told = ModelError(f"{what}.")
    told.add_note(type(error).__name__)  # for the log of the parent; a child has none
    return told


class _Loading:
    """Tells the parent how far a worker has loaded, in hundredths, each of them once."""

    def __init__(self, pipe: "Connection[Any, Any]") -> None:
        self._pipe, self._told = pipe, -1

    def __call__(self, share: float) -> None:
        percent = int(min(max(share, 0.0), 1.0) * 100)
        if percent > self._told:
            self._told = percent
            self._pipe.send((0, PIECE, percent))


class _Inbox:
    """Reads the pipe on a thread of its own, so that a cancellation overtakes the work."""

    def __init__(self, pipe: "Connection[Any, Any]") -> None:
        self.requests: SimpleQueue[Message] = SimpleQueue()
        self.cancelled = 0
        self._pipe = pipe

    def read(self) -> None:
        """Sort messages until the parent is gone, and then end the process."""
        while True:
            try:
                number, method, argument = self._pipe.recv()
            except (EOFError, OSError):
                os._exit(0)
            if method == CANCEL:
                self.cancelled = max(self.cancelled, number)
            else:
                self.requests.put((number, method, argument))


class _CancelOf(Event):
    """Is set once the request of that number was cancelled."""

    def __init__(self, inbox: _Inbox, number: int) -> None:
        super().__init__()
        self._inbox, self._number = inbox, number

    def is_set(self) -> bool:
        """Look at what the inbox has seen."""
        return self._inbox.cancelled >= self._number
