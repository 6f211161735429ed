"""The chip that says, and changes, what a conversation may do with memory."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup, QPaintEvent
from PySide6.QtWidgets import QMenu

from app.domain.conversation import MemoryMode
from app.gui.chat.wording import KEEP, MODES, NOT_THIS
from app.gui.theme import Theme
from app.gui.widgets import ChipButton, caption, named, tip
from app.gui.widgets.select import draw_caret

_TONES = {
    MemoryMode.REMEMBERS: "accent",
    MemoryMode.OFF: "warn",
    MemoryMode.TEMPORARY: "warn",
}
_BEGUN = "Only a new conversation can be temporary."
_KEEP_FIRST = "Keep this conversation first."
_KEPT = "It is not deleted, and goes on neither recalling nor learning."
_ABOUT_ASIDE = "Nothing is learned from it, and no other conversation recalls it."


class ModeChip(ChipButton):
    """Shows the memory mode; its menu has the others."""

    mode_chosen = Signal(object)  # the person chose a mode
    keep_chosen = Signal()  # the person wants a temporary conversation to be kept
    aside_toggled = Signal(bool)  # the message being written is not to be remembered, or is

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, "", name, "accent")
        self.setProperty("menu", "true")
        self._mode, self._begun = MemoryMode.REMEMBERS, False
        self._menu = named(QMenu(self), f"{name}_menu", "Memory in this conversation")
        self._menu.setToolTipsVisible(True)
        group = QActionGroup(self._menu)
        self._actions: dict[MemoryMode, QAction] = {}
        for mode, (title, _, _about) in MODES.items():
            action = self._add(title, str(mode))
            action.setCheckable(True)
            action.triggered.connect(lambda _on=False, mode=mode: self.mode_chosen.emit(mode))
            group.addAction(action)
            self._actions[mode] = action
        self._menu.addSeparator()
        self._aside = self._add(NOT_THIS, "aside", _ABOUT_ASIDE)
        self._aside.setCheckable(True)
        self._aside.setVisible(False)
        self._aside.toggled.connect(self._on_aside_toggled)
        self._keep = self._add(KEEP, "keep", _KEPT)
        self._keep.triggered.connect(self.keep_chosen)
        self.setAccessibleDescription("Opens a menu")
        self.clicked.connect(self._on_clicked)
        self.set_mode(MemoryMode.REMEMBERS)

    def _add(self, title: str, name: str, about: str = "") -> QAction:
        action = QAction(caption(title), self._menu)
        action.setObjectName(f"{self.objectName()}_{name}")
        action.setToolTip(tip(about))
        self._menu.addAction(action)
        return action

    def offer_aside(self) -> None:
        """Offer in the menu that the message being written is not remembered."""
        self._aside.setVisible(True)

    @property
    def aside(self) -> bool:
        """Whether the message being written is not to be remembered."""
        return self._aside.isChecked()

    def set_aside(self, on: bool) -> None:
        """Say whether the message being written is not to be remembered, where any would be."""
        self._aside.setChecked(on and self._mode.learns)

    def set_mode(self, mode: MemoryMode, *, begun: bool = False) -> None:
        """Show another mode.

        Args:
            mode: Which.
            begun: Whether there are messages, so that what is temporary stays so until it is kept,
                and nothing else becomes so.
        """
        self._mode, self._begun = mode, begun
        passing = mode is MemoryMode.TEMPORARY
        for one, action in self._actions.items():
            free = not begun or passing == (one is MemoryMode.TEMPORARY)
            action.setEnabled(free)
            action.setToolTip(tip(MODES[one][2] if free else _KEEP_FIRST if passing else _BEGUN))
            action.setChecked(one is mode)
        self._keep.setVisible(passing and begun)
        self._aside.setEnabled(mode.learns)
        self.set_aside(self.aside)
        self._show()

    def _show(self) -> None:
        title, icon, about = MODES[self._mode]
        tone = _TONES.get(self._mode, "neutral")
        if self.aside:
            title, icon, about, tone = NOT_THIS, "eye-slash", _ABOUT_ASIDE, "warn"
        self.say(title, tone, icon)
        self.setAccessibleName(f"Memory: {title}")
        self.setToolTip(tip(about))

    def _on_aside_toggled(self, on: bool) -> None:
        self._show()
        self.aside_toggled.emit(on)

    def _on_clicked(self) -> None:
        self._menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chip and its caret."""
        super().paintEvent(event)
        draw_caret(self, self._theme, 8)
