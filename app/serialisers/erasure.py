"""What an erasure concerns, and the proof of it."""

from typing import Any

from app.domain.erasure import Copy, Proof
from app.serialisers.values import fields


def place(number: int, one: Copy, *, erases: bool) -> dict[str, Any]:
    """Return a place that an erasure concerns, by its number, and whether it is erased."""
    return {
        "number": number,
        **fields(one, "key kind label why"),
        "erases": erases,
    }


def proof(one: Proof) -> dict[str, Any]:
    """Return what an erasure removed, what it left, and what the scan found."""
    return fields(one, "removed scanned_bytes found_before found_after left owed remaining")
