"""Who wrote the memories, what they come from, and how all of one source is forgotten."""

from collections.abc import Sequence

from app.domain.changes import Changes
from app.domain.history import (
    AuditReport,
    ForgettingPreview,
    LineageKind,
    MemoryOrigin,
    MemorySource,
    SourceKind,
)
from app.domain.ids import Clock
from app.domain.language.text import clipped
from app.errors import NotFound
from app.memory.erasure.forget import Forgetter
from app.services.upkeep.queue import QueueService
from app.store.store import Store


class SourcesService:
    """Shows what memories rest on, and forgets what rests on one source.

    Args:
        queue: Where the indexing of what is in use again is queued.
    """

    def __init__(self, store: Store, queue: QueueService, clock: Clock) -> None:
        self._queue = queue
        self._audit = store.audit
        self._sources = store.sources
        self._forgetter = Forgetter(store, clock)

    def audit(self, limit: int = 100) -> AuditReport:
        """Return who wrote what and when, and what came in bursts.

        Args:
            limit: How many sources and how many bursts at most, the latest first.
        """
        memories, active, changes = self._audit.totals()
        return AuditReport(
            memories,
            active,
            changes,
            self._audit.writers(),
            self.list(limit),
            self._audit.bursts()[:limit],
        )

    def lineage(self, memory_id: str) -> MemoryOrigin:
        """Return what a memory rests on, down to the messages.

        Raises:
            NotFound: It does not exist.
        """
        found = self._audit.lineage(memory_id)
        if found.kind is LineageKind.GONE:
            raise NotFound("This memory no longer exists.")
        return found

    def list(self, limit: int = -1) -> Sequence[MemorySource]:
        """Return what memories come from, the latest first; all where ``limit`` is below 0."""
        return self._sources.list(limit)

    def get(self, name: str) -> MemorySource:
        """Return a source by its name, such as ``conversation:ID``.

        Raises:
            NotFound: Nothing rests on such a source.
        """
        kind, _, source_id = name.partition(":")
        found = self._sources.get(SourceKind(kind), source_id) if kind in set(SourceKind) else None
        if found is None:
            raise NotFound(f"No memory comes from “{clipped(name, 60)}”.")
        return found

    def holding(self, source: MemorySource, *, protected: bool = False) -> ForgettingPreview:
        """Return what ``forget`` would forget, and what would stay."""
        return self._forgetter.holding(source, protected=protected)

    def forget(self, source: MemorySource, *, protected: bool = False) -> Changes:
        """Forget everything that rests on a source alone, as one batch that can be undone.

        Observations drawn from it keep what others say, or go too. What it took the place of is in
        use again.

        Args:
            source: The source.
            protected: Whether what is pinned or of system trust goes as well.
        """
        batch, ids = self._forgetter.forget(source, protected=protected)
        if not ids:
            return Changes()
        return Changes(memories=ids, batches=frozenset({batch})) | self._queue.enqueue_index()
