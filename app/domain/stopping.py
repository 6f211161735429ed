"""By what the work of a thread hears of a Stop, however deep in it somebody else is waited for.

What waits for a server, far below whoever was asked to stop, need not be handed the event through
everything that lies between: whoever drives the work says which one it is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

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
