"""Print dates for people and models: always absolute, in English, whatever the system's locale."""

from datetime import datetime, timedelta

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date(moment: datetime) -> str:
    """Return the local day, such as ``12 Jan 2026``."""
    day = moment.astimezone()
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def spoken(moment: datetime, now: datetime) -> str:
    """Return ``today``, ``yesterday`` or ``on 12 Jan 2026``."""
    days = now.astimezone().date() - moment.astimezone().date()
    if days == timedelta(0):
        return "today"
    if days == timedelta(days=1):
        return "yesterday"
    return f"on {date(moment)}"
