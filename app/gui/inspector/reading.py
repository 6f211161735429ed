"""Reads what the inspector shows: the rows of its table, and what stands around them.

Every answer about rows carries the number of the question it belongs to; answers to older questions
are dropped.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.changes import Changes
from app.domain.jobs.upkeep import Trigger
from app.domain.language.text import counted
from app.domain.memory import Memory, MemoryFilter, Status, Trust
from app.domain.model import EmbeddingStatus
from app.errors import AppError
from app.gui.bridge import Bridge
from app.gui.inspector.model import PAGE, MemoryTableModel
from app.gui.inspector.pane import InspectorPane
from app.gui.timers import timer

if TYPE_CHECKING:
    from app.services.memories import MemoriesService
    from app.services.services import Services

MOST_FETCHES = 2
PATIENCE_MS = 120
_IDS_AT_ONCE = 2_000
_log = logging.getLogger(__name__)


class MemoryList(QObject):
    """Answers what the model lacks from the memories service."""

    loaded = Signal(int)  # the list is new or up to date: how many rows it has
    failed = Signal(object)  # it could not be read: the exception

    def __init__(
        self, memories: "MemoriesService", bridge: Bridge, model: MemoryTableModel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._memories, self._bridge, self._model = memories, bridge, model
        self._filter = MemoryFilter()
        self._generation = 0
        self._fetching: set[int] = set()
        self._touched: set[str] = set()
        self._refreshing = self._again = False
        self._pages: Callable[[], Iterable[int]] = lambda: (0,)
        model.pages_wanted.connect(self._on_pages_wanted)

    def show(self, wanted: MemoryFilter) -> None:
        """List something else, from the top."""
        self._filter = wanted
        generation = self._next()
        memories = self._memories

        def read() -> tuple[int, Sequence[Memory]]:
            return memories.count(wanted), memories.list(wanted, 0, PAGE)

        def take(found: tuple[int, Sequence[Memory]]) -> None:
            if generation == self._generation:
                self._model.reset(found[0], found[1], wanted.order)
                self.loaded.emit(found[0])

        self._bridge.run(read, take, self._teller(generation))

    def refresh(self, touched: Iterable[str], pages: Callable[[], Iterable[int]]) -> None:
        """Bring what is shown up to date after a change; ``pages`` are those in sight."""
        self._touched |= set(touched)
        self._pages = pages
        if self._refreshing:
            self._again = True
        else:
            self._refresh()

    def _refresh(self) -> None:
        self._refreshing, self._again = True, False
        touched, self._touched = self._touched, set()
        generation, wanted, memories = self._next(), self._filter, self._memories
        pages = sorted(set(self._pages()))

        def read() -> tuple[int, dict[int, Sequence[Memory]]]:
            found = {page: memories.list(wanted, page * PAGE, PAGE) for page in pages}
            return memories.count(wanted), found

        def take(found: tuple[int, dict[int, Sequence[Memory]]]) -> None:
            self._refreshing = False
            if generation == self._generation:
                self._model.refresh(*found, touched)
                self.loaded.emit(found[0])
            if self._again:
                self._refresh()

        def fail(error: Exception) -> None:
            self._refreshing = False
            self._teller(generation)(error)

        self._bridge.run(read, take, fail)

    def ids_in(self, ranges: Sequence[tuple[int, int]], then: Callable[[list[str]], None]) -> None:
        """Find out which memories stand in runs of rows, here or not, and go on with them."""
        generation, wanted, memories = self._generation, self._filter, self._memories

        def read() -> list[str]:
            ids: list[str] = []
            for top, bottom in ranges:
                for start in range(top, bottom + 1, _IDS_AT_ONCE):
                    limit = min(_IDS_AT_ONCE, bottom + 1 - start)
                    ids += [memory.id for memory in memories.list(wanted, start, limit)]
            return ids

        def take(ids: list[str]) -> None:
            if generation == self._generation:
                then(ids)

        self._bridge.run(read, take, self._teller(generation))

    def _next(self) -> int:
        self._generation += 1
        self._fetching.clear()
        return self._generation

    def _on_pages_wanted(self) -> None:
        while len(self._fetching) < MOST_FETCHES:
            page = self._model.next_wanted()
            if page is None:
                return
            if page not in self._fetching:
                self._fetch(page)

    def _fetch(self, page: int) -> None:
        generation, wanted, memories = self._generation, self._filter, self._memories
        self._fetching.add(page)

        def take(found: Sequence[Memory]) -> None:
            if generation == self._generation:
                self._fetching.discard(page)
                self._model.put(page, found)
                self._on_pages_wanted()

        def fail(error: Exception) -> None:
            if generation == self._generation:
                self._fetching.discard(page)
            self._teller(generation)(error)

        self._bridge.run(lambda: memories.list(wanted, page * PAGE, PAGE), take, fail)

    def _teller(self, generation: int) -> Callable[[Exception], None]:
        def tell(error: Exception) -> None:
            if generation == self._generation:
                self.failed.emit(error)

        return tell


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
    """Keeps the pane's head and foot up to date; never asks twice at once."""

    failed = Signal(object)  # it could not be found out: the exception
    reembed_requested = Signal()  # what another embedder made should be embedded anew, now
    take_over_requested = Signal()  # what is listed and was claimed by imports is the person's own

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
        self._timer = timer(self, PATIENCE_MS, self.refresh)

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
        search, said = self._pane.search, counted(claimed, "memory")
        listed = search.query.trusts == {Trust.CLAIMED}
        self._put_away = min(self._put_away, claimed)
        if claimed == self._put_away and not (listed and claimed):
            self._pane.claims.hide()
        elif listed:
            words = f"{said} claimed by an import. Is what is listed here your own?"
            self._pane.claims.say(words, "These are mine", self.take_over_requested.emit, "accent")
        else:
            was, are = ("was", "is") if claimed == 1 else ("were", "are")
            words = f"{said} {was} claimed by an import and {are} trusted less than your own word."
            self._pane.claims.say(words, "Show", search.show_claimed, "accent")

    def _on_claims_closed(self) -> None:
        self._put_away = self._survey.claimed if self._survey else 0

    def refresh(self) -> None:
        """Look at once; if a look is under way, once more after it."""
        if self._asking:
            self._again = True
            return
        self._asking, self._again = True, False
        services = self._services
        self._bridge.run(lambda: _look(services), self._on_survey_taken, self._on_look_failed)

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
            words = f"{stale:,} {what} indexing again for the meaning model in use."
            self._pane.reembed.say(words, "Index now", self._on_reembed_wanted)
        else:
            self._pane.reembed.hide()

    def _on_reembed_wanted(self) -> None:
        self._reembedding = True
        queue = self._services.queue

        def ask() -> Changes:
            return queue.enqueue_index(trigger=Trigger.NOW)

        self._bridge.run(ask, None, self.failed.emit)
        self.reembed_requested.emit()
        self._timer.start()


def _look(services: "Services") -> Survey:
    memories = services.memories
    counts = memories.overview()
    total = sum(counts.values()) - counts.get(Status.FORGOTTEN, 0)
    claimed = len(memories.claimed(MemoryFilter()))
    return Survey(total, claimed, services.undo.last_change(), _embedding(memories))


def _embedding(memories: "MemoriesService") -> EmbeddingStatus | None:
    try:
        return memories.embedding_status()
    except AppError as error:
        _log.info("the index could not be asked: %s", type(error).__name__)
        return None
