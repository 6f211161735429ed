"""Hold models and other programs to what an agent may write, whichever way they come.

The gate asks here before it lets anything in that a tool or a client writes. What the person does
with their memories themselves, and what is learnt from their own words, is bound by none of it.
"""

from dataclasses import replace

from app.domain.memory import Memory, Status, Trust
from app.domain.prompting.agent import CapMode, MemoryRules
from app.errors import Refused, TooManyWrites
from app.store.keyed import RESERVED, shown
from app.store.memories import Note
from app.store.store import Store

PROGRAMS = frozenset({"tool", "client"})  # how the names of actors begin that are bound
TOO_MANY_WRITES = "⚠️ Maximum writes per turn ({}) reached. Try again in the next turn."
NO_KEY = "⚠️ Key must not be empty."
KEY_TOO_LONG = "⚠️ Key too long. Maximum {} characters."
VALUE_TOO_LONG = "⚠️ Value too long. Maximum {} characters."
NOT_A_CATEGORY = "⚠️ Category '{}' not allowed. Allowed: [{}]"
FULL = "⚠️ Memory capacity reached ({}/{}). Cannot store more facts."
TOO_FEW = (
    "⚠️ Memory capacity reached ({}/{}). Only {} of the {} entries needed could make room; the rest"
    " belong to other agents or stay. Ask the user to remove memories."
)
LOCIS_OWN = "This key belongs to Loci itself."
THE_PERSONS = "Only the person can change this: they gave it the highest trust."
EVICTED = "It made room for something newer."
_WRITES = frozenset({"insert", "update"})
_HARD = 2  # times the cap, archived ones included


def is_bound(note: Note) -> bool:
    """Return whether a change is bound: what a tool or a program writes, not what follows of it."""
    return note.actor.partition(":")[0] in PROGRAMS and note.op in _WRITES


class MemoryGuard:
    """Refuses what may not be written, and makes room for what may; call it in a transaction."""

    def __init__(self, store: Store) -> None:
        self._memories = store.memories
        self._keyed = store.keyed
        self._agents = store.agents

    def expect_new(self, memory: Memory, note: Note) -> None:
        """Go on only where a new memory may be written.

        Raises:
            Refused: It may not. The sentence is the first that applies, in the order of the rules.
        """
        self._expect(memory, note)

    def expect_changed(self, old: Memory, new: Memory, note: Note) -> None:
        """Go on only where a memory may be changed like this.

        Raises:
            Refused: It may not.
        """
        self._expect(new, note)
        if old.trust is Trust.SYSTEM:
            raise Refused(THE_PERSONS)

    def expect_turn(self, rules: MemoryRules, note: Note) -> None:
        """Go on only where this turn has not written as much as it may.

        Raises:
            Refused: It has.
        """
        most = rules.guardrails.max_writes_per_turn
        if note.message_id and self._keyed.writes(note.message_id, note.actor) >= most:
            raise TooManyWrites(TOO_MANY_WRITES.format(most))

    def _expect(self, memory: Memory, note: Note) -> None:
        rules = self._agents.rules(memory.agent_pk)
        guardrails = rules.guardrails
        self.expect_turn(rules, note)
        key, value = memory.key, memory.text if memory.key is None else shown(memory.value)
        if key is not None and not key.strip():
            raise Refused(NO_KEY)
        if key is not None and len(key.strip()) > guardrails.max_key_length:
            raise Refused(KEY_TOO_LONG.format(guardrails.max_key_length))
        if len(value) > guardrails.max_value_length:
            raise Refused(VALUE_TOO_LONG.format(guardrails.max_value_length))
        if key is not None and (memory.category or "fact") not in guardrails.allowed_categories:
            allowed = ", ".join(guardrails.allowed_categories)
            raise Refused(NOT_A_CATEGORY.format(memory.category, allowed))
        if key is not None and key.strip().startswith(RESERVED):
            raise Refused(LOCIS_OWN)

    def make_room(self, memory: Memory, note: Note) -> None:
        """Archive what has to go for one more in use, or nothing where that makes no room.

        Raises:
            Refused: There is no room, and none can be made.
        """
        if memory.key is None or memory.status is not Status.ACTIVE:
            return
        rules, agent_pk = self._agents.rules(memory.agent_pk), memory.agent_pk
        count, cap = self._keyed.count(), rules.max_entries
        if count < cap:
            return
        needed = count - cap + 1
        grown = not memory.pk and self._keyed.count(archived=True) >= _HARD * cap
        if rules.on_cap_reached is CapMode.REJECT or grown:
            raise Refused(FULL.format(count, cap))
        oldest = self._keyed.evictable(agent_pk, needed)
        if len(oldest) < needed:
            raise Refused(TOO_FEW.format(count, cap, len(oldest), needed))
        archived = replace(note, op="archive", reason=EVICTED)
        for memory in oldest:
            fields = {"status": Status.OUT_OF_WINDOW, "status_reason": EVICTED}
            self._memories.update(memory.id, fields, archived)
