"""Values, as all shapes have them."""

from collections.abc import Mapping
from datetime import datetime


def iso(moment: datetime | None) -> str | None:
    """Return a time in ISO 8601 with its offset from UTC."""
    return moment.isoformat() if moment else None


def fields(one: object, names: str) -> dict[str, object]:
    """Return attributes by their names, which a space parts, as plain values."""
    return {name: _plain(getattr(one, name)) for name in names.split()}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple | list) else value
