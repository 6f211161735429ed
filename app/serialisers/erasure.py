"""What an erasure concerns, and the proof of it."""

from typing import Any

from app.domain.erasure import Copy, Proof


def place(number: int, one: Copy, *, erases: bool) -> dict[str, Any]:
    """Return a place that an erasure concerns.

    Args:
        number: What a command names it by.
        one: The place.
        erases: Whether it would be erased.
    """
    return {
        "number": number,
        "key": one.key,
        "kind": one.kind,
        "label": one.label,
        "why": one.why,
        "erases": erases,
    }


def proof(one: Proof) -> dict[str, Any]:
    """Return what an erasure removed, what it left, and what the scan found."""
    return {
        "removed": list(one.removed),
        "scanned_bytes": one.scanned_bytes,
        "found_before": one.found_before,
        "found_after": one.found_after,
        "left": list(one.left),
        "owed": one.owed,
        "remaining": list(one.remaining),
    }
