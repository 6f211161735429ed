"""Print dates for people and models: always absolute, in English, whatever the system's locale."""

from datetime import datetime

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date(moment: datetime) -> str:
    """Return the local day, such as ``12 Jan 2026``."""
    day = moment.astimezone()
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
