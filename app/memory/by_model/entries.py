"""Write and forget what is kept under a key, for whoever writes it in a conversation.

A new value takes the place of the old one in its row; the journal has the old one, and one undo
brings it back. What the person did not say waits for them and changes nothing before.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.memory import (
    Evidence,
    Memory,
    Origin,
    Scope,
    Status,
    Trust,
    Visibility,
)
from app.domain.prompting.agent import CATEGORIES, RecallOrder
from app.errors import Refused
from app.memory.by_model.vouching import WAITS, Vouching
from app.memory.by_model.wanted import Wanted
from app.memory.change.lineage import Lineage
from app.memory.recall.compose import trusted
from app.memory.screen.gate import Gate
from app.memory.screen.guardrails import MemoryGuard
from app.providers.base import Understanding
from app.settings.spec import Settings
from app.store.keyed import shown
from app.store.memories import Note
from app.store.store import Store

NO_GROUP = "⚠️ This conversation belongs to no group. Use 'self' or 'global'."
ANOTHERS = "Another assistant had written it."
PINNED = "It would take the place of a memory that you pinned."


@dataclass(frozen=True, slots=True)
class KeyedEntry:
    """A value and what it is kept under.

    Attributes:
        value: Any JSON value.
        visibility: Who sees it.
    """

    key: str
    value: Any
    category: str = "fact"
    visibility: Visibility = Visibility.SELF

    @property
    def text(self) -> str:
        """What the memory says, for search and for people."""
        named = self.key.strip().replace("_", " ")
        return f"{named[:1].upper()}{named[1:]}: {shown(self.value)}"


@dataclass(frozen=True, slots=True)
class WritingTurn:
    """On whose behalf something is written; from the turn, never from a model.

    Attributes:
        scope: The agent, and the groups of the conversation.
        message_id: The message that is being answered.
        actor: Who writes: ``tool``, or ``client`` and its name.
    """

    scope: Scope
    message_id: str
    actor: str = "tool"


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """What became of an entry.

    Attributes:
        memory: The row that holds it, in use or waiting for the person.
        changes: What views refresh and what "Undo" undoes; empty where it was there already.
    """

    memory: Memory
    changes: Changes = field(default_factory=Changes)


class KeyedEntries:
    """Writes and recalls entries; the gate holds whoever writes to the rules of the agent."""

    def __init__(
        self,
        store: Store,
        understanding: Callable[[], Understanding],
        settings: Callable[[], Settings],
        clock: Clock,
    ) -> None:
        self._store = store
        self._keyed = store.keyed
        self._memories = store.memories
        self._journal = store.journal
        self._agents = store.agents
        self._restriction = store.restriction
        self._gate = Gate(store)
        self._guard = MemoryGuard(store)
        self._wanted = Wanted(store)
        self._vouching = Vouching(store, understanding)
        self._settings = settings
        self._clock = clock

    def recalled(
        self, scope: Scope, categories: Collection[str] = CATEGORIES, *, counted: bool = True
    ) -> Sequence[Memory]:
        """Return what an agent recalls, by its rules.

        Args:
            scope: The agent, and the groups of the conversation.
            categories: Which of the known categories.
            counted: Whether this is a use of them, where what was used most comes first.
        """
        rules, now = self._agents.rules(scope.agent_pk), self._clock()
        order, limit = rules.recall_order, rules.max_recall_entries
        trusts = trusted(self._settings().rag)
        found = self._keyed.visible(scope, trusts, now, order, limit, categories)
        if found and counted and order is RecallOrder.MOST_ACCESSED:
            self._memories.touch([memory.id for memory in found], now)
        return found

    def holding(self, scope: Scope, text: str) -> Sequence[Memory]:
        """Return what an agent may see and believe whose key or value has a text in it."""
        return self._keyed.holding(scope, trusted(self._settings().rag), text)

    def put(self, entry: KeyedEntry, writer: WritingTurn, batch: str = "") -> WrittenEntry:
        """Keep a value under its key, in place of the one that the same agent or all had there.

        Args:
            entry: It; its category is one that is known, or is refused.
            writer: On whose behalf.
            batch: What it is undone with; by default by itself.

        Raises:
            Refused: The rules of the agent, the screen or the person are against it.
            Conflict: Another program wrote it at the same time.
        """
        self._restriction.expect_none()
        batch = batch or new_id(self._clock())
        note = Note(writer.actor, "insert", batch, message_id=writer.message_id)
        draft = self._draft(entry, writer)
        self._guard.expect_new(draft, note)
        if draft.visibility is Visibility.GROUP and not draft.group_pks:
            raise Refused(NO_GROUP)
        words = self._vouching.words(entry.text, writer.message_id, shown(entry.value))
        with self._store.transaction():
            old = self._keyed.same(draft.agent_pk, draft.key or "", entry.visibility)
            if old is not None and _says(old, draft):
                return WrittenEntry(old)
            self._wanted.expect(draft, words, writer.message_id)
            if words is None:
                self._vouching.expect_not_aside(entry.text, writer.message_id)
            if old is not None and words is not None and not old.pinned:
                stored = self._replaced(old, draft, words, note)
            else:
                stored = self._inserted(draft, old, words, note)
            ids = frozenset(one.memory_id for one in self._journal.of_batch(batch))
        return WrittenEntry(stored, Changes(memories=ids, batches=frozenset({batch})))

    def _replaced(self, old: Memory, new: Memory, words: Evidence, note: Note) -> Memory:
        """Give the row another value; who made it and how often it was used stay."""
        fields = {
            "text": new.text,
            "value": new.value,
            "category": new.category,
            "visibility": new.visibility,
            "group_pks": new.group_pks,
            "status": Status.ACTIVE,
        }
        others = ANOTHERS if old.agent_pk != new.agent_pk else ""
        note = replace(note, op="update", reason=others)
        stored = self._gate.update(old.id, fields, note, evidence=(words,))
        if stored.status is not Status.ACTIVE:  # what is suspicious takes the place of nothing
            raise Refused(stored.status_reason)
        Lineage(self._store).after_edit(old.id, note)
        return stored

    def _inserted(
        self, new: Memory, old: Memory | None, words: Evidence | None, note: Note
    ) -> Memory:
        """Store a new row, which waits where the person did not say it, or pinned the old one."""
        if words is None or (old is not None and old.status is Status.ACTIVE):
            reason = WAITS if words is None else PINNED
            new = replace(new, status=Status.PROPOSED, status_reason=reason)
            self._wanted.expect_not_waiting(new)
        return self._gate.insert(new, (words,) if words else (), note)

    def _draft(self, entry: KeyedEntry, writer: WritingTurn) -> Memory:
        now, shared = self._clock(), entry.visibility is Visibility.GROUP
        return Memory(
            id=new_id(now),
            text=entry.text,
            created_at=now,
            updated_at=now,
            agent_pk=writer.scope.agent_pk,
            trust=Trust.LEARNED,
            origin=Origin.TOOL,
            actor=writer.actor,
            source_id=writer.message_id,
            key=entry.key.strip(),
            value=entry.value,
            category=entry.category,
            visibility=entry.visibility,
            group_pks=writer.scope.group_pks if shared else (),
        )


def _says(old: Memory, new: Memory) -> bool:
    """Return whether a row in use says the same to the same."""
    names = ("status", "value", "category", "visibility", "group_pks")
    return all(getattr(old, name) == getattr(new, name) for name in names)
