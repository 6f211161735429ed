"""Models that can be downloaded, and what became of a download."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.domain.catalogue import CatalogueModel, Machine, Offered, Trial


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
        "memory_bytes": one.memory_bytes,
        "fit": one.fit,
        "recommended": one.recommended,
        "present": one.present,
        "unchecked": one.unchecked,
        "aside": one.aside,
        "fetched": one.fetched,
        "in_use": one.in_use,
    }


def _made(one: Offered) -> dict[str, Any]:
    """Return what does not depend on this computer."""
    return {
        "id": one.id,
        "name": one.name,
        "maker": one.maker,
        "role": one.role,
        "architecture": one.architecture,
        "parameters": one.parameters,
        "bytes": one.bytes,
        "context_length": one.context_length,
        "languages": one.languages,
        "good_for": list(one.good_for),
        "licence": one.licence,
        "licence_url": one.licence_url,
        "repository": one.repository,
        "revision": one.revision,
        "file": one.file,
        "sha256": one.sha256,
        "context_bytes": one.context_bytes,
        "note": one.note,
    }


def download(
    model: str, path: Path, *, used: bool, aside: str = "", tried: Trial | None = None
) -> dict[str, Any]:
    """Return what became of a download.

    Args:
        model: Id of the model.
        path: Its file.
        used: Whether it is used from now on.
        aside: What another file of its name is called now; empty where there was none.
        tried: How it answered; None where it was not asked.
    """
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
