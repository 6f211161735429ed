"""Looks after models while a chat at the terminal is open, as the window does.

A model that nobody has asked for long frees its memory, and how many threads write fastest is
measured once. Between messages a chat waits for the person, so this happens on a thread beside it.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from app.errors import AppError

log = logging.getLogger(__name__)

LOOK_AGAIN_SECONDS = 30.0


@contextmanager
def looking_after(look_after: Callable[[Event], object]) -> Iterator[None]:
    """Look after models every now and then while the block runs; the event ends a look."""
    stop = Event()
    thread = Thread(target=_work, args=(look_after, stop), name="caretaker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _work(look_after: Callable[[Event], object], stop: Event) -> None:
    while not stop.wait(LOOK_AGAIN_SECONDS):
        try:
            look_after(stop)
        except AppError as error:  # it is tried again
            log.info("models were not looked after: %s", type(error).__name__)
