"""Take back what was done, and do it again.

Undo walks back over what was done, by the person or by a job, newest first and a whole batch at a
time; redo does the last undone again while nothing newer was done.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.services import wording
from app.services.upkeep.queue import QueueService
from app.store.journal.entries import Note
from app.store.store import Store

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


class UndoService:
    """Takes changes back, and makes them again.

    Args:
        queue: Where the indexing of what came back is queued.
    """

    def __init__(self, store: Store, queue: QueueService, clock: Clock) -> None:
        self._store = store
        self._queue = queue
        self._clock = clock
        self._rows = store.memories
        self._journal = store.journal
        self._contradictions = store.contradictions

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
        from app.memory.change.lineage import Lineage

        mine = new_id(self._clock())
        with self._store.transaction():
            ids, refused = self._journal.undo(
                batch, Note("user", "undo", mine, message_id=message_id)
            )
            if not ids:
                return Changes(), refused
            origin, takes_back = self._journal.origin_of(mine)
            self._follow(origin, ids, takes_back=takes_back)
            ids = {*ids, *Lineage(self._store).after_undo(ids, batch, mine)}
        changes = Changes(memories=frozenset(ids), batches=frozenset({mine}))
        return changes | self._queue.enqueue_index(), refused

    def _follow(self, origin: str, ids: set[str], *, takes_back: bool) -> None:
        """Take back, or do again, what went with a batch and is no field of a memory."""
        from app.memory.change.proposals import ACCEPT, REJECT, turned_away
        from app.memory.suppression import SuppressionList

        turn = self._contradictions.take_back if takes_back else self._contradictions.do_again
        turn(origin)
        suppression = SuppressionList(self._store)
        decide = suppression.allow if takes_back else suppression.reject
        decided = [e for e in self._journal.of_batch(origin) if e.op in (ACCEPT, REJECT)]
        memories = {
            m.id: m for m in self._rows.by_ids(sorted({e.memory_id for e in decided} & ids))
        }
        for entry in decided:
            if (memory := memories.get(entry.memory_id)) is None:
                continue
            for text in turned_away(entry, memory):
                decide(text, memory.agent_pk)

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

    def _said(self, batch: str) -> str:
        """Return what a batch that is no undo did, in a few words."""
        return wording.done_together(self._journal.gist(batch))
