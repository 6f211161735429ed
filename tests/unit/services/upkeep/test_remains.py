"""What a process that was killed was at counts as running no longer, and is done by the next."""

import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from app.cli.program import run
from app.cli.upkeep import done_now
from app.domain.jobs.upkeep import RunOutcome
from app.errors import Refused
from app.services.upkeep.scrub import SCRUB
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue, JobState
from tests.unit.services.profile import NOW

KIND = "backup"
WORKER = """
import sys, time
from pathlib import Path
from threading import Event
from datetime import datetime
from app.main.build import build
from app.paths import Paths
from app.store.profiles import Profiles

profiles = Profiles(Paths(Path(sys.argv[1])), find_keyring=lambda: None)
profile, now = profiles.list()[0], datetime.fromisoformat(sys.argv[3])
vault = profiles.open(profile.slug)
vault.clock = lambda: now
services = build(profiles, profile, vault, vault.clock).services
services.upkeep.start(sys.argv[2])
for step in services.background.run_next(Event()):
    print("at it", flush=True)
    time.sleep(600)
"""


@contextmanager
def another_at_work(opened):
    """Another program that is in the middle of a backup; it is killed after the block."""
    root = opened.store.vault.path.parents[2]
    command = [sys.executable, "-c", WORKER, str(root), KIND, NOW.isoformat()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout.readline() == "at it\n"
        yield
        worker.send_signal(signal.SIGKILL)


def test_work_of_a_killed_program_is_done_by_the_next_at_once(opened):
    services = opened.services
    with another_at_work(opened):
        with pytest.raises(Refused, match="is at work"):
            done_now(services, KIND)
        assert services.upkeep.history(1, KIND)[0].outcome is RunOutcome.RUNNING
    assert not any(one.running for one in services.upkeep.standings())
    assert services.upkeep.history(1, KIND)[0].outcome is RunOutcome.STOPPED
    done = done_now(services, KIND)
    assert done.outcome is RunOutcome.DONE
    assert services.queue.pending() == 0


def test_whoever_works_next_takes_up_what_was_left(opened):
    services = opened.services
    with another_at_work(opened):
        pass
    run(services.background.run(upkeep=True))
    assert [one.outcome for one in services.upkeep.history(5, KIND)] == [
        RunOutcome.DONE,
        RunOutcome.STOPPED,
    ]


def test_an_erasure_that_was_given_up_goes_on_at_the_next_start(opened):
    jobs = JobQueue(opened.store.vault)
    monitor = JobMonitor(opened.store.vault)
    jobs.enqueue(SCRUB, SCRUB, {})
    jobs.fail(jobs.claim(NOW).id, "The disk is full.")
    assert monitor.by_key(SCRUB).state is JobState.FAILED
    run(opened.services.background.finish_erasing())
    assert monitor.by_key(SCRUB).state is JobState.DONE
    (told,) = opened.services.erasure.told()
    assert told == (
        "An interrupted erasure has been finished: the vault was written anew, its log was"
        " emptied. What it erased is not known any more, so that it could not be searched for."
    )
