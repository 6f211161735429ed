"""How the chat says things: dates, modes and sizes."""

from datetime import datetime, timedelta

from app.domain.conversation import MemoryMode, Part

_LONG = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NOW = timedelta(hours=1)

MODES = {
    MemoryMode.REMEMBERS: ("Remembers", "diamond", "Recalls what it knows and learns from you."),
    MemoryMode.READS_ONLY: ("Reads only", "eye", "Recalls what it knows, learns nothing here."),
    MemoryMode.WRITES_ONLY: (
        "Writes only",
        "pencil-simple",
        "Learns from you, recalls nothing here.",
    ),
    MemoryMode.OFF: ("Off", "prohibit", "Neither recalls nor learns anything here."),
    MemoryMode.TEMPORARY: (
        "Temporary",
        "timer",
        "Neither recalls nor learns, and is deleted once you leave it.",
    ),
}
TEMPORARY = "Temporary: this conversation is deleted for good once you leave it."
KEEP = "Keep this conversation"
NOT_THIS = "Not this message"


def chip_date(moment: datetime, now: datetime) -> str:
    """Return "now", "today", "yesterday", "Tuesday", "May" or "May 2024"."""
    if abs(now - moment) < _NOW:
        return "now"
    day, today = moment.astimezone(), now.astimezone()
    days = (today.date() - day.date()).days
    if days <= 1:
        return "yesterday" if days == 1 else "today"
    if days < len(_DAYS):
        return _DAYS[day.weekday()]
    month = _LONG[day.month - 1]
    return month if day.year == today.year else f"{month} {day.year}"


def day(moment: datetime) -> str:
    """Return the local day, such as ``12 Jan 2026``."""
    there = moment.astimezone()
    return f"{there.day} {_LONG[there.month - 1][:3]} {there.year}"


def tokens(count: int) -> str:
    """Return a number of tokens, short: "812", "2.8k", "131k"."""
    if count < 1000:
        return str(count)
    if count % 1024 == 0:
        return f"{count // 1024}k"
    short = f"{count / 1000:.1f}".removesuffix(".0") if count < 10_000 else f"{count // 1000}"
    return f"{short}k"


def size(count: int) -> str:
    """Return a number of bytes: "812 B", "12 KB"."""
    if count >= 1_000_000:
        return f"{count / 1_000_000:.1f} MB"
    return f"{count} B" if count < 1000 else f"{count / 1000:.0f} KB"


def extent(part: Part) -> str:
    """Return how much an attached file is: "31 pages, 412 KB"."""
    if part.document is None:
        return size(len(part.text.encode()))
    return f"{part.document.counted()}, {size(part.document.size)}"
