"""The nightly dream: three phases, each in small steps that a stop or a crash cannot tear.

Pruning forgets what is stale, and forgetting can be undone. Contradictions are marked and shown,
nothing is closed. Summarising retires its originals and never deletes them.
"""

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from threading import Event
from typing import Any

from app.domain.changes import Changes
from app.domain.ids import Clock, new_id
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import DREAM_FIGURES, TRIES, JobResult, Mark
from app.domain.memory import Memory, Status
from app.domain.model import ChatInfo
from app.memory.change.contradictions import Inbox
from app.memory.dream.condense import ACTOR, Condenser
from app.memory.dream.summary import Group
from app.memory.learn.remember import LearningModels
from app.settings.spec import Settings
from app.settings.upkeep import Dream
from app.store.memories import Note
from app.store.store import Store

log = logging.getLogger(__name__)

PAGE = 32
PRUNE, CONTRADICT, SUMMARISE = "prune", "contradict", "summarise"
PHASES = (PRUNE, CONTRADICT, SUMMARISE)
Steps = Generator[Progress, None, None]


@dataclass(frozen=True, slots=True)
class DreamPreview:
    """What a dream would do now; nothing is changed by looking.

    Attributes:
        stale: What would be forgotten.
        groups: What would be condensed, by name.
    """

    stale: Sequence[Memory]
    groups: Sequence[Group]


class Dreamer:
    """Tidies a vault.

    Args:
        spent: Returns what dreams have cost since a moment.
        hindrance: Returns in a sentence why a model may not be used; empty where it may.
    """

    def __init__(
        self,
        store: Store,
        models: LearningModels,
        inbox: Inbox,
        settings: Callable[[], Settings],
        spent: Callable[[datetime], float],
        clock: Clock,
        hindrance: Callable[[ChatInfo], str] = lambda model: "",
    ) -> None:
        self._store = store
        self._models = models
        self._inbox = inbox
        self._settings = settings
        self._spent = spent
        self._clock = clock
        self._memories = store.memories
        self._hindrance = hindrance
        self._aging = store.aging
        self._condenser = Condenser(store, models, clock)

    def preview(self) -> DreamPreview:
        """Return what a dream would do now."""
        settings = self._dream()
        stale = self._aging.stale(self._stale_before(settings), 1000) if _prunes(settings) else ()
        groups = self._condenser.groups(settings) if settings.summarise else ()
        return DreamPreview(stale, groups)

    def run(
        self, checkpoint: Mapping[str, Any], mark: Mark, cancel: Event
    ) -> Generator[Progress, None, JobResult]:
        """Dream once; a run that was broken off goes on where it was."""
        night = _Night(dict(checkpoint), mark, self._clock())
        for phase, work in (
            (PRUNE, self._prune),
            (CONTRADICT, self._contradict),
            (SUMMARISE, self._summarise),
        ):
            if PHASES.index(phase) >= PHASES.index(night.phase):
                night.enter(phase)
                yield Progress("Dreaming", PHASES.index(phase), len(PHASES))
                yield from work(night, cancel)
        counted = dict.fromkeys(DREAM_FIGURES, 0) | night.figures
        if any(night.figures.values()):
            counted["users_processed"] = 1
        undoable = any(night.figures.get(name) for name in _UNDOABLE)
        return JobResult(Changes(everything=undoable), counted, night.batch if undoable else "")

    # -- phases ------------------------------------------------------------------------------------

    def _prune(self, night: "_Night", cancel: Event) -> Steps:
        settings = self._dream()
        if not _prunes(settings):
            return
        before = night.began - timedelta(days=settings.prune_after_days)
        reason = f"Neither changed nor used for {settings.prune_after_days} days."
        while True:
            with self._store.transaction():
                stale = self._aging.stale(before, PAGE)
                for memory in stale:
                    changes = {"status": Status.FORGOTTEN, "status_reason": reason}
                    self._memories.update(memory.id, changes, night.note("prune", reason))
                night.count("entries_pruned", len(stale))
            if not stale:
                return
            yield Progress("Forgetting what is stale")

    def _contradict(self, night: "_Night", cancel: Event) -> Steps:
        if not self._dream().contradictions:
            return
        note = night.note("contradict")
        for agent in self._aging.agents():
            if agent < night.agent:
                continue
            after = night.after if agent == night.agent else 0
            came = partial(night.came_to, agent)
            yield from self._inbox.look(agent, note, after, cancel, came)

    def _summarise(self, night: "_Night", cancel: Event) -> Steps:
        settings = self._dream()
        if not self._sums_up(settings):
            return
        groups = self._condenser.groups(settings)
        if groups and self.forbidden():
            log.info("nothing was summarised, because no model may be used")
            night.count(FORBIDDEN, len(groups))
            return
        unanswered = 0
        for number, group in enumerate(groups):
            yield Progress("Summarising", number, len(groups))
            if self._has_spent(night.began, settings):
                night.count("stopped_by_cost", 1)
                return
            note = night.note("summarise")
            answered = self._condenser.condense(group, settings, note, night.count, cancel)
            unanswered = 0 if answered else unanswered + 1
            if unanswered == TRIES:
                log.info("the dream ends here, because the model is out of reach")
                return

    # -- what may be done --------------------------------------------------------------------------

    def forbidden(self) -> str:
        """Return in a sentence why no model may sum anything up; empty where one may."""
        model = self._models.chat_info(learning=True)
        if model.local:
            return ""
        if self._dream().max_cost <= 0:
            return "A dream may spend nothing; “Most spent on one dream” in Settings allows it."
        return self._hindrance(model)

    def _sums_up(self, settings: Dream) -> bool:
        return settings.summarise and self._models.chat_info(learning=True).weights

    def _has_spent(self, began: datetime, settings: Dream) -> bool:
        """Return whether a dream has spent all it may; a model on this computer costs nothing."""
        local = self._models.chat_info(learning=True).local
        return not local and self._spent(began) >= settings.max_cost

    def _dream(self) -> Dream:
        return self._settings().upkeep.dream

    def _stale_before(self, settings: Dream) -> datetime:
        return self._clock() - timedelta(days=settings.prune_after_days)


FORBIDDEN = "not_summed_up_because_no_model_may_be_used"
_UNDOABLE = ("entries_pruned", "contradictions_found", "entries_summarised")


class _Night:
    """How far a dream has come; everything here is in the checkpoint."""

    def __init__(self, checkpoint: dict[str, Any], mark: Mark, now: datetime) -> None:
        self._mark = mark
        self.batch = str(checkpoint.get("batch") or new_id(now))
        began = checkpoint.get("began")
        self.began = datetime.fromisoformat(began) if began else now
        phase = str(checkpoint.get("phase"))
        self.phase = phase if phase in PHASES else PRUNE
        self.agent = int(checkpoint.get("agent") or 0)
        self.after = int(checkpoint.get("after") or 0)
        self.figures: dict[str, int] = dict(checkpoint.get("figures") or {})
        self._keep()

    def note(self, op: str, reason: str = "") -> Note:
        return Note(ACTOR, op, self.batch, reason)

    def enter(self, phase: str) -> None:
        if phase != self.phase:
            self.phase, self.agent, self.after = phase, 0, 0
        self._keep()

    def count(self, name: str, more: int) -> None:
        if more:
            self.figures[name] = self.figures.get(name, 0) + more
            self._keep()

    def came_to(self, agent: int, pk: int, found: int) -> None:
        self.agent, self.after = agent, pk
        self.figures["contradictions_found"] = self.figures.get("contradictions_found", 0) + found
        self._keep()

    def _keep(self) -> None:
        self._mark(
            {
                "batch": self.batch,
                "began": self.began.isoformat(),
                "phase": self.phase,
                "agent": self.agent,
                "after": self.after,
                "figures": self.figures,
            }
        )


def _prunes(settings: Dream) -> bool:
    return settings.prune_after_days > 0
