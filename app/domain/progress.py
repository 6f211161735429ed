"""How far long work has come."""

from dataclasses import dataclass


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
