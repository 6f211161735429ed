"""Carry a new value into what was said before: "it's 10 mg now" leaves "every morning" as it was.

Only one value of one unit is ever exchanged, and only where there is no doubt which; everything
else stays in the person's own words, or is not learnt at all.

The grammar of statements is imported where it is first needed, as in ``remember``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from app.domain.conversation import Message, Role
from app.domain.memory import Candidate, Memory, MemoryType, Origin, Status, Trust
from app.memory import novelty
from app.memory.extract.quantities import Correction, correction, put_right, quantities
from app.store.journal import Journal
from app.store.memories import Memories
from app.store.recalls import Recalls
from app.store.vault import Vault

_TURNS = 3
_SAID = frozenset(
    {
        Origin.USER_TYPED,
        Origin.USER_EDITED,
        Origin.CONVERSATION,
        Origin.REVIEW,
        Origin.IMPORT,
    }
)


class Amender:
    """Finds what a new value belongs to, inside the vault."""

    def __init__(self, vault: Vault) -> None:
        self._memories = Memories(vault)
        self._journal = Journal(vault)
        self._recalls = Recalls(vault)

    def completed(self, candidate: Candidate, agent_pk: int) -> Candidate:
        """Return a statement with what the one it replaces said besides the value."""
        from app.memory.extract.statements import entities

        old = self._memories.by_key(agent_pk, candidate.key) if candidate.key else None
        if old is None or old.trust is Trust.EXTERNAL or "closes" in candidate.extra:
            return candidate
        text = novelty.completed(candidate.text, old.text)
        if text is None:
            return candidate
        values = quantities(str(candidate.value))
        whole = put_right(str(old.value), values[0]) if len(values) == 1 else None
        value = whole[0] if whole and isinstance(old.value, str) else candidate.value
        return replace(candidate, text=text, value=value, entities=entities(text))

    def amended(self, typed: str, earlier: Sequence[Message]) -> Candidate | None:
        """Return what was said before as a message puts it right, or None.

        Args:
            typed: The words of a message that says a value and not of what.
            earlier: What led to it, oldest first. What the last answer tells of comes first, then
                the person's last messages; where two things fit equally, none is meant.
        """
        said = correction(typed)
        if said is None:
            return None
        heard = _heard(earlier, said)
        for memories in self._told(earlier):
            found = [one for memory in memories if (one := _amended(memory, said, heard))]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def _told(self, earlier: Sequence[Message]) -> Iterator[Iterable[Memory]]:
        """Yield the memories that are spoken of, nearest first."""
        if earlier and earlier[-1].role is Role.ASSISTANT:
            yield self._named_in(earlier[-1])
        asked = [message for message in reversed(earlier) if message.role is Role.USER]
        for message in asked[:_TURNS]:
            entries = self._journal.of_message(message.id)
            ids = dict.fromkeys(entry.memory_id for entry in entries if entry.op == "insert")
            yield self._standing(list(ids))

    def _named_in(self, answer: Message) -> list[Memory]:
        """Return the memories an answer was given and whose value it repeats."""
        stored = self._recalls.of_answer(answer.id)
        named = {(found.number, found.unit) for found in quantities(answer.text)}
        given = self._standing([i for i in stored.in_prompt if i]) if stored else []
        return [m for m in given if any((q.number, q.unit) in named for q in quantities(m.text))]

    def _standing(self, ids: Sequence[str]) -> list[Memory]:
        """Return those that the person said, and that still hold."""
        return [
            memory
            for memory in self._memories.by_ids(ids)
            if memory.status is Status.ACTIVE
            and memory.type is MemoryType.SEMANTIC
            and memory.trust is not Trust.EXTERNAL
            and memory.origin in _SAID
            and any(evidence.quote for evidence in self._memories.evidence(memory.id))
        ]


def _heard(earlier: Sequence[Message], said: Correction) -> set[str]:
    """Return the numbers of the assistant's that a bare value may be meant to put right."""
    if said.changed or said.instead_of or not earlier or earlier[-1].role is not Role.ASSISTANT:
        return set()
    return {q.number for q in quantities(earlier[-1].text) if q.unit == said.value.unit}


def _amended(memory: Memory, said: Correction, heard: set[str]) -> Candidate | None:
    from app.memory.extract.statements import entities

    whole = put_right(memory.text, said.value, said.instead_of)
    if whole is None or heard - {quantities(whole[1])[0].number}:
        return None
    value = memory.value
    if isinstance(value, str):
        value = value.replace(whole[1], said.value.text)
    return Candidate(
        text=whole[0],
        quote=said.quote,
        key=memory.key,
        value=value,
        category=memory.category or "fact",
        entities=entities(whole[0]),
        tags=memory.tags,
        extra={"amends": memory.id},
    )
