"""Memories, and what became of some."""

from collections.abc import Iterable
from typing import Any

from app.domain.history import ForgettingPreview
from app.domain.memory import Evidence, JournalEntry, Memory, MemoryDetail
from app.serialisers.times import iso


def memory(one: Memory) -> dict[str, Any]:
    """Return a memory."""
    return {
        "id": one.id,
        "text": one.text,
        "key": one.key,
        "value": one.value,
        "type": one.type,
        "trust": one.trust,
        "origin": one.origin,
        "status": one.status,
        "status_reason": one.status_reason,
        "category": one.category,
        "visibility": one.visibility,
        "tags": list(one.tags),
        "pinned": one.pinned,
        "occurred_at": iso(one.occurred_at),
        "valid_to": iso(one.valid_to),
        "expires_at": iso(one.expires_at),
        "superseded_by": one.superseded_by,
        "conflicted": one.conflicted,
        "proof_count": one.proof_count,
        "confidence": one.confidence,
        "seen_count": one.seen_count,
        "access_count": one.access_count,
        "last_accessed_at": iso(one.last_accessed_at),
        "revision": one.revision,
        "created_at": iso(one.created_at),
        "updated_at": iso(one.updated_at),
    }


def memory_detail(one: MemoryDetail) -> dict[str, Any]:
    """Return a memory with what it rests on and its history."""
    return memory(one.memory) | {
        "evidence": [evidence(words) for words in one.evidence],
        "history": [entry(change) for change in one.history],
        "entities": list(one.entities),
        "replaces": [memory_id for memory_id, _ in one.replaces],
    }


def evidence(one: Evidence) -> dict[str, Any]:
    """Return the words that a memory rests on."""
    return {
        "message": one.message_id,
        "conversation": one.conversation_id,
        "quote": one.quote,
        "at": iso(one.created_at),
    }


def entry(one: JournalEntry) -> dict[str, Any]:
    """Return a change to a memory, in short."""
    return {
        "at": iso(one.at),
        "op": one.op,
        "actor": one.actor,
        "batch": one.batch,
        "undone": one.undone,
    }


def statement(one: Memory) -> dict[str, Any]:
    """Return a memory where it only stands for its words."""
    return {"id": one.id, "text": one.text}


def trusted(ids: Iterable[str]) -> dict[str, Any]:
    """Return which memories are trusted like the person's own word now."""
    return {"trusted": list(ids)}


def forgotten(ids: Iterable[str]) -> dict[str, Any]:
    """Return which memories were forgotten."""
    return {"forgotten": list(ids)}


def source_forgotten(found: ForgettingPreview, *, protected: bool) -> dict[str, Any]:
    """Return which memories of a source were forgotten, and which stay.

    Args:
        found: What forgetting it concerned.
        protected: Whether what is pinned or of system trust was spared.
    """
    return {
        "forgotten": list(found.memories),
        "protected": [memory_id for memory_id, _ in found.protected] if protected else [],
        "elsewhere": list(found.elsewhere),
    }


def cleared(number: int) -> dict[str, Any]:
    """Return how many memories were forgotten."""
    return {"forgotten": number}
