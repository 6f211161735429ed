"""What every measure is given: a way to open a fresh, temporary profile under a clock."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from app.domain.ids import Clock
from app.services.services import Services
from app.store.store import Store

Open = Callable[[Clock], AbstractContextManager[tuple[Services, Store]]]


@dataclass(slots=True)
class HandClock:
    """A clock that is put forward by hand."""

    now: datetime

    def __call__(self) -> datetime:
        """Return how late it is."""
        return self.now
