"""Models that could answer or find by meaning, and who learns."""

from collections.abc import Iterable
from typing import Any

from app.domain.model import (
    FoundServer,
    LearnerStatus,
    ModelChoice,
    OtherProgramsModels,
    RerankerStatus,
)


def model(one: ModelChoice) -> dict[str, Any]:
    """Return a model that can be chosen."""
    return {
        "id": one.id,
        "name": one.name,
        "role": one.role,
        "place": one.place,
        "detail": one.detail,
        "bytes": one.bytes,
        "parameters": one.parameters,
        "memory_bytes": one.memory_bytes,
        "problem": one.problem,
        "warning": one.warning,
        "added": one.added,
        "loaded_bytes": one.loaded_bytes,
    }


def models(
    current: str,
    embedder: str,
    folder: str,
    found: Iterable[ModelChoice],
    *,
    beside: tuple[RerankerStatus, LearnerStatus],
    servers: Iterable[FoundServer],
    elsewhere: OtherProgramsModels,
    warning: str,
) -> dict[str, Any]:
    """Return the models there are, and which are in use.

    Args:
        current: Id of the one that answers.
        embedder: What the settings say finds by meaning.
        folder: Where model files are looked for.
        found: Those that can be chosen.
        beside: How finds are reranked, and who learns.
        servers: The servers that were found on this computer.
        elsewhere: What other programs keep here.
        warning: What speaks against the model that was just chosen; or empty.
    """
    ranks, learns = beside
    return {
        "current": current,
        "embedder": embedder,
        "folder": folder,
        "models": [model(one) for one in found],
        "reranker": reranker(ranks),
        "learner": learner(learns),
        "servers": [server(one) for one in servers],
        "elsewhere": other_programs(elsewhere),
        "warning": warning,
    }


def reranker(one: RerankerStatus) -> dict[str, Any]:
    """Return whether finds are reranked."""
    return {
        "file": one.file,
        "present": one.present,
        "on": one.on,
        "bytes": one.bytes,
        "offered": one.offered,
        "fetched": one.fetched,
        "problem": one.problem,
    }


def learner(one: LearnerStatus) -> dict[str, Any]:
    """Return who learns beside Loci's own reader."""
    return {
        "id": one.id,
        "name": one.name,
        "why": one.why,
        "failed": one.failed,
        "told": one.sentence,
    }


def server(one: FoundServer) -> dict[str, Any]:
    """Return a model server that answers on this computer."""
    return {"name": one.name, "base_url": one.base_url, "models": list(one.models)}


def other_programs(one: OtherProgramsModels) -> dict[str, Any]:
    """Return the models that other programs keep on this computer."""
    return {"choices": [model(choice) for choice in one.choices], "cut_short": one.cut_short}
