"""The table of memories: one row each, everything by keyboard."""

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPalette,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView

from app.domain.memory import Memory
from app.gui.inspector.delegate import RowDelegate
from app.gui.inspector.model import PAGE, Column, Index, MemoryTableModel
from app.gui.inspector.row_menu import RowMenu
from app.gui.theme import Theme
from app.gui.widgets import named

_WIDTHS = {Column.TYPE: 104, Column.TRUST: 92, Column.SINCE: 98, Column.USED: 62}
_FIRST_TO_GO = (Column.USED, Column.TRUST, Column.TYPE)
_WORDS = 200
_NEXT_ORDER = {"newest": "oldest", "oldest": "newest"}
_FEW = 10 * PAGE
Ranges = list[tuple[int, int]]


class MemoryTable(QTableView):
    """Shows the model; says what the person wants done with the selected rows."""

    moved = Signal()  # another row is the current one
    opened = Signal()  # the current row was clicked, to be looked at
    selected = Signal(int)  # the selection changed: how many rows are selected
    # the list should be sorted otherwise: an order of MemoryFilter
    order_chosen = Signal(str)
    # something should be done with what is selected: ``edit``, ``pin``, ``unpin``, ``mine``,
    # ``forget``, ``restore`` or ``erase``
    wanted = Signal(str)

    def __init__(self, theme: Theme, model: MemoryTableModel) -> None:
        super().__init__()
        self._theme = theme
        self._memories = model
        named(self, "memory_table", "Memories")
        self.setModel(model)
        self._rows = RowDelegate(theme, model.clock, self)
        self.setItemDelegate(self._rows)
        model.modelReset.connect(self._rows.forget)
        model.rowsRemoved.connect(self._rows.forget)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setCornerButtonEnabled(False)
        # An opaque viewport scrolls by moving pixels instead of painting every row again.
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.viewport().setAutoFillBackground(True)
        named(self.verticalHeader(), "memory_table_rows", "Rows").hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._set_up_header()
        theme.changed.connect(self._measure)
        self._measure()

    def _set_up_header(self) -> None:
        header = named(self.horizontalHeader(), "memory_table_header", "Columns")
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(Column.MEMORY, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(40)
        header.sectionClicked.connect(self._on_section_clicked)

    def _measure(self) -> None:
        self.verticalHeader().setMinimumSectionSize(self._theme.px(38))
        self.verticalHeader().setDefaultSectionSize(self._theme.px(38))
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, self._theme.px(width))
        self._fit()

    def _fit(self) -> None:
        """Do without some columns where they would leave the memories no room."""
        left = self.width() - self._theme.px(sum(_WIDTHS.values()))
        for column in _FIRST_TO_GO:
            short = left < self._theme.px(_WORDS)
            left += self._theme.px(_WIDTHS[column]) if short else 0
            self.setColumnHidden(column, short)

    # What is selected.

    def current(self) -> Memory | None:
        """Return the memory of the current row, if it is here."""
        return self._memories.memory(self.currentIndex().row())

    def selected_count(self) -> int:
        """Return how many rows are selected, without walking over them."""
        return sum(bottom - top + 1 for top, bottom in self.selected_ranges())

    def selected_ranges(self) -> Ranges:
        """Return the selected rows as first and last of each run."""
        chosen = self.selectionModel().selection()
        parts = [chosen.at(number) for number in range(chosen.count())]
        return sorted({(part.top(), part.bottom()) for part in parts if part.isValid()})

    def selected_memories(self) -> list[Memory] | None:
        """Return the selected memories, or None if some are not here."""
        if self.selected_count() > _FEW:
            return None
        rows = [r for top, bottom in self.selected_ranges() for r in range(top, bottom + 1)]
        here = [memory for row in rows if (memory := self._memories.memory(row))]
        return here if len(here) == len(rows) else None

    def select_row(self, row: int) -> None:
        """Make a row the current and only selected one, and bring it into view."""
        index = self._memories.index(row, Column.MEMORY)
        flags = (
            QItemSelectionModel.SelectionFlag.ClearAndSelect
            | QItemSelectionModel.SelectionFlag.Rows
        )
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index)

    def visible_pages(self) -> list[int]:
        """Return the pages of which some row is in sight."""
        if not self._memories.rowCount():
            return [0]
        top = max(0, self.rowAt(0))
        bottom = self.rowAt(self.viewport().height() - 1)
        last = bottom if bottom >= 0 else self._memories.rowCount() - 1
        return list(range(top // PAGE, last // PAGE + 1))

    # Qt.

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Tell how many rows are selected."""
        super().selectionChanged(selected, deselected)
        self.selected.emit(self.selected_count())

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Tell that another row is the current one."""
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.moved.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter edits, Space pins, Delete forgets; arrows move."""
        wish = {
            Qt.Key.Key_Return: "edit",
            Qt.Key.Key_Enter: "edit",
            Qt.Key.Key_Delete: "forget",
            Qt.Key.Key_Space: "pin",
        }.get(Qt.Key(event.key()))
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if wish and plain:
            if self.selected_count():
                self.wanted.emit(self._toggled(wish))
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many columns as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open what is clicked, even if it is the current row already."""
        super().mousePressEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self.selected_count() == 1:
            self.opened.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit."""
        if self.indexAt(event.position().toPoint()).isValid():
            self.wanted.emit("edit")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the row under the pointer stand out."""
        super().mouseMoveEvent(event)
        self._hover(self.rowAt(event.position().toPoint().y()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; what was under the pointer no longer is."""
        super().wheelEvent(event)
        self._hover(self.rowAt(event.position().toPoint().y()))

    def leaveEvent(self, event: QEvent) -> None:
        """Let no row stand out."""
        super().leaveEvent(event)
        self._hover(-1)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the selected rows."""
        where = event.globalPos()
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            box = self.visualRect(self.currentIndex())
            where = self.viewport().mapToGlobal(QPoint(box.left() + 24, box.bottom()))
        if self.selected_count():
            self.menu().popup(where)

    def menu(self) -> QMenu:
        """Return the menu for the selected rows."""
        menu = RowMenu(self._theme, self.selected_memories() or (), self._toggled("pin"), self)
        menu.copied.connect(self._copy)
        menu.wanted.connect(self.wanted)
        return menu

    # Inside.

    def _toggled(self, wish: str) -> str:
        memories = self.selected_memories() if wish == "pin" else None
        return "unpin" if memories and all(m.pinned for m in memories) else wish

    def _hover(self, row: int) -> None:
        if row != self._rows.hovered:
            self._rows.hovered = row
            self.viewport().update()

    def _copy(self) -> None:
        memories = self.selected_memories() or []
        QGuiApplication.clipboard().setText("\n".join(memory.text for memory in memories))

    def _on_section_clicked(self, section: int) -> None:
        shown = str(self._memories.order)
        if section == Column.SINCE:
            self.order_chosen.emit(_NEXT_ORDER.get(shown, "newest"))
        elif section == Column.USED:
            self.order_chosen.emit("newest" if shown == "used" else "used")
