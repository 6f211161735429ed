"""Forget everything that came from one source, as one batch that can be undone.

What the source replaced is in use again: Loci then knows what it would know without it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.domain.history import ForgettingPreview, MemorySource
from app.domain.ids import Clock, new_id
from app.domain.memory import Memory, Status
from app.errors import Conflict
from app.memory.change.lineage import Lineage
from app.memory.screen.gate import Gate
from app.store.memories import Note
from app.store.store import Store

_WHY = "everything from one source"
_STANDING = frozenset({"status", "status_reason", "valid_to"})


class Forgetter:
    """Forgets by source."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._sources = store.sources
        self._memories = store.memories
        self._gate = Gate(store)
        self._journal = store.journal
        self._lineage = Lineage(store)

    def holding(self, source: MemorySource, *, protected: bool = False) -> ForgettingPreview:
        """Return what ``forget`` would forget, and what would stay."""
        return self._sources.holding(source, protected=protected)

    def forget(
        self, source: MemorySource, *, protected: bool = False
    ) -> tuple[str, frozenset[str]]:
        """Forget what rests on a source alone; what was drawn from it keeps what others say.

        Args:
            source: The source.
            protected: Whether what is pinned or of system trust goes as well.

        Returns:
            The batch that undoes it, and the ids of the memories that changed.
        """
        batch = new_id(self._clock())
        with self._store.transaction():
            found = self.holding(source, protected=protected)
            going = self._memories.by_ids(found.memories)
            note = Note("user", "forget", batch, _WHY)
            for memory in going:
                self._memories.update(memory.id, {"status": Status.FORGOTTEN}, note)
            drawn = self._lineage.after_removal([*found.memories, *found.forgotten], note)
            back = self._brought_back(going, Note("user", "restore", batch, _WHY))
        return batch, frozenset([*found.memories, *drawn, *back])

    def _brought_back(self, going: Sequence[Memory], note: Note) -> list[str]:
        """Put in use again what gave way to memories that were in use until now."""
        gone, back = {memory.id for memory in going}, []
        for heir in going:
            replaced = self._memories.replaces(heir.id) if heir.status is Status.ACTIVE else []
            for old in replaced:
                if old.id in gone or old.status is not Status.SUPERSEDED:
                    continue
                try:
                    self._gate.update(old.id, self._before(old.id, heir.id), note)
                except Conflict:
                    continue  # something else has its place by now
                back.append(old.id)
        return back

    def _before(self, memory_id: str, heir_id: str) -> Mapping[str, Any]:
        """Return the values that a memory had before another took its place."""
        values: dict[str, Any] = {"status": Status.ACTIVE, "superseded_by": None}
        for entry in self._journal.of_memory(memory_id):
            if entry.before and entry.after.get("superseded_by") == heir_id:
                values |= {k: v for k, v in entry.before.items() if k in _STANDING}
        return values
