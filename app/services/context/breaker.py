"""Leave a model alone that fails again and again: a circuit breaker."""

from collections import deque
from collections.abc import Callable

FAILURES = 5
WITHIN_SECONDS = 60.0
REST_SECONDS = 30.0


class CircuitBreaker:
    """Opens after failures in quick succession; after a rest, one call may try again.

    Args:
        now: Seconds, from whenever.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._opened: float | None = None

    def allows(self) -> bool:
        """Whether a call may be made now."""
        if self._opened is None:
            return True
        if self._now() - self._opened < REST_SECONDS:
            return False
        self._opened = self._now()  # whoever tries now is the only one for another rest
        return True

    def failed(self) -> None:
        """Note that a call failed."""
        self._failures.append(self._now())
        quick = self._failures[-1] - self._failures[0] <= WITHIN_SECONDS
        if self._opened is not None or (len(self._failures) == FAILURES and quick):
            self._opened = self._now()

    def worked(self) -> None:
        """Note that a call was answered."""
        self._failures.clear()
        self._opened = None
