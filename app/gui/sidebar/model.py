"""The lists of the sidebar: conversations grouped by date, and what a search found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from app.domain.conversation import Conversation, FoundMessage
from app.domain.language.text import shown
from app.domain.memory import Memory

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
OPEN = Qt.ItemDataRole.UserRole + 1
UNTITLED, DAMAGED = "New conversation", "(damaged)"
NO_PARENT = QModelIndex()


@dataclass(frozen=True, slots=True)
class Heading:
    """A group's title; cannot be chosen."""

    title: str


@dataclass(frozen=True, slots=True)
class More:
    """The last line of the list, which shows or hides what is archived."""

    title: str


Row = Heading | More | Conversation | FoundMessage | Memory


def titled(conversation: Conversation) -> str:
    """Return what the person calls a conversation."""
    title = conversation.title or UNTITLED
    return f"{title} {DAMAGED}" if conversation.damaged and title != DAMAGED else title


def grouped(conversations: Iterable[Conversation], now: datetime) -> list[Row]:
    """Return conversations under Pinned, Today, Yesterday, Earlier and Archived, newest first.

    Days are those of this computer's time zone.
    """
    today = now.astimezone().date()
    groups: dict[str, list[Conversation]] = {
        name: [] for name in ("Pinned", "Today", "Yesterday", "Earlier", "Archived")
    }
    for each in sorted(conversations, key=lambda c: c.updated_at, reverse=True):
        day = each.updated_at.astimezone().date()
        if each.archived:
            name = "Archived"
        elif each.pinned:
            name = "Pinned"
        elif day >= today:
            name = "Today"
        else:
            name = "Yesterday" if day == today - timedelta(days=1) else "Earlier"
        groups[name].append(each)
    rows: list[Row] = []
    for name, members in groups.items():
        if members:
            rows += [Heading(name), *members]
    return rows


class RowsModel(QAbstractListModel):
    """A list of immutable rows, some of which are headings."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """Return how many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let everything but headings be chosen."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if isinstance(self.rows[index.row()], Heading):
            return Qt.ItemFlag.ItemNeverHasChildren
        return (
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemNeverHasChildren
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row, or its text."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return spoken(row) if role == Qt.ItemDataRole.AccessibleTextRole else words(row)
        return None

    def replace(self, rows: Sequence[Row]) -> None:
        """Show other rows; where only their content changed, the view keeps its place."""
        fresh = list(rows)
        if [_identity(r) for r in fresh] == [_identity(r) for r in self.rows]:
            self.rows = fresh
            if fresh:
                self.dataChanged.emit(self.index(0), self.index(len(fresh) - 1))
            return
        self.beginResetModel()
        self.rows = fresh
        self.endResetModel()


class ConversationsModel(RowsModel):
    """The conversations of the profile."""

    # the person gave a conversation another title; its id; the title
    renamed = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.open_id = ""
        self.lit = True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let conversations be renamed in place."""
        flags = super().flags(index)
        if index.isValid() and isinstance(self.rows[index.row()], Conversation):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row, its text, or whether it is the open one."""
        row = self.rows[index.row()] if index.isValid() else None
        if role == OPEN:
            return self.lit and isinstance(row, Conversation) and row.id == self.open_id
        if role == Qt.ItemDataRole.EditRole and isinstance(row, Conversation):
            return row.title
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Announce a new title; the list shows it once it is stored."""
        row = self.rows[index.row()] if index.isValid() else None
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or not isinstance(row, Conversation):
            return False
        if title and title != row.title:
            self.renamed.emit(row.id, title)
        return True

    def mark_open(self, conversation_id: str) -> None:
        """Say which conversation is shown in the chat."""
        self.open_id = conversation_id
        self._light()

    def light(self, on: bool) -> None:
        """Show which conversation is open, or (on another page than the chat) do not."""
        self.lit = on
        self._light()

    def _light(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1), [OPEN])

    def index_of(self, conversation_id: str) -> QModelIndex:
        """Return where a conversation stands, or an invalid index."""
        for number, row in enumerate(self.rows):
            if isinstance(row, Conversation) and row.id == conversation_id:
                return self.index(number)
        return QModelIndex()


def words(row: Row) -> str:
    """Return what a row says."""
    if isinstance(row, Conversation):
        return shown(titled(row))
    if isinstance(row, FoundMessage):
        return shown(row.conversation_title) or UNTITLED
    return shown(row.text) if isinstance(row, Memory) else row.title


def spoken(row: Row) -> str:
    """Return what a screen reader says of a row."""
    if isinstance(row, Conversation) and row.archived:
        return f"{titled(row)}, archived"
    if isinstance(row, FoundMessage):
        snippet = row.snippet.replace("\u2068", "").replace("\u2069", "")
        return f"{words(row)}: {snippet}"
    return words(row)


def _identity(row: Row) -> object:
    if isinstance(row, Conversation | Memory):
        return row.id
    return row.message_id if isinstance(row, FoundMessage) else row
