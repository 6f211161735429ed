"""Write down and reword statements for a model in a conversation.

They are filed like any other: what is known is not written twice, and what they contradict or
replace is treated as if the person had said it, because they did. What they did not say waits.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.language.foreign import storable
from app.domain.memory import SAFETY, Candidate, Memory, MemoryType, Origin, Status, Trust
from app.domain.reply import became
from app.errors import Refused
from app.memory.by_model.entries import WritingTurn
from app.memory.by_model.vouching import WAITS, Vouching
from app.memory.by_model.wanted import Wanted
from app.memory.change.lineage import Lineage
from app.memory.change.source import Provenance
from app.memory.learn.remember import Learned, Remember
from app.memory.screen.gate import TAINTED, Gate
from app.memory.screen.guardrails import THE_PERSONS, MemoryGuard
from app.providers.base import Understanding
from app.store.memories import Note
from app.store.store import Store

NOTHING = "There is nothing to remember in an empty text."
NOT_SAID = "The user did not say that, so it stays as it is. Ask them first."
PINNED = "The user pinned this, so only they can change it."
HAS_KEY = "This is kept under the key '{}'; it is changed by that."
A_RULE = "This tells you how to behave, so only the user can change it."
_STAMPED = frozenset({SAFETY, TAINTED})  # tags that code sets


class ModelNotes:
    """Keeps statements that a model writes down, and rewords them."""

    def __init__(
        self,
        store: Store,
        remember: Callable[[], Remember],
        understanding: Callable[[], Understanding],
        clock: Clock,
    ) -> None:
        self._store = store
        self._restriction = store.restriction
        self._remember = remember
        self._gate = Gate(store)
        self._guard = MemoryGuard(store)
        self._wanted = Wanted(store)
        self._vouching = Vouching(store, understanding)
        self._clock = clock

    def keep(
        self,
        text: str,
        kind: MemoryType,
        tags: Sequence[str],
        writer: WritingTurn,
    ) -> Learned:
        """Keep one statement.

        Raises:
            Refused: There is nothing in it, or the rules of the agent, the screen or the person are
                against it.
            Conflict: It is remembered already.
        """
        draft = self._draft(text, kind, tags, writer)
        note = Note(writer.actor, "insert", new_id(self._clock()), message_id=writer.message_id)
        self._expect(draft, note)
        words = self._vouching.words(draft.text, writer.message_id)
        self._wanted.expect(draft, words, writer.message_id)
        if words is not None:
            source = Provenance(
                Origin.TOOL,
                words.created_at,
                note.batch,
                draft.agent_pk,
                words.message_id,
                tags=draft.tags,
                actor=writer.actor,
                answering=writer.message_id,
            )
            candidate = Candidate(draft.text, words.quote, kind, by_model=True)
            return self._remember().keep_note(candidate, source)
        self._vouching.expect_not_aside(draft.text, writer.message_id)
        self._wanted.expect_not_waiting(draft)
        waits = replace(draft, status=Status.PROPOSED, status_reason=WAITS)
        stored = self._gate.insert(waits, (), note)
        return Learned(_changes([stored.id], note), note.batch, (became(stored),))

    def reword(self, memory: Memory, text: str, writer: WritingTurn) -> Changes:
        """Let a memory say something else that the person said, with what was drawn from it.

        Raises:
            Refused: They did not say it, or only they may change it, or it must not be stored.
            Conflict: Another memory says it, or it was changed at the same time.
        """
        if memory.trust is Trust.SYSTEM:
            raise Refused(THE_PERSONS)
        if memory.pinned:
            raise Refused(PINNED)
        if memory.key is not None:
            raise Refused(HAS_KEY.format(memory.key))
        if memory.type is MemoryType.PROCEDURAL:
            raise Refused(A_RULE)
        new = replace(memory, text=storable(text).strip())
        note = Note(writer.actor, "update", new_id(self._clock()), message_id=writer.message_id)
        self._expect(new, note)
        words = self._vouching.change(memory.text, new.text, writer.message_id)
        if words is None:
            raise Refused(NOT_SAID)
        self._wanted.expect(new, words, writer.message_id)
        with self._store.transaction():
            fields = {"text": new.text}
            stored = self._gate.update(memory.id, fields, note, memory.revision, evidence=(words,))
            if stored.status is Status.QUARANTINED:
                raise Refused(stored.status_reason)
            drawn = Lineage(self._store).after_edit(memory.id, note)
        return _changes([memory.id, *drawn], note)

    def _expect(self, new: Memory, note: Note) -> None:
        from app.memory.screen.redaction import listed, redact

        self._restriction.expect_none()
        self._guard.expect_new(new, note)
        if not new.text:
            raise Refused(NOTHING)
        if left_out := redact(new.text).left_out:
            raise Refused(f"Loci does not store {listed(left_out)}.")

    def _draft(
        self,
        text: str,
        kind: MemoryType,
        tags: Sequence[str],
        writer: WritingTurn,
    ) -> Memory:
        now = self._clock()
        return Memory(
            id=new_id(now),
            text=storable(text).strip(),
            created_at=now,
            updated_at=now,
            agent_pk=writer.scope.agent_pk,
            type=kind,
            trust=Trust.LEARNED,
            origin=Origin.TOOL,
            actor=writer.actor,
            source_id=writer.message_id,
            tags=tuple(tag for tag in tags if tag.casefold() not in _STAMPED),
        )


def _changes(ids: Sequence[str], note: Note) -> Changes:
    return Changes(memories=frozenset(ids), batches=frozenset({note.batch}))
