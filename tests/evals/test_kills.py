"""A small run of the kills: enough to see that nothing of them is lost, stuck or left behind."""

import json
import os
import subprocess
import sys

import pytest

from tests.end2end.program import ROOT
from tests.evals.kills import WRONG

RUN = """
import json
from tests.evals.kills import measured
print(json.dumps(measured(8, 5, talks=False)))
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_eight_kills_lose_and_leave_nothing():
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["kills"] == 8
    assert {name: found[name] for name in WRONG} == dict.fromkeys(WRONG, 0), found["problems"]
