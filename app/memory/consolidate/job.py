"""Fold repetition into observations, at night or when asked: the job, and what it would do.

What clusters there are is worked out once and kept in the checkpoint. Then each cluster is one
transaction, which also moves the checkpoint on: a run that ends anywhere goes on where it was. At
the end, what is still apart joins the observation that says it already.
"""

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from threading import Event
from typing import Any

from app.domain.changes import Changes
from app.domain.consolidation import Cluster
from app.domain.ids import Clock, new_id
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import TRIES, JobResult, Mark
from app.domain.memory import Memory
from app.errors import ModelError, TooLong
from app.memory.change.lineage import Lineage
from app.memory.consolidate.clustering import agreeing, identity, told_by_one
from app.memory.consolidate.fold import Folder
from app.memory.consolidate.plan import Planner
from app.memory.consolidate.wording import Wording, worded
from app.memory.learn.entailment import SUMMED_UP, Entailment
from app.memory.learn.remember import LearningModels
from app.settings.spec import Settings
from app.settings.upkeep import ConsolidationSettings as Limits
from app.store.memories import Note
from app.store.observations import ACTOR, ObservationProgress
from app.store.store import Store

log = logging.getLogger(__name__)

_IN_VAIN = "no model could put this cluster into one: "
_UNANSWERED = "no model answered about this cluster: "
_LOOKING = Progress("Looking for what was said repeatedly")

Groups = Sequence[tuple[Wording, Sequence[Memory]]]


@dataclass(slots=True)
class _Work:
    """How far a run has come; this is its checkpoint.

    Attributes:
        planned: Whether it is known what there is to do.
        plan: The ids of each cluster.
        at: How many of them are done.
        tried: How many of those took up room among the clusters that a run may try.
        unanswered: How often in a row the model did not answer.
        again: Whether what was looked at is to be looked at once more, because it did not.
        seen: Ids of the statements whose turn it was.
        places: For each agent, how far its statements will have been looked at.
        changed: Ids of the memories that changed.
    """

    batch: str
    planned: bool = False
    plan: list[list[str]] = field(default_factory=list)
    at: int = 0
    tried: int = 0
    unanswered: int = 0
    again: bool = False
    seen: list[str] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)

    def count(self, name: str, number: int = 1) -> None:
        if number:
            self.figures[name] = self.figures.get(name, 0) + number


class Consolidation:
    """Folds statements about one thing into observations.

    Args:
        models: The embedder, and the model that words observations where there is one.
    """

    def __init__(
        self, store: Store, models: LearningModels, settings: Callable[[], Settings], clock: Clock
    ) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._clock = clock
        self._memories = store.memories
        self._observations = store.observations
        self._tombstones = store.tombstones
        self._lineage = Lineage(store)
        self._entailment = Entailment(lambda: models.understanding)
        self._planner = Planner(store, models, clock)
        self._folder = Folder(store, clock)

    def run(
        self, checkpoint: Mapping[str, Any], mark: Mark, cancel: Event
    ) -> Generator[Progress, None, JobResult]:
        """Fold what may be folded, as one batch.

        Raises:
            Cancelled: It was stopped, or the model was needed for something more urgent.
            ModelError: There is no embedder, without which nothing is like anything.
        """
        work = _Work(**checkpoint) if checkpoint else _Work(new_id(self._clock()))
        limits, asking = self._settings().upkeep.consolidation, self._has_model()
        yield _LOOKING
        if not work.planned:
            self._tend(work, mark)
            yield _LOOKING
            self._plan(work, limits, mark)
        while work.at < len(work.plan) and work.tried < limits.max_clusters:
            yield Progress("Consolidating", work.at, len(work.plan))
            self._take(work, limits, asking, mark, cancel)
        if work.at == len(work.plan):
            yield from self._join(work, limits, mark)
            for agent_pk, place in () if work.again else work.places.items():
                self._observations.move_to(
                    int(agent_pk), self._planner.sweep(limits), ObservationProgress(*place)
                )
        if not work.changed:
            return JobResult(figures=work.figures)
        changes = Changes(memories=frozenset(work.changed), batches=frozenset({work.batch}))
        return JobResult(changes, work.figures, work.batch)

    def preview(self) -> list[Cluster]:
        """Return what a run would fold now; nothing is written and no model is asked.

        Where only a model could word an observation, its text is empty.

        Raises:
            ModelError: There is no embedder.
        """
        limits, found = self._settings().upkeep.consolidation, list[Cluster]()
        joining: list[Cluster] = []
        for agent_pk in self._observations.agents():
            plan = self._planner.plan(agent_pk, limits)
            for members in plan.clusters:
                told = [Cluster(one.text, group) for one, group in self._told(members)]
                hopeless = not self._has_model() or self._is_in_vain(members)
                found += told or ([] if hopeless else [Cluster("", members)])
            folded = {member.id for one in found for member in one.sources}
            seen = [memory for memory in plan.seen if memory.id not in folded]
            joining += self._joining(agent_pk, seen, limits)
        more = len(found) > limits.max_clusters  # then nothing joins before another night
        return found[: limits.max_clusters] if more else [*found, *joining]

    def _joining(self, agent_pk: int, seen: Sequence[Memory], limits: Limits) -> list[Cluster]:
        """Return what observations would say as before, with one statement more."""
        return [
            Cluster(old.text, [*self._memories.by_ids(old.source_ids), member])
            for member, near in self._planner.joining(agent_pk, seen, limits).pairs
            if (old := self._folder.saying(member, near)) is not None
        ]

    def _tend(self, work: _Work, mark: Mark) -> None:
        """Put right what nobody put right when statements changed."""
        with self._store.transaction():
            for agent_pk in self._observations.agents():
                note = Note(ACTOR, "redraw", work.batch, "what it was drawn from changed")
                drawn, changed = self._lineage.tend(agent_pk, note)
                work.count("redrawn", drawn)
                work.changed += changed
            mark(asdict(work))

    def _plan(self, work: _Work, limits: Limits, mark: Mark) -> None:
        for agent_pk in self._observations.agents():
            plan = self._planner.plan(agent_pk, limits)
            self._planner.keep(plan.fresh)
            work.seen += [memory.id for memory in plan.seen]
            work.plan += [[member.id for member in members] for members in plan.clusters]
            if plan.place is not None:
                work.places[str(agent_pk)] = list(plan.place)
        work.planned = True
        mark(asdict(work))

    def _take(self, work: _Work, limits: Limits, asking: bool, mark: Mark, cancel: Event) -> None:
        """Fold the next cluster; a model that does not answer twice in a row is asked no more."""
        still = self._folder.still(self._memories.by_ids(work.plan[work.at]))
        members = next(iter(agreeing(still)), ())
        told = self._told(members)
        wanted = asking and len(members) > 1 and not self._is_in_vain(members)
        put, answered = self._asked(work, members, limits, cancel) if wanted else (None, False)
        with self._store.transaction():
            self._write(work, [put] if put else told, limits)
            if wanted and not put and not told:
                self._leave(work, members, answered)
            work.tried += bool(told or answered)
            work.at += 1
            mark(asdict(work))

    def _asked(
        self, work: _Work, members: Sequence[Memory], limits: Limits, cancel: Event
    ) -> tuple[tuple[Wording, Sequence[Memory]] | None, bool]:
        """Return how a model puts statements into one, and which; and whether it answered."""
        if work.unanswered == TRIES:
            return None, False
        try:
            put = self._put(members, limits, cancel)
        except TooLong:
            log.info("a cluster is too long for the model: %d statements", len(members))
            work.count("too_long")
            work.unanswered = 0
            return None, True
        except ModelError as error:
            log.info("a cluster is folded without a model (%s)", type(error).__name__)
            work.count("without_model")
            work.unanswered += 1
            return None, False
        work.unanswered = 0
        work.count("worded_by_model" if put else "replies_refused")
        return put, True

    def _leave(self, work: _Work, members: Sequence[Memory], answered: bool) -> None:
        """Leave a cluster apart: for good where the model tried, else for one more run."""
        mark, agent_pk = identity(m.id for m in members), members[0].agent_pk
        if answered:
            self._tombstones.reject(_IN_VAIN + mark, agent_pk)
        elif not self._tombstones.has_rejected(_UNANSWERED + mark, agent_pk):
            self._tombstones.reject(_UNANSWERED + mark, agent_pk)
            work.again = True

    def _join(self, work: _Work, limits: Limits, mark: Mark) -> Generator[Progress, None, None]:
        """Let what is still apart join the observation that says it already, one by one."""
        seen = self._memories.by_ids(work.seen)
        for agent_pk in self._observations.agents():
            mine = [memory for memory in seen if memory.agent_pk == agent_pk]
            joining = self._planner.joining(agent_pk, mine, limits)
            self._planner.keep(joining.fresh)
            for member, near in joining.pairs:
                if self._folder.saying(member, near) is None:
                    continue
                yield Progress("Consolidating", work.at, len(work.plan))
                with self._store.transaction():
                    if (done := self._folder.join(member, near, work.batch)) is not None:
                        work.count("renewed")
                        work.count("statements")
                        work.changed += [done.observation_id, member.id]
                        mark(asdict(work))

    def _told(self, members: Sequence[Memory]) -> Groups:
        """Return what needs no model, but for what the person took back before."""
        if len(members) < 2:
            return []
        found = told_by_one(members, self._planner.settled(members[0].agent_pk))
        return [(Wording(one.text), group) for one, group in found]

    def _put(
        self, members: Sequence[Memory], limits: Limits, cancel: Event
    ) -> tuple[Wording, Sequence[Memory]] | None:
        """Ask for all of them, and where that is too long for the model, for half of them.

        Raises:
            TooLong: Even that is too long.
        """
        half = members[: len(members) // 2]
        with self._models.chat(False, learning=True, cancel=cancel) as model:
            try:
                put = worded(model, members, limits.max_tokens, cancel)
            except TooLong:
                if len(half) < 2:
                    raise
                members, put = half, worded(model, half, limits.max_tokens, cancel)
        return (put, members) if put is not None and self._bear_out(members, put.text) else None

    def _bear_out(self, members: Sequence[Memory], text: str) -> bool:
        """Return whether statements bear out what a model made of them, if it is none of them."""
        said = [member.text for member in members]
        return text in said or self._entailment.judged([("\n".join(said), text)], SUMMED_UP)[0]

    def _write(self, work: _Work, groups: Groups, limits: Limits) -> None:
        tags = [tag.strip() for tag in limits.tags.split(",") if tag.strip()]
        for wording, group in groups:
            if len(self._folder.still(group)) != len(group):
                continue
            done = self._folder.fold(wording, group, work.batch, tags, limits.dedup_threshold)
            if done is not None:
                work.count("created" if done.created else "renewed")
                work.count("statements", len(group))
                work.changed += [done.observation_id, *(member.id for member in group)]

    def _is_in_vain(self, members: Sequence[Memory]) -> bool:
        """Return whether a model was asked for these before and could not put them into one."""
        mark = _IN_VAIN + identity(m.id for m in members)
        return self._tombstones.has_rejected(mark, members[0].agent_pk)

    def _has_model(self) -> bool:
        return self._models.chat_info(learning=True).weights
