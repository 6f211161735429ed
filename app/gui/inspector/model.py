"""The table's item model: a window on a list of any length, fetched page by page.

The model holds no door to the vault. A row that is asked for and not there is shown as a
placeholder, its page goes on the list of what is wanted, and whoever listens to ``pages_wanted``
brings it with ``put``. Rows that went stale stay visible until fresh ones come.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.domain.ids import Clock, utc_now
from app.domain.memory import Memory, Trust
from app.domain.trace import TRUSTS, TYPES
from app.gui.inspector.wording import (
    SAFETY_CHIP,
    SAFETY_TIP,
    long_date,
    short_date,
    status_tag,
)
from app.gui.timers import timer
from app.gui.widgets import tip

PAGE = 200
KEPT_PAGES = 30
_MOST_WANTED = 4

MEMORY_ROLE = Qt.ItemDataRole.UserRole
_ROOT = QModelIndex()

Index = QModelIndex | QPersistentModelIndex


class Column(IntEnum):
    """The table's columns."""

    MEMORY = 0
    TYPE = 1
    TRUST = 2
    SINCE = 3
    USED = 4


_TRUSTS = {  # in one word, as there is room for no more
    Trust.SYSTEM: "confirmed",
    Trust.LEARNED: "learned",
    Trust.CLAIMED: "claimed",
    Trust.EXTERNAL: "outside",
}
_TITLES = {
    Column.MEMORY: "Memory",
    Column.TYPE: "Type",
    Column.TRUST: "Trust",
    Column.SINCE: "Since",
    Column.USED: "Used",
}
_LEFT = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
SIDES = {column: _RIGHT if column is Column.USED else _LEFT for column in Column}


class MemoryTableModel(QAbstractTableModel):
    """Rows of memories, most of which are not here yet.

    Attributes:
        clock: The present, which dates are told from.
    """

    pages_wanted = Signal()  # some page should be fetched; ask ``next_wanted`` for it

    def __init__(self, parent: QObject | None = None, clock: Clock = utc_now) -> None:
        super().__init__(parent)
        self.clock = clock
        self._count = 0
        self._rows: dict[int, Memory] = {}
        self._held: OrderedDict[int, bool] = OrderedDict()  # page -> whether it is fresh
        self._wanted: OrderedDict[int, None] = OrderedDict()
        self._order = ""
        self._now: datetime = clock()
        self._announce = timer(self, 0, self.pages_wanted)

    # What it holds.

    @property
    def order(self) -> str:
        """The order the list stands in, as MemoryFilter names it."""
        return self._order

    def reset(self, count: int, first: Sequence[Memory], order: str) -> None:
        """Show another list of ``count`` rows, of which the first page is already here."""
        self.beginResetModel()
        self._count, self._order, self._now = count, order, self.clock()
        self._rows = dict(enumerate(first[:count]))
        self._wanted.clear()
        self._held.clear()
        self._held[0] = True
        self.endResetModel()

    def put(self, page: int, memories: Sequence[Memory]) -> None:
        """Fill one page with what was fetched, and tell of the rows that differ."""
        start = page * PAGE
        end = min(start + PAGE, self._count)
        self._held[page] = True
        self._held.move_to_end(page)
        changed = []
        for row in range(start, end):
            memory = memories[row - start] if row - start < len(memories) else None
            if memory != self._rows.get(row):
                changed.append(row)
            if memory is None:
                self._rows.pop(row, None)
            else:
                self._rows[row] = memory
        self._evict()
        if changed:
            self._tell(changed[0], changed[-1])

    def refresh(self, count: int, pages: dict[int, Sequence[Memory]], touched: set[str]) -> None:
        """Bring the list up to date after a change, so that selection and scroll stay put.

        Args:
            count: How many rows there are now.
            pages: What was fetched anew; every other page is stale from now on.
            touched: Ids that may have appeared, changed or gone.
        """
        self._now = self.clock()
        for page in sorted(pages):
            self._remove_gone(page, pages[page], touched)
            self._insert_new(page, pages[page], touched)
        self._held = OrderedDict.fromkeys(self._held, False)
        self._resize(count)
        for page, memories in pages.items():
            self.put(page, memories)

    def memory(self, row: int) -> Memory | None:
        """Return what stands in a row, if it is here."""
        return self._rows.get(row)

    def row_of(self, memory_id: str) -> int | None:
        """Return the row of a memory, if it is here."""
        return next((row for row, m in self._rows.items() if m.id == memory_id), None)

    def ids(self) -> frozenset[str]:
        """Return the ids of all rows that are here."""
        return frozenset(memory.id for memory in self._rows.values())

    def next_wanted(self) -> int | None:
        """Return the page that was asked for last, and take it off the list."""
        return self._wanted.popitem()[0] if self._wanted else None

    # QAbstractTableModel.

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return how many rows there are, here or not."""
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a column's title, with an arrow where the list is sorted by it."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        column = Column(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{_TITLES[column]}{self._arrow(column)}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return SIDES[column]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what one cell shows; a row that is not here is asked for."""
        if not index.isValid() or not 0 <= index.row() < self._count:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return SIDES[Column(index.column())]
        self._ask_for(index.row() // PAGE)
        memory = self._rows.get(index.row())
        if memory is None:
            return "…" if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 else None
        if role == MEMORY_ROLE:
            return memory
        teller = _TELLERS.get(role)
        return teller(memory, Column(index.column()), self._now) if teller else None

    # Inside.

    def _arrow(self, column: Column) -> str:
        arrows = {
            (Column.SINCE, "newest"): " ↓",
            (Column.SINCE, "oldest"): " ↑",
            (Column.USED, "used"): " ↓",
        }
        return arrows.get((column, self._order), "")

    def _ask_for(self, page: int) -> None:
        if page in self._held:
            self._held.move_to_end(page)
        if self._held.get(page):
            return
        self._wanted[page] = None
        self._wanted.move_to_end(page)
        while len(self._wanted) > _MOST_WANTED:
            self._wanted.popitem(last=False)
        if not self._announce.isActive():
            self._announce.start()

    def _evict(self) -> None:
        while len(self._held) > KEPT_PAGES:
            page, _ = self._held.popitem(last=False)
            for row in range(page * PAGE, (page + 1) * PAGE):
                self._rows.pop(row, None)

    def _tell(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(Column) - 1))

    def _remove_gone(self, page: int, now_here: Sequence[Memory], touched: set[str]) -> None:
        here = {memory.id for memory in now_here}
        start = page * PAGE
        for row in range(min(start + PAGE, self._count) - 1, start - 1, -1):
            memory = self._rows.get(row)
            if memory and memory.id in touched and memory.id not in here:
                self.beginRemoveRows(_ROOT, row, row)
                self._shift(row + 1, -1)
                self.endRemoveRows()

    def _insert_new(self, page: int, now_here: Sequence[Memory], touched: set[str]) -> None:
        known = {memory.id for memory in self._rows.values()}
        for row, memory in enumerate(now_here, start=page * PAGE):
            if memory.id in touched and memory.id not in known and row <= self._count:
                self.beginInsertRows(_ROOT, row, row)
                self._shift(row, 1)
                self._rows[row] = memory
                self.endInsertRows()

    def _shift(self, start: int, by: int) -> None:
        """Move every row from ``start`` on by one; the row before a removal is overwritten."""
        moved = {r + by if r >= start else r: m for r, m in _without(self._rows, start, by)}
        self._rows = moved
        self._count += by

    def _resize(self, count: int) -> None:
        if count > self._count:
            self.beginInsertRows(_ROOT, self._count, count - 1)
            self._count = count
            self.endInsertRows()
        elif count < self._count:
            self.beginRemoveRows(_ROOT, count, self._count - 1)
            self._rows = {row: memory for row, memory in self._rows.items() if row < count}
            self._count = count
            self.endRemoveRows()


def _without(rows: dict[int, Memory], start: int, by: int) -> Iterable[tuple[int, Memory]]:
    gone = start - 1 if by < 0 else -1
    return ((row, memory) for row, memory in rows.items() if row != gone)


def cell_text(memory: Memory, column: Column, now: datetime) -> str:
    """Return what a cell says."""
    match column:
        case Column.MEMORY:
            return " ".join(memory.text.split())
        case Column.TYPE:
            return TYPES[memory.type]
        case Column.TRUST:
            return _TRUSTS[memory.trust]
        case Column.SINCE:
            return short_date(memory.created_at, now)
    return f"{memory.access_count:,}"


def _tip(memory: Memory, column: Column, now: datetime) -> str | None:
    if column is Column.MEMORY:
        return tip(f"{memory.text}\n\n{SAFETY_TIP}" if memory.safety else memory.text)
    if column is Column.TRUST:
        return TRUSTS[memory.trust]
    return long_date(memory.created_at) if column is Column.SINCE else None


def _spoken(memory: Memory, column: Column, now: datetime) -> str:
    if column is not Column.MEMORY:
        return f"{_TITLES[column]}: {cell_text(memory, column, now)}"
    safety, pinned = SAFETY_CHIP if memory.safety else "", "pinned" if memory.pinned else ""
    return ", ".join(filter(None, [memory.text, safety, pinned, status_tag(memory)]))


_TELLERS: dict[int, Callable[[Memory, Column, datetime], str | None]] = {
    Qt.ItemDataRole.DisplayRole: cell_text,
    Qt.ItemDataRole.ToolTipRole: _tip,
    Qt.ItemDataRole.AccessibleTextRole: _spoken,
}
