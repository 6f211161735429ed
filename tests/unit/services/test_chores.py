"""What is new is indexed at once; making all anew for another embedder is nightly work.

The vectors of another embedder are put there by hand, as a choice of model long ago left them.
"""

from threading import Event

import numpy as np
import pytest

from app.domain.jobs.kinds import INDEX, REINDEX
from app.domain.jobs.operation import drive
from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.domain.memory import Memory
from app.errors import Cancelled
from app.providers.base import Embedding
from app.store.index.vectors import Vectors
from app.store.memories import Memories, Note
from tests.unit.services.profile import NOW, send

ANIMALS = ("cats", "dogs", "geese")


@pytest.fixture
def outdated(opened):
    """A profile whose three memories were read by an embedder that is no longer in use."""
    vectors = Vectors(opened.store.vault)
    one = Embedding(np.ones(8, dtype=np.float32) / np.float32(8**0.5))
    pks = [put_down(opened, f"You own two {animal}") for animal in ANIMALS]
    vectors.put("memory", [(pk, one) for pk in pks], vectors.use("older", 8))
    opened.services.queue.enqueue_index()
    return opened.services


def put_down(opened, text):
    """Store a memory that no embedder has read; return its row."""
    note = Note("user", "insert", "b1")
    return (
        Memories(opened.store.vault).insert(Memory(text, text, NOW, NOW, agent_pk=1), (), note).pk
    )


def work(services):
    drive(services.background.run(upkeep=True), Event())


def missing(services):
    return services.memories.embedding_status().missing


def runs(services):
    return [(run.kind, run.trigger, run.outcome) for run in services.upkeep.history()]


def reembedding(services):
    return next(one for one in services.upkeep.standings() if one.kind == REINDEX)


def test_re_embedding_is_kept_in_the_history(outdated):
    work(outdated)
    assert missing(outdated) == 0
    assert runs(outdated) == [(REINDEX, Trigger.EVENT, RunOutcome.DONE)]
    (run,) = outdated.upkeep.history()
    assert run.figures == {"embedded": 3}
    outdated.queue.enqueue_index()
    work(outdated)
    assert len(runs(outdated)) == 1


def test_re_embedding_waits_as_nightly_work_does_and_what_is_new_does_not(opened, outdated):
    outdated.preferences.set("upkeep.paused", True)
    work(outdated)
    assert missing(outdated) == 3
    assert reembedding(outdated).queued
    assert reembedding(outdated).waiting == "Everything is paused."
    put_down(opened, "You own a boat")
    assert missing(outdated) == 4
    outdated.queue.enqueue_index()
    work(outdated)
    assert missing(outdated) == 3
    outdated.preferences.set("upkeep.paused", False)
    work(outdated)
    assert missing(outdated) == 0


@pytest.mark.parametrize("how", ["choose", "start", "ask"])
def test_re_embedding_that_the_person_begins_waits_for_nothing(outdated, how):
    outdated.preferences.set("upkeep.paused", True)
    if how == "choose":
        outdated.library.choose_embedder("hash")
    elif how == "start":
        outdated.upkeep.start(REINDEX)
    else:
        work(outdated)
        outdated.queue.enqueue_index(trigger=Trigger.NOW)
    work(outdated)
    assert missing(outdated) == 0
    assert runs(outdated) == [(REINDEX, Trigger.NOW, RunOutcome.DONE)]


def test_commands_leave_re_embedding_to_the_window(outdated):
    drive(outdated.background.run(), Event())
    assert missing(outdated) == 3
    assert reembedding(outdated).queued


def interrupted(services, happens):
    """Work until re-embedding has taken a step, let something happen, and say if it stopped."""
    drive(services.background.run(), Event())  # finds that there is something to re-embed
    cancel = Event()
    working = services.background.run_next(cancel)
    next(working)
    assert [one.kind for one in services.upkeep.standings() if one.running] == [REINDEX]
    happens()
    try:
        while True:
            if cancel.is_set():
                working.throw(Cancelled("Stopped."))
            next(working)
    except Cancelled:
        return True
    except StopIteration:
        return False


def test_re_embedding_gives_way_to_the_person(outdated):
    assert interrupted(outdated, lambda: send(outdated, "Good morning."))
    assert runs(outdated)[0] == (REINDEX, Trigger.EVENT, RunOutcome.STOPPED)


def test_re_embedding_that_was_stopped_does_not_come_back_by_itself(opened, outdated):
    assert interrupted(outdated, outdated.background.stop)
    put_down(opened, "You own a boat")
    outdated.background.recover()  # as the next start does
    work(outdated)
    assert not reembedding(outdated).queued
    assert runs(outdated) == [(REINDEX, Trigger.EVENT, RunOutcome.STOPPED)]
    outdated.upkeep.start(REINDEX)
    work(outdated)
    assert missing(outdated) == 0


def test_what_was_never_read_is_no_re_embedding(services):
    services.memories.add("I own a boat.")
    drive(services.background.run(), Event())
    assert missing(services) == 0
    assert services.upkeep.history() == []
    assert services.background.title(INDEX) == "Index"
