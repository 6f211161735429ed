"""Put one statement where it belongs: beside what is known, on top of it, or in its place.

Nothing is overwritten: what a newer statement replaces stays in the history, journalled in the same
batch, so that one "Undo" brings it back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from app.domain.ids import Clock, new_id
from app.domain.memory import (
    Candidate,
    Evidence,
    Memory,
    Origin,
    Scope,
    Status,
    Trust,
    Visibility,
)
from app.domain.text import content_hash
from app.memory import novelty
from app.memory.extract.mentions import mentioned
from app.memory.extract.vocabulary import ANY_VALUE
from app.memory.screen import TAINTED
from app.providers.base import Embedding
from app.settings.spec import Extraction
from app.store.entities import Entities
from app.store.memories import Memories, Note
from app.store.search import Search
from app.store.vault import Vault
from app.store.vectors import Vectors

_NEIGHBOURS = 8
# Reasons name no other memory by its words, which would outlive that memory's erasure.
_RIVAL = "It may replace another memory that says something else."
_PINNED = "It contradicts a memory you pinned."
_TRUSTED = "It contradicts a memory that is trusted more."


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement comes from; stamped by code, never by a model.

    Attributes:
        at: When it was said.
        message_id: The message, or None where it was typed elsewhere.
        reason: What the journal says beside the new memory.
        quoted: Whether the person said it. What others wrote is linked to its message, so that it
            can be opened and erased, but is never evidence of anything the person said.
    """

    origin: Origin
    at: datetime
    batch: str
    message_id: str | None = None
    agent_pk: int = 1
    trust: Trust = Trust.LEARNED
    tags: tuple[str, ...] = ()
    pinned: bool = False
    reason: str = ""
    quoted: bool = True


@dataclass(frozen=True, slots=True)
class Filed:
    """What became of a statement.

    Attributes:
        memory: The memory that holds it now, whether new or not.
        written: Whether it is a new row.
        replaced: Ids of the memories it took the place of.
    """

    memory: Memory
    written: bool
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """How a statement is to be stored."""

    key: str | None
    replaces: tuple[Memory, ...] = ()
    status: Status = Status.ACTIVE
    reason: str = ""
    conflicted: bool = False
    superseded_by: Memory | None = None


class Filing:
    """Files statements; call it inside ``vault.write()``."""

    def __init__(self, vault: Vault, clock: Clock) -> None:
        self._memories = Memories(vault)
        self._vectors = Vectors(vault)
        self._search = Search(vault)
        self._entities = Entities(vault)
        self._clock = clock

    def neighbours(
        self, embedding: Embedding | None, embedder_pk: int, agent_pk: int
    ) -> list[tuple[Memory, float]]:
        """Return the memories most like a statement, nearest first, with their cosine."""
        if embedding is None:
            return []
        near = self._vectors.nearest(
            "memory",
            embedding.vector,
            _NEIGHBOURS,
            embedder_pk=embedder_pk,
            scope=Scope(agent_pk),
            now=self._clock(),
            trusts=frozenset(Trust),
        )
        cosine = dict(near)
        hits = self._search.hydrate(list(cosine)).values()
        found = {hit.pk: hit.memory for hit in hits if hit.memory is not None}
        return [(found[pk], cosine[pk]) for pk, _ in near if pk in found]

    def file(
        self,
        candidate: Candidate,
        source: Source,
        settings: Extraction,
        neighbours: Sequence[tuple[Memory, float]] = (),
    ) -> Filed:
        """Store a statement, or note that it was said again."""
        known = self._memories.by_hash(
            source.agent_pk, Visibility.SELF, content_hash(candidate.text)
        ) or novelty.duplicate(
            candidate.text,
            neighbours,
            threshold=settings.dedup_threshold,
            plain=settings.plain_threshold,
        )
        if known is None and candidate.key and "closes" not in candidate.extra:
            known = self._said_by_key(candidate, source)
        if known is not None:
            return self._again(known, candidate, source)
        place = self._place(candidate, source, [memory for memory, _ in neighbours])
        return self._write(candidate, source, place)

    def embed(self, filed: Filed, embedding: Embedding | None, embedder_pk: int) -> None:
        """Keep the vector that was made to compare a statement, now that it is stored."""
        if filed.written and embedding is not None:
            pairs = [(filed.memory.pk, embedding)]
            self._vectors.put("memory", pairs, embedder_pk, [filed.memory.text])

    def _said_by_key(self, candidate: Candidate, source: Source) -> Memory | None:
        """Return the memory with the same value under the same key, if nothing is new in this."""
        old = self._memories.by_key(source.agent_pk, candidate.key or "")
        if old is None or not novelty.same_value(old.value, candidate.value):
            return None
        return old if novelty.says_no_more(candidate.text, old.text) else None

    def _again(self, known: Memory, candidate: Candidate, source: Source) -> Filed:
        if source.quoted:
            self._memories.add_evidence(known.id, _evidence(candidate, source))
        return Filed(known, written=False)

    def _place(self, candidate: Candidate, source: Source, near: Sequence[Memory]) -> _Place:
        old = self._memories.by_key(source.agent_pk, candidate.key) if candidate.key else None
        if "closes" in candidate.extra:
            over = candidate.extra["closes"]
            if old and (over == ANY_VALUE or novelty.same_value(old.value, over)):
                return self._instead(None, old, source)
            return _Place(None)
        if wrong := str(candidate.extra.get("amends", "")):
            return self._instead(candidate.key, self._memories.get(wrong), source)
        if old is not None:
            if novelty.same_value(old.value, candidate.value):
                return _Place(None)  # the same value, with more said about it
            return self._instead(candidate.key, old, source)
        if candidate.key:
            return _Place(candidate.key)
        if gone := str(candidate.extra.get("instead_of", "")):
            for memory in near:
                if novelty.corrects(candidate.text, memory.text, gone):
                    return self._instead(None, memory, source)
        for memory in near:
            if memory.type is candidate.type and novelty.rivals(candidate.text, memory.text):
                return _Place(None, reason=_RIVAL, conflicted=True)
        return _Place(None)

    def _instead(self, key: str | None, old: Memory, source: Source) -> _Place:
        if old.pinned or old.trust.rank > source.trust.rank:
            reason = _PINNED if old.pinned else _TRUSTED
            return _Place(key, status=Status.PROPOSED, reason=reason)
        newest = max((e.created_at for e in self._memories.evidence(old.id)), default=None)
        if newest is not None and newest > source.at:
            return _Place(key, status=Status.SUPERSEDED, superseded_by=old)
        return _Place(key, replaces=(old,))

    def _write(self, candidate: Candidate, source: Source, place: _Place) -> Filed:
        now = self._clock()
        memory = Memory(
            id=new_id(now),
            text=candidate.text,
            created_at=now,
            updated_at=now,
            agent_pk=source.agent_pk,
            type=candidate.type,
            trust=source.trust,
            origin=source.origin,
            source_id=source.message_id,
            status=place.status,
            status_reason=place.reason,
            key=place.key,
            value=candidate.value if place.key else None,
            category=candidate.category,
            tags=tuple(dict.fromkeys([*source.tags, *candidate.tags])),
            pinned=source.pinned,
            occurred_at=candidate.occurred_at,
            conflicted=place.conflicted,
        )
        if source.trust is Trust.EXTERNAL:
            memory = replace(memory, tags=(*memory.tags, TAINTED))
        if place.superseded_by is not None:
            memory = replace(
                memory,
                superseded_by=place.superseded_by.id,
                valid_to=place.superseded_by.created_at,
            )
        for old in place.replaces:
            self._close(old, memory, source)
        note = Note("user", "insert", source.batch, source.reason, source.message_id)
        stored = self._memories.insert(memory, (_evidence(candidate, source),), note)
        named = (*candidate.entities, *mentioned(candidate.text))
        self._entities.link(stored.pk, named, source.agent_pk, now)
        return Filed(stored, written=True, replaced=tuple(old.id for old in place.replaces))

    def _close(self, old: Memory, new: Memory, source: Source) -> None:
        changes: dict[str, Any] = {
            "status": Status.SUPERSEDED,
            "superseded_by": new.id,
            "valid_to": source.at,
        }
        note = Note("user", "supersede", source.batch, message_id=source.message_id)
        self._memories.update(old.id, changes, note)


def _evidence(candidate: Candidate, source: Source) -> Evidence:
    return Evidence(
        quote=(candidate.quote or candidate.text) if source.quoted else "",
        created_at=source.at,
        message_id=source.message_id,
    )
