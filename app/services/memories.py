"""What is remembered, as the person sees, corrects and prunes it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.memory import (
    DEFAULT_SCOPE,
    Memory,
    MemoryDetail,
    MemoryFilter,
    MemoryType,
    Status,
    Trust,
)
from app.domain.model import EmbeddingStatus
from app.domain.recall import Query, Recall
from app.errors import Conflict, Refused
from app.memory.learn.index import Indexer
from app.memory.screen.gate import Gate
from app.services.upkeep.queue import QueueService
from app.store.memories import Note
from app.store.store import Store

if TYPE_CHECKING:
    from app.memory.change.lineage import Lineage
    from app.memory.learn.remember import Remember
    from app.memory.recall.compose import Recaller
    from app.services.undo import UndoService

EDITABLE = frozenset(
    {"text", "type", "key", "value", "tags", "category", "trust", "occurred_at", "expires_at"}
)


class MemoriesService:
    """Lists, adds, edits, pins, forgets and restores memories; every change can be undone.

    What remembers, recalls and undoes is built when it is first needed.
    """

    def __init__(
        self,
        store: Store,
        remember: "Callable[[], Remember]",
        recaller: "Callable[[], Recaller]",
        indexer: Indexer,
        queue: QueueService,
        undo: "Callable[[], UndoService]",
        clock: Clock,
    ) -> None:
        self._store = store
        self._rows = store.memories
        self._gate = Gate(store)
        self._journal = store.journal
        self._entities = store.entities
        self._recalls = store.recalls
        self._remember = remember
        self._recaller = recaller
        self._indexer = indexer
        self._queue = queue
        self._undo = undo
        self._clock = clock

    def list(self, wanted: MemoryFilter, offset: int = 0, limit: int = 200) -> Sequence[Memory]:
        """Return one page of the memories that pass the filter."""
        return self._rows.list(DEFAULT_SCOPE, wanted, offset, limit)

    def count(self, wanted: MemoryFilter) -> int:
        """Return how many memories pass the filter."""
        return self._rows.count(DEFAULT_SCOPE, wanted)

    def overview(self) -> dict[Status, int]:
        """Return how many memories there are of each status."""
        return self._rows.overview(DEFAULT_SCOPE)

    def detail(self, memory_id: str) -> MemoryDetail:
        """Return everything there is to know about one memory."""
        memory = self._rows.get(memory_id)
        heir = self._rows.by_ids([memory.superseded_by]) if memory.superseded_by else []
        return MemoryDetail(
            memory,
            self._rows.evidence(memory_id),
            self._journal.of_memory(memory_id),
            self._entities.of_memory(memory.pk),
            self._recalls.used_in(memory_id),
            replaces=[(old.id, old.text) for old in self._rows.replaces(memory_id)],
            replaced_by=(heir[0].id, heir[0].text) if heir else None,
            drawn_from=[(one.id, one.text) for one in self._rows.by_ids(memory.source_ids)],
        )

    def add(
        self,
        text: str,
        *,
        type: MemoryType = MemoryType.SEMANTIC,  # noqa: A002 - the field's name
        key: str | None = None,
        value: Any = None,
        tags: Sequence[str] = (),
        pinned: bool = False,
    ) -> Changes:
        """Remember what the person typed here."""
        made = self._remember().remember_text(
            text,
            DEFAULT_SCOPE.agent_pk,
            type=type,
            key=key,
            value=value,
            tags=tuple(tags),
            pinned=pinned,
        )
        return made.changes | self._queue.enqueue_index()

    def remember_message(self, message_id: str, selection: str = "") -> Changes:
        """Remember a message, or the part of it that was selected, because the person said so."""
        made = self._remember().remember_selection(message_id, selection)
        return made.changes | self._queue.enqueue_index()

    def edit(self, memory_id: str, revision: int, fields: Mapping[str, Any]) -> Changes:
        """Change fields of a memory.

        Raises:
            Conflict: It was changed since ``revision``; ``current`` holds the other text.
            Refused: A field cannot be changed, the text is empty, or it must not be stored.
        """
        if unknown := set(fields) - EDITABLE:
            raise Refused(f"{', '.join(sorted(unknown))} cannot be changed.")
        if "text" in fields and not str(fields["text"]).strip():
            raise Refused("A memory needs some words. Forget it instead?")
        batch = new_id(self._clock())
        note = Note(actor="user", op="edit", batch=batch)
        with self._store.transaction():
            self._gate.update(memory_id, fields, note, revision, typed=True, asked=True)
            ids = [memory_id, *self._lineage().after_edit(memory_id, note)]
        changes = self._changed(ids, batch)
        changes |= Changes(said=frozenset(e.reason for e in self._journal.of_batch(batch)) - {""})
        reworded = "text" in fields or len(ids) > 1
        return changes | self._queue.enqueue_index() if reworded else changes

    def pin(self, ids: Sequence[str], on: bool) -> Changes:
        """Keep memories in every prompt, or not."""
        return self._each(ids, {"pinned": on}, "pin" if on else "unpin")

    def claimed(self, wanted: MemoryFilter) -> Sequence[str]:
        """Return which memories in use that pass the filter were claimed by an import."""
        claims = frozenset({Trust.CLAIMED})
        claimed = replace(_live(wanted), trusts=claims, pinned=wanted.pinned)
        return self._rows.ids(DEFAULT_SCOPE, claimed)

    def take_over(self, ids: Sequence[str]) -> Changes:
        """Trust what imports claimed like what the person said, with what it was drawn from.

        Memories of another trust stay as they are.
        """
        batch, raised = new_id(self._clock()), list[str]()
        note = Note(actor="user", op="elevate", batch=batch)
        with self._store.transaction():
            left = list(ids)
            while left:
                found = [m for m in self._rows.by_ids(left) if m.trust is Trust.CLAIMED]
                for memory in found:
                    self._gate.update(memory.id, {"trust": Trust.LEARNED}, note)
                raised += [memory.id for memory in found]
                left = [source for memory in found for source in memory.source_ids]
        return self._changed(raised, batch) if raised else Changes()

    def forget(
        self,
        ids: Sequence[str],
        message_id: str | None = None,
        left: Mapping[str, str] | None = None,
        by: str = "user",
    ) -> Changes:
        """Take memories out of use; they can be restored. Nothing drawn from them says them.

        Args:
            ids: Which.
            message_id: The message that ordered it, if one did.
            left: What stays of those of which only a part goes, by their ids.
            by: Who does it: the person, or a tool for them.
        """
        gone = {"status": Status.FORGOTTEN}
        return self._each(ids, gone, "forget", message_id, left or {}, by)

    def restore(self, ids: Sequence[str]) -> Changes:
        """Bring forgotten memories back."""
        return self._each(ids, {"status": Status.ACTIVE}, "restore")

    def unforget(self, ids: Sequence[str]) -> Changes:
        """Undo that memories were forgotten; what followed comes back where nothing else went."""
        changes = Changes()
        with self._store.transaction():
            for batch in dict.fromkeys(self._forgotten_in(memory_id) for memory_id in ids):
                done = [e for e in self._journal.of_batch(batch) if e.op == "forget"]
                asked = {e.memory_id for e in done if not e.after.get("status_reason")}
                if asked and asked <= set(ids):
                    changes |= self._undo().undo(batch)[0]
            found = self._rows.by_ids(ids)
            left = [memory.id for memory in found if memory.status is Status.FORGOTTEN]
            return changes | self.restore(left) if left else changes

    def _forgotten_in(self, memory_id: str) -> str:
        """Return the last batch in which a memory was forgotten; empty where it never was."""
        past = self._journal.of_memory(memory_id)
        return next((e.batch for e in reversed(past) if e.op == "forget" and not e.undone), "")

    def clear_count(self, wanted: MemoryFilter) -> int:
        """Return how many memories ``clear`` would forget."""
        return self.count(_live(wanted))

    def clear(self, wanted: MemoryFilter) -> Changes:
        """Forget every memory that passes the filter; what is pinned or of system trust stays."""
        ids = self._rows.ids(DEFAULT_SCOPE, _live(wanted))
        return self.forget(ids) if ids else Changes()

    def embedding_status(self) -> EmbeddingStatus:
        """Return how many rows have still to be embedded."""
        return self._indexer.status()

    def recall(self, text: str, limit: int | None = None) -> Recall:
        """Return what would be recalled for a text."""
        return self._recaller().recall(Query(text, DEFAULT_SCOPE, self._clock()), limit)

    def _lineage(self) -> "Lineage":
        from app.memory.change.lineage import Lineage

        return Lineage(self._store)

    def _each(
        self,
        ids: Sequence[str],
        fields: Mapping[str, Any],
        op: str,
        message_id: str | None = None,
        left: Mapping[str, str] = MappingProxyType({}),
        by: str = "user",
    ) -> Changes:
        batch = new_id(self._clock())
        note = Note(actor=by, op=op, batch=batch, message_id=message_id)
        with self._store.transaction():
            for memory_id in ids:
                self._gate.update(memory_id, fields, note)
            drawn = self._lineage().after_removal(ids, note) if op == "forget" else []
            kept = (self._keep_rest(one, left[one], batch) for one in ids if one in left)
            rest = [one for one in kept if one]
        changes = self._changed([*ids, *drawn, *rest], batch)
        return changes | self._queue.enqueue_index() if drawn or rest else changes

    def _keep_rest(self, memory_id: str, text: str, batch: str) -> str:
        """Store what stays of a memory as one of its own; return its id, empty if another is it."""
        old = self._rows.get(memory_id)
        rest = replace(old, id=new_id(self._clock()), pk=0, text=text, status=Status.ACTIVE)
        note = Note(actor="user", op="insert", batch=batch)
        try:
            return self._gate.insert(rest, self._rows.evidence(old.id), note, asked=True).id
        except Conflict:
            return ""

    @staticmethod
    def _changed(ids: "Sequence[str] | set[str]", batch: str) -> Changes:
        return Changes(memories=frozenset(ids), batches=frozenset({batch}))


def _live(wanted: MemoryFilter) -> MemoryFilter:
    statuses = wanted.statuses or frozenset({Status.ACTIVE, Status.PROPOSED})
    trusts = wanted.trusts or frozenset(Trust) - {Trust.SYSTEM}
    return replace(wanted, statuses=statuses, trusts=trusts, pinned=False)
