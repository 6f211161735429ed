"""Times, as all shapes have them."""

from datetime import datetime


def iso(moment: datetime | None) -> str | None:
    """Return a time in ISO 8601 with its offset from UTC."""
    return moment.isoformat() if moment else None
