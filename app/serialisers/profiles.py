"""Profiles and what opens them."""

from collections.abc import Iterable
from typing import Any

from app.domain.profile import Profile, SlotKind
from app.serialisers.values import fields, iso


def profile(one: Profile, *, current: bool) -> dict[str, Any]:
    """Return a profile."""
    return {
        **fields(one, "slug name bytes"),
        "slots": [str(slot) for slot in one.slots],
        "created_at": iso(one.created_at),
        "current": current,
    }


def profile_name(one: Profile) -> dict[str, Any]:
    """Return what a profile is called."""
    return {"slug": one.slug, "name": one.name}


def slots(ways: Iterable[SlotKind]) -> dict[str, Any]:
    """Return what opens a profile."""
    return {"slots": [str(slot) for slot in ways]}


def recovery_code(code: str) -> dict[str, Any]:
    """Return a recovery code that was just made."""
    return {"code": code}
