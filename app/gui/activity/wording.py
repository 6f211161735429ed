"""How the activity screen says things: when work runs, what a run did, what models took."""

from collections.abc import Mapping
from datetime import datetime

from app.domain.jobs.spending import Spent
from app.domain.jobs.upkeep import JobRun, RunOutcome, Trigger
from app.services.upkeep.upkeep import JobStatus

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_OUTCOMES = {
    RunOutcome.RUNNING: ("Running", "accent"),
    RunOutcome.DONE: ("Done", "neutral"),
    RunOutcome.NOTHING: ("Nothing to do", "neutral"),
    RunOutcome.STOPPED: ("Stopped", "warn"),
    RunOutcome.FAILED: ("Failed", "danger"),
}
_TRIGGERS = {
    Trigger.SCHEDULE: "on schedule",
    Trigger.MISSED: "making up for a missed run",
    Trigger.NOW: "started by you",
    Trigger.EVENT: "",
}
_FIGURES = {
    "seen_again": "said again",
    "created": "observations made",
    "renewed": "observations renewed",
    "redrawn": "observations redrawn",
    "statements": "statements folded",
    "worded_by_model": "worded by the model",
    "replies_refused": "model replies not used",
    "without_model": "worded without a model",
    "too_long": "too long for the model",
    "users_processed": "profiles",
    "entries_pruned": "forgotten as stale",
    "entries_summarised": "summarised",
    "originals_deleted": "originals deleted for good",
}
_PURPOSES = {
    "chat": "Answers",
    "learn": "Learning from messages",
    "learn_more": "Learning from messages",
    "read": "Learning from imports",
    "review": "Reviews",
    "consolidate": "Consolidation",
    "dream": "Dreams",
    "compact": "Compaction",
    "judge": "Scores of answers",
}


def standing_words(one: JobStatus, now: datetime) -> str:
    """Return when work runs next, or what it does or waits for, and what it goes without."""
    return f"{_when(one, now)}. {one.without}" if one.without else _when(one, now)


def _when(one: JobStatus, now: datetime) -> str:
    if one.running:
        return "Running now"
    if one.queued:
        return one.waiting.removesuffix(".") or "Waiting for its turn"
    if one.waiting:
        return f"Due. {one.waiting.removesuffix('.')}"
    if one.next_at is None:
        return one.trigger.removesuffix(".") or "Not scheduled"
    return f"Next run {moment(one.next_at, now)}"


def moment(at: datetime, now: datetime) -> str:
    """Return "today at 02:00", "tomorrow at 02:00", "on Friday at 02:00" or a date."""
    there, here = at.astimezone(), now.astimezone()
    days = (there.date() - here.date()).days
    words = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(days)
    if words is None:
        near = 0 < days < 7
        words = f"on {_DAYS[there.weekday()]}" if near else f"on {there.day} {there:%b %Y}"
    return f"{words} at {there:%H:%M}"


def outcome_words(run: JobRun) -> tuple[str, str]:
    """Return how a run ended, and in which tone to say it."""
    return _OUTCOMES[run.outcome]


def run_words(run: JobRun) -> str:
    """Return why a run failed, and what it did."""
    return "\n".join(filter(None, (run.error, figures_words(run.figures))))


def figures_words(figures: Mapping[str, int | float]) -> str:
    """Return "Learned: 3, messages: 12"; what is zero is left out."""
    named = {_FIGURES.get(name, name.replace("_", " ")): n for name, n in figures.items() if n}
    told = ", ".join(f"{name}: {n:,.6g}" for name, n in named.items())
    return told[:1].upper() + told[1:]


def circumstances(run: JobRun, now: datetime) -> str:
    """Return when a run began, how long it took, and why it ran."""
    parts = [moment(run.started_at, now)]
    if run.ended_at is not None:
        parts.append(_took((run.ended_at - run.started_at).total_seconds()))
    told = ", ".join(filter(None, [*parts, _TRIGGERS[run.trigger]]))
    return told[:1].upper() + told[1:]


def _took(seconds: float) -> str:
    if seconds < 1:
        return "in under a second"
    return f"in {seconds:.0f} s" if seconds < 90 else f"in {seconds / 60:.0f} min"


def purpose_words(purpose: str) -> str:
    """Return what a kind of work is called on a bill."""
    return _PURPOSES.get(purpose, purpose.capitalize())


def tokens_words(one: Spent) -> str:
    """Return how much was read and written, and by which model."""
    about = "" if one.counted else "about "
    read, written = f"{one.prompt_tokens:,}", f"{one.completion_tokens:,}"
    calls = "1 call" if one.calls == 1 else f"{one.calls:,} calls"
    return f"{one.model} · {calls} · {about}{read} tokens read, {written} written"


def cost_words(one: Spent) -> str:
    """Return what it cost; a model on this computer costs nothing."""
    if one.local:
        return "On this computer"
    return f"{one.cost:,.2f}" if one.cost else "No price set"
