"""The quiet row under a message: which version it is, and what can be done with it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.gui.theme import Theme
from app.gui.widgets import IconButton, Label, hbox, named

HEIGHT = 24


class BranchSwitch(QWidget):
    """‹ 2/3 › moves between the versions of a turn."""

    # the person wants another version: -1 for the one before, 1 for the one after
    moved = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("branch_switch")
        self._before = IconButton(theme, "caret-left", "Version before", "branch_before")
        self._after = IconButton(theme, "caret-right", "Version after", "branch_after")
        self._where = Label("", "small", name="branch_where")
        self._before.clicked.connect(lambda: self.moved.emit(-1))
        self._after.clicked.connect(lambda: self.moved.emit(1))
        hbox(self._before, self._where, self._after, of=self, margins=0, spacing=0)

    def show_version(self, number: int, total: int) -> None:
        """Say which version this is, of how many; nothing if it is the only one."""
        self._where.setText(f"{number}/{total}")
        self.setAccessibleName(f"Version {number} of {total}")
        self._before.setEnabled(number > 1)
        self._after.setEnabled(number < total)
        self.setVisible(total > 1)


class MessageFoot(QWidget):
    """Buttons, by name, shown while the mouse or the keyboard is at the message."""

    acted = Signal(str)  # a button was pressed; its name
    branch_moved = Signal(int)  # the person wants another version; -1 or 1

    def __init__(self, theme: Theme, actions: dict[str, tuple[str, str]]) -> None:
        super().__init__()
        self.setObjectName("message_foot")
        self.setFixedHeight(theme.px(HEIGHT))
        self.branches = BranchSwitch(theme)
        self.branches.moved.connect(self.branch_moved)
        self._buttons = named(QWidget(), "message_actions", "Message actions")
        row = hbox(of=self._buttons, margins=0, spacing=0)
        self._by_name: dict[str, IconButton] = {}
        for name, (icon, title) in actions.items():
            button = IconButton(theme, icon, title, f"message_{name}")
            button.clicked.connect(lambda _on=False, name=name: self.acted.emit(name))
            self._by_name[name] = button
            row.addWidget(button)
        hbox(self.branches, self._buttons, of=self, margins=0, spacing=4)
        policy = self._buttons.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._buttons.setSizePolicy(policy)
        self._buttons.hide()

    def reveal(self, shown: bool) -> None:
        """Show the buttons, or hide them."""
        self._buttons.setVisible(shown)

    def say(self, name: str, icon: str, title: str) -> None:
        """Let a button show another icon, and say what it did or does."""
        self._by_name[name].set_icon(icon, title)

    @property
    def focused(self) -> bool:
        """Whether the keyboard is on one of its buttons."""
        return any(button.hasFocus() for button in self.findChildren(IconButton))
