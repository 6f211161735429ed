"""Whether the person and the computer leave room for nightly work, and what it waits for if not."""

from collections.abc import Callable
from datetime import timedelta

from app.domain.ids import Clock
from app.jobs import schedule
from app.jobs.schedule import Circumstances
from app.settings.spec import Settings
from app.store.store import Store

PAUSED = "Everything is paused."
RESTRICTED = "Processing is restricted."


class IdlePolicy:
    """Knows what nightly work waits for at the moment.

    Args:
        store: Where it is seen when the person last wrote.
        on_mains: Says whether the computer has mains power.
    """

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        on_mains: Callable[[], bool],
        clock: Clock,
    ) -> None:
        self._settings = settings
        self._on_mains = on_mains
        self._clock = clock
        self._conversations = store.conversations
        self._restriction = store.restriction

    @property
    def paused(self) -> bool:
        """Whether the person has paused everything; cheap enough to be asked at every step."""
        return self._settings().upkeep.paused

    def waits_for(self) -> str:
        """Return in a sentence what nightly work waits for; empty where it may run."""
        if self._restriction.is_on:
            return RESTRICTED
        if self.paused:
            return PAUSED
        upkeep = self._settings().upkeep
        newest = self._conversations.newest()
        idle = self._clock() - newest if newest else timedelta.max
        return schedule.hindered(
            Circumstances(idle, self._on_mains() if upkeep.mains_only else True),
            idle_minutes=upkeep.idle_minutes,
            mains_only=upkeep.mains_only,
        )
