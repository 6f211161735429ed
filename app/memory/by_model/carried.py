"""Carry keyed facts into a conversation, and write back what changed in it and nothing else.

Writing everything back would make all of them equally recent, and would take over what other agents
wrote. What could not be written is still different from what was carried in, so the next turn tries
it again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.memory import Memory, Scope, Visibility
from app.errors import Refused, TooManyWrites
from app.memory.by_model.entries import KeyedEntries, KeyedEntry, WritingTurn
from app.store.store import Store

_NEAREST = (Visibility.SELF, Visibility.GROUP, Visibility.GLOBAL)


@dataclass(frozen=True, slots=True)
class CarriedFact:
    """A value that a conversation works with.

    Attributes:
        visibility: Who is to see it; None for what the rules of the agent say.
    """

    key: str
    value: Any
    visibility: Visibility | None = None


@dataclass(slots=True)
class CarriedFacts:
    """What a conversation knows by keys during one turn.

    Attributes:
        memories: What came in, in the order in which it is recalled; for the prompt.
    """

    memories: Sequence[Memory] = ()
    _before: dict[str, CarriedFact] = field(default_factory=dict)
    _now: dict[str, CarriedFact] = field(default_factory=dict)

    def get(self, key: str) -> Any:
        """Return the value under a key; None where there is none."""
        found = self._now.get(key.strip())
        return None if found is None else found.value

    def set(self, key: str, value: Any, visibility: Visibility | None = None) -> None:
        """Give a key another value; who sees it stays the same where nobody is named."""
        key = key.strip()
        old = self._now.get(key)
        seen = visibility or (old.visibility if old else None)
        self._now[key] = CarriedFact(key, value, seen)

    @property
    def changed(self) -> Sequence[CarriedFact]:
        """What is different from what came in, and has still to be written."""
        return [fact for key, fact in self._now.items() if self._before.get(key) != fact]

    def settle(self, fact: CarriedFact) -> None:
        """Note that a change needs no writing any more."""
        self._before[fact.key] = fact


@dataclass(frozen=True, slots=True)
class WrittenBack:
    """What became of the changes of a turn.

    Attributes:
        changes: What views refresh; its batch undoes all of them.
        refused: Sentences on what was not written and is not tried again.
    """

    changes: Changes = field(default_factory=Changes)
    refused: Sequence[str] = ()


class FactCarrier:
    """Brings an agent's keyed facts into its conversations."""

    def __init__(self, store: Store, entries: KeyedEntries, clock: Clock) -> None:
        self._agents = store.agents
        self._conversations = store.conversations
        self._restriction = store.restriction
        self._entries = entries
        self._clock = clock

    def carried(
        self,
        conversation_id: str,
        scope: Scope,
        *,
        begins: bool,
        pending: Iterable[CarriedFact] = (),
    ) -> CarriedFacts:
        """Return what a turn of a conversation knows by keys: what the agent may see.

        Args:
            conversation_id: The conversation; one that does not read memory knows nothing.
            scope: The agent, and the groups of the conversation.
            begins: Whether this is its first turn. Only then it counts as a use of them.
            pending: What an earlier turn changed and could not write.
        """
        rules = self._agents.rules(scope.agent_pk)
        reads = self._conversations.get(conversation_id).mode.reads
        found: Sequence[Memory] = ()
        if reads and not self._restriction.is_on:
            found = self._entries.recalled(scope, rules.auto_recall_categories, counted=begins)
        nearest = sorted(found, key=lambda one: _NEAREST.index(one.visibility), reverse=True)
        facts = {m.key: CarriedFact(m.key, m.value, m.visibility) for m in nearest if m.key}
        carried = CarriedFacts(found, dict(facts), dict(facts))
        for fact in pending:
            carried.set(fact.key, fact.value, fact.visibility)
        return carried

    def write_back(
        self, facts: CarriedFacts, conversation_id: str, writer: WritingTurn
    ) -> WrittenBack:
        """Write what changed in a turn, as one batch; what cannot be written now stays changed.

        Raises:
            StoreError: The vault does not take it; what is still to be written is in
                ``facts.changed``.
        """
        learns = self._conversations.get(conversation_id).mode.learns
        if not learns or self._restriction.is_on:
            return WrittenBack()
        usual = self._agents.rules(writer.scope.agent_pk).default_visibility
        changes, refused, batch = Changes(), list[str](), new_id(self._clock())
        for fact in facts.changed:
            entry = KeyedEntry(fact.key, fact.value, visibility=fact.visibility or usual)
            try:
                changes |= self._entries.put(entry, writer, batch).changes
            except TooManyWrites:
                break
            except Refused as error:
                refused.append(str(error))
            facts.settle(fact)
        return WrittenBack(changes, refused)
