"""How the chat says things: dates, trust, reasons, and what went wrong."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.conversation import MemoryMode, Role
from app.domain.memory import MemoryType, Trust
from app.domain.recall import Hit, HitKind, Recall

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LONG = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NOW = timedelta(hours=1)
_TRUSTS = {
    Trust.SYSTEM: "confirmed by you",
    Trust.LEARNED: "learned from you",
    Trust.EXTERNAL: "from outside",
}
_TYPES = {
    MemoryType.WORKING: "for now",
    MemoryType.EPISODIC: "event",
    MemoryType.SEMANTIC: "fact",
    MemoryType.PROCEDURAL: "habit",
}
_LANES = {
    "fts": "words",
    "message_fts": "words",
    "vector": "meaning",
    "message_vector": "meaning",
    "overview": "being about you",
    "time": "time",
}
_LOST = {
    "below_floor": "not about this",
    "trust_filtered": "not trusted for prompts",
    "deduped": "says the same as another",
    "below_budget": "no room left",
}
_FACTORS = {"temporal": "event time", "proof": "repeated", "time": "time asked for"}
_FURTHEST_RANK = 20
_LEAST_SHARE = 0.06
_BARS = ("words", "meaning", "relevance", "together")
_MEASURED = re.compile(r"(words|meaning|relevance) ([01]\.\d+)")
_SMALLEST = 0.005

MODES = {
    MemoryMode.REMEMBERS: ("Remembers", "diamond", "Recalls what it knows and learns from you."),
    MemoryMode.READS_ONLY: ("Reads only", "eye", "Recalls what it knows, learns nothing here."),
    MemoryMode.OFF: ("Off", "prohibit", "Neither recalls nor learns anything here."),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of what made a find score as it did.

    Attributes:
        share: How much of the bar is full, 0 to 1.
        value: What stands beside it.
    """

    name: str
    share: float
    value: str


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


def full_date(moment: datetime, now: datetime) -> str:
    """Return "just now", "today, 14:05" or "14 May 2026"."""
    if abs(now - moment) < _NOW:
        return "just now"
    day = moment.astimezone()
    if day.date() == now.astimezone().date():
        return f"today, {day:%H:%M}"
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def known_since(hit: Hit) -> datetime:
    """Return the date to show for a find: when it happened, else when it was said."""
    return hit.occurred_at or hit.at


def source_line(hit: Hit, now: datetime) -> str:
    """Return where and when a find was said."""
    where = f"From “{hit.conversation_title}”, " if hit.conversation_title else ""
    said = full_date(hit.at, now)
    return f"{where}{said}" if where else said[:1].upper() + said[1:]


def kind_line(hit: Hit, now: datetime) -> list[str]:
    """Return what a find is, how far it is trusted, and since when, as three words."""
    date = full_date(known_since(hit), now)
    if hit.kind is HitKind.MESSAGE:
        speaker = hit.speaker or ("Loci" if hit.role is Role.ASSISTANT else "you")
        return ["past message", f"said by {speaker}", date]
    pinned = ["pinned"] if hit.pinned else []
    return [*pinned, _TYPES[hit.type], _TRUSTS[hit.trust], date]


def bars(hit: Hit) -> list[Bar]:
    """Return what made a find score as it did: how well it fits, then the factors."""
    measured = {m[1]: m[2] for reason in hit.reasons if (m := _MEASURED.fullmatch(reason))}
    found = {name: Bar(name, float(value), value) for name, value in measured.items()}
    for lane, rank in hit.lanes.items():
        share = max(_LEAST_SHARE, 1 - (rank - 1) / _FURTHEST_RANK)
        name = _LANES.get(lane, lane)
        found.setdefault(name, Bar(name, share, f"#{rank}"))
    if hit.base and not measured:
        found["together"] = Bar("together", min(1.0, hit.base), f"{hit.base:.2f}")
    return [found[name] for name in sorted(found, key=_bar_order)] + [
        Bar(_FACTORS.get(name, name), min(1.0, factor / 2), f"×{factor:.2f}")
        for name, factor in hit.factors.items()
        if name in ("recency", "trust") or abs(factor - 1) >= _SMALLEST
    ]


def _bar_order(name: str) -> int:
    return _BARS.index(name) if name in _BARS else len(_BARS)


def why(hit: Hit) -> str:
    """Return in a sentence how a find was found."""
    ways = [f"its {_LANES.get(lane, lane)} (#{rank})" for lane, rank in hit.lanes.items()]
    sentence = f"Found by {listed(ways)}" if ways else "Always in the prompt"
    moved = [
        f"{'raised' if factor > 1 else 'lowered'} by {_FACTORS.get(name, name)} ×{factor:.2f}"
        for name, factor in hit.factors.items()
        if abs(factor - 1) >= _SMALLEST
    ]
    return f"{'; '.join([sentence, listed(moved)]) if moved else sentence}."


def lost(hit: Hit) -> str:
    """Return why a find did not get into the prompt, or nothing."""
    if not hit.dropped:
        return ""
    said = _LOST.get(hit.dropped, hit.dropped.replace("_", " "))
    return f"{said}: {hit.reasons[-1]}" if hit.dropped in _LOST and hit.reasons else said


def recall_line(recall: Recall, in_prompt: int) -> str:
    """Return how long recall took and what came of it."""
    lanes = len({lane for hit in (*recall.hits, *recall.dropped) for lane in hit.lanes})
    found = len(recall.hits) + len(recall.dropped)
    ways = f"{lanes} {'lane' if lanes == 1 else 'lanes'}, " if lanes else ""
    took = max(1, round(recall.milliseconds))
    return f"Recall took {took} ms: {ways}{found} found, {in_prompt} in the prompt."


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
    return f"{count} B" if count < 1000 else f"{count / 1000:.0f} KB"


def listed(names: Sequence[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
