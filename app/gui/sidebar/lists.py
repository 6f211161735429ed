"""The two lists of the sidebar, as widgets: conversations, and what was found."""

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QMenu

from app.domain.conversation import Conversation
from app.domain.ids import Clock
from app.gui import actions
from app.gui.sidebar.delegate import ConversationDelegate, FoundDelegate
from app.gui.sidebar.model import ROW, ConversationsModel, Row, RowsModel
from app.gui.theme import Theme
from app.gui.widgets import caption, named


class RowList(QListView):
    """A list whose rows open with one click or Enter."""

    opened = Signal(object)  # the person chose a row; the argument is the row
    left_up = Signal()  # the person pressed Up on the first row

    def __init__(self, theme: Theme, title: str, name: str) -> None:
        super().__init__()
        named(self, name, title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.clicked.connect(self._on_row_clicked)
        theme.changed.connect(self._on_theme_changed)

    def current(self) -> Row | None:
        """Return the row under the keyboard."""
        row: Row | None = self.currentIndex().data(ROW)
        return row

    def focus_first(self) -> None:
        """Put the keyboard on the first row that can be chosen."""
        self.setFocus(Qt.FocusReason.TabFocusReason)
        model = self.model()
        for number in range(model.rowCount()):
            index = model.index(number, 0)
            if index.flags() & Qt.ItemFlag.ItemIsEnabled:
                self.setCurrentIndex(index)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter; walk out with Up."""
        before = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.state() != QAbstractItemView.State.EditingState:
                self._on_row_clicked(before)
            return
        super().keyPressEvent(event)
        if event.key() == Qt.Key.Key_Up and self.currentIndex() == before:
            self.left_up.emit()

    def _on_row_clicked(self, index: QModelIndex) -> None:
        if index.isValid():
            self.opened.emit(index.data(ROW))

    def _on_theme_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()


class ConversationList(RowList):
    """The conversations, with what can be done to each."""

    pin_toggled = Signal(object)  # the Conversation
    archive_toggled = Signal(object)  # the Conversation
    erase_requested = Signal(object)  # the Conversation

    def __init__(self, theme: Theme, model: ConversationsModel) -> None:
        super().__init__(theme, "Conversations", "conversations")
        self._theme = theme
        self.setModel(model)
        self.setUniformItemSizes(True)
        self.setItemDelegate(ConversationDelegate(theme, self))
        self._menu = named(QMenu(self), "conversation_menu", "Conversation")
        self._actions = {
            name: self._make(f"conversation.{name}")
            for name in ("open", "rename", "pin", "archive", "erase")
        }
        self._actions["open"].triggered.connect(self._on_open_triggered)
        self._actions["rename"].triggered.connect(self._on_rename_triggered)
        self._actions["pin"].triggered.connect(lambda: self._tell(self.pin_toggled))
        self._actions["archive"].triggered.connect(lambda: self._tell(self.archive_toggled))
        self._actions["erase"].triggered.connect(lambda: self._tell(self.erase_requested))

    def _make(self, action_id: str) -> QAction:
        row = actions.row(action_id)
        action = QAction(caption(row.title), self)
        action.setObjectName(f"action.{row.id}")
        if action_id != "conversation.open":  # the list itself answers to Enter
            action.setShortcuts([QKeySequence(key) for key in row.shortcuts])
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.addAction(action)
        if action_id == "conversation.erase":
            self._menu.addSeparator()
        self._menu.addAction(action)
        return action

    def chosen(self) -> Conversation | None:
        """Return the conversation under the keyboard."""
        row = self.current()
        return row if isinstance(row, Conversation) else None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show what can be done to a conversation."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self.setCurrentIndex(self.indexAt(event.pos()))
        row = self.chosen()
        if row is None:
            return
        self._actions["rename"].setText("Rename")
        self._actions["pin"].setText("Unpin" if row.pinned else "Pin")
        self._actions["archive"].setText("Bring back" if row.archived else "Archive")
        self._actions["erase"].setText("Erase…")
        for name, icon in _ICONS.items():
            token = "danger" if name == "erase" else "muted"
            self._actions[name].setIcon(self._theme.icon(icon, token))
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            below = self.visualRect(self.currentIndex()).bottomLeft()
            at = self.viewport().mapToGlobal(below + QPoint(8, 0))
        self._menu.popup(at)

    def _on_open_triggered(self) -> None:
        self._on_row_clicked(self.currentIndex())

    def _on_rename_triggered(self) -> None:
        if self.chosen() is not None:
            self.edit(self.currentIndex())

    def _tell(self, signal: object) -> None:
        row = self.chosen()
        if row is not None:
            signal.emit(row)  # type: ignore[attr-defined]


class FoundList(RowList):
    """What a search found."""

    def __init__(self, theme: Theme, model: RowsModel, clock: Clock) -> None:
        super().__init__(theme, "Search results", "search_results")
        self.setModel(model)
        self.setItemDelegate(FoundDelegate(theme, clock, self))


_ICONS = {
    "open": "chat-teardrop",
    "rename": "pencil-simple",
    "pin": "push-pin",
    "archive": "archive",
    "erase": "eraser",
}
