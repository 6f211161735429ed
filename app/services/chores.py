"""The work that follows from what the person does: learn, index, and finish an erasure.

What is new is indexed at once. Making everything anew for another embedding model is nightly work,
because it may take hours.
"""

import time
from collections.abc import Callable, Iterator
from threading import Event

from app.domain.changes import Changes
from app.domain.jobs.kinds import BECAME, INDEX, LEARN, LEARN_MORE, REINDEX, WORDS
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark, Trigger
from app.domain.language.reading import Act
from app.domain.reply import StatementOutcome
from app.errors import Cancelled
from app.memory.learn.index import Indexer
from app.memory.learn.message_reader import ReadMessage
from app.memory.learn.remember import Learned, Remember
from app.services.answer.notebook import greets
from app.services.upkeep.queue import QueueService
from app.services.upkeep.scrub import SCRUB, Scrubber
from app.services.upkeep.work import Running, Work
from app.store.store import Store
from app.store.vault import word_index
from app.store.work.jobs import Job, JobState

LOOK_SECONDS = 0.2
_TELLS = frozenset({Act.TELL, Act.CORRECT, Act.REMEMBER})
_ONLY_HERE = (StatementOutcome.ONLY_HERE, "", "")
_WRITTEN = frozenset(
    {StatementOutcome.REMEMBERED, StatementOutcome.UPDATED}
)  # these a receipt tells


class Chores:
    """Does what a message, an edit or an erasure leaves to be done."""

    def __init__(
        self,
        store: Store,
        remember: Remember,
        indexer: Indexer,
        scrubber: Scrubber,
        queue: QueueService,
    ) -> None:
        self._store = store
        self._remember = remember
        self._indexer = indexer
        self._scrubber = scrubber
        self._queue = queue
        self._jobs = store.jobs
        self._job_monitor = store.job_monitor
        self._journal = store.journal

    def works(self) -> list[Work]:
        """Return the kinds of work done here."""
        return [
            Work(LEARN, "Remember", "Learns from a message.", self._learn),
            Work(
                LEARN_MORE,
                "Remember more",
                "Asks the learning model what else a message says.",
                self._learn_more,
            ),
            Work(INDEX, "Index", "Makes what is new findable by meaning.", self._index),
            Work(
                REINDEX,
                "Re-embed",
                "Makes everything findable by meaning again, for another embedding model.",
                self._reindex,
                nightly=True,
                trigger="Starts when another embedding model is in use.",
            ),
            Work(WORDS, "Index words", "Rebuilds the word indexes.", self._words),
            Work(
                SCRUB,
                "Finish erasing",
                "Leaves no trace of what was erased.",
                self._scrub,
                keeps=True,
            ),
        ]

    def _learn(self, job: Job, mark: Mark, cancel: Event) -> Running:
        yield Progress("Remembering")
        message_id = str(job.payload["message"])
        learned = self._remember.learn(message_id)
        self._queue.enqueue_index()
        if learned.more:
            self._queue.enqueue_learn_more(message_id)
        return self._noted(job, learned)

    def _learn_more(self, job: Job, mark: Mark, cancel: Event) -> Running:
        """Ask the learning model; what is said meanwhile is read first, and this done again."""
        yield Progress("Reading again with the learning model")
        message_id = str(job.payload["message"])
        until = _Until(cancel, lambda: self._job_monitor.waits(LEARN, self._store.clock()))
        try:
            learned = self._remember.learn_more(message_id, until)
        except Cancelled:
            if cancel.is_set() or not until.came:
                raise
            self._queue.enqueue_learn_more(message_id)
            return JobResult()
        if learned.batch:
            self._queue.enqueue_index()
        done = self._noted(job, learned)
        if self._remember.learner.info() is None:  # it was given up: that waits for the person
            done = JobResult(done.changes | Changes(profile=True))
        return done

    def _noted(self, job: Job, learned: Learned) -> JobResult:
        """Keep what became of a message beside its receipts, and let it be shown.

        That nothing of it is kept elsewhere is told once no model is left to be asked.
        """
        told = list(_outcomes(learned))
        if learned.more or self._was_told(job):
            told = [one for one in told if one != _ONLY_HERE]
        self._jobs.note(job.id, BECAME, told)
        changes = learned.changes
        if told and learned.heard is not None:
            shown = learned.heard.said.message.conversation_id
            changes |= Changes(conversations=frozenset({shown}))
        return JobResult(changes)

    def _was_told(self, job: Job) -> bool:
        """Return whether it was told before what became of a message: by receipt, job or answer."""
        message_id = str(job.payload["message"])
        if self._journal.of_message(message_id):  # by an earlier try that was stopped, too
            return True
        read = f"{LEARN}:{message_id}"
        return job.kind == LEARN_MORE and self._job_monitor.noted([read], BECAME).get(read) != []

    def _index(self, job: Job, mark: Mark, cancel: Event) -> Running:
        running, count = self._indexer.run(cancel, fresh=True), 0
        while True:
            try:
                progress = next(running)
            except StopIteration as stop:
                count = stop.value
                break
            yield progress
            if self._job_monitor.waits(LEARN, self._store.clock()):  # learning waits for no backlog
                running.close()
                self._queue.enqueue_index(trigger=job.trigger)
                return JobResult(figures={"embedded": progress.done})
        if not cancel.is_set() and (embedder := self._indexer.outdated()):
            self._enqueue_reindex(job.trigger, embedder)
        return JobResult(figures={"embedded": count})

    def _enqueue_reindex(self, trigger: Trigger, embedder: str) -> None:
        """Queue the re-embedding; what the person stopped does not begin by itself again."""
        known = self._job_monitor.by_key(REINDEX)
        if trigger is not Trigger.NOW and known is not None:
            if known.state in (JobState.QUEUED, JobState.RUNNING):
                return
            stopped = known.state is JobState.CANCELLED
            if stopped and known.payload.get("for", embedder) == embedder:
                return
        self._queue.enqueue(REINDEX, trigger, {"for": embedder})

    def _reindex(self, job: Job, mark: Mark, cancel: Event) -> Running:
        """Embed anew what only an earlier embedder read; what is done stays done."""
        running = self._indexer.run(cancel)
        mark({})
        while True:
            try:
                progress = next(running)
            except StopIteration as stop:
                return JobResult(figures={"embedded": int(stop.value)})
            if progress.total:
                mark({"figures": {"embedded": progress.done}})
            yield progress

    def _words(self, job: Job, mark: Mark, cancel: Event) -> Running:
        """Make the indexes of words anew, one after the other; those that are done stay done."""
        done = list(job.checkpoint.get("done", ()))
        for number, index in enumerate(word_index.WORD_INDEXES):
            if index not in done:
                yield Progress("Indexing by words", number, len(word_index.WORD_INDEXES))
                word_index.rebuild(self._store.vault, index)
                done.append(index)
                mark({"done": done})
        self._store.summaries.mend()
        return JobResult(figures={"rebuilt": len(done)})

    def _scrub(self, job: Job, mark: Mark, cancel: Event) -> Running:
        yield Progress("Finishing an erasure", stoppable=False)
        self._scrubber.finish()
        return JobResult()


def _outcomes(learned: Learned) -> Iterator[tuple[str, str, str]]:
    """Yield what became of what was stated and not written: outcome, memory, and why."""
    for one in learned.became:
        if one.outcome not in _WRITTEN:
            yield one.outcome, one.memory_id, one.why
    if not learned.became and learned.heard is not None and _tells(learned.heard):
        yield _ONLY_HERE


def _tells(heard: ReadMessage) -> bool:
    """Return whether a message tells something, be it in passing."""
    act = heard.reading.act
    return act in _TELLS or (act is Act.CHAT and not greets(heard.typed))


class _Until(Event):
    """Is set once work is cancelled, or once something more urgent waits.

    Attributes:
        came: Whether something more urgent came.
    """

    def __init__(self, cancel: Event, waits: Callable[[], bool]) -> None:
        super().__init__()
        self.came = False
        self._cancel, self._waits, self._looked = cancel, waits, 0.0

    def is_set(self) -> bool:
        now = time.monotonic()
        if not self.came and now - self._looked >= LOOK_SECONDS:
            self._looked = now
            self.came = self._waits()
        return self.came or self._cancel.is_set()
