"""How many processor threads write fastest here: measured with the very model, once per machine.

Writing a token waits for the memory, not for arithmetic, so that more threads than a few often
only get in each other's way; which number is best, no rule says for all machines.
"""

import hashlib
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from threading import Event
from time import perf_counter

from app.providers.local.contexts import Context, Threads

ROUNDS = 3
_NOTABLE = 1.1
_ROUND_SECONDS = 0.1
_LOOK_SECONDS, _BUSY_PERCENT = 0.25, 30
_FEWEST, _MOST = 2, 12
_COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was measured.

    Attributes:
        threads: How many are best.
        rates: Tokens a second, by the number of threads.
    """

    threads: int
    rates: Mapping[int, float]


def machine() -> str:
    """Return what tells this machine from others; nothing can be read from it."""
    told = f"{platform.node()} {platform.machine()} {os.cpu_count()}"
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]


def busy() -> bool:
    """Return whether other work would spoil a measurement now."""
    import psutil

    return bool(psutil.cpu_percent(interval=_LOOK_SECONDS) > _BUSY_PERCENT)


def counts(cores: int) -> Sequence[int]:
    """Return the numbers of threads that are worth a try."""
    return sorted({*(count for count in _COUNTS if count < cores), max(1, cores)})


def best(rates: Mapping[int, float]) -> int:
    """Return the fewest threads that are about as fast as any: less than a tenth is noise."""
    fastest = max(rates.values())
    return min(count for count, rate in rates.items() if rate * _NOTABLE >= fastest)


def measure(context: Context, token: int, reading: int, cancel: Event) -> Iterator[Tuned]:
    """Write a few dozen tokens with each number of threads; yield nothing once it is cancelled.

    The context is empty afterwards.
    """
    context.begin([token])
    context.add(token)
    tokens = min(max(int(_ROUND_SECONDS / _seconds(context, token, 1)), _FEWEST), _MOST)
    rates: dict[int, list[float]] = {count: [] for count in counts(os.cpu_count() or 1)}
    for _ in range(ROUNDS):
        for count, found in rates.items():
            if cancel.is_set():
                return
            context.use_threads(Threads(count, reading))
            found.append(1 / _seconds(context, token, tokens))
    context.begin([token])
    medians = {count: round(median(found), 2) for count, found in rates.items()}
    yield Tuned(best(medians), medians)


def _seconds(context: Context, token: int, count: int) -> float:
    """Return how long one token takes, on an average of some."""
    started = perf_counter()
    for _ in range(count):
        context.add(token)
    return max((perf_counter() - started) / count, 1e-6)
