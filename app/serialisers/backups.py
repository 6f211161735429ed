"""Backups of a profile."""

from pathlib import Path
from typing import Any

from app.domain.backup import Backup
from app.serialisers.values import iso


def backup(one: Backup) -> dict[str, Any]:
    """Return a backup."""
    return {"path": str(one.path), "made_at": iso(one.made_at), "bytes": one.bytes}


def restored(path: Path, kept: Path | None) -> dict[str, Any]:
    """Return which backup was restored, and where what was there is now."""
    return {"restored": str(path), "kept": str(kept) if kept else None}
