"""What happened to memories, where they come from, and who wrote them."""

from collections.abc import Iterable
from typing import Any

from app.domain.history import (
    AuditReport,
    Burst,
    Difference,
    MemoryChange,
    MemoryOrigin,
    MemorySource,
    Writer,
)
from app.serialisers.values import fields, iso


def undone(ids: Iterable[str], refused: Iterable[str]) -> dict[str, Any]:
    """Return in which memories a change was taken back, and why not in others."""
    return {"undone": sorted(ids), "refused": list(refused)}


def redone(ids: Iterable[str], refused: Iterable[str]) -> dict[str, Any]:
    """Return in which memories a change was done again, and why not in others."""
    return {"done": sorted(ids), "refused": list(refused)}


def change(one: MemoryChange) -> dict[str, Any]:
    """Return a change to a memory, with what it changed."""
    return {
        "at": iso(one.entry.at),
        "kind": one.kind,
        "sentence": one.sentence,
        "op": one.entry.op,
        "actor": one.entry.actor,
        "reason": one.entry.reason,
        "message": one.entry.message_id,
        "batch": one.entry.batch,
        "undone": one.entry.undone,
        "differences": [difference(field) for field in one.differences],
    }


def difference(one: Difference) -> dict[str, Any]:
    """Return a field that a change gave another value."""
    return {"field": one.field, "before": one.before, "after": one.after}


def lineage(one: MemoryOrigin) -> dict[str, Any]:
    """Return a memory or a message, and what it rests on."""
    return {
        **fields(one, "kind id text at origin actor"),
        "conversation": one.conversation_id,
        "title": one.conversation_title,
        "sources": [lineage(source) for source in one.sources],
    }


def source(one: MemorySource) -> dict[str, Any]:
    """Return one thing that memories come from."""
    return {
        "source": one.name,
        "kind": one.kind,
        "title": one.title,
        "memories": one.count,
        **fields(one, "active first_at last_at"),
    }


def audit(one: AuditReport) -> dict[str, Any]:
    """Return who wrote what, from what, and what came in bursts."""
    return {
        "memories": one.memories,
        "active": one.active,
        "changes": one.changes,
        "writers": [writer(who) for who in one.writers],
        "sources": [source(what) for what in one.sources],
        "bursts": [burst(many) for many in one.bursts],
    }


def writer(one: Writer) -> dict[str, Any]:
    """Return who wrote memories, by which road."""
    return fields(one, "actor origin written active first_at last_at")


def burst(one: Burst) -> dict[str, Any]:
    """Return many memories that were written in a short time."""
    return fields(one, "actor count first_at last_at batches")
