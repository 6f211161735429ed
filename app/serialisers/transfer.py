"""Exports, imports, and whether processing is restricted."""

from typing import Any

from app.domain.transfer import TransferReport
from app.serialisers.values import fields


def transfer(one: TransferReport) -> dict[str, Any]:
    """Return what an export or import did."""
    return fields(one, "path counts verified notes")


def restriction(on: bool) -> dict[str, Any]:
    """Return whether processing is restricted."""
    return {"restricted": on}
