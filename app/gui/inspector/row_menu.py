"""The menu of the table's rows: what can be done with the memories that are selected."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.domain.memory import Memory, Status, Trust
from app.gui.theme import Theme
from app.gui.widgets import caption, named

_ICONS = {
    "edit": "pencil-simple",
    "pin": "push-pin",
    "unpin": "push-pin-slash",
    "copy": "copy",
    "mine": "check-square",
    "restore": "arrow-counter-clockwise",
    "forget": "minus-circle",
    "erase": "eraser",
}


class RowMenu(QMenu):
    """Offers what suits the memories, each with its key."""

    copied = Signal()  # their texts should be copied
    wanted = Signal(str)  # something else should be done with them: as of the table

    def __init__(self, theme: Theme, memories: Sequence[Memory], pin: str, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "memory_menu", "Memory")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for wish, words, key in _offers(memories, pin):
            if not wish:
                self.addSeparator()
                continue
            action = self.addAction(caption(words))
            action.setObjectName(f"memory_menu_{wish}")
            action.setIcon(theme.icon(_ICONS[wish], "danger" if wish == "erase" else "muted"))
            action.setShortcut(key)
            action.setShortcutVisibleInContextMenu(True)
            if wish == "copy":
                action.triggered.connect(self.copied)
            else:
                action.triggered.connect(lambda _=False, wish=wish: self.wanted.emit(wish))


def _offers(memories: Sequence[Memory], pin: str) -> Iterator[tuple[str, str, str]]:
    """Yield wish, words and key of each entry for what is selected; empty ones stand for a line."""
    one = len(memories) == 1
    if one:
        yield "edit", "Edit", "Return"
    yield pin, pin.capitalize(), "Space"
    yield "copy", "Copy text", "Ctrl+C"
    if any(memory.trust is Trust.CLAIMED for memory in memories):
        yield "mine", "This is mine" if one else "These are mine", ""
    yield "", "", ""
    forgotten = memories and all(memory.status is Status.FORGOTTEN for memory in memories)
    yield ("restore", "Restore", "") if forgotten else ("forget", "Forget", "Del")
    yield "erase", "Erase…", ""
