"""The chip that says, and changes, what a conversation may do with memory."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup, QPaintEvent
from PySide6.QtWidgets import QMenu

from app.domain.conversation import MemoryMode
from app.gui.chat.wording import MODES
from app.gui.theme import Theme
from app.gui.widgets import ChipButton, caption, named, tip
from app.gui.widgets.select import draw_caret

_TONES = {MemoryMode.REMEMBERS: "accent", MemoryMode.OFF: "warn"}


class ModeChip(ChipButton):
    """Shows the memory mode; its menu has the others."""

    mode_chosen = Signal(object)  # the person chose a mode

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, "", name, "accent")
        self.setProperty("menu", "true")
        self._menu = named(QMenu(self), f"{name}_menu", "Memory in this conversation")
        self._menu.setToolTipsVisible(True)
        group = QActionGroup(self._menu)
        self._actions: dict[MemoryMode, QAction] = {}
        for mode, (title, _, about) in MODES.items():
            action = QAction(caption(title), self._menu)
            action.setObjectName(f"{name}_{mode}")
            action.setToolTip(tip(about))
            action.setCheckable(True)
            action.triggered.connect(lambda _on=False, mode=mode: self.mode_chosen.emit(mode))
            group.addAction(action)
            self._menu.addAction(action)
            self._actions[mode] = action
        self.setAccessibleDescription("Opens a menu")
        self.clicked.connect(self._on_clicked)
        self.set_mode(MemoryMode.REMEMBERS)

    def set_mode(self, mode: MemoryMode) -> None:
        """Show another mode."""
        title, icon, about = MODES.get(mode, (mode.replace("_", " ").capitalize(), "diamond", ""))
        self.say(title, _TONES.get(mode, "neutral"), icon)
        self.setAccessibleName(f"Memory: {title}")
        self.setToolTip(tip(about))
        if mode in self._actions:
            self._actions[mode].setChecked(True)

    def _on_clicked(self) -> None:
        self._menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chip and its caret."""
        super().paintEvent(event)
        draw_caret(self, self._theme, 8)
