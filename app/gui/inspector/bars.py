"""The inspector's head and foot: counts, the last change, and what to do with many rows."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.domain.language.text import counted
from app.domain.memory import Memory, Status, Trust
from app.gui import actions
from app.gui.inspector.wording import MINE_TIP
from app.gui.theme import Theme
from app.gui.widgets import Button, Chip, ElidedLabel, IconButton, Label, hbox
from app.gui.widgets.header import Header

GAP = 12


class HeaderBar(Header):
    """The title, counts of what is here, and a switch to try what would be recalled.

    Attributes:
        try_button: The switch.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__("Memory", "memory_head")
        self.try_button = Button(theme, "What would you recall?", "memory_try", "ghost")
        self.try_button.setCheckable(True)
        self.try_button.setToolTip(
            f"See what would be recalled, and why ({actions.shown_keys('memory.try')})"
        )
        self.row.addWidget(self.try_button)
        self.count = Chip("", "neutral", "memory_count")
        self.indexing = Chip("", "warn", "memory_indexing")
        self._missing = 0
        self.count.hide()
        self.indexing.hide()
        self.row.insertWidget(1, self.count)
        self.row.insertWidget(2, self.indexing)

    def show_counts(self, found: int, total: int, narrowed: bool) -> None:
        """Show how many memories there are, and how many of them are listed."""
        self.count.say(
            f"{found:,} of {counted(total, 'memory')}" if narrowed else counted(total, "memory")
        )
        self.count.show()

    def show_indexing(self, missing: int, again: bool) -> None:
        """Show how many rows are on their way into the index."""
        self.indexing.say(f"{missing:,} being {'indexed again' if again else 'indexed'}")
        self.indexing.setToolTip("Until then they are found by their words alone.")
        self._missing = missing
        self._show_indexing()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Speak of the index only where there is room for it."""
        super().resizeEvent(event)
        self._show_indexing()

    def _show_indexing(self) -> None:
        parts = (self.title, self.count, self.indexing, self.try_button)
        needed = sum(part.sizeHint().width() + GAP for part in parts) + 2 * GAP
        self.indexing.setVisible(self._missing > 0 and self.width() >= needed)


class Foot(QWidget):
    """The last change, and a button that takes it back."""

    undo_requested = Signal()  # it should be undone

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("memory_foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "foot")
        self.words = ElidedLabel("", "secondary", "memory_last_change")
        self.undo_button = Button(theme, "Undo last change", "memory_undo", "ghost")
        self.undo_button.clicked.connect(self.undo_requested)
        hbox((self.words, 1), self.undo_button, of=self, margins=(20, 0, 12, 0))
        self.show_last_change("")

    def show_last_change(self, sentence: str) -> None:
        """Show what happened last, or nothing."""
        self.words.setText(sentence)
        self.undo_button.setVisible(bool(sentence))


class BulkBar(QWidget):
    """What can be done with the selected rows, while there are several."""

    # something should be done with them: ``mine``, ``pin``, ``unpin``, ``forget``,
    # ``restore`` or ``erase``
    wanted = Signal(str)
    deselected = Signal()  # they should be let go

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("memory_bulk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "foot")
        self.words = Label("", "strong", name="memory_bulk_count")
        self.close_button = IconButton(theme, "x", "Clear the selection", "memory_bulk_close")
        self.close_button.clicked.connect(self.deselected)
        self.buttons = {
            "mine": Button(theme, "These are mine", "bulk_mine"),
            "pin": Button(theme, "Pin", "bulk_pin"),
            "unpin": Button(theme, "Unpin", "bulk_unpin"),
            "restore": Button(theme, "Restore", "bulk_restore"),
            "forget": Button(theme, "Forget", "bulk_forget"),
            "erase": Button(theme, "Erase…", "bulk_erase", "danger"),
        }
        self.buttons["mine"].setToolTip(MINE_TIP)
        row = hbox(self.close_button, self.words, ..., of=self, margins=(12, 0, 20, 0), spacing=8)
        for wish, button in self.buttons.items():
            button.clicked.connect(lambda _=False, wish=wish: self.wanted.emit(wish))
            row.addWidget(button)

    def show_selection(self, count: int, memories: Sequence[Memory] | None) -> None:
        """Show what fits the selection; of rows that are not here everything may."""
        self.words.setText(f"{count:,} selected")
        forgotten = [m.status is Status.FORGOTTEN for m in memories or ()]
        pinned = [m.pinned for m in memories or ()]
        claimed = [m.trust is Trust.CLAIMED for m in memories or ()]
        unknown = memories is None
        self.buttons["mine"].setVisible(unknown or any(claimed))
        self.buttons["pin"].setVisible(unknown or not all(pinned))
        self.buttons["unpin"].setVisible(not unknown and all(pinned))
        self.buttons["restore"].setVisible(unknown or any(forgotten))
        self.buttons["forget"].setVisible(unknown or not all(forgotten))
