"""What stands around the table: the counts, the last change, and how far the index is."""

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.domain.changes import Changes
from app.domain.jobs.upkeep import Trigger
from app.domain.memory import MemoryFilter, Status, Trust
from app.domain.model import EmbeddingStatus
from app.errors import AppError
from app.gui.bridge import Bridge, WorkQueue
from app.gui.inspector.pane import InspectorPane
from app.gui.inspector.wording import counted

if TYPE_CHECKING:
    from app.services.memories import MemoriesService
    from app.services.services import Services

PATIENCE_MS = 120
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Survey:
    """One look at it all.

    Attributes:
        total: Memories that are not forgotten.
        claimed: Those of them that imports claimed.
        last: Batch and sentence of the last change.
        embedding: How far the index is, or None where the embedder did not say.
    """

    total: int
    claimed: int
    last: tuple[str, str] | None
    embedding: EmbeddingStatus | None


class Surroundings(QObject):
    """Keeps the pane's head and foot up to date; never asks twice at once.

    Signals:
        failed: It could not be found out.
                arg 0: the exception
        reembed_requested: What another embedder made should be embedded anew, now.
        take_over_requested: What is listed and was claimed by imports is the person's own.
    """

    failed = Signal(object)
    reembed_requested = Signal()
    take_over_requested = Signal()

    def __init__(
        self, services: "Services", bridge: Bridge, pane: InspectorPane, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._services, self._bridge, self._pane = services, bridge, pane
        self._survey: Survey | None = None
        self._found: tuple[int, bool] | None = None
        self._asking = self._again = False
        self._put_away = 0
        pane.claims.closed.connect(self._on_claims_closed)
        self._reembedding = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE_MS)
        self._timer.timeout.connect(self.refresh)

    @property
    def last_batch(self) -> str:
        """What "Undo last change" undoes; empty where there is nothing."""
        return self._survey.last[0] if self._survey and self._survey.last else ""

    def apply_changes(self, changes: Changes) -> None:
        """Look again soon, if the changes concern what is shown."""
        if changes.models or changes.settings:
            self._reembedding = False
        stored = changes.memories or changes.jobs or changes.everything
        if stored or changes.models or changes.settings:
            self._timer.start()

    def show_found(self, found: int, *, narrowed: bool) -> None:
        """Show how many rows the table has, of how many there are."""
        self._found = found, narrowed
        if self._survey:
            self._pane.head.show_counts(found, self._survey.total, narrowed)
            self._show_claims(self._survey.claimed)

    def _show_claims(self, claimed: int) -> None:
        """Say how much imports claimed; where just that is listed, let the person take it over.

        What was put away stays so until more comes, or it is asked for.
        """
        search, said = self._pane.search, counted(claimed)
        listed = search.query.trusts == {Trust.CLAIMED}
        self._put_away = min(self._put_away, claimed)
        if claimed == self._put_away and not (listed and claimed):
            self._pane.claims.hide()
        elif listed:
            words = f"{said} claimed by an import. Is what is listed here your own?"
            self._pane.claims.say(words, "These are mine", self.take_over_requested.emit, "accent")
        else:
            verb = "is" if claimed == 1 else "are"
            words = f"{said} {verb} claimed by an import and trusted less than what you said."
            self._pane.claims.say(words, "Show", search.show_claimed, "accent")

    def _on_claims_closed(self) -> None:
        self._put_away = self._survey.claimed if self._survey else 0

    def refresh(self) -> None:
        """Look at once; if a look is under way, once more after it."""
        if self._asking:
            self._again = True
            return
        self._asking, self._again = True, False
        memories = self._services.memories
        self._bridge.run(
            lambda: _look(memories), self._on_survey_taken, self._on_look_failed, WorkQueue.DESK
        )

    def _on_survey_taken(self, survey: Survey) -> None:
        self._survey, self._asking = survey, False
        self._pane.foot.show_last_change(survey.last[1] if survey.last else "")
        if self._found:
            self.show_found(self._found[0], narrowed=self._found[1])
        self._show_embedding(survey.embedding)
        if self._again:
            self._timer.start()

    def _on_look_failed(self, error: Exception) -> None:
        self._asking = False
        self.failed.emit(error)

    def _show_embedding(self, status: EmbeddingStatus | None) -> None:
        missing, stale = (status.missing, status.stale) if status else (0, 0)
        self._reembedding = self._reembedding and stale > 0
        asks = stale > 0 and not self._reembedding
        self._pane.head.show_indexing(0 if asks else missing, again=self._reembedding)
        if asks:
            what = "memory or message needs" if stale == 1 else "memories and messages need"
            words = f"{stale:,} {what} re-embedding for the embedder in use."
            self._pane.reembed.say(words, "Re-embed now", self._on_reembed_wanted)
        else:
            self._pane.reembed.hide()

    def _on_reembed_wanted(self) -> None:
        self._reembedding = True
        background = self._services.background

        def ask() -> Changes:
            return background.enqueue_index(trigger=Trigger.NOW)

        self._bridge.run(ask, None, self.failed.emit, WorkQueue.DESK)
        self.reembed_requested.emit()
        self._timer.start()


def _look(memories: "MemoriesService") -> Survey:
    counts = memories.overview()
    total = sum(counts.values()) - counts.get(Status.FORGOTTEN, 0)
    claimed = len(memories.claimed(MemoryFilter()))
    return Survey(total, claimed, memories.last_change(), _embedding(memories))


def _embedding(memories: "MemoriesService") -> EmbeddingStatus | None:
    try:
        return memories.embedding_status()
    except AppError as error:
        _log.info("the index could not be asked: %s", type(error).__name__)
        return None
