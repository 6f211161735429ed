"""Whether finds are reranked, and with which file."""

from collections.abc import Generator
from pathlib import Path
from threading import Event

from app.domain.changes import Changes
from app.domain.jobs.progress import Progress
from app.domain.model import RerankerStatus
from app.providers.host import ModelHost
from app.services.preferences import PreferencesService
from app.settings.rerank import Reranking

LOADING_SECONDS = 30.0


class RerankerService:
    """Gets the reranker, and switches it on and off."""

    def __init__(self, host: ModelHost, preferences: PreferencesService) -> None:
        self._rerankers = host.rerankers
        self._preferences = preferences

    def status(self) -> RerankerStatus:
        """Say whether finds are reranked, and what that would need; looks at the disk only."""
        return self._rerankers.status()

    def download(self, cancel: Event) -> Generator[Progress, None, Changes]:
        """Download the reranker once; only ever because the person asked for it.

        Raises:
            ModelError: It could not be downloaded; what has come is kept for the next time.
        """
        yield from self._rerankers.download(cancel)
        self._rerankers.warm()
        return Changes(models=True)

    def choose(self, path: Path) -> Changes:
        """Rerank with a file that lies anywhere on this computer; it stays where it is.

        Raises:
            ModelFileError: It is no reranker that can be used.
        """
        name = self._rerankers.check(path)
        return self._preferences.set("rag.rerank.model", name) | self.switch(on=True)

    def switch(self, on: bool) -> Changes:
        """Let finds be reranked or not; where the file is missing, each recall says so."""
        wanted = Reranking.ON if on else Reranking.OFF
        changes = self._preferences.set("rag.rerank.enabled", wanted)
        self._rerankers.warm()
        return changes | Changes(models=True)

    def prepare(self) -> None:
        """Wait for the reranker where it is on: for commands, which end before it would be warm."""
        self._rerankers.prepare(LOADING_SECONDS)
