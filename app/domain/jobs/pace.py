"""How fast a download is and how long it will take, in words."""

import time
from collections import deque
from collections.abc import Callable

from app.domain.jobs.progress import Progress

WINDOW_SECONDS = 5.0
SOON_SECONDS = 0.5  # before that nobody can tell how fast it is
_MB = 1_000_000


class Pace:
    """Watches the steps of one download; its speed is that of the last few seconds.

    Args:
        now: A monotonic clock, in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._seen: deque[tuple[float, int]] = deque()

    def words(self, progress: Progress) -> str:
        """Return such as ``312 of 1,117 MB · 8.4 MB/s · about 2 minutes left``."""
        come = f"{progress.done / _MB:,.0f} of {megabytes(progress.total)}"
        speed = self._speed(progress.done)
        if not speed:
            return come
        left = remaining((progress.total - progress.done) / speed)
        return f"{come} · {speed / _MB:.1f} MB/s · {left}"

    def _speed(self, done: int) -> float:
        """Return bytes a second; 0 while that cannot be told."""
        now = self._now()
        if self._seen and done < self._seen[-1][1]:
            self._seen.clear()  # begun anew
        self._seen.append((now, done))
        while now - self._seen[0][0] > WINDOW_SECONDS and len(self._seen) > 2:
            self._seen.popleft()
        begun, had = self._seen[0]
        return (done - had) / (now - begun) if now - begun >= SOON_SECONDS else 0.0


def remaining(seconds: float) -> str:
    """Return how long something will take, no more exactly than anybody can know."""
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} seconds left"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} minutes left"
    return f"about {round(seconds / 3600)} hours left"


def megabytes(count: int) -> str:
    """Return a size such as ``636 MB``."""
    return f"{max(0, count) / _MB:,.0f} MB"
