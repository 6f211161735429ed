"""The past of the memories: what was known when, what was done, by whom, and how to take it back.

Everything is read from the journal. Undo walks back over what was done, by the person or by a job,
newest first and a whole batch at a time; redo does the last undone again while nothing newer was
done.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from app.domain.changes import Changes
from app.domain.history import (
    Action,
    AuditReport,
    Day,
    Difference,
    ForgettingPreview,
    LineageKind,
    MemoryChange,
    MemoryOrigin,
    MemorySource,
    SourceKind,
    TimelineMoment,
    deed,
)
from app.domain.ids import Clock, new_id
from app.domain.language.text import clipped
from app.domain.memory import DEFAULT_SCOPE, JournalEntry, Memory, MemoryFilter
from app.errors import NotFound, Refused
from app.memory.change.lineage import Lineage as Drawn
from app.memory.change.proposals import ACCEPT, REJECT, turned_away
from app.memory.erasure.forget import Forgetter
from app.memory.suppression import SuppressionList
from app.services import wording
from app.services.upkeep.background import BackgroundService
from app.store.journal.entries import Gist, Note
from app.store.journal.timeline import ChangeGroup
from app.store.store import Store

EVERYTHING = MemoryFilter()
_STEPS_BACK = 20


class Undone(NamedTuple):
    """What an undo or redo came to.

    Attributes:
        changes: What views should refresh; empty where nothing changed.
        sentence: What was undone or done again, or that there is nothing.
        refused: Sentences on what was left alone, because it was changed since.
    """

    changes: Changes
    sentence: str
    refused: Sequence[str] = ()


class HistoryService:
    """Shows what was, and takes it back.

    Args:
        store: What is kept.
        background: Where the indexing of what came back is queued.
        clock: The present.
    """

    def __init__(self, store: Store, background: BackgroundService, clock: Clock) -> None:
        self._store = store
        self._background = background
        self._clock = clock
        self._rows = store.memories
        self._journal = store.journal
        self._past = store.past
        self._timeline = store.timeline
        self._audit = store.audit
        self._sources = store.sources
        self._contradictions = store.contradictions
        self._suppression = SuppressionList(store)
        self._forgetter = Forgetter(store, clock)
        self._drawn = Drawn(store)

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

    # -- undo and redo -----------------------------------------------------------------------------

    def can_undo(self) -> str | None:
        """Return what ``undo_last`` would undo, in a few words; None where there is nothing."""
        last = self.last_change()
        return last[1] if last else None

    def can_redo(self) -> str | None:
        """Return what ``redo_last`` would do again, in a few words; None where there is nothing."""
        undo = self._journal.last_undone()
        return self._said(self._journal.origin_of(undo)[0]) if undo else None

    def last_change(self) -> tuple[str, str] | None:
        """Return the last batch that can be undone, and what it did in a few words."""
        batch = self._journal.last_batch()
        return (batch, self._said(batch)) if batch else None

    def taken_back(self, batches: Iterable[str]) -> frozenset[str]:
        """Return those of some batches of which nothing stands any more."""
        return self._journal.taken_back(batches)

    def undo_last(self, message_id: str | None = None) -> Undone:
        """Undo the newest change that stands, whoever made it.

        One that cannot be undone at all is passed over, and the sentences say why.

        Args:
            message_id: The message that ordered it, if one did.
        """
        refused: list[str] = []
        with self._store.transaction():
            for batch in self._journal.to_undo(_STEPS_BACK):
                sentence = self._turned(batch)
                changes, why = self.undo(batch, message_id)
                refused += why
                if changes.memories:
                    return Undone(changes, sentence, refused)
        nothing = "Nothing was undone." if refused else "There is nothing to undo."
        return Undone(Changes(), nothing, refused)

    def redo_last(self) -> Undone:
        """Do again what was undone last, unless something newer was done."""
        with self._store.transaction():
            undo = self._journal.last_undone()
            if undo is None:
                return Undone(Changes(), "There is nothing to redo.")
            sentence = self._turned(self._journal.origin_of(undo)[0], again=True)
            changes, refused = self.undo(undo)
        if not changes.memories:
            return Undone(Changes(), "Nothing was redone.", refused)
        return Undone(changes, sentence, refused)

    def undo(self, batch: str, message_id: str | None = None) -> tuple[Changes, Sequence[str]]:
        """Undo the changes made together; return also why some could not be undone.

        Undoing the batch of an undo does the change again.

        Args:
            batch: Them.
            message_id: The message that ordered it, if one did.
        """
        mine = new_id(self._clock())
        with self._store.transaction():
            ids, refused = self._journal.undo(
                batch, Note("user", "undo", mine, message_id=message_id)
            )
            if not ids:
                return Changes(), refused
            origin, takes_back = self._journal.origin_of(mine)
            self._follow(origin, ids, takes_back=takes_back)
            ids = {*ids, *self._drawn.after_undo(ids, batch, mine)}
        changes = Changes(memories=frozenset(ids), batches=frozenset({mine}))
        return changes | self._background.enqueue_index(), refused

    def _follow(self, origin: str, ids: set[str], *, takes_back: bool) -> None:
        """Take back, or do again, what went with a batch and is no field of a memory."""
        turn = self._contradictions.take_back if takes_back else self._contradictions.do_again
        turn(origin)
        decide = self._suppression.allow if takes_back else self._suppression.reject
        decided = [e for e in self._journal.of_batch(origin) if e.op in (ACCEPT, REJECT)]
        memories = {
            m.id: m for m in self._rows.by_ids(sorted({e.memory_id for e in decided} & ids))
        }
        for entry in decided:
            if (memory := memories.get(entry.memory_id)) is None:
                continue
            for text in turned_away(entry, memory):
                decide(text, memory.agent_pk)

    # -- who, and from what ------------------------------------------------------------------------

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
            self.sources(limit),
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

    def sources(self, limit: int = -1) -> Sequence[MemorySource]:
        """Return what memories come from, the latest first; all where ``limit`` is below 0."""
        return self._sources.list(limit)

    def source(self, name: str) -> MemorySource:
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
        """Return what ``forget_source`` would forget, and what would stay."""
        return self._forgetter.holding(source, protected=protected)

    def forget_source(self, source: MemorySource, *, protected: bool = False) -> Changes:
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
        return Changes(memories=ids, batches=frozenset({batch})) | self._background.enqueue_index()

    # -- wording -----------------------------------------------------------------------------------

    def _said(self, batch: str) -> str:
        """Return what a batch that is no undo did, in a few words."""
        return _sentence(self._journal.gist(batch))

    def _turned(self, batch: str, *, again: bool = False) -> str:
        """Return in a sentence that a batch was taken back, or done again.

        Where the person had something forgotten and a part of it stayed, that is what comes back;
        what was remembered in place of something tells of both, and not of the part that stayed.
        """
        gist, back = self._journal.gist(batch), ""
        entry, text, count = gist.entry, gist.text, gist.alike
        if not entry.before and gist.changes > gist.alike:
            every = self._journal.of_batch(batch)
            gone = [one for one in every if one.before and one.op == "forget"]
            replaced = [one for one in every if one.before and one.op == "supersede"]
            if gone and entry.actor == "user":
                entry, count = gone[0], len(gone)
                text = self._journal.text_then(entry)
            elif len(replaced) == 1:
                heir = replaced[0].after.get("superseded_by")
                told = [one for one in every if not one.before and one.memory_id == heir]
                if told or count == 1:
                    text = self._journal.text_then(told[0]) if told else text
                    count, back = 1, self._journal.text_then(replaced[0])
        return wording.turned(entry, text, count, again=again, back=back)

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


def _sentence(gist: Gist) -> str:
    return wording.done(gist.entry, gist.text, gist.alike)


def _kind(entry: JournalEntry, *, undoes: bool) -> Action:
    was, status = entry.before.get("status"), entry.after.get("status")
    return deed(was, status, new=not entry.before, undoes=undoes)
