"""The models at work on this computer: started ahead, put away after a while, run at their best."""

import logging
from collections.abc import Callable, Sequence
from threading import Event

from app.domain.changes import Changes
from app.errors import Cancelled, ModelError
from app.providers.base import EmbedderInfo, Embedding, Purpose
from app.providers.host import ModelHost
from app.providers.local import threads
from app.services.preferences import PreferencesService

log = logging.getLogger(__name__)


class RuntimeService:
    """Starts, rests and tunes the models in use."""

    def __init__(self, host: ModelHost, preferences: PreferencesService) -> None:
        self._host = host
        self._preferences = preferences

    def warm(self) -> None:
        """Start what recall needs in the background."""
        self._host.warm()

    def look_after(self, stop: Event, busy: Callable[[], bool] = threads.busy) -> Changes:
        """Put away models that nobody used for long, and measure once what runs fastest here."""
        minutes = self._preferences.values().models.rest_minutes
        rested = bool(minutes) and self._host.rest(minutes * 60.0)
        changes = Changes(models=rested)
        try:
            tuned = self._host.tune(stop, busy)
        except (Cancelled, ModelError) as error:
            log.info("how many threads are fastest was not measured: %s", type(error).__name__)
            return changes
        if tuned is None:
            return changes
        log.info("tokens a second by threads: %s", dict(tuned.rates))
        changes |= self._preferences.set("computer.threads", tuned.threads)
        return changes | self._preferences.set("computer.threads_machine", threads.machine())

    def embedder_info(self) -> EmbedderInfo:
        """Say which embedder is in use; may start it."""
        return self._host.embedder.info

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Embedding]:
        """Embed texts; for measurements."""
        return self._host.embedder.embed(texts, purpose)
