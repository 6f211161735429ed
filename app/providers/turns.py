"""Who goes next where only one can: a queue in which urgent callers overtake the others.

A child process answers one request at a time and one model serves one conversation at a time. A
person who waits for an answer or a search must not stand behind a background job.
"""

from threading import Condition, Event

from app.errors import Cancelled

_LOOK_SECONDS = 0.05


class Turns:
    """A lock with two ranks; whoever enters urgently goes before all that are not urgent."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._urgent_waiting = 0
        self._taken = False
        self._give_way: Event | None = None

    @property
    def taken(self) -> bool:
        """Whether somebody is in."""
        return self._taken

    def enter(self, urgent: bool, cancel: Event | None = None) -> Event:
        """Wait for a turn; the event returned is set when an urgent caller wants it back.

        Raises:
            Cancelled: ``cancel`` was set while waiting.
        """
        with self._changed:
            self._urgent_waiting += urgent
            try:
                self._wait(urgent, cancel)
            finally:
                self._urgent_waiting -= urgent
            return self._take(urgent)

    def try_enter(self) -> bool:
        """Take a turn if nobody is in and nobody urgent waits; never wait."""
        with self._changed:
            if self._taken or self._urgent_waiting:
                return False
            self._take(urgent=True)
            return True

    def leave(self) -> None:
        """Give the turn to the next."""
        with self._changed:
            self._taken, self._give_way = False, None
            self._changed.notify_all()

    def _wait(self, urgent: bool, cancel: Event | None) -> None:
        while self._taken or (self._urgent_waiting and not urgent):
            if urgent and self._give_way is not None:
                self._give_way.set()
            if cancel is not None and cancel.is_set():
                raise Cancelled("Stopped.")
            self._changed.wait(None if cancel is None else _LOOK_SECONDS)

    def _take(self, urgent: bool) -> Event:
        self._taken = True
        wanted_back = Event()
        self._give_way = None if urgent else wanted_back
        return wanted_back
