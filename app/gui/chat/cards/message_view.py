"""What a message of the person's and an answer have in common: width, foot, menu, clipboard."""

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from app.gui.chat.cards.message_foot import MessageFoot
from app.gui.chat.intents import Intents
from app.gui.chat.model import ChatTurn
from app.gui.theme import Theme
from app.gui.widgets import caption, named, vbox

_SAID_MS = 1_600


class MessageView(QWidget):
    """One turn of the conversation.

    Args:
        actions: Buttons of its foot: name, icon and title.

    Attributes:
        turn: What it shows.
        column: Its layout.
    """

    def __init__(
        self, theme: Theme, intents: Intents, turn: ChatTurn, actions: dict[str, tuple[str, str]]
    ) -> None:
        super().__init__()
        self.turn = turn
        self._theme = theme
        self._intents = intents
        self._width = 0
        self._always = False
        self.foot = MessageFoot(theme, actions)
        self.foot.acted.connect(self.act)
        self.foot.branch_moved.connect(
            lambda step: intents.switch_branch.emit(self.turn.message, step)
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.column = vbox(of=self, margins=0, spacing=0)

    # What each kind of message says in its own way.

    def show_turn(self, turn: ChatTurn) -> None:
        """Show another state of the turn."""
        self.turn = turn

    def selected_text(self) -> str:
        """Return what is selected in it."""
        return ""

    def plain_text(self) -> str:
        """Return its words without any marks."""
        return self.turn.message.text

    def fit(self, width: int) -> None:
        """Be this wide."""
        self.setFixedWidth(width)

    @property
    def weight(self) -> int:
        """About how many pieces it is made of."""
        return 1

    # What can be done with it.

    def act(self, name: str) -> None:
        """Do what a button or a line of the menu says."""
        message = self.turn.message
        match name:
            case "copy":
                _copy(self.selected_text() or self.plain_text())
                self._say_copied()
            case "copy_markdown":
                _copy(message.text)
            case "remember":
                self._intents.remember.emit(message.id, self.selected_text())
            case "regenerate":
                self._intents.regenerate.emit(message.id)
            case "regenerate_with":
                self._intents.regenerate_with.emit(message.id, message.model)
            case "fork":
                self._intents.fork.emit(message.id)
            case "edit":
                self._intents.edit.emit(message)
            case "why":
                self._intents.show_why.emit(message.id)

    def menu_lines(self) -> list[tuple[str, str]]:
        """Return name and title of every line of its menu."""
        some = " selection" if self.selected_text() else ""
        lines = [("copy", f"Copy{some}"), ("copy_markdown", "Copy as Markdown")]
        return [
            *lines,
            ("remember", f"Remember this{some}"),
            ("fork", "Continue in a new conversation"),
        ]

    def make_menu(self) -> QMenu:
        """Return its context menu."""
        menu = named(QMenu(self), "message_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name, title in self.menu_lines():
            action = QAction(caption(title), menu)
            action.setObjectName(f"menu_{name}")
            action.triggered.connect(lambda _on=False, name=name: self.act(name))
            menu.addAction(action)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu at the mouse."""
        self.make_menu().popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the message, or open its menu."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.act("copy")
        elif event.key() in (Qt.Key.Key_Menu, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.make_menu().popup(self.mapToGlobal(QPoint(0, self.foot.y())))
        else:
            super().keyPressEvent(event)

    # The foot shows while the mouse or the keyboard is here.

    def keep_foot(self, always: bool) -> None:
        """Show the foot's buttons all the time, as under the newest answer."""
        self._always = always
        self._reveal()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the foot's buttons."""
        super().enterEvent(event)
        self._reveal()

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the foot's buttons."""
        super().leaveEvent(event)
        self._reveal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the foot's buttons."""
        super().focusInEvent(event)
        self._reveal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the foot's buttons, unless the keyboard went to one of them."""
        super().focusOutEvent(event)
        QTimer.singleShot(0, self, self._reveal)

    def _reveal(self) -> None:
        here = self.underMouse() or self.hasFocus() or self.foot.focused
        self.foot.reveal((here or self._always) and not self.turn.live)

    def _say_copied(self) -> None:
        self.foot.say("copy", "check", "Copied")
        QTimer.singleShot(_SAID_MS, self.foot, lambda: self.foot.say("copy", "copy", "Copy"))


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
