"""How a recall is worded on the window: what a find is, what made it score, why it was lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain import trace
from app.domain.conversation import Role
from app.domain.language.text import clipped
from app.domain.memory import SAFETY
from app.domain.reason import words
from app.domain.recall import Hit, HitKind, Recall
from app.domain.reply import MEANT, PERHAPS_MEANT

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NOW = timedelta(hours=1)
_FURTHEST_RANK = 20
_LEAST_SHARE = 0.06
_ALWAYS = frozenset({"recency", "trust"})
_REPLACEMENT = 120
_SMALLEST = 0.005


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


def full_date(moment: datetime, now: datetime) -> str:
    """Return "just now", "today, 14:05" or "14 May 2026"."""
    if abs(now - moment) < _NOW:
        return "just now"
    local = moment.astimezone()
    if local.date() == now.astimezone().date():
        return f"today, {local:%H:%M}"
    return day(moment)


def day(moment: datetime) -> str:
    """Return "14 May 2026"."""
    local = moment.astimezone()
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"


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
        said = [] if trace.is_all_foreign(hit) else [f"said by {speaker}"]
        return ["past message", *said, *trace.whence(hit), date]
    pinned = ["pinned"] if hit.pinned else []
    pinned += [SAFETY] if hit.safety else []
    return [*pinned, trace.TYPES[hit.type], trace.TRUSTS[hit.trust], date]


def bars(hit: Hit) -> list[Bar]:
    """Return what made a find score as it did: how well it fits, then the factors."""
    measured = trace.measures(hit)
    values = {name: float(value) for name, value in measured.items()}
    found = [Bar(name, min(1.0, value), f"{value:.2f}") for name, value in values.items()]
    if not measured:
        found = [_rank_bar(lane, rank) for lane, rank in hit.lanes.items()]
        if hit.base:
            found.append(Bar("together", min(1.0, hit.base), f"{hit.base:.2f}"))
    return found + [
        Bar(trace.factor_name(name), min(1.0, factor / 2), f"×{factor:.2f}")
        for name, factor in hit.factors.items()
        if name in _ALWAYS or abs(factor - 1) >= _SMALLEST
    ]


def _rank_bar(lane: str, rank: int) -> Bar:
    share = max(_LEAST_SHARE, 1 - (rank - 1) / _FURTHEST_RANK)
    return Bar(trace.lane_name(lane), share, f"#{rank}")


def step_bars(recall: Recall) -> list[Bar]:
    """Return what each step did and how long it took, beside the longest."""
    longest = max((step.milliseconds for step in recall.steps), default=0.0) or 1.0
    return [
        Bar(
            trace.step_name(step),
            step.milliseconds / longest,
            " · ".join(filter(None, (trace.step_count(step), milliseconds(step.milliseconds)))),
        )
        for step in recall.steps
    ]


def milliseconds(took: float) -> str:
    """Return a time: "<0.1 ms", "3.4 ms", "38 ms"."""
    if took < 0.05:
        return "<0.1 ms"
    return f"{took:.1f} ms" if took < 9.95 else f"{took:,.0f} ms"


def why(hit: Hit) -> str:
    """Return in a sentence how a find was found."""
    ways = [f"its {trace.lane_name(lane)} (#{rank})" for lane, rank in hit.lanes.items()]
    moved = [
        f"{'raised' if factor > 1 else 'lowered'} by {trace.factor_name(name)} ×{factor:.2f}"
        for name, factor in hit.factors.items()
        if abs(factor - 1) >= _SMALLEST
    ]
    if ways:
        found = f"Found by {listed(ways)}"
    elif hit.reasons[:1] in ((MEANT,), (PERHAPS_MEANT,)):
        found = sentence(words(hit.reasons[0])).rstrip(".")
    else:
        found = "Found beside another result" if hit.reasons else "Always in the prompt"
    return f"{'; '.join([found, listed(moved)]) if moved else found}."


def found_by(hit: Hit) -> str:
    """Return which lanes found it, and at which place: "Found by words #2, meaning #1"."""
    return f"Found by {', '.join(trace.places(hit))}" if hit.lanes else ""


def noted(hit: Hit) -> str:
    """Return what else is said of a find, as a sentence; or nothing."""
    return sentence("; ".join(trace.notes(hit)))


def replaced(hit: Hit) -> str:
    """Return when and by what a memory was replaced, or what disputes it, or nothing."""
    if not hit.superseded_by:
        return words(hit.disputed) if hit.disputed else ""
    since = f" on {day(hit.replaced_at)}" if hit.replaced_at else ""
    heir = f" by “{clipped(hit.replaced_by, _REPLACEMENT)}”" if hit.replaced_by else ""
    return f"replaced{since}{heir}" if since or heir else words(trace.REPLACED)


def recall_line(recall: Recall, in_prompt: int) -> str:
    """Return how long recall took and what came of it."""
    lanes = len({lane for hit in (*recall.hits, *recall.dropped) for lane in hit.lanes})
    ways = f"{lanes} {'lane' if lanes == 1 else 'lanes'}, " if lanes else ""
    took = max(1, round(recall.milliseconds))
    return f"Recall took {took:,} ms: {ways}{recall.found:,} found, {in_prompt} in the prompt."


def dry_run_line(recall: Recall) -> str:
    """Return how much of what was found an answer would be given, and how long that took."""
    took = f"{max(1, round(recall.milliseconds)):,} ms"
    if not recall.found:
        return took
    finds = "1 result" if recall.found == 1 else f"{recall.found:,} results"
    return f"An answer would draw on {len(recall.hits)} of {finds}  ·  {took}"


def nothing_passed(recall: Recall) -> str:
    """Return why an answer would be given nothing."""
    if not recall.dropped:
        return "No memory or past message has these words or comes close to them in meaning."
    best = recall.dropped[0]
    told = sentence(words(best.reasons[-1]) if best.reasons else trace.lost(best))
    close = best.dropped == "below_floor"
    return f"What was found is not close enough to this. {told}" if close else told


def sentence(said: str) -> str:
    """Return words as a sentence; nothing stays nothing."""
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def listed(names: Sequence[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
