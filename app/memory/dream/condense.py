"""Put summaries in the place of many entries, unless anything changed while a model wrote them.

What the person took back is not summed up again until other entries join, and what a model could
not sum up is not given to it again. A group is read anew before the model sees it and before its
summaries are stored: what was forgotten, edited, erased or pinned meanwhile is left alone.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event

from app.domain.ids import Clock, new_id
from app.domain.memory import Memory, Status
from app.errors import Conflict, ModelError, NotFound, Refused, TooLong
from app.memory.change.summaries import CHANGED, NOTHING_LEFT, SUMMARISED
from app.memory.dream import summary
from app.memory.dream.summary import Group
from app.memory.learn.entailment import SUMMED_UP, Entailment
from app.memory.learn.remember import LearningModels
from app.memory.screen.gate import Gate
from app.memory.suppression import SuppressionList
from app.settings.upkeep import Dream
from app.store.memories import Note
from app.store.store import Store

log = logging.getLogger(__name__)

ACTOR = "dream"
_IN_VAIN = "no model could sum these up: "
_OURS = frozenset({CHANGED, NOTHING_LEFT})
Count = Callable[[str, int], None]


class Condenser:
    """Sums up groups of entries."""

    def __init__(self, store: Store, models: LearningModels, clock: Clock) -> None:
        self._store = store
        self._models = models
        self._clock = clock
        self._memories = store.memories
        self._gate = Gate(store)
        self._aging = store.aging
        self._suppression = SuppressionList(store)
        self._observations = store.observations
        self._tombstones = store.tombstones
        self._entailment = Entailment(lambda: models.understanding)

    def groups(self, settings: Dream) -> list[Group]:
        """Return what is worth summing up now."""
        found: list[Group] = []
        for agent in self._aging.agents():
            settled = self._settled(agent)
            for group in summary.grouped(self._aging.entries(agent), settings):
                ids = {entry.id for entry in group.entries}
                if not any(ids <= one for one in settled):
                    found.append(group)
        return [group for group in found if not self._is_in_vain(group, settings)]

    def condense(
        self, group: Group, settings: Dream, note: Note, count: Count, cancel: Event
    ) -> bool:
        """Sum up one group, in one transaction; left for later where a model does not answer.

        Of a group that is too long for the model half is summed up; where that is no use either, it
        is not given to it again.

        Args:
            group: The group.
            settings: How.
            note: What the journal says.
            count: Is told what was done, in the same transaction.
            cancel: Stops the model.

        Returns:
            Whether the models answered.

        Raises:
            Cancelled: The model was needed elsewhere.
        """
        if not self._is_as_read(group):
            return True
        try:
            part, texts = self._written(group, settings.summarise_target_entries, cancel)
        except ModelError as error:
            log.info("a group was not summarised (%s)", type(error).__name__)
            count("failed", 1)
            return False
        with self._store.transaction():
            if not self._is_as_read(group):
                return True
            if texts and not any(self._suppressed(text, part) for text in texts):
                try:
                    with self._store.transaction():
                        made = self._replace(part, texts, note)
                except (Conflict, NotFound, Refused) as error:
                    log.info("a summary cannot be stored (%s)", type(error).__name__)
                else:
                    count("entries_summarised", len(part.entries))
                    count("summaries", made)
                    return True
            self._tombstones.reject(self._mark(group, settings), group.entries[0].agent_pk)
            count("failed", 1)
        return True

    def _written(self, group: Group, target: int, cancel: Event) -> tuple[Group, Sequence[str]]:
        """Return what a model makes of a group, or of half of it, and which that is."""
        half = replace(group, entries=group.entries[: len(group.entries) // 2])
        for part in (group, half):
            if len(part.entries) <= target:
                break
            try:
                with self._models.chat(False, learning=True, cancel=cancel) as model:
                    texts = summary.condensed(model, part, target, cancel)
            except TooLong:
                log.info("a group is too long for the model: %d entries", len(part.entries))
                continue
            said = "\n".join(entry.text for entry in part.entries)
            borne_out = self._entailment.judged([(said, text) for text in texts], SUMMED_UP)
            return part, texts if all(borne_out) else ()
        return group, ()

    def _is_as_read(self, group: Group) -> bool:
        """Return whether nothing happened to any entry of a group since it was read."""
        now = self._memories.by_ids([entry.id for entry in group.entries])
        return [(m.id, m.revision) for m in now] == [(m.id, m.revision) for m in group.entries]

    def _suppressed(self, text: str, group: Group) -> bool:
        return bool(self._suppression.why_suppressed(text, group.entries[0].agent_pk))

    def _replace(self, group: Group, texts: Sequence[str], note: Note) -> int:
        """Put summaries in the place of a group; return how many."""
        now, made = self._clock(), []
        for fields in summary.rows(texts, group):
            memory = Memory(id=new_id(now), created_at=now, updated_at=now, **fields)  # type: ignore[arg-type]
            stored = self._gate.insert(memory, (), note)
            if stored.status is not Status.ACTIVE:
                raise Refused(stored.status_reason)
            made.append(stored)
        for entry in group.entries:
            changes = {
                "status": Status.SUPERSEDED,
                "status_reason": SUMMARISED,
                "superseded_by": made[0].id,
            }
            self._memories.update(entry.id, changes, note)
        return len(made)

    def _settled(self, agent_pk: int) -> list[frozenset[str]]:
        """Return the entries of each summary there is, and of each that the person took back."""
        made = self._observations.summaries(agent_pk, ACTOR)
        return [frozenset(m.source_ids) for m in made if m.status_reason not in _OURS]

    def _is_in_vain(self, group: Group, settings: Dream) -> bool:
        """Return whether the model was asked for these before, and its reply was of no use."""
        return self._tombstones.has_rejected(self._mark(group, settings), group.entries[0].agent_pk)

    def _mark(self, group: Group, settings: Dream) -> str:
        model = self._models.chat_info(learning=True).id
        said = sorted(f"{entry.id} {entry.text}" for entry in group.entries)
        return "\n".join([f"{_IN_VAIN}{model} {settings.summarise_target_entries}", *said])
