"""What Loci does by itself between conversations: jobs, their runs, and what they tell."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.domain.changes import Changes
from app.domain.memory import Memory

Mark = Callable[[Mapping[str, Any]], None]
"""Saves how far a job has come, durably and at once."""

TRIES = 2
"""A model that answers so often in a row nothing is out of reach until the next run."""

DREAM_FIGURES = (
    "users_processed",
    "entries_pruned",
    "contradictions_found",
    "entries_summarised",
    "summaries",
    "failed",
)
"""What dreams count."""


class Trigger(StrEnum):
    """Why a job runs."""

    SCHEDULE = "schedule"
    MISSED = "missed"
    NOW = "now"
    EVENT = "event"


class RunOutcome(StrEnum):
    """How a run ended; ``NOTHING`` found nothing to do, ``STOPPED`` goes on later."""

    RUNNING = "running"
    DONE = "done"
    NOTHING = "nothing"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a finished job tells.

    Attributes:
        changes: What views should refresh.
        figures: Counts and sums by name, never text; all zero where there was nothing to do.
        batch: What "Undo" undoes; empty where no memory changed.
    """

    changes: Changes = Changes()
    figures: Mapping[str, int | float] = field(default_factory=dict)
    batch: str = ""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A piece of work that could not be done and is not tried any more.

    Attributes:
        id: The job's.
        title: What a person calls such work.
        about: What it is about: the beginning of a message, or what such work does.
        error: Why it could not be done, in a sentence.
        at: When it was tried last.
    """

    id: str
    title: str
    about: str
    error: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Planned:
    """One thing that a run would do now.

    Attributes:
        word: What it would do: "Forget", "Fold".
        text: What would be gone, or what would be said.
        sources: The memories it is about.
    """

    word: str
    text: str
    sources: Sequence[Memory] = ()


@dataclass(frozen=True, slots=True)
class JobRun:
    """One run of a job, as the history shows it.

    Attributes:
        kind: Which job.
        ended_at: None while it runs.
        error: One sentence, where it failed.
    """

    id: str
    kind: str
    trigger: Trigger
    started_at: datetime
    ended_at: datetime | None = None
    outcome: RunOutcome = RunOutcome.RUNNING
    figures: Mapping[str, int | float] = field(default_factory=dict)
    batch: str = ""
    error: str = ""
