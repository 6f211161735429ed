"""Put one statement where it belongs: beside what is known, on top of it, or in its place.

Nothing is overwritten: what a newer statement replaces stays in the history, journalled in the same
batch, so that one "Undo" brings it back.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.contradiction import Clash
from app.domain.ids import Clock, new_id
from app.domain.language.text import content_hash
from app.domain.memory import (
    SAFETY,
    Candidate,
    Evidence,
    Memory,
    Origin,
    Status,
    Visibility,
    is_safety,
)
from app.errors import Conflict
from app.memory.change.nearby import Nearby
from app.memory.change.placing import Placement, Placing
from app.memory.change.proposals import Seen
from app.memory.change.replacing import Replacing
from app.memory.change.source import Provenance
from app.memory.safety import handed_on, was_taken_away
from app.memory.screen.gate import TYPED, Gate
from app.memory.screen.statement import screened
from app.memory.suppression import SuppressionList
from app.memory.text import novelty
from app.memory.text.names import mentioned
from app.memory.text.whom import introducing
from app.providers.base import Embedding
from app.settings.spec import Extraction
from app.store.memories import Note
from app.store.store import Store

_WAITS = {
    Origin.REVIEW: "Found in a review.",
    Origin.IMPORT: "Found in what you imported.",
}
_WAITING = "Learnt from what you said."
_THEIR_WORDS = frozenset({*TYPED, Origin.CONVERSATION, Origin.REVIEW})
_LIVE = frozenset({*TYPED, Origin.CONVERSATION})  # said here and now


@dataclass(frozen=True, slots=True)
class Filed:
    """What became of a statement.

    Attributes:
        memory: The memory that holds it now, whether new or not; a forgotten one that stays so.
        written: Whether it is a new row.
        again: Whether it is an older one, said again by a message that had not said it before.
        replaced: Ids of the memories it took the place of.
        closed: Ids of these and of what said the same in other words.
        said: What the screen did, in a sentence; mostly empty.
    """

    memory: Memory
    written: bool
    again: bool = False
    replaced: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    said: str = ""


class Filing:
    """Files statements; call it inside ``store.transaction()``."""

    def __init__(self, store: Store, nearby: Nearby, clock: Clock) -> None:
        self._memories = store.memories
        self._placing = Placing(self._memories)
        self._gate = Gate(store)
        self._vectors = store.vectors
        self._entities = store.entities
        self._journal = store.journal
        self._suppression = SuppressionList(store)
        self._nearby = nearby
        self._replacing = Replacing(store, nearby)
        self._contradictions = store.contradictions
        self._seen = Seen(store.proposals)
        self._clock = clock

    def screened(self, candidate: Candidate, source: Provenance) -> tuple[Candidate, Provenance]:
        """Return a statement as it may be stored, and its source as far as it can be trusted.

        Call it before the statement is embedded, since what must not be stored is left out of it;
        ``file`` does it again for whoever did not.

        Raises:
            Refused: It must not be stored.
        """
        asked = source.asked or bool(candidate.extra.get("explicit"))
        words = candidate.quote or candidate.text
        clean, found = screened(
            self._gate,
            candidate,
            Evidence(words, source.at, source.message_id if source.quoted else None),
            source.at,
            source.agent_pk,
            source.origin,
            source.trust,
            typed=_typed(candidate, source),
            asked=asked,
            suspicions=source.suspicions,
            around=source.around,
        )
        seen = replace(
            source,
            trust=found.memory.trust,
            asked=asked,
            suspicions=found.suspicions,
            said=source.said or found.said,
            screened=True,
        )
        return clean, seen

    def file(
        self,
        candidate: Candidate,
        source: Provenance,
        settings: Extraction,
        embedding: Embedding | None = None,
        embedder_pk: int = 0,
        *,
        asked: bool = False,
    ) -> Filed:
        """Store a statement, or note that it was said again.

        What was forgotten stays so, unless the person said it again afterwards or asks for it now.

        Args:
            candidate: The statement.
            source: Where it comes from.
            settings: How near is the same.
            embedding: The statement's, by which what is like it is found.
            embedder_pk: By which model.
            asked: Whether the person asks for it now.
        """
        if not source.screened:
            source = replace(source, asked=asked or source.asked)
            candidate, source = self.screened(candidate, source)
        near = self._nearby.like(embedding, embedder_pk, source.agent_pk)
        known = self._known(candidate, source, settings, near)
        at = embedding, embedder_pk
        if known is not None and not _outdoes(candidate, source, known):
            filed = self._again(known, candidate, source)
        elif not asked and (away := self._forgotten(candidate, source, *at)):
            filed = Filed(away, written=False)
        else:
            filed = self._placed(candidate, source, near, known)
        if filed.written and embedding is not None:
            pairs = [(filed.memory.pk, embedding)]
            self._vectors.put("memory", pairs, embedder_pk, [filed.memory.text])
        return filed

    def _known(
        self,
        candidate: Candidate,
        source: Provenance,
        settings: Extraction,
        near: Sequence[tuple[Memory, float]],
    ) -> Memory | None:
        """Return the memory that says a statement already."""
        known = self._memories.by_hash(
            source.agent_pk, Visibility.SELF, content_hash(candidate.text)
        ) or novelty.duplicate(
            candidate.text,
            [(old, cosine) for old, cosine in near if old.status is Status.ACTIVE],
            threshold=settings.dedup_threshold,
            plain=settings.plain_threshold,
        )
        if known is None and candidate.key:
            known = self._said_by_key(candidate, source)
        if known is None and not source.asked:
            known = self._awaited(candidate, source)
        return known

    def _placed(
        self,
        candidate: Candidate,
        source: Provenance,
        near: Sequence[tuple[Memory, float]],
        known: Memory | None,
    ) -> Filed:
        """Put a statement where it belongs among what is like it, in place of what it outdoes."""
        compared = self._nearby.beside(candidate.text, source.at, near, source.agent_pk)
        place = self._placing.place(candidate, source, compared)
        if known is not None:
            if place.status is not Status.ACTIVE:
                return self._again(known, candidate, source)
            others = (old for old in place.replaces if old.id != known.id)
            place = replace(place, replaces=(*others, known))
        if source.proposed and place.status is Status.ACTIVE:
            reason = place.reason or source.waits or _WAITS.get(source.origin, _WAITING)
            place = replace(place, replaces=(), status=Status.PROPOSED, reason=reason)
        if _typed(candidate, source):
            over, kept = [old.text for old in place.replaces], " ".join(place.left.values())
            candidate = replace(candidate, text=introducing(candidate.text, over, kept))
        return self._write(candidate, source, place)

    def _said_by_key(self, candidate: Candidate, source: Provenance) -> Memory | None:
        """Return the memory with the same value under the same key, if nothing is new in this."""
        old = self._memories.by_key(source.agent_pk, candidate.key or "")
        if old is None or old.status is Status.OUT_OF_WINDOW:
            return None
        if not novelty.same_value(old.value, candidate.value):
            return None
        return old if novelty.says_no_more(candidate.text, old.text) else None

    def _awaited(self, candidate: Candidate, source: Provenance) -> Memory | None:
        """Return what waits for the person in these words, where this would wait as well."""
        if not source.proposed:
            return None
        return self._seen.waiting(candidate, source.agent_pk, source.trust)

    def _forgotten(
        self,
        candidate: Candidate,
        source: Provenance,
        embedding: Embedding | None,
        embedder_pk: int,
    ) -> Memory | None:
        """Return the forgotten memory that a statement would bring back, though it must not."""
        origin, agent_pk = source.origin if source.quoted else Origin.DOCUMENT, source.agent_pk
        found = self._suppression.forgotten(
            candidate, origin, source.at, agent_pk, source.message_id
        )
        if found is not None or origin in _LIVE:
            return found
        same = self._nearby.forgotten(candidate.text, embedding, embedder_pk, agent_pk)
        own = origin in _THEIR_WORDS
        return next((one for one in same if not own or source.at < one.updated_at), None)

    def _again(self, known: Memory, candidate: Candidate, source: Provenance) -> Filed:
        again = source.quoted and self._memories.add_evidence(
            known.id, _evidence(candidate, source)
        )
        if is_safety(candidate.tags) and source.quoted and not known.safety:
            known = self._marked(known, source)
        return Filed(known, written=False, again=again)

    def _marked(self, known: Memory, source: Provenance) -> Memory:
        """Mark what turns out to matter for safety, unless the person took that mark away."""
        if was_taken_away(self._journal.of_memory(known.id)):
            return known
        note = Note(source.actor, "update", source.batch, message_id=source.message_id)
        return self._memories.update(known.id, {"tags": (*known.tags, SAFETY)}, note)

    def _write(self, candidate: Candidate, source: Provenance, place: Placement) -> Filed:
        memory = _memory(candidate, source, place, self._clock())
        over = dict[str, Memory]()
        for old in place.replaces:
            if old.id not in over:
                over |= {one.id: one for one in self._close(old, memory, source)}
            self._go_on(old, place.left.get(old.id, ""), source)
        memory = replace(memory, tags=handed_on(memory.tags, [*over.values()]))
        turn = source.answering or source.message_id
        note = Note(source.actor, "insert", source.batch, source.reason, turn)
        stored = self._gate.insert(
            memory,
            (_evidence(candidate, source),),
            note,
            typed=_typed(candidate, source),
            asked=source.asked,
            suspicions=source.suspicions,
            said=source.said,
        )
        if place.against is not None:
            self._dispute(place.against, stored, note)
        named = (*candidate.entities, *mentioned(candidate.text))
        self._entities.link(stored.pk, named, source.agent_pk, memory.created_at)
        replaced = tuple(old.id for old in place.replaces)
        return Filed(stored, True, replaced=replaced, closed=tuple(over), said=source.said)

    def _dispute(self, old: Memory, new: Memory, note: Note) -> None:
        """Let two memories wait for the person, who decides between them."""
        self._contradictions.note(old.pk, new.pk, Clash.SLOT, replace(note, op="contradict"))

    def _close(self, old: Memory, new: Memory, source: Provenance) -> list[Memory]:
        note = Note(source.actor, "supersede", source.batch, message_id=source.message_id)
        return self._replacing.close(old, new, source.at, note)

    def _go_on(self, old: Memory, left: str, source: Provenance) -> None:
        """Let what is left of a memory that was closed go on as a memory of its own."""
        same = self._memories.by_hash(old.agent_pk, old.visibility, content_hash(left))
        if left and same is None:
            rest = replace(old, id=new_id(self._clock()), pk=0, text=left, updated_at=source.at)
            note = Note(source.actor, "insert", source.batch)
            with suppress(Conflict):  # another memory says it, as the screen writes it
                self._gate.insert(rest, self._memories.evidence(old.id), note, asked=True)


def _typed(candidate: Candidate, source: Provenance) -> bool:
    """Return whether a statement is in the person's own words, put in order by rules alone."""
    return not candidate.by_model and source.quoted and source.origin in _THEIR_WORDS


def _outdoes(candidate: Candidate, source: Provenance, known: Memory) -> bool:
    """Return whether the person says themselves what is known from somebody unverified only.

    Else what a stranger planted would keep the person's own word out of the memory.
    """
    unverified = not known.trust.is_own and not known.pinned
    said = _typed(candidate, source) and source.trust.is_own
    return unverified and said and not source.proposed


def _memory(candidate: Candidate, source: Provenance, place: Placement, now: datetime) -> Memory:
    over = place.superseded_by
    return Memory(
        id=new_id(now),
        text=candidate.text,
        created_at=now,
        updated_at=now,
        agent_pk=source.agent_pk,
        type=candidate.type,
        trust=source.trust,
        origin=source.origin,
        actor=source.actor,
        source_id=source.message_id,
        status=place.status,
        status_reason=place.reason,
        key=place.key,
        value=candidate.value if place.key else None,
        category=candidate.category,
        tags=(*source.tags, *candidate.tags),
        pinned=source.pinned,
        occurred_at=candidate.occurred_at,
        conflicted=place.against is not None,
        superseded_by=over.id if over else None,
        valid_to=(place.since or over.created_at) if over else None,
    )


def _evidence(candidate: Candidate, source: Provenance) -> Evidence:
    return Evidence(
        quote=(candidate.quote or candidate.text) if source.quoted else "",
        created_at=source.at,
        message_id=source.message_id,
    )
