"""What consolidation would fold, and what it folded."""

from collections.abc import Iterable
from typing import Any

from app.domain.consolidation import Cluster, Fold
from app.domain.jobs.upkeep import JobRun
from app.serialisers.memories import statement
from app.serialisers.values import fields


def cluster(one: Cluster) -> dict[str, Any]:
    """Return statements that would be folded into one."""
    return {"text": one.text, "sources": [statement(memory) for memory in one.sources]}


def consolidation(done: JobRun, folds: Iterable[Fold]) -> dict[str, Any]:
    """Return what a run folded."""
    return {
        "batch": done.batch,
        "figures": dict(done.figures),
        "folds": [fold(one) for one in folds],
    }


def fold(one: Fold) -> dict[str, Any]:
    """Return one observation that a run made or renewed."""
    return {
        "observation": one.observation.id,
        **fields(one, "new before after"),
        "sources": [statement(memory) for memory in one.sources],
        "added": sorted(one.added),
        "undone": one.undone,
    }


def reverted(ids: Iterable[str], refused: Iterable[str]) -> dict[str, Any]:
    """Return in which memories a run was taken back, and why not in others."""
    return {"reverted": sorted(ids), "refused": list(refused)}
