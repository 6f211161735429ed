"""What Loci does by itself: how it stands, what it did, and what it took."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from app.domain.jobs.spending import Spent
from app.domain.jobs.upkeep import JobRun, Planned, SetAside
from app.serialisers.memories import statement
from app.serialisers.times import iso

if TYPE_CHECKING:
    from app.services.upkeep.upkeep import JobStatus


def upkeep(
    paused: bool,
    work: Iterable["JobStatus"],
    aside: Iterable[SetAside],
    given_up: Iterable[str],
) -> dict[str, Any]:
    """Return how everything stands.

    Args:
        paused: Whether all of it is paused.
        work: How each kind of work stands.
        aside: What could not be done.
        given_up: Sentences on models that are not asked to learn any more.
    """
    return {
        "paused": paused,
        "work": [job(one) for one in work],
        "set_aside": [set_aside(one) for one in aside],
        "given_up": list(given_up),
    }


def job(one: "JobStatus") -> dict[str, Any]:
    """Return how one kind of work stands."""
    return {
        "kind": one.kind,
        "title": one.title,
        "about": one.about,
        "enabled": one.enabled,
        "next_at": iso(one.next_at),
        "begins": one.trigger,
        "waiting": one.waiting,
        "without": one.without,
        "queued": one.queued,
        "running": one.running,
        "last": run(one.last) if one.last else None,
    }


def run(one: JobRun) -> dict[str, Any]:
    """Return one run of a kind of work."""
    return {
        "id": one.id,
        "kind": one.kind,
        "trigger": one.trigger,
        "started_at": iso(one.started_at),
        "ended_at": iso(one.ended_at),
        "outcome": one.outcome,
        "figures": dict(one.figures),
        "batch": one.batch,
        "error": one.error,
    }


def set_aside(one: SetAside) -> dict[str, Any]:
    """Return a piece of work that could not be done."""
    return {
        "id": one.id,
        "title": one.title,
        "about": one.about,
        "error": one.error,
        "at": iso(one.at),
    }


def planned(one: Planned) -> dict[str, Any]:
    """Return one thing that a run would do now."""
    return {
        "does": one.word,
        "text": one.text,
        "memories": [statement(memory) for memory in one.sources],
    }


def paused(on: bool) -> dict[str, Any]:
    """Return whether everything is paused."""
    return {"paused": on}


def spent(one: Spent) -> dict[str, Any]:
    """Return what one kind of work took of a model."""
    return {
        "purpose": one.purpose,
        "model": one.model,
        "local": one.local,
        "calls": one.calls,
        "prompt_tokens": one.prompt_tokens,
        "completion_tokens": one.completion_tokens,
        "counted": one.counted,
        "cost": round(one.cost, 6),
    }
