"""Models that can be downloaded, and what became of a download."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.domain.catalogue import CatalogueModel, Machine, Offered, Trial
from app.serialisers.values import fields


def catalogue(there: Machine, found: Iterable[CatalogueModel]) -> dict[str, Any]:
    """Return the models that can be had, seen from this computer."""
    return {"machine": machine(there), "models": [offered(one) for one in found]}


def machine(one: Machine) -> dict[str, Any]:
    """Return what matters of a computer."""
    return {"memory_bytes": one.memory_bytes, "free_bytes": one.free_bytes, "cores": one.cores}


def offered(one: CatalogueModel) -> dict[str, Any]:
    """Return a model that can be downloaded."""
    return {
        **_made(one.offered),
        **fields(one, "memory_bytes fit recommended present unchecked aside fetched in_use"),
    }


def _made(one: Offered) -> dict[str, Any]:
    """Return what does not depend on this computer."""
    return fields(
        one,
        "id name maker role architecture parameters bytes context_length languages "
        "good_for licence licence_url repository revision file sha256 context_bytes "
        "note",
    )


def download(
    model: str, path: Path, *, used: bool, aside: str = "", tried: Trial | None = None
) -> dict[str, Any]:
    """Return what became of a download; ``tried`` is None where the model was not asked."""
    return {
        "id": model,
        "file": str(path),
        "used": used,
        **({"aside": str(path.with_name(aside))} if aside else {}),
        **({"trial": trial(tried)} if tried else {}),
    }


def trial(one: Trial) -> dict[str, Any]:
    """Return one answer of a model that was just chosen."""
    return {"text": one.text, "tokens_per_second": one.tokens_per_second, "seconds": one.seconds}
