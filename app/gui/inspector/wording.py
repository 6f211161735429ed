"""How the inspector says things: dates, counts, and where a memory comes from."""

from collections.abc import Sequence
from datetime import datetime

from app.domain.memory import Evidence, Memory, Origin, Status
from app.domain.trace import STATUSES

SAFETY_CHIP = "safety"
SAFETY_TIP = (
    "A safety fact, such as an allergy or a medicine: it is never thinned out, summarised or"
    " dropped for its age, and stands first in what a model is told."
)
MINE_TIP = "Trust this as much as what you said yourself. You can undo this."
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ORIGINS = {
    Origin.USER_TYPED: "You wrote it here yourself.",
    Origin.USER_EDITED: "You put it into these words.",
    Origin.CONVERSATION: "Learned from what you typed in a conversation.",
    Origin.REVIEW: "Found when past conversations were reviewed.",
    Origin.CONSOLIDATION: "Drawn together from several memories.",
    Origin.DREAM: "Worked out while nothing else was going on.",
    Origin.TOOL: "Came from the result of a tool.",
    Origin.DOCUMENT: "Came from a document.",
    Origin.WEB: "Came from a web page.",
    Origin.CLIENT: "Written by another program.",
    Origin.IMPORT: "Came in with an imported file.",
    Origin.MIGRATION: "Carried over from an earlier version.",
}


def short_date(moment: datetime, now: datetime) -> str:
    """Return "today", "yesterday", "12 Jan", or "12 Jan 2024" when it was another year."""
    day, today = moment.astimezone(), now.astimezone()
    days = (today.date() - day.date()).days
    if days in (0, 1):
        return "yesterday" if days else "today"
    text = f"{day.day} {_MONTHS[day.month - 1]}"
    return text if day.year == today.year else f"{text} {day.year}"


def long_date(moment: datetime) -> str:
    """Return "12 Jan 2026, 18:04"; midnight is a date without a time."""
    day = moment.astimezone()
    text = f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
    return f"{text}, {day:%H:%M}" if (day.hour, day.minute) != (0, 0) else text


def origin_sentence(memory: Memory, evidence: Sequence[Evidence] = ()) -> str:
    """Return how this memory came to be; what others wrote has evidence without a quote."""
    if memory.origin is Origin.CONVERSATION and evidence and not any(e.quote for e in evidence):
        return "Came from an answer."
    return _ORIGINS[memory.origin]


def status_tag(memory: Memory) -> str:
    """Return the word shown beside a memory that takes no part in recall, else nothing."""
    return "" if memory.status is Status.ACTIVE else STATUSES[memory.status]
