"""How far long work has come."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of long work.

    Attributes:
        label: What is being done, as a person would say it.
        done: How much is done.
        total: How much there is; 0 when nobody knows yet.
        stoppable: Whether stopping now would leave everything as it was.
    """

    label: str
    done: int = 0
    total: int = 0
    stoppable: bool = True


def outcome(steps: Generator[Any, None, T]) -> T:
    """Return what long work returns, telling nobody how far it is."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found: T = stop.value
            return found
