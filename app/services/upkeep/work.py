"""The kinds of work Loci does by itself: one table of what each is called and how it runs."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

from app.domain.jobs.kinds import CONSOLIDATE, DREAM, REVIEW
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark, Planned
from app.jobs.schedule import DailyPlan, time_of_day
from app.settings.spec import Settings
from app.store.work.jobs import Job

Running = Generator[Progress, None, JobResult]
Runs = Callable[[Job, Mark, Event], Running]
Preview = Callable[[], Sequence[Planned]]
Engine = Callable[[Mapping[str, Any], Mark, Event], Running]


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of job.

    Attributes:
        kind: What the queue calls it.
        title: What a person calls it.
        about: What it does, in a sentence.
        run: Does it.
        nightly: Whether its runs are kept in the history, and only one of these runs at a time.
        plan: Returns its daily schedule; None for what begins by itself.
        preview: Returns what it would do now, changing nothing; None where that cannot be told.
        trigger: When it begins by itself, in a sentence, where that is at no hour.
        per_item: Whether each of its jobs is about something of its own and none begins without.
        light: Whether it disturbs nobody, so that it waits neither for mains power nor until the
            person rests.
        keeps: Whether it only keeps or removes what there is, and so goes on while processing is
            restricted.
    """

    kind: str
    title: str
    about: str
    run: Runs
    nightly: bool = False
    plan: Callable[[Settings], DailyPlan] | None = None
    preview: Preview | None = None
    trigger: str = ""
    per_item: bool = False
    light: bool = False
    keeps: bool = False


def asks_model(kind: str, settings: Settings) -> bool:
    """Return whether nightly work asks a chat model, where one may be used."""
    return kind in (REVIEW, CONSOLIDATE) or (kind == DREAM and settings.upkeep.dream.summarise)


def upkeep(
    kind: str,
    title: str,
    about: str,
    engine: Engine,
    hour: Callable[[Settings], tuple[bool, str]],
    *,
    preview: Preview | None = None,
) -> Work:
    """Return nightly work.

    Args:
        kind: What the queue calls it.
        title: What a person calls it.
        about: What it does, in a sentence.
        engine: Does it, given its checkpoint.
        hour: Returns whether it is on, and its time of day.
        preview: Returns what it would do now.
    """

    def plan(settings: Settings) -> DailyPlan:
        enabled, at = hour(settings)
        return DailyPlan(kind, enabled, time_of_day(at))

    def run(job: Job, mark: Mark, cancel: Event) -> Running:
        return engine(job.checkpoint, mark, cancel)

    return Work(kind, title, about, run, nightly=True, plan=plan, preview=preview)


def table(works: Iterable[Work]) -> dict[str, Work]:
    """Return kinds of work by what the queue calls them, in their order."""
    return {work.kind: work for work in works}


class Works(Mapping[str, Work]):
    """Kinds of work by what the queue calls them, in their order; made when first asked for.

    Args:
        makers: Which kinds who makes.
    """

    def __init__(self, makers: Mapping[tuple[str, ...], Callable[[], Iterable[Work]]]) -> None:
        self._makers = {kind: make for kinds, make in makers.items() for kind in kinds}
        self._made: dict[str, Work] = {}

    def __getitem__(self, kind: str) -> Work:
        if kind not in self._made:
            self._made |= table(self._makers[kind]())
        return self._made[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)
