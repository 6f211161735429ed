"""Exports, imports, and whether processing is restricted."""

from typing import Any

from app.domain.transfer import TransferReport


def transfer(one: TransferReport) -> dict[str, Any]:
    """Return what an export or import did."""
    return {
        "path": one.path,
        "counts": dict(one.counts),
        "verified": one.verified,
        "notes": list(one.notes),
    }


def restriction(on: bool) -> dict[str, Any]:
    """Return whether processing is restricted."""
    return {"restricted": on}
