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
    """Return everything worth knowing of an open profile.

    Args:
        found: What the examination of its vault found.
        ways: What opens it.
        embedder: What the settings say finds by meaning.
        models: The model files that can be chosen.
    """
    return dict(found) | {
        "slots": [str(slot) for slot in ways],
        "embedder_chosen": embedder,
        "models": [model_state(one) for one in models],
    }


def model_state(one: ModelChoice) -> dict[str, Any]:
    """Return whether a model can be used."""
    return {"id": one.id, "problem": one.problem}


def unopened(loci: str, python: str, platform: str, problem: str) -> dict[str, Any]:
    """Return what is known where a vault does not open.

    Args:
        loci: The version of the program.
        python: The version of Python.
        platform: The system it runs on.
        problem: Why the vault does not open, in a sentence.
    """
    return {
        "loci": loci,
        "python": python,
        "platform": platform,
        "ok": False,
        "problems": {"vault": [problem]},
    }
