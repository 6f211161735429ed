"""Memories, and what became of some."""

from collections.abc import Iterable
from typing import Any

from app.domain.history import ForgettingPreview
from app.domain.memory import Evidence, JournalEntry, Memory, MemoryDetail
from app.serialisers.values import fields, iso


def memory(one: Memory) -> dict[str, Any]:
    """Return a memory."""
    return fields(
        one,
        "id text key value type trust origin status status_reason category visibility "
        "tags pinned occurred_at valid_to expires_at superseded_by conflicted "
        "proof_count confidence seen_count access_count last_accessed_at revision "
        "created_at updated_at",
    )


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
    return fields(one, "at op actor batch undone")


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
    """Return which memories of a source were forgotten; ``protected`` if pinned ones stay."""
    return {
        "forgotten": list(found.memories),
        "protected": [memory_id for memory_id, _ in found.protected] if protected else [],
        "elsewhere": list(found.elsewhere),
    }


def cleared(number: int) -> dict[str, Any]:
    """Return how many memories were forgotten."""
    return {"forgotten": number}
