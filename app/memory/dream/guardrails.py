"""Keep memories few and young, as far as the person wants it: retention, cap and compaction.

Retention deletes what is older than its setting says. The cap and compaction archive: what leaves
can still be searched and restored, takes no part in recall, and is summed up in a memory first.
Only where the person says so, as the reference preset does, is it deleted once it is summed up.
What is pinned, of system trust or a safety fact stays.
"""

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark
from app.domain.memory import Memory, MemoryType, Origin, Status, Trust, Visibility
from app.errors import Refused
from app.memory.archive import ACTOR, listed
from app.memory.change.lineage import Lineage
from app.memory.screen.gate import Gate
from app.settings.spec import MemorySection, Settings
from app.store.memories import Note
from app.store.store import Store

log = logging.getLogger(__name__)

PAGE = 12
ARCHIVED = "Archived, because there were too many memories."
DELETED = "Deleted, because there were too many memories."
FIGURES = ("deleted", "archived", "summaries")
Steps = Generator[Progress, None, None]


@dataclass(frozen=True, slots=True)
class GuardrailPreview:
    """What the guardrails would do now; nothing is changed by looking."""

    delete: Sequence[Memory]
    archive: Sequence[Memory]


class Guardrails:
    """Thins a vault."""

    def __init__(self, store: Store, settings: Callable[[], Settings], clock: Clock) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._memories = store.memories
        self._gate = Gate(store)
        self._lineage = Lineage(store)
        self._aging = store.aging

    def preview(self) -> GuardrailPreview:
        """Return what would be deleted and archived now."""
        settings = self._settings().memory
        days = settings.retention.max_age_days
        delete = self._outlived(days, -1) if days else ()
        gone = {memory.id for memory in delete}
        surplus = {memory.id: memory for memory in self._over_cap(settings, -1)}
        if self._crowded(settings):
            surplus |= {memory.id: memory for memory in self._over_target(settings, -1)}
        left = [memory for memory in surplus.values() if memory.id not in gone]
        deletes = settings.compaction.delete
        return GuardrailPreview([*delete, *left], ()) if deletes else GuardrailPreview(delete, left)

    def run(
        self, checkpoint: Mapping[str, Any], mark: Mark, cancel: Event
    ) -> Generator[Progress, None, JobResult]:
        """Delete what outlived its time, then archive or delete what is too many."""
        settings = self._settings().memory
        visit = _Visit(dict(checkpoint), mark, self._clock())
        if settings.retention.max_age_days:
            yield from self._retain(settings.retention.max_age_days, visit)
        visit.deletes = settings.compaction.delete
        if settings.cap.max_entries:
            yield from self._thin(lambda: self._over_cap(settings, PAGE), visit, shrinks=False)
        if visit.compacting or self._crowded(settings):
            visit.begin_compacting()
            yield from self._thin(lambda: self._over_target(settings, PAGE), visit, shrinks=True)
        changed = any(visit.figures.values())
        batch = visit.batch if visit.figures["archived"] else ""
        return JobResult(Changes(everything=changed), visit.figures, batch)

    def _retain(self, days: int, visit: "_Visit") -> Steps:
        while True:
            with self._store.transaction():
                old = self._outlived(days, PAGE)
                self._delete(old, (), visit)
            if not old:
                return
            yield Progress("Deleting what is too old")

    def _thin(
        self, surplus: Callable[[], Sequence[Memory]], visit: "_Visit", *, shrinks: bool
    ) -> Steps:
        """Thin what is too many, page by page; each is chosen once nothing can come between.

        Args:
            surplus: Returns the next page.
            visit: How far the run has come.
            shrinks: Whether it ends where what sums them up takes as much room as they do.
        """
        while True:
            yield Progress("Thinning out memories")
            with self._store.transaction():
                victims = surplus()
                summed = self._summed(victims)
                if not victims or (shrinks and len(summed) >= len(victims)):
                    return
                take_out = self._delete if visit.deletes else self._archive
                take_out(victims, summed, visit)

    def _outlived(self, days: int, limit: int) -> Sequence[Memory]:
        return self._aging.outlived(self._clock() - timedelta(days=days), limit)

    def _over_cap(self, settings: MemorySection, most: int) -> Sequence[Memory]:
        """Return keyed memories above their cap, what goes first before the rest."""
        cap = settings.cap.max_entries
        over = self._aging.count(keyed=True) - cap if cap else 0
        return self._aging.crowding(_some(over, most), keyed=True) if over > 0 else ()

    def _over_target(self, settings: MemorySection, most: int) -> Sequence[Memory]:
        """Return what must go to reach the target, and make room for what sums it up."""
        compaction = settings.compaction
        over = self._aging.count() - min(compaction.target_size, compaction.threshold)
        return self._aging.crowding(_some(over + 1, most)) if over > 0 else ()

    def _crowded(self, settings: MemorySection) -> bool:
        compaction = settings.compaction
        return compaction.enabled and self._aging.count() > compaction.threshold

    def _archive(
        self, victims: Sequence[Memory], summed: Sequence[Memory], visit: "_Visit"
    ) -> None:
        """Archive some memories and keep what sums them up."""
        note = Note(ACTOR, "archive", visit.batch, ARCHIVED)
        for memory in victims:
            changes = {"status": Status.OUT_OF_WINDOW, "status_reason": ARCHIVED}
            self._memories.update(memory.id, changes, note)
        kept = sum(self._is_kept(one, note) for one in summed)
        visit.count(archived=len(victims), summaries=kept)

    def _delete(self, victims: Sequence[Memory], summed: Sequence[Memory], visit: "_Visit") -> None:
        """Delete some memories for good and keep what sums them up."""
        self._lineage.before_deletion([memory.id for memory in victims])
        note = Note(ACTOR, "archive", visit.batch, DELETED)
        kept = sum(self._is_kept(one, note) for one in summed)
        for memory in victims:
            self._memories.delete(memory.id)
        visit.count(deleted=len(victims), summaries=kept)

    def _is_kept(self, summary: Memory, note: Note) -> bool:
        """Store what sums up, unless it must not be stored; say whether it is."""
        try:
            self._gate.insert(summary, (), note)
        except Refused:
            log.info("what was archived is not summed up, because the screen refused that")
            return False
        return True

    def _summed(self, victims: Sequence[Memory]) -> list[Memory]:
        """Return one memory for each agent, trust and circle, which lists what was archived."""
        now = self._clock()
        found: dict[tuple[int, Visibility, tuple[int, ...], Trust], list[Memory]] = {}
        for memory in victims:
            place = memory.agent_pk, memory.visibility, memory.group_pks, memory.trust
            found.setdefault(place, []).append(memory)
        return [
            Memory(
                id=new_id(now),
                text=listed(those),
                created_at=now,
                updated_at=now,
                agent_pk=agent,
                type=MemoryType.EPISODIC,
                trust=trust,
                origin=Origin.DREAM,
                actor=ACTOR,
                visibility=visibility,
                group_pks=group_pks,
                source_ids=tuple(memory.id for memory in those),
                tags=("archive",),
            )
            for (agent, visibility, group_pks, trust), those in found.items()
        ]


def _some(number: int, most: int) -> int:
    return number if most < 0 else min(number, most)


class _Visit:
    """How far a run has come; everything here is in the checkpoint."""

    def __init__(self, checkpoint: dict[str, Any], mark: Mark, now: datetime) -> None:
        self._mark = mark
        self.batch = str(checkpoint.get("batch") or new_id(now))
        self.compacting = bool(checkpoint.get("compacting"))
        self.deletes = False
        self.figures: dict[str, int] = dict.fromkeys(FIGURES, 0)
        self.figures |= checkpoint.get("figures") or {}

    def begin_compacting(self) -> None:
        self.compacting = True
        self.count()

    def count(self, **more: int) -> None:
        for name, number in more.items():
            self.figures[name] += number
        figures, compacting = self.figures, self.compacting
        self._mark({"batch": self.batch, "compacting": compacting, "figures": figures})
