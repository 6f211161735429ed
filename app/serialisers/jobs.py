"""What Loci does by itself: how it stands, what it did, and what it took."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from app.domain.jobs.spending import Spent
from app.domain.jobs.upkeep import JobRun, Planned, SetAside
from app.serialisers.memories import statement
from app.serialisers.values import fields

if TYPE_CHECKING:
    from app.services.upkeep.upkeep import JobStatus


def upkeep(
    paused: bool,
    work: Iterable["JobStatus"],
    aside: Iterable[SetAside],
    given_up: Iterable[str],
) -> dict[str, Any]:
    """Return how every kind of work stands, what was set aside, and which models were given up."""
    return {
        "paused": paused,
        "work": [job(one) for one in work],
        "set_aside": [set_aside(one) for one in aside],
        "given_up": list(given_up),
    }


def job(one: "JobStatus") -> dict[str, Any]:
    """Return how one kind of work stands."""
    return {
        **fields(one, "kind title about enabled next_at"),
        "begins": one.trigger,
        **fields(one, "waiting without queued running"),
        "last": run(one.last) if one.last else None,
    }


def run(one: JobRun) -> dict[str, Any]:
    """Return one run of a kind of work."""
    return fields(one, "id kind trigger started_at ended_at outcome figures batch error")


def set_aside(one: SetAside) -> dict[str, Any]:
    """Return a piece of work that could not be done."""
    return fields(one, "id title about error at")


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
        **fields(one, "purpose model local calls prompt_tokens completion_tokens counted"),
        "cost": round(one.cost, 6),
    }
