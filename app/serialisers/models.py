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
from app.serialisers.values import fields


def model(one: ModelChoice) -> dict[str, Any]:
    """Return a model that can be chosen."""
    return fields(
        one,
        "id name role place detail bytes parameters memory_bytes problem warning "
        "added loaded_bytes",
    )


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
    """Return the models there are, which are in use, and what speaks against the chosen one."""
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
    return fields(one, "file present on bytes offered fetched problem")


def learner(one: LearnerStatus) -> dict[str, Any]:
    """Return who learns beside Loci's own reader."""
    return {
        **fields(one, "id name why failed"),
        "told": one.sentence,
    }


def server(one: FoundServer) -> dict[str, Any]:
    """Return a model server that answers on this computer."""
    return {"name": one.name, "base_url": one.base_url, "models": list(one.models)}


def other_programs(one: OtherProgramsModels) -> dict[str, Any]:
    """Return the models that other programs keep on this computer."""
    return {"choices": [model(choice) for choice in one.choices], "cut_short": one.cut_short}
