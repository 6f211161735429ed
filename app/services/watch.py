"""Notice what another process changed in the same vault: the command line, or another program."""

from threading import Lock

from app.domain.changes import Changes
from app.domain.ids import to_ms
from app.services.preferences import PreferencesService
from app.store.conversations import Conversations
from app.store.journal.entries import Journal
from app.store.vault.file import Vault
from app.store.vault.meta import Erasures


class WatchService:
    """Compares the vault with what was last seen of it; cheap enough to ask every second."""

    def __init__(self, vault: Vault, preferences: PreferencesService) -> None:
        self._vault = vault
        self._journal = Journal(vault)
        self._conversations = Conversations(vault)
        self._erasures = Erasures(vault)
        self._preferences = preferences
        self._turn = Lock()
        self._version: int | None = None
        self._tail = 0
        self._newest = 0
        self._erased = 0
        self._talks: frozenset[str] = frozenset()

    def look(self) -> Changes:
        """Return what changed since the last look; the first one sees nothing."""
        with self._turn:
            version = self._vault.data_version()
            if version == self._version:
                return Changes()
            first, self._version = self._version is None, version
            self._preferences.refresh()
            if first:
                self._tail = self._journal.tail()
            self._tail, memories, batches = self._journal.since(self._tail)
            changed = self._changed_talks()
            before, self._erased = self._erased, self._erasures.count()
        if first:
            return Changes()
        return Changes(memories, changed, batches, everything=self._erased != before)

    def is_asked_to_close(self) -> bool:
        """Say whether another program asks for the vault to be closed, to have it alone."""
        return self._vault.asked

    def _changed_talks(self) -> frozenset[str]:
        """Return the conversations that came, went or moved since the last look."""
        found = self._conversations.list()
        newest = max((to_ms(talk.updated_at) for talk in found), default=0)
        moved = frozenset(t.id for t in found if to_ms(t.updated_at) > self._newest)
        ids = frozenset(t.id for t in found)
        changed = moved | (ids ^ self._talks)
        self._newest, self._talks = max(newest, self._newest), ids
        return changed
