"""By what the work of a thread hears of a Stop, however deep in it somebody else is waited for.

What waits for a server, far below whoever was asked to stop, need not be handed the event through
everything that lies between: whoever drives the work says which one it is.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

from app.errors import Cancelled

T = TypeVar("T")

_LOOK_SECONDS = 0.05

_STOP: ContextVar[Event | None] = ContextVar("stop", default=None)


@contextmanager
def stoppable(stop: Event) -> Iterator[None]:
    """Let what is done within the block on this thread hear of ``stop``."""
    before = _STOP.set(stop)
    try:
        yield
    finally:
        _STOP.reset(before)


def stop_of_work() -> Event:
    """Return what is set once the work of this thread is to stop; of none, it never is."""
    return _STOP.get() or Event()


def apart(work: Callable[[], T]) -> T:
    """Do what cannot hear of a Stop; once there is one, it is left to come to nothing by itself.

    Args:
        work: What is done, on a thread of its own: nothing that changes anything.

    Raises:
        Cancelled: The work of this thread is to stop.
    """
    stop, done = stop_of_work(), SimpleQueue[tuple[T | None, Exception | None]]()

    def run() -> None:
        try:
            done.put((work(), None))
        except Exception as error:  # noqa: BLE001 - belongs to whoever waits
            done.put((None, error))

    Thread(target=run, name="apart", daemon=True).start()
    while not stop.is_set():
        try:
            result, error = done.get(timeout=_LOOK_SECONDS)
        except Empty:
            continue
        if error is not None:
            raise error
        return result  # type: ignore[return-value]
    raise Cancelled("Stopped.")
