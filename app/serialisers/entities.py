"""Whom and what memories mention by name."""

from typing import Any

from app.domain.entity import Entity


def name(one: Entity) -> dict[str, Any]:
    """Return a name, with how many memories mention it."""
    return {"name": one.name, "also": list(one.also), "memories": one.mentions}


def name_meant(one: Entity) -> dict[str, Any]:
    """Return a name, with the others that mean the same."""
    return {"name": one.name, "also": list(one.also)}


def name_moved(one: Entity) -> dict[str, Any]:
    """Return a name that memories mention now."""
    return {"name": one.name, "memories": one.mentions}
