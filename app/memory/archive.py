"""Word the lists of what was archived, and tell them from other memories."""

from collections.abc import Sequence

from app.domain.language.text import clipped
from app.domain.memory import Memory

ACTOR = "compact"
LINE = 120


def listed(memories: Sequence[Memory]) -> str:
    """Return what a list of archived memories says: the beginning of each, and from when."""
    first = min(memory.created_at for memory in memories)
    last = max(memory.created_at for memory in memories)
    said = " · ".join(clipped(memory.text, LINE) for memory in memories)
    return f"What was learnt from {first:%Y-%m-%d} to {last:%Y-%m-%d}: {said}"


def excerpt(text: str) -> str:
    """Return what a list says of a text, without the mark of what was left out."""
    return clipped(text, LINE).removesuffix("…")


def is_list(memory: Memory) -> bool:
    """Return whether a memory is such a list."""
    return memory.actor == ACTOR and bool(memory.source_ids)
