"""Keeps the table's model filled: searches, pages, and what changed since.

Every answer carries the number of the question it belongs to; answers to older questions are
dropped. No widget is known here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.memory import Memory, MemoryFilter
from app.gui.bridge import Bridge, WorkQueue
from app.gui.inspector.model import PAGE, MemoryTableModel

if TYPE_CHECKING:
    from app.services.memories import MemoriesService

MOST_FETCHES = 2
_IDS_AT_ONCE = 2_000


class MemoryList(QObject):
    """Answers what the model lacks from the memories service.

    Signals:
        loaded: The list is new or up to date.
                arg 0: how many rows it has
        failed: It could not be read.
                arg 0: the exception
    """

    loaded = Signal(int)
    failed = Signal(object)

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

    @property
    def filter(self) -> MemoryFilter:
        """What is listed."""
        return self._filter

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

        self._bridge.run(read, take, self._teller(generation), WorkQueue.DESK)

    def refresh(self, touched: Iterable[str], pages: Callable[[], Iterable[int]]) -> None:
        """Bring what is shown up to date after a change.

        Args:
            touched: Ids of the memories that changed.
            pages: Tells which pages are in sight when it comes to reading.
        """
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

        self._bridge.run(read, take, fail, WorkQueue.DESK)

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

        self._bridge.run(read, take, self._teller(generation), WorkQueue.DESK)

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

        self._bridge.run(
            lambda: memories.list(wanted, page * PAGE, PAGE), take, fail, WorkQueue.DESK
        )

    def _teller(self, generation: int) -> Callable[[Exception], None]:
        def tell(error: Exception) -> None:
            if generation == self._generation:
                self.failed.emit(error)

        return tell
