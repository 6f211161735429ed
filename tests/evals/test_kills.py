"""A small run of the kills: enough to see that nothing of them is lost, stuck or left behind."""

import json
import os
import random
import subprocess
import sys
from contextlib import closing
from datetime import timedelta

import pytest

from app.domain.jobs.kinds import LEARN
from app.store.work.jobs import JobQueue
from tests.end2end.program import ROOT
from tests.evals import kills_seen
from tests.evals.kills import WRONG
from tests.evals.kills_seen import CALLED, Seen

QUICK = ("undo", "erase", "export", "trust")
RUN = f"""
import json
from tests.evals.kills import measured
print(json.dumps(measured(6, 5, {QUICK})))
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_six_kills_lose_and_leave_nothing():
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["kills"] == 6
    assert {name: found[name] for name in WRONG} == dict.fromkeys(WRONG, 0), found["problems"]


def test_whatever_is_left_anywhere_is_seen(tmp_path):
    seen = Seen(tmp_path, random.Random(1))
    mine, part = tmp_path / "out.zip", tmp_path / ".out.zip.1.part"
    for file in (mine, part, seen.temporary / "left"):
        file.write_text(CALLED)
    seen.exports.add(mine)
    seen.look_for_files()
    assert seen.figures == {"temporary_files": 2, "plaintext": 2}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_that_outlives_its_command_is_seen_whatever_it_hides(tmp_path, monkeypatch):
    monkeypatch.setattr(kills_seen, "PATIENCE_SECONDS", 0.0)
    seen = Seen(tmp_path, random.Random(1))
    left = subprocess.Popen(["cat"], stdin=subprocess.PIPE, env={}, start_new_session=True)
    try:
        seen.look_for_orphans()
        assert seen.figures["orphans"] == 0
        seen.ended(left.pid)
        seen.look_for_orphans()
        assert seen.figures["orphans"] == 1
    finally:
        left.communicate()


def test_what_still_waits_to_be_learnt_is_seen(tmp_path):
    seen = Seen(tmp_path, random.Random(1))
    vault, profile = seen.profiles().create("Ada")
    seen.default = profile.slug
    with closing(vault):
        JobQueue(vault).enqueue(LEARN, "learn:x", {"message": "x"})
    seen.look_for_queued(timedelta())
    assert seen.figures["stuck_jobs"] == 1
