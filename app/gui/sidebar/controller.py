"""What the sidebar does: keeps its lists fresh, searches, and changes conversations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.changes import Changes
from app.domain.conversation import Conversation, FoundMessage
from app.domain.ids import Clock, utc_now
from app.domain.jobs.operation import Ticket
from app.domain.memory import MemoryFilter, Status
from app.domain.profile import SlotKind
from app.gui.bridge import Bridge
from app.gui.sidebar.delegate import unmarked
from app.gui.sidebar.model import (
    ConversationsModel,
    Heading,
    More,
    Row,
    RowsModel,
    grouped,
    titled,
)
from app.gui.sidebar.pane import SidebarPane
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.attention import Counts
    from app.services.services import Services

MESSAGES, MEMORIES, TITLES = 50, 8, 8


class SidebarController(QObject):
    """Connects the sidebar with the services."""

    erase_requested = Signal(object)  # the Conversation

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._bridge = bridge
        self._clock = clock
        self._conversations = ConversationsModel()
        self._found = RowsModel()
        self._active: list[Conversation] = []
        self._archived: list[Conversation] = []
        self._with_archived = False
        self._search: Ticket | None = None
        self.pane = SidebarPane(theme, self._conversations, self._found, clock)
        self.pane.searched.connect(self._on_searched)
        self.pane.archived_toggled.connect(self._on_archived_toggled)
        self.pane.list.pin_toggled.connect(self._on_pin_toggled)
        self.pane.list.archive_toggled.connect(self._on_archive_toggled)
        self.pane.list.erase_requested.connect(self.erase_requested)
        self._conversations.renamed.connect(self._on_renamed)

    def refresh(self) -> None:
        """Read the lists and counts again."""
        self._load_conversations()
        self._load_counts()
        self._load_reminder()

    def apply_changes(self, changes: Changes) -> None:
        """Read again what the changes concern."""
        if changes.conversations or changes.profile or changes.everything:
            self._load_conversations()
            if self.pane.searching:
                self._on_searched(self.pane.search.text().strip())
        if changes.memories or changes.profile or changes.settings or changes.everything:
            self._load_counts()
        if changes.profile or "computer.recovery_declined" in changes.settings:
            self._load_reminder()

    def mark_open(self, conversation_id: str) -> None:
        """Show which conversation is open; empty for none."""
        self._conversations.mark_open(conversation_id)
        index = self._conversations.index_of(conversation_id)
        if index.isValid():
            self.pane.list.setCurrentIndex(index)

    def show_page(self, page: str) -> None:
        """Mark the page that is shown; ``chat`` marks the open conversation instead."""
        self.pane.show_page(page)
        self._conversations.light(page == "chat")

    def _load_conversations(self) -> None:
        def load() -> tuple[Sequence[Conversation], Sequence[Conversation]]:
            rows = self._services.conversations
            return rows.list(), rows.list(archived=True)

        self._bridge.run(load, self._on_conversations_loaded, newest=self._load_conversations)

    def _on_conversations_loaded(self, loaded: tuple[list[Any], list[Any]]) -> None:
        self._active = [c for c in loaded[0] if not c.archived]
        self._archived = [c for c in loaded[1] if c.archived]
        self._show_conversations()

    def _show_conversations(self) -> None:
        shown = self._active + (self._archived if self._with_archived else [])
        rows = grouped(shown, self._clock())
        if self._archived:
            verb = "Hide" if self._with_archived else "Show"
            rows.append(More(f"{verb} archived ({len(self._archived):,})"))
        self._conversations.replace(rows)
        self.mark_open(self._conversations.open_id)
        if not self.pane.searching:
            self.pane.show_conversations()

    def _load_counts(self) -> None:
        counts = self._services.attention.counts
        self._bridge.run(counts, self._on_counts_loaded, newest=self._load_counts)

    def _on_counts_loaded(self, counts: "Counts") -> None:
        waiting = counts.proposals + counts.contradictions + counts.foreign + counts.backups
        waiting += counts.learner
        self.pane.pages["attention"].set_badge(f"{waiting:,}" if waiting else "")

    def _load_reminder(self) -> None:
        services = self._services

        def load() -> bool:
            has_code = SlotKind.RECOVERY in services.access.slots()
            return has_code or services.preferences.values().computer.recovery_declined

        self._bridge.run(load, self._on_reminder_loaded, newest=self._load_reminder)

    def _on_reminder_loaded(self, settled: bool) -> None:
        self.pane.pages["settings"].set_badge("" if settled else "Recovery code")

    # Searching.

    @Slot(str)
    def _on_searched(self, text: str) -> None:
        if self._search is not None:
            self._search.cancel()
        if not text:
            self._search = None
            self.pane.show_conversations()
            return
        titles = [c for c in self._active + self._archived if _has(titled(c), text)][:TITLES]

        def search() -> list[Row]:
            wanted = MemoryFilter(text=text, statuses=frozenset({Status.ACTIVE}))
            rows: list[Row] = [Heading("Conversations"), *titles] if titles else []
            found = self._services.conversations.search(text, MESSAGES)
            if messages := [m for m in found if not _is_title(m, titles)]:
                rows += [Heading("Messages"), *messages]
            if memories := self._services.memories.list(wanted, 0, MEMORIES):
                rows += [Heading("Memories"), *memories]
            return rows

        self._search = self._bridge.run(search, lambda rows: self._on_found(text, rows))

    def _on_found(self, text: str, rows: list[Row]) -> None:
        if text == self.pane.search.text().strip():
            self._found.replace(rows)
            self.pane.show_results(text)

    # Changing conversations.

    @Slot(str, str)
    def _on_renamed(self, conversation_id: str, title: str) -> None:
        self._bridge.run(lambda: self._services.conversations.rename(conversation_id, title))

    @Slot(object)
    def _on_pin_toggled(self, row: Conversation) -> None:
        self._bridge.run(lambda: self._services.conversations.pin(row.id, not row.pinned))

    @Slot(object)
    def _on_archive_toggled(self, row: Conversation) -> None:
        self._bridge.run(lambda: self._services.conversations.archive(row.id, not row.archived))

    @Slot()
    def _on_archived_toggled(self) -> None:
        self._with_archived = not self._with_archived
        self._show_conversations()


def _is_title(found: FoundMessage, listed: Sequence[Conversation]) -> bool:
    """Return whether only the title was found, of a conversation that is listed anyway."""
    only_title = unmarked(found.snippet)[0] == found.conversation_title
    return only_title and any(c.id == found.conversation_id for c in listed)


def _has(title: str, text: str) -> bool:
    return all(word in title.casefold() for word in text.casefold().split())
