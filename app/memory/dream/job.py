"""The nightly dream: three phases, each in small steps that a stop or a crash cannot tear.

Pruning forgets what is stale, and forgetting can be undone. Contradictions are marked and shown,
nothing is closed. Summarising keeps its originals for as long as the settings say.
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
from app.domain.memory import Memory, Status
from app.domain.progress import Progress
from app.domain.upkeep import Done, Mark
from app.errors import Cancelled, Conflict, ModelError, Refused
from app.memory.contradictions import Inbox
from app.memory.dream import summary
from app.memory.dream.summary import Group
from app.memory.gone import Gone
from app.memory.remember import Models
from app.memory.screen.gate import Gate
from app.settings.spec import Settings
from app.settings.upkeep import Dream
from app.store.aging import Aging
from app.store.memories import Memories, Note
from app.store.vault import Vault

log = logging.getLogger(__name__)

ACTOR = "dream"
PAGE = 32
PRUNE, CONTRADICT, SUMMARISE, CLEAN = "prune", "contradict", "summarise", "clean"
PHASES = (PRUNE, CONTRADICT, SUMMARISE, CLEAN)
Steps = Generator[Progress, None, None]


@dataclass(frozen=True, slots=True)
class Preview:
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
        vault: The vault.
        models: The models in use.
        inbox: Where contradictions go.
        settings: Returns the settings of the moment.
        spent: Returns what dreams have cost since a moment.
        clock: The present.
    """

    def __init__(
        self,
        vault: Vault,
        models: Models,
        inbox: Inbox,
        settings: Callable[[], Settings],
        spent: Callable[[datetime], float],
        clock: Clock,
    ) -> None:
        self._vault = vault
        self._models = models
        self._inbox = inbox
        self._settings = settings
        self._spent = spent
        self._clock = clock
        self._memories = Memories(vault)
        self._gate = Gate(vault)
        self._aging = Aging(vault)
        self._gone = Gone(vault)

    def preview(self) -> Preview:
        """Return what a dream would do now."""
        settings = self._dream()
        stale = self._aging.stale(self._stale_before(settings), 1000) if _prunes(settings) else ()
        entries = [e for agent in self._aging.agents() for e in self._aging.entries(agent)]
        return Preview(stale, summary.grouped(entries, settings) if settings.summarise else ())

    def run(
        self, checkpoint: Mapping[str, Any], mark: Mark, cancel: Event
    ) -> Generator[Progress, None, Done]:
        """Dream once; a run that was broken off goes on where it was."""
        night = _Night(dict(checkpoint), mark, self._clock())
        for phase, work in (
            (PRUNE, self._prune),
            (CONTRADICT, self._contradict),
            (SUMMARISE, self._summarise),
            (CLEAN, self._clean),
        ):
            if PHASES.index(phase) >= PHASES.index(night.phase):
                night.enter(phase)
                yield Progress("Dreaming", PHASES.index(phase), len(PHASES))
                yield from work(night, cancel)
        counted = dict.fromkeys(FIGURES, 0) | night.figures
        changed = any(night.figures.values())
        if changed:
            counted["users_processed"] = 1
        batch = night.batch if changed else ""
        return Done(Changes(everything=changed), counted, batch)

    # -- phases ------------------------------------------------------------------------------------

    def _prune(self, night: "_Night", cancel: Event) -> Steps:
        settings = self._dream()
        if not _prunes(settings):
            return
        before = night.began - timedelta(days=settings.prune_after_days)
        reason = f"Neither changed nor used for {settings.prune_after_days} days."
        while stale := self._aging.stale(before, PAGE):
            with self._vault.write():
                for memory in stale:
                    changes = {"status": Status.FORGOTTEN, "status_reason": reason}
                    self._memories.update(memory.id, changes, night.note("prune", reason))
                night.count("entries_pruned", len(stale))
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
        if not settings.summarise or not self._models.chat_info(learning=True).weights:
            return
        entries = [e for agent in self._aging.agents() for e in self._aging.entries(agent)]
        groups = summary.grouped(entries, settings)
        for number, group in enumerate(groups):
            yield Progress("Summarising", number, len(groups))
            if self._spent(night.began) >= settings.max_cost > 0:
                night.count("stopped_by_cost", 1)
                return
            if not self._condense(group, settings, night, cancel):
                return

    def _condense(self, group: Group, settings: Dream, night: "_Night", cancel: Event) -> bool:
        """Condense one group; return whether the others may be tried as well."""
        target = settings.summarise_target_entries
        try:
            with self._models.chat(False, learning=True, cancel=cancel) as model:
                texts = summary.condensed(model, group, target, cancel)
        except Cancelled:
            raise
        except ModelError as error:
            log.info("a group was not summarised (%s)", type(error).__name__)
            night.count("failed", 1)
            return False
        if not texts or any(self._gone.keeps_out(text) for text in texts):
            night.count("failed", 1)
            return True
        try:
            with self._vault.write():
                self._replace(group, texts, night)
        except (Conflict, Refused) as error:
            log.info("a summary cannot be stored (%s)", type(error).__name__)
            night.count("failed", 1)
        return True

    def _replace(self, group: Group, texts: Sequence[str], night: "_Night") -> None:
        """Put summaries in the place of a group, all or nothing."""
        now, made = self._clock(), []
        for fields in summary.rows(texts, group):
            memory = Memory(id=new_id(now), created_at=now, updated_at=now, **fields)  # type: ignore[arg-type]
            stored = self._gate.insert(memory, (), night.note("summarise"))
            if stored.status is not Status.ACTIVE:
                raise Refused(stored.status_reason)
            made.append(stored)
        for entry in group.entries:
            changes = {
                "status": Status.SUPERSEDED,
                "status_reason": "Summarised.",
                "superseded_by": made[0].id,
            }
            self._memories.update(entry.id, changes, night.note("summarise"))
        night.count("entries_summarised", len(group.entries))
        night.count("summaries", len(made))

    def _clean(self, night: "_Night", cancel: Event) -> Steps:
        """Delete the originals of old summaries, once the time to undo them is over."""
        before = night.began - timedelta(days=self._dream().keep_originals_days)
        while old := self._aging.originals(before, PAGE):
            with self._vault.write():
                for memory in old:
                    self._memories.delete(memory.id)
                night.count("originals_deleted", len(old))
            yield Progress("Clearing originals")

    def _dream(self) -> Dream:
        return self._settings().upkeep.dream

    def _stale_before(self, settings: Dream) -> datetime:
        return self._clock() - timedelta(days=settings.prune_after_days)


FIGURES = (
    "users_processed",
    "entries_pruned",
    "contradictions_found",
    "entries_summarised",
    "summaries",
    "failed",
)


class _Night:
    """How far a dream has come; everything here is in the checkpoint."""

    def __init__(self, checkpoint: dict[str, Any], mark: Mark, now: datetime) -> None:
        self._mark = mark
        self.batch = str(checkpoint.get("batch") or new_id(now))
        began = checkpoint.get("began")
        self.began = datetime.fromisoformat(began) if began else now
        self.phase = str(checkpoint.get("phase") or PRUNE)
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
