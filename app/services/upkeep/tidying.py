"""Tidying at night: dreams, and the guardrails that keep memories few and young."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from threading import Event
from typing import TYPE_CHECKING, Any

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.jobs.kinds import COMPACT, DREAM
from app.domain.jobs.upkeep import DREAM_FIGURES, JobResult, Mark, Planned
from app.domain.language.text import counted
from app.services.upkeep.spending import SpendingService
from app.services.upkeep.work import Engine, Running, Work, upkeep
from app.settings.spec import Settings
from app.store.store import Store

if TYPE_CHECKING:
    from app.memory.change.contradictions import Inbox
    from app.memory.dream.guardrails import Guardrails
    from app.memory.dream.job import Dreamer
    from app.memory.dream.summary import Group
    from app.memory.learn.remember import LearningModels

AT = "04:00"


class TidyingService:
    """Dreams and thins, and shows beforehand what would be done.

    Args:
        inbox: Returns where contradictions go.
    """

    def __init__(
        self,
        store: Store,
        models: "LearningModels",
        inbox: "Callable[[], Inbox]",
        settings: Callable[[], Settings],
        spending: SpendingService,
        enqueue_index: Callable[[], Changes],
        clock: Clock,
    ) -> None:
        self._store = store
        self._models, self._inbox = models, inbox
        self._settings, self._spending, self._clock = settings, spending, clock
        self._runs = store.runs
        self._enqueue_index = enqueue_index

    @cached_property
    def _dreamer(self) -> "Dreamer":
        from app.memory.dream.job import Dreamer

        return Dreamer(
            self._store,
            self._models,
            self._inbox(),
            self._settings,
            partial(self._spending.cost_since, DREAM),
            self._clock,
            self._spending.hindrance,
        )

    @cached_property
    def _guardrails(self) -> "Guardrails":
        from app.memory.dream.guardrails import Guardrails

        return Guardrails(self._store, self._settings, self._clock)

    def works(self) -> list[Work]:
        """Return the kinds of work done here."""
        return [
            upkeep(
                DREAM,
                "Dream",
                "Forgets what is stale, looks for contradictions, and summarises.",
                self._indexing(self._dreamer.run),
                lambda s: (s.upkeep.dream.enabled, s.upkeep.dream.at),
                preview=self.dream_preview,
            ),
            upkeep(
                COMPACT,
                "Thinning",
                "Keeps memories within the number and age you set.",
                self._indexing(self._guardrails.run),
                lambda s: (_thins(s), AT),
                preview=self.thinning_preview,
            ),
        ]

    def dream_preview(self) -> Sequence[Planned]:
        """Return what a dream would forget and summarise now; nothing is changed."""
        would, forbidden = self._dreamer.preview(), self._dreamer.forbidden()
        word, how = ("Leave", f". {forbidden}") if forbidden else ("Summarise", ", by a model")
        return [
            *(Planned("Forget", memory.text, (memory,)) for memory in would.stale),
            *(Planned(word, f"{_said_of(group)}{how}", group.entries) for group in would.groups),
        ]

    def thinning_preview(self) -> Sequence[Planned]:
        """Return what the guardrails would delete and archive now; nothing is changed."""
        would = self._guardrails.preview()
        return [
            *(Planned("Delete", memory.text, (memory,)) for memory in would.delete),
            *(Planned("Archive", memory.text, (memory,)) for memory in would.archive),
        ]

    def metrics(self) -> dict[str, int | float]:
        """Return what all dreams did together: counts, failed cycles, and seconds."""
        total: dict[str, int | float] = dict.fromkeys(DREAM_FIGURES, 0)
        total |= {"cycles": 0, "cycles_failed": 0, "seconds": 0.0}
        for run in self._runs.list(10_000, DREAM):
            total["cycles"] += 1
            total["cycles_failed"] += bool(run.error)
            if run.ended_at is not None:
                total["seconds"] += (run.ended_at - run.started_at).total_seconds()
            for name, number in run.figures.items():
                total[name] = total.get(name, 0) + number
        return total

    def _indexing(self, engine: Engine) -> Engine:
        """Return the same work, after which what it wrote is made findable by meaning."""

        def run(checkpoint: Mapping[str, Any], mark: Mark, cancel: Event) -> Running:
            done: JobResult = yield from engine(checkpoint, mark, cancel)
            more = self._enqueue_index() if done.changes.everything else Changes()
            return JobResult(done.changes | more, done.figures, done.batch)

        return run


def _said_of(group: "Group") -> str:
    of = "" if group.name == "all" else f" in the category “{group.name}”"
    return f"{counted(len(group.entries), 'memory')}{of}"


def _thins(settings: Settings) -> bool:
    memory = settings.memory
    return bool(
        memory.compaction.enabled or memory.cap.max_entries or memory.retention.max_age_days
    )
