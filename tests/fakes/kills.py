"""Kills a job at points of its work that are drawn at random, as the end of its process would.

A job is killed before it writes, after it wrote and before that is kept, right afterwards, or
between two steps.
"""

import random
from contextlib import contextmanager
from threading import Event

from app.domain.jobs.operation import drive
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue


class KilledError(BaseException):
    """The process ended."""


class Job:
    """A durable job of a vault whose engine is made anew after every kill.

    Args:
        vault: The vault.
        begin: Called with checkpoint, mark and cancel, returns the generator that does it.
    """

    def __init__(self, vault, begin, kind="job"):
        self.vault = vault
        self.begin = begin
        self.jobs, self.monitor = JobQueue(vault), JobMonitor(vault)
        self.kind = kind
        self.kills = 0

    def run(self):
        """Do it from its checkpoint to its end."""
        return self.run_with_kills(0, most=0)

    def run_with_kills(self, seed, most=12, span=25):
        """Do it while it is killed again and again, at most so often and after so many writes."""
        chance = random.Random(seed)
        self.jobs.enqueue(self.kind, self.kind, {}, again=True)
        self.jobs.release_running(1_000, "")
        job, self.kills = self.jobs.claim(self.vault.clock()), 0
        while True:
            again = self.kills < most
            after = chance.randrange(1, span) if again else None
            steps = chance.choice((1, 2, 3, 99, 99, 99)) if again else None
            try:
                with killing(self.vault, after, chance):
                    done = self._go(self.monitor.by_key(self.kind), steps)
            except KilledError:
                self.kills += 1
            else:
                self.jobs.finish(job.id)
                return done

    def _go(self, job, steps):
        cancel, heard = Event(), []

        def hear(progress):
            heard.append(progress)
            if len(heard) == steps:
                raise KilledError

        def mark(checkpoint):
            self.jobs.checkpoint(job.id, checkpoint)

        return drive(self.begin(job.checkpoint, mark, cancel), cancel, hear)


@contextmanager
def killing(vault, after, chance):
    """End everything at the given write, if there are so many."""
    plain, count = vault.write, 0

    @contextmanager
    def write():
        nonlocal count
        count += 1
        when = chance.choice(("before", "within", "afterwards")) if count == after else ""
        if when == "before":
            raise KilledError
        with plain() as connection:
            yield connection
            if when == "within":
                raise KilledError
        if when == "afterwards":
            raise KilledError

    vault.write = write
    try:
        yield
    finally:
        del vault.write


def state(vault):
    """Return all that matters in a vault, without ids and times that differ between two runs."""
    with vault.read() as connection:
        return {name: sorted(map(tuple, connection.execute(sql))) for name, sql in _STATE.items()}


_STATE = {
    "memories": "SELECT text, status, status_reason, type, trust, origin, actor, coalesce(key, ''),"
    " coalesce(value, ''), tags, seen_count, conflicted, coalesce(occurred_at, 0),"
    " coalesce((SELECT h.text FROM memories AS h WHERE h.id = m.superseded_by), '')"
    " FROM memories AS m",
    "evidence": "SELECT m.text, e.quote, x.text, x.created_at FROM evidence AS e"
    " JOIN memories AS m ON m.pk = e.memory_pk LEFT JOIN messages AS x ON x.pk = e.message_pk",
    "entities": "SELECT m.text, e.canonical_key FROM entity_links AS l"
    " JOIN memories AS m ON m.pk = l.memory_pk JOIN entities AS e ON e.pk = l.entity_pk",
    "causes": "SELECT a.text, b.text, round(c.confidence, 4) FROM causal_edges AS c"
    " JOIN memories AS a ON a.pk = c.source_pk JOIN memories AS b ON b.pk = c.target_pk",
    "journal": "SELECT j.op, j.actor, m.text FROM journal AS j JOIN memories AS m"
    " ON m.id = j.memory_id",
    "batches": "SELECT count(DISTINCT batch) FROM journal WHERE actor <> 'user'",
    "vectors": "SELECT m.text FROM memory_vectors AS v JOIN memories AS m ON m.pk = v.pk",
    "watermarks": "SELECT c.created_at, (SELECT count(*) FROM messages AS x"
    " WHERE x.conversation_pk = c.pk AND x.pk <= w.message_pk) FROM watermarks AS w"
    " JOIN conversations AS c ON c.pk = w.conversation_pk",
}
