"""The work that follows from what the person does: learn, index, and finish an erasure."""

from collections.abc import Callable
from threading import Event

from app.domain.changes import Changes
from app.domain.progress import Progress
from app.domain.upkeep import Done, Mark
from app.memory.index import Indexer
from app.memory.remember import Remember
from app.services.scrub import SCRUB, Scrubber
from app.services.work import INDEX, LEARN, WORDS, Running, Work
from app.store import health
from app.store.jobs import Job
from app.store.vault import Vault


class Chores:
    """Does what a message, an edit or an erasure leaves to be done.

    Args:
        vault: The vault.
        remember: Learns from messages.
        indexer: Embeds what is new.
        scrubber: Rewrites the vault after an erasure.
        index_soon: Queues the indexing of what is new.
    """

    def __init__(
        self,
        vault: Vault,
        remember: Remember,
        indexer: Indexer,
        scrubber: Scrubber,
        index_soon: Callable[[], Changes],
    ) -> None:
        self._vault = vault
        self._remember = remember
        self._indexer = indexer
        self._scrubber = scrubber
        self._index_soon = index_soon

    def works(self) -> list[Work]:
        """Return the kinds of work done here."""
        return [
            Work(LEARN, "Remember", "Learns from a message.", self._learn),
            Work(INDEX, "Index", "Makes what is new findable by meaning.", self._index),
            Work(WORDS, "Index words", "Makes the indexes of words anew.", self._words),
            Work(SCRUB, "Finish erasing", "Leaves no trace of what was erased.", self._scrub),
        ]

    def _learn(self, job: Job, mark: Mark, cancel: Event) -> Running:
        yield Progress("Remembering")
        changes: Changes = self._remember.learn(str(job.payload["message"]), cancel).changes
        self._index_soon()
        return Done(changes)

    def _index(self, job: Job, mark: Mark, cancel: Event) -> Running:
        count = yield from self._indexer.run(cancel)
        return Done(figures={"embedded": count})

    def _words(self, job: Job, mark: Mark, cancel: Event) -> Running:
        """Make the indexes of words anew, one after the other; those that are done stay done."""
        done = list(job.checkpoint.get("done", ()))
        for number, index in enumerate(health.WORD_INDEXES):
            if index not in done:
                yield Progress("Indexing by words", number, len(health.WORD_INDEXES))
                health.rebuild(self._vault, index)
                done.append(index)
                mark({"done": done})
        return Done(figures={"rebuilt": len(done)})

    def _scrub(self, job: Job, mark: Mark, cancel: Event) -> Running:
        yield Progress("Finishing an erasure", stoppable=False)
        self._scrubber.finish()
        return Done()
