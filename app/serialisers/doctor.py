"""How a vault and its models are."""

from collections.abc import Iterable, Mapping
from typing import Any

from app.domain.model import ModelChoice
from app.domain.profile import SlotKind


def doctor(
    found: Mapping[str, Any],
    *,
    ways: Iterable[SlotKind],
    embedder: str,
    models: Iterable[ModelChoice],
) -> dict[str, Any]:
    """Return what an examination found, the ways in, and the models of an open profile."""
    return dict(found) | {
        "slots": [str(slot) for slot in ways],
        "embedder_chosen": embedder,
        "models": [model_state(one) for one in models],
    }


def model_state(one: ModelChoice) -> dict[str, Any]:
    """Return whether a model can be used."""
    return {"id": one.id, "problem": one.problem}


def unopened(loci: str, python: str, platform: str, problem: str) -> dict[str, Any]:
    """Return what is known where a vault does not open, with why, in a sentence."""
    return {
        "loci": loci,
        "python": python,
        "platform": platform,
        "ok": False,
        "problems": {"vault": [problem]},
    }
