"""The inspector's widgets in their places; what a person wants leaves as signals of the parts."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.domain.ids import Clock
from app.gui.inspector.bars import BulkBar, Foot, HeaderBar
from app.gui.inspector.dry_run import DryRunPage
from app.gui.inspector.filters import SearchRow
from app.gui.inspector.model import MemoryTableModel
from app.gui.inspector.side import WIDTH, SideColumn
from app.gui.inspector.table import MemoryTable
from app.gui.theme import Theme
from app.gui.widgets import EmptyState, NoticeLine, hbox, named, vbox

NARROW = 880
FOOT_HEIGHT, BULK_HEIGHT = 44, 56
_KEY = QKeySequence.StandardKey
_UNDO, _REDO, _FIND = _KEY.Undo, _KEY.Redo, _KEY.Find


class InspectorPane(QWidget):
    """Head, search line, table, foot, and the column at the right; or dry runs in their place."""

    undo_requested = Signal()  # the last change should be undone
    redo_requested = Signal()  # what was undone last should be done again
    mode_changed = Signal()  # dry runs stand in place of the table now, or the table is back

    def __init__(self, theme: Theme, model: MemoryTableModel, clock: Clock) -> None:
        super().__init__()
        self._theme = theme
        named(self, "inspector", "Memory")
        self.head = HeaderBar(theme)
        self.search = SearchRow(theme)
        self.notice = NoticeLine(theme, "memory_notice")
        self.reembed = NoticeLine(theme, "memory_reembed", "accent")
        self.claims = NoticeLine(theme, "memory_claims", "accent")
        self.table = MemoryTable(theme, model)
        self.foot = Foot(theme)
        self.bulk = BulkBar(theme)
        self.side = SideColumn(theme)
        self.dry_run = DryRunPage(theme, clock)
        self.empty = EmptyState(
            theme,
            "brain",
            "Nothing remembered yet",
            "Tell Loci about yourself in a conversation and it remembers, or write it down here.",
            "memory_empty",
            "Add a memory",
        )
        self.nothing = EmptyState(
            theme,
            "magnifying-glass",
            "Nothing matches",
            "No memory has these words and these properties.",
            "memory_nothing",
            "Clear filters",
        )
        self._places = named(QStackedWidget(), "memory_places")
        self._modes = named(QStackedWidget(), "memory_modes")
        self._feet = named(QStackedWidget(), "memory_feet")
        self._bare = False
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        self.nothing.button.clicked.connect(self.search.clear)
        self.foot.undo_requested.connect(self.undo_requested)
        self.bulk.deselected.connect(self.table.clearSelection)
        self.search.left_down.connect(self.enter_table)
        self.side.detail.closed.connect(self.put_side_away)
        self.head.try_button.clicked.connect(self.show_dry_run)
        self.dry_run.closed.connect(lambda: self.show_dry_run(False))

    def _lay_out(self) -> None:
        for place in (self.table, self.empty, self.nothing):
            self._places.addWidget(place)
        self._feet.addWidget(self.foot)
        self._feet.addWidget(self.bulk)
        middle = vbox(
            self.reembed, self.search, self.claims, self.notice, margins=(20, 14, 20, 0), spacing=8
        )
        around = vbox(self._places, margins=(8, 8, 8, 0))
        listed = named(QWidget(), "memory_list")
        vbox(middle, (around, 1), self._feet, of=listed, margins=0, spacing=0)
        self._modes.addWidget(listed)
        self._modes.addWidget(self.dry_run)
        left = vbox(self.head, (self._modes, 1), spacing=0)
        self._row = hbox((left, 1), self.side, of=self, margins=0, spacing=0)
        self._theme.changed.connect(self._measure)
        self._measure()

    # What is shown.

    def show_rows(self) -> None:
        """Show the table."""
        self._places.setCurrentWidget(self.table)
        self._lay_bare(False)

    def show_empty(self, *, narrowed: bool) -> None:
        """Show that nothing matches, or that nothing is there at all."""
        self._places.setCurrentWidget(self.nothing if narrowed else self.empty)
        self._lay_bare(not narrowed)

    def _lay_bare(self, bare: bool) -> None:
        """Do without the column at the right while there is nothing to show in it."""
        self._bare = bare
        if not self.side.floating:
            self.side.setVisible(self.side.editing or not bare)

    def show_bulk(self, on: bool) -> None:
        """Show what can be done with several rows, or the last change."""
        self._feet.setCurrentWidget(self.bulk if on else self.foot)
        self._feet.setFixedHeight(self._theme.px(BULK_HEIGHT if on else FOOT_HEIGHT))

    def bring_side(self) -> None:
        """Let the column at the right be seen, also where it covers the table."""
        self.side.show()
        self._place_side()

    def put_side_away(self) -> bool:
        """Uncover the table; say whether it was covered."""
        covered = self.side.floating and not self.side.isHidden()
        if covered:
            self.side.hide()
            self.focus_first() if self.trying else self.enter_table()
        else:
            self._lay_bare(self._bare)
        return covered

    def keeps_editor(self) -> bool:
        """Say whether words that were not saved keep the editor open; else close it."""
        if not self.side.editing:
            return False
        if self.side.editor.dirty:
            self.side.editor.refuse("Save this or cancel it first.")
            self.bring_side()
            return True
        self.side.show_detail()
        return False

    @property
    def trying(self) -> bool:
        """Whether dry runs stand in place of the table."""
        return self._modes.currentWidget() is self.dry_run

    def show_dry_run(self, on: bool) -> None:
        """Show dry runs, or the table again."""
        changes = on is not self.trying
        self._modes.setCurrentIndex(int(on))
        self.head.try_button.setChecked(on)
        self.focus_first()
        if changes:
            self.mode_changed.emit()

    def focus_first(self) -> None:
        """Put the keyboard on the line to write in, what stands there marked."""
        field = self.dry_run.field if self.trying else self.search.field
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def enter_table(self) -> None:
        """Give the table the keyboard, on its current or first row if none is selected."""
        self.table.setFocus()
        if not self.table.selected_count() and self.table.model().rowCount():
            self.table.select_row(max(0, self.table.currentIndex().row()))

    # Sizes.

    def _measure(self) -> None:
        self.show_bulk(self._feet.currentWidget() is self.bulk)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the column beside the table, or over it where there is no room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < self._theme.px(NARROW)
        if narrow and not self.side.floating:
            self._row.removeWidget(self.side)
            self.side.set_floating(True)
            self.side.setVisible(self.side.editing)
        elif not narrow and self.side.floating:
            self.side.set_floating(False)
            self._row.addWidget(self.side)
            self._lay_bare(self._bare)
        self.side.setFixedWidth(min(self._theme.px(WIDTH), self.width()))
        self._place_side()

    def _place_side(self) -> None:
        if not self.side.floating:
            return
        width = self.side.width()
        right_to_left = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = 0 if right_to_left else self.width() - width
        self.side.setGeometry(left, 0, width, self.height())
        self.side.raise_()

    # Keys that mean something of their own in here.

    def event(self, event: QEvent) -> bool:
        """Keep Find, Undo and Redo from the window's own shortcuts."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and any(event.matches(key) for key in (_UNDO, _REDO, _FIND))
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Find goes to the search line; Undo takes the last change back, Redo does it again."""
        if event.matches(_FIND):
            self.focus_first()
        elif event.matches(_UNDO):
            self.undo_requested.emit()
        elif event.matches(_REDO):
            self.redo_requested.emit()
        else:
            super().keyPressEvent(event)
