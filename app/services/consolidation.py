"""Consolidation as the person sees it: what it would do, what each run did, and one click back."""

from collections.abc import Generator, Mapping, Sequence
from threading import Event
from typing import Any

from app.domain.changes import Changes
from app.domain.consolidation import Cluster, ConsolidationRun, Fold
from app.domain.jobs.kinds import CONSOLIDATE
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark, Planned
from app.domain.memory import JournalEntry, Memory, Status
from app.errors import NotFound
from app.memory.consolidate.job import Consolidation
from app.services.undo import UndoService
from app.services.upkeep.queue import QueueService
from app.services.upkeep.work import Work, upkeep
from app.store.observations import ACTOR
from app.store.store import Store


class ConsolidationService:
    """Shows the runs of consolidation, each as a list of changes, and reverts them.

    Args:
        job: What folds.
        queue: Where the indexing of what it made is queued.
    """

    def __init__(
        self,
        store: Store,
        job: Consolidation,
        queue: QueueService,
        undo: UndoService,
    ) -> None:
        self._job = job
        self._queue = queue
        self._undo = undo
        self._memories = store.memories
        self._journal = store.journal
        self._observations = store.observations

    def works(self) -> list[Work]:
        """Return the kinds of work done here."""
        return [
            upkeep(
                CONSOLIDATE,
                "Consolidate",
                "Folds what was said repeatedly into observations.",
                self._run,
                lambda settings: (
                    settings.upkeep.consolidation.enabled,
                    settings.upkeep.consolidation.at,
                ),
                preview=self._planned,
            )
        ]

    def preview(self) -> Sequence[Cluster]:
        """Return what a run would fold now; nothing is written, and no model is asked.

        Raises:
            ModelError: There is no embedder.
        """
        return self._job.preview()

    def runs(self, limit: int = 100) -> Sequence[ConsolidationRun]:
        """Return the runs that changed something, newest first."""
        return [
            ConsolidationRun(
                made.batch, made.at, {"created": made.created, "renewed": made.renewed}
            )
            for made in self._observations.batches(limit)
        ]

    def diff(self, batch: str) -> Sequence[Fold]:
        """Return what a run made of what, in the order in which it did.

        Raises:
            NotFound: It is no run of consolidation, or all that it made was erased.
        """
        entries: dict[str, list[JournalEntry]] = {}
        for entry in self._journal.of_batch(batch):
            if entry.actor == ACTOR:
                entries.setdefault(entry.memory_id, []).append(entry)
        found = [m for m in self._memories.by_ids(list(entries)) if m.proof_count is not None]
        if not found:
            raise NotFound("There is no such run of consolidation, or what it made was erased.")
        return [self._fold(memory, entries[memory.id]) for memory in found]

    def revert(self, batch: str) -> tuple[Changes, Sequence[str]]:
        """Take a run back, as far as nothing was changed since; the statements were never changed.

        The same statements are not folded again before others join them.

        Returns:
            What changed, and sentences on what was left as it is.

        Raises:
            NotFound: It is no run of consolidation.
        """
        self.diff(batch)
        return self._undo.undo(batch)

    def _planned(self) -> Sequence[Planned]:
        unsaid = "What these say together, in a model's words"
        return [
            Planned("Fold", cluster.text or unsaid, cluster.sources) for cluster in self.preview()
        ]

    def _run(
        self, checkpoint: Mapping[str, Any], mark: Mark, cancel: Event
    ) -> Generator[Progress, None, JobResult]:
        done = yield from self._job.run(checkpoint, mark, cancel)
        if done.batch:
            self._queue.enqueue_index()
        return done

    def _fold(self, observation: Memory, entries: Sequence[JournalEntry]) -> Fold:
        """Return what a run did to an observation, in however many steps."""
        first, last = entries[0], entries[-1]
        before = self._text_before(first)
        texts = [str(entry.after["text"]) for entry in entries if "text" in entry.after]
        after = texts[-1] if texts else before or observation.text
        drawn = [entry.after["source_ids"] for entry in entries if "source_ids" in entry.after]
        ids = drawn[-1] if drawn else observation.source_ids
        known = first.before.get("source_ids", () if before is None or drawn else ids)
        return Fold(
            observation,
            before,
            "" if last.after.get("status") == Status.FORGOTTEN else after,
            self._memories.by_ids(ids),
            frozenset(ids) - frozenset(known),
            last.undone,
        )

    def _text_before(self, entry: JournalEntry) -> str | None:
        """Return what an observation said before a change; None where the change made it."""
        if not entry.before:
            return None
        text = ""
        for earlier in self._journal.of_memory(entry.memory_id):
            if earlier.id == entry.id:
                break
            text = str(earlier.after.get("text", text))
        return str(entry.before.get("text", text))
