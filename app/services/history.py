"""The past of the memories: what was known when, and what was done.

Everything is read from the journal.
"""

from collections.abc import Sequence
from datetime import datetime

from app.domain.history import (
    Action,
    Day,
    Difference,
    MemoryChange,
    TimelineMoment,
    deed,
)
from app.domain.ids import Clock
from app.domain.language.text import clipped
from app.domain.memory import DEFAULT_SCOPE, JournalEntry, Memory, MemoryFilter
from app.errors import Refused
from app.services import wording
from app.store.journal.timeline import ChangeGroup
from app.store.store import Store

EVERYTHING = MemoryFilter()


class HistoryService:
    """Shows what was."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._clock = clock
        self._rows = store.memories
        self._journal = store.journal
        self._past = store.past
        self._timeline = store.timeline

    # -- what was known ----------------------------------------------------------------------------

    def as_of(
        self, at: datetime, wanted: MemoryFilter = EVERYTHING, offset: int = 0, limit: int = 200
    ) -> Sequence[Memory]:
        """Return one page of what was known at a moment, each memory as it was then.

        What was erased since is not in it. How often something was used or said is not known of the
        past, so those counters stand at their beginning.
        """
        return self._past.list(at, DEFAULT_SCOPE, wanted, offset, limit)

    def count_as_of(self, at: datetime, wanted: MemoryFilter = EVERYTHING) -> int:
        """Return how many memories were known at a moment and passed the filter then."""
        return self._past.count(at, DEFAULT_SCOPE, wanted)

    def memory_as_of(self, memory_id: str, at: datetime) -> Memory | None:
        """Return one memory as it was; None where it was not known then, or was erased since."""
        return self._past.of(memory_id, at, DEFAULT_SCOPE)

    def moment(self, text: str) -> datetime:
        """Return the moment that a person means; a day, month or year means its end.

        Args:
            text: An ISO date or date-time, or words such as "yesterday" or "last March".

        Raises:
            Refused: It cannot be understood.
        """
        from app.memory.when.moment import moment

        found = moment(text, self._clock())
        if found is None:
            said = clipped(text, 40)
            raise Refused(
                f"“{said}” is not a date. Try 2026-03-31, 2026-03-31T18:00 or “last March”."
            )
        return found

    # -- what was done -----------------------------------------------------------------------------

    def of_memory(self, memory_id: str) -> Sequence[MemoryChange]:
        """Return every change to a memory, oldest first.

        Raises:
            NotFound: It does not exist.
        """
        self._rows.get(memory_id)
        return [self._step(entry) for entry in self._journal.of_memory(memory_id)]

    def of_batch(self, batch: str) -> Sequence[MemoryChange]:
        """Return the changes that were made together, oldest first."""
        return [self._step(entry) for entry in self._journal.of_batch(batch)]

    def diff(self, entry: JournalEntry) -> Sequence[Difference]:
        """Return what a change made different, field by field, in words."""
        return wording.differences(entry, self._name)

    def timeline(
        self, since: datetime | None = None, until: datetime | None = None, limit: int = 200
    ) -> Sequence[TimelineMoment]:
        """Return what was done from ``since`` until just before ``until``, newest first."""
        return [self._moment(done) for done in self._timeline.done(since, until, limit)]

    def days(self, since: datetime | None = None, until: datetime | None = None) -> Sequence[Day]:
        """Return how much of each kind was done on each day on which something was."""
        return self._timeline.days(since, until)

    def span(self) -> tuple[datetime, datetime] | None:
        """Return when the first and the last change were made; None where there are none."""
        return self._timeline.span()

    # -- wording -----------------------------------------------------------------------------------

    def _said(self, batch: str) -> str:
        """Return what a batch that is no undo did, in a few words."""
        return wording.done_together(self._journal.gist(batch))

    def _name(self, memory_id: str) -> str:
        """Return what to call a memory."""
        found = self._rows.by_ids([memory_id])
        return clipped(found[0].text, 80) if found else "a memory that was erased"

    def _step(self, entry: JournalEntry) -> MemoryChange:
        origin, takes_back = self._journal.origin_of(entry.batch)
        undoes = origin != entry.batch
        if undoes:
            sentence = wording.undone(self._said(origin), again=not takes_back)
        else:
            sentence = wording.done(entry, self._journal.text_then(entry))
        return MemoryChange(entry, _kind(entry, undoes=undoes), sentence, self.diff(entry))

    def _moment(self, done: ChangeGroup) -> TimelineMoment:
        entry = done.gist.entry
        undoes = done.origin != entry.batch
        sentence = self._said(done.origin)
        if undoes:
            sentence = wording.undone(sentence, again=not done.takes_back)
        return TimelineMoment(
            done.at,
            _kind(entry, undoes=undoes),
            sentence,
            entry.memory_id,
            entry.batch,
            entry.actor,
            done.undone,
            done.gist.changes,
        )


def _kind(entry: JournalEntry, *, undoes: bool) -> Action:
    was, status = entry.before.get("status"), entry.after.get("status")
    return deed(was, status, new=not entry.before, undoes=undoes)
