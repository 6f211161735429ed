"""Notice what another process changed in the same vault: the command line, or another program."""

from threading import Lock

from app.domain.changes import Changes
from app.domain.ids import to_ms
from app.domain.memory import DEFAULT_SCOPE
from app.services.preferences import PreferencesService
from app.store.store import Store


class WatchService:
    """Compares the vault with what was last seen of it; cheap enough to ask every second."""

    def __init__(self, store: Store, preferences: PreferencesService) -> None:
        self._store = store
        self._journal = store.journal
        self._conversations = store.conversations
        self._erasures = store.erasures
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
            version = self._store.vault.data_version()
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
        return self._store.vault.asked

    def _changed_talks(self) -> frozenset[str]:
        """Return the conversations that came, went or moved since the last look."""
        found = self._conversations.list(DEFAULT_SCOPE.agent_pk)
        newest = max((to_ms(talk.updated_at) for talk in found), default=0)
        moved = frozenset(t.id for t in found if to_ms(t.updated_at) > self._newest)
        ids = frozenset(t.id for t in found)
        changed = moved | (ids ^ self._talks)
        self._newest, self._talks = max(newest, self._newest), ids
        return changed
